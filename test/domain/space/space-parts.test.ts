import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fitsLabel } from '../../../shared/domain/core/object-name.ts';
import { accessRules } from '../../../shared/domain/space/access-rules.ts';
import { kubeconfigNames, placeNames } from '../../../shared/domain/space/space-names.ts';
import { isSameQuota, readWanted } from '../../../shared/domain/space/wanted-resources.ts';
import { writeKubeconfig } from '../../../shared/domain/space/write-kubeconfig.ts';

const uid = '0f3a1c2d-5b6e-4000-8000-123456789abc';

describe('the names of what is made for a request', () => {
  it('begin with the namespace of the request and end with more and more of its UID', () => {
    expect(placeNames({ namespace: 'team', name: 'dev', uid })).toEqual([
      'team-0f3a1',
      'team-0f3a1c2d',
      'team-0f3a1c2d5b6e40008000123456789abc',
    ]);
    expect(kubeconfigNames({ namespace: 'team', name: 'dev', uid })[0]).toBe('dev-0f3a1');
  });

  it.each([56, 57, 58, 63])('of a namespace of %i letters are names of namespaces', (length) => {
    for (const name of placeNames({ namespace: `${'a'.repeat(length - 7)}------b`, name: 'dev', uid }))
      expect(name).toMatch(/^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  });

  it('of a request with the longest name there is are names of Secrets', () => {
    const name = `${'a'.repeat(246)}.${'b'.repeat(6)}`;

    for (const one of kubeconfigNames({ namespace: 'team', name, uid })) {
      expect(one.length).toBeLessThanOrEqual(253);
      expect(one).toMatch(/^[a-z0-9]+(\.[a-z0-9]+)?-[0-9a-f]+$/);
    }
  });

  it.each([
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['a.b', true],
    ['a.', false],
  ])('%s may be a label: %s', (value, fits) => {
    expect(fitsLabel(value)).toBe(fits);
  });
});

describe('what a namespace may use', () => {
  it('is counted by the names of a quota, and written in one way', () => {
    expect(
      readWanted(' {"limits": {"memory": "1Gi"}, "requests": {"cpu": 2, "example.com/gpu": "1"}, "x": 1} '),
    ).toEqual({
      hard: { 'requests.cpu': '2', 'requests.example.com/gpu': '1', 'limits.memory': '1Gi' },
      json: '{"requests":{"cpu":"2","example.com/gpu":"1"},"limits":{"memory":"1Gi"}}',
    });
    expect(readWanted('{}')).toEqual({ hard: {}, json: '{}' });
  });

  it.each([
    ['', 'it is no JSON object'],
    ['[]', 'it is no JSON object'],
    ['null', 'it is no JSON object'],
    ['{"requests": "all"}', 'requests is no JSON object'],
    ['{"limits": []}', 'limits is no JSON object'],
    ['{"requests": {"cpu": "-1"}}', 'requests.cpu is no amount'],
    ['{"requests": {"cpu": {}}}', 'requests.cpu is no amount'],
    ['{"requests": {"memory": "1 Gi"}}', 'requests.memory is no amount'],
    ['{"limits": {"storage": "1Gi"}}', 'a namespace has no limits of storage'],
    ['{"requests": {"pods": "1"}}', 'a namespace has no requests of pods'],
  ])('%s is a problem: %s', (text, problem) => {
    expect(readWanted(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each<[Record<string, string>, Record<string, string>, boolean]>([
    [{ 'requests.cpu': '1' }, { 'requests.cpu': '1000m' }, true],
    [{ 'requests.cpu': '1' }, { 'requests.cpu': '1001m' }, false],
    [{ 'requests.cpu': '1' }, {}, false],
    [{}, { 'requests.cpu': '1' }, false],
    [{ 'requests.cpu': '0' }, { 'limits.cpu': '0' }, false],
  ])('%o is as much as %o: %s', (one, other, isSame) => {
    expect(isSameQuota(one, other)).toBe(isSame);
  });
});

describe('the kubeconfig', () => {
  const opening = {
    server: 'https://api.example.com:6443',
    certificateAuthorityData: 'Y2E=',
    namespace: 'team-0f3a1',
    token: 'a.b.c',
  };

  it('names one cluster, one context with the namespace, and the account with its token', () => {
    expect(parse(writeKubeconfig(opening))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'default-cluster',
          cluster: { server: 'https://api.example.com:6443', 'certificate-authority-data': 'Y2E=' },
        },
      ],
      contexts: [
        {
          name: 'default-context',
          context: { cluster: 'default-cluster', namespace: 'team-0f3a1', user: 'namespace-manager' },
        },
      ],
      'current-context': 'default-context',
      users: [{ name: 'namespace-manager', user: { token: 'a.b.c' } }],
    });
  });

  it('without an authority of its own trusts what every machine trusts, and never anybody', () => {
    expect(writeKubeconfig({ ...opening, certificateAuthorityData: undefined })).not.toMatch(/certificate|insecure/);
  });

  it('keeps a name that YAML would read as a number a name', () => {
    const { contexts } = parse(writeKubeconfig({ ...opening, namespace: '123' })) as {
      contexts: { context: { namespace: unknown } }[];
    };

    expect(contexts[0]?.context.namespace).toBe('123');
  });
});

describe('what the account may do', () => {
  const writes = accessRules.filter(({ verbs }) => verbs.includes('create'));

  it('is never everything, and never more of RBAC than it has', () => {
    for (const { verbs } of accessRules)
      for (const verb of ['*', 'escalate', 'bind', 'impersonate']) expect(verbs).not.toContain(verb);
  });

  it('is writing in no kind that bounds the namespace or leads the traffic of others', () => {
    const written = writes.flatMap(({ resources }) => resources);

    for (const kind of [
      '*',
      'resourcequotas',
      'limitranges',
      'namespaces',
      'endpoints',
      'endpointslices',
      'spacerequests',
    ])
      expect(written).not.toContain(kind);
    for (const { apiGroups } of writes) expect(apiGroups).not.toContain('*');
  });

  it('is reading everything, because Argo CD lists all that there is', () => {
    expect(accessRules).toContainEqual({ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] });
  });
});
