import { describe, expect, it } from 'vitest';
import { readMap } from '../../../infra/map.ts';
import { interests } from '../../../shared/domain/core/interest.ts';
import { readRoles } from '../../support/apply-roles.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeRbac } from './suites/rbac.ts';
import { askedAbout, functionRights, peoplesRights, rightsEverywhere, verbs } from './suites/rbac-table.ts';

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

  it('name nothing that the API server is not asked about, of every account that they name', () => {
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
    const rules = roles.flatMap((role) => role.rules ?? []);
    const asked = new Set(
      Object.entries(askedAbout).flatMap(([group, resources]) => resources.map((name) => `${group} ${name}`)),
    );
    const named = rules.flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((name) => `${group === '' ? 'core' : group} ${name}`)),
    );
    const accounts = Object.keys({ ...functionRights, ...peoplesRights, ...rightsEverywhere });

    expect(named.filter((one) => !asked.has(one))).toEqual([]);
    expect(rules.flatMap((rule) => rule.verbs).filter((verb) => !verbs.includes(verb))).toEqual([]);
    expect(
      namesOf('ClusterRole')
        .filter((name) => !/:host$|-beside-argo-cd$/.test(name))
        .toSorted(),
    ).toEqual(accounts.map((name) => `stagecoach:${name}`).toSorted());
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

  it('let the host follow every kind that a function is woken by', () => {
    const consumed = new Set(functions.flatMap(({ consumes }) => consumes));
    const followed = interests.filter(({ wakes }) => consumed.has(wakes));
    const host = objects
      .filter(({ metadata }) => metadata.name === 'stagecoach:host')
      .flatMap(({ rules = [] }) => rules);
    const watched = new Set(
      host
        .filter((rule) => rule.verbs.includes('list') && rule.verbs.includes('watch'))
        .flatMap(({ apiGroups, resources }) =>
          apiGroups.flatMap((group) => resources.map((name) => `${group} ${name}`)),
        ),
    );

    expect(
      followed.filter(({ group, kind }) => !watched.has(`${group} ${kind.toLowerCase()}s`)).map(({ kind }) => kind),
    ).toEqual([]);
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
