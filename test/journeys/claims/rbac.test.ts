import { describe, expect, it } from 'vitest';
import { readMap } from '../../../infra/map.ts';
import { readRoles } from '../../support/apply-roles.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeRbac } from './suites/rbac.ts';

describeRbac(() => openGitOpsWorld());

describe('the files of infra/kubernetes/rbac', () => {
  const objects = readRoles();
  const { functions } = readMap();
  const namesOf = (kind: string) => objects.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
  const asking = functions.filter(({ needs }) => needs.includes('cluster')).map(({ name }) => name);

  it('have a role, an account and a binding for each function that asks a cluster, and for no other', () => {
    const roles = namesOf('ClusterRole').map((name) => name.replace('stagecoach:', ''));
    const others = functions.map(({ name }) => name).filter((name) => !asking.includes(name));

    expect(roles).toEqual(expect.arrayContaining(asking));
    expect(roles.filter((role) => others.some((name) => role.startsWith(name)))).toEqual([]);
    expect(namesOf('ServiceAccount').toSorted()).toEqual(['stagecoach', ...asking].toSorted());
    expect(namesOf('ClusterRoleBinding').toSorted()).toEqual(
      ['host', ...asking].map((name) => `stagecoach:${name}`).toSorted(),
    );
  });

  it('bind each role to its function and to the host', () => {
    const bindings = objects.filter(
      ({ kind, roleRef }) => kind.endsWith('Binding') && roleRef?.name !== 'stagecoach:host',
    );

    for (const { metadata, roleRef, subjects } of bindings) {
      const [owner] = asking.filter((name) => metadata.name.replace('stagecoach:', '').startsWith(name)).toSorted();
      expect(roleRef?.name).toBe(metadata.name);
      expect(subjects?.map(({ name }) => name)).toEqual([owner, 'stagecoach']);
    }
  });

  it('give watch to nobody but the host and people, and a wildcard to nobody', () => {
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
    const watching = roles.filter(({ rules }) => rules?.some(({ verbs }) => verbs.includes('watch')));
    const words = roles.flatMap(({ rules = [] }) => rules.flatMap((rule) => Object.values(rule).flat()));

    expect(watching.map(({ metadata }) => metadata.name)).toEqual(
      ['host', 'user', 'integration', 'developer', 'gitops-user', 'classes'].map((name) => `stagecoach:${name}`),
    );
    expect(words).not.toContain('*');
  });
});
