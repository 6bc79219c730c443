import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Rule {
  level: string;
  verbs?: string[];
  resources?: { group: string; resources?: string[] }[];
}

const root = new URL('../../../', import.meta.url);
const policy: { omitStages: string[]; omitManagedFields: boolean; rules: Rule[] } = parse(
  readFileSync(new URL('infra/kubernetes/audit-policy.yaml', root), 'utf8'),
);

/** As the API server does it: the first rule that matches. A group without a list means all its resources. */
function levelOf(verb: string, group: string, resource: string): string | undefined {
  return policy.rules.find(
    ({ verbs, resources }) =>
      (verbs === undefined || verbs.includes(verb)) &&
      (resources === undefined ||
        resources.some(
          (entry) => entry.group === group && (entry.resources === undefined || entry.resources.includes(resource)),
        )),
  )?.level;
}

describe('the audit policy', () => {
  it.each(['create', 'update', 'patch', 'delete', 'deletecollection'])(
    'never sends the body of a Secret on %s',
    (verb) => {
      expect(levelOf(verb, '', 'secrets')).toBe('Metadata');
    },
  );

  it.each([
    ['appstudio.redhat.com', 'environments'],
    ['appstudio.redhat.com', 'snapshotenvironmentbindings/status'],
    ['managed-gitops.redhat.com', 'gitopsdeployments'],
    ['toolchain.dev.openshift.com', 'spacerequests/status'],
  ])('sends of %s %s the answer, which has name, uid and version', (group, resource) => {
    expect(levelOf('patch', group, resource)).toBe('RequestResponse');
  });

  it('sends of an Argo CD Application only that it changed', () => {
    expect(levelOf('patch', 'argoproj.io', 'applications')).toBe('Metadata');
  });

  it.each([
    ['get', 'appstudio.redhat.com', 'environments'],
    ['watch', '', 'secrets'],
    ['create', '', 'configmaps'],
    ['create', 'toolchain.dev.openshift.com', 'spaces'],
    ['patch', 'argoproj.io', 'appprojects'],
  ])('says nothing of %s on %s %s', (verb, group, resource) => {
    expect(levelOf(verb, group, resource)).toBe('None');
  });

  it('tells of a request once, when it is done', () => {
    expect(policy.omitStages).toEqual(['RequestReceived', 'ResponseStarted', 'Panic']);
    expect(policy.omitManagedFields).toBe(true);
  });

  it('was in force when the events of test/support/audit-events were recorded', () => {
    const folder = new URL('test/support/audit-events/', root);
    const events = readdirSync(folder)
      .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
      .filter(({ kind }) => kind !== 'EventList');

    expect(events.length).toBeGreaterThan(20);
    for (const { verb, level, stage, objectRef } of events) {
      const resource =
        objectRef.subresource === undefined ? objectRef.resource : `${objectRef.resource}/${objectRef.subresource}`;
      expect([level, stage]).toEqual([levelOf(verb, objectRef.apiGroup ?? '', resource), 'ResponseComplete']);
    }
  });
});
