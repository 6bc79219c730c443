import { describe, expect, it } from 'vitest';
import { createDiscovery } from '../../../../infra/embedded/kubernetes/discovery/answer-discovery.ts';
import { compareVersions } from '../../../../infra/embedded/kubernetes/discovery/served-groups.ts';
import type { ServedKind } from '../../../../infra/embedded/kubernetes/kinds/served-kind.ts';
import { aKind } from '../../../support/fake-internal-api.ts';

const aggregated = (version: string) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

const deployment = {
  ...aKind('apps/v1', 'Deployment', 'deployments'),
  subresources: ['status', 'scale'],
  shortNames: ['deploy'],
  categories: ['all'],
};
const revision = { ...aKind('apps/v1', 'ControllerRevision', 'controllerrevisions'), subresources: [] };
const review = {
  ...aKind('authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews', false),
  verbs: ['create'],
  subresources: [],
} as const;
const thing = { ...aKind('try.dev/v1', 'Try', 'tries'), isCustom: true, subresources: ['scale', 'status'] };
const account = { ...aKind('v1', 'ServiceAccount', 'serviceaccounts'), subresources: ['token'] };

function world(kinds: readonly ServedKind[] = [thing, deployment, review, revision, account]) {
  const discovery = createDiscovery({ kinds: () => kinds, address: () => '127.0.0.1:6443' });
  return {
    discovery,
    get: (path: string, accept = 'application/json') => {
      const answer = discovery.answer({ path, accept });
      return answer === undefined ? undefined : (JSON.parse(answer.body) as Record<string, unknown>);
    },
  };
}

describe('discovery', () => {
  it('names a version that kubectl 1.36 takes for its own', () => {
    expect(world().get('/version')).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3+embedded' });
  });

  it('lists the groups in the order of the real server, custom ones last', () => {
    const { get } = world();

    expect(get('/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
    const { groups } = get('/apis') as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).toEqual(['apps', 'authorization.k8s.io', 'try.dev']);
    expect(get('/apis/apps')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
  });

  it('lists the resources of a version, each followed by its subresources', () => {
    const { resources } = world().get('/apis/apps/v1') as { resources: Record<string, unknown>[] };

    expect(resources.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'controllerrevisions ControllerRevision',
      'deployments Deployment',
      'deployments/scale Scale',
      'deployments/status Deployment',
    ]);
    expect(resources[0]).toMatchObject({ singularName: 'controllerrevision', storageVersionHash: '85nkx63pcBU=' });
    expect(resources[2]).toEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  it('keeps what can only be created without a hash, and the order of a definition for its subresources', () => {
    const { get } = world();

    expect((get('/apis/authorization.k8s.io/v1') as { resources: unknown[] }).resources).toEqual([
      {
        name: 'subjectaccessreviews',
        singularName: 'subjectaccessreview',
        namespaced: false,
        kind: 'SubjectAccessReview',
        verbs: ['create'],
      },
    ]);
    const { resources } = get('/apis/try.dev/v1') as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).toEqual(['tries', 'tries/status', 'tries/scale']);
  });

  it('gives everything in one answer to those who ask for it', () => {
    const { get } = world();

    const { items } = get('/apis', `${aggregated('v2')},application/json`) as {
      items: { metadata: { name: string }; versions: { resources: Record<string, unknown>[] }[] }[];
    };

    expect(items.map(({ metadata }) => metadata.name)).toEqual(['apps', 'authorization.k8s.io', 'try.dev']);
    expect(items[0]?.versions[0]?.resources[1]).toMatchObject({
      resource: 'deployments',
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      shortNames: ['deploy'],
      subresources: [
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
        { subresource: 'status', responseKind: { group: '', version: '', kind: 'Deployment' } },
      ],
    });
    expect(items[2]?.versions[0]?.resources[0]?.['responseKind']).toEqual({
      group: 'try.dev',
      version: 'v1',
      kind: 'Try',
    });
    const core = get('/api', aggregated('v2beta1')) as { apiVersion: string; items: { metadata: object }[] };
    expect([core.apiVersion, core.items[0]?.metadata]).toEqual(['apidiscovery.k8s.io/v2beta1', {}]);
  });

  it('takes the first form that a client names', () => {
    const { get } = world();

    expect(get('/apis', `application/json,${aggregated('v2')}`)?.['kind']).toBe('APIGroupList');
    expect(get('/apis', `application/vnd.kubernetes.protobuf,${aggregated('v2')}`)?.['kind']).toBe(
      'APIGroupDiscoveryList',
    );
    expect(get('/apis', '*/*')?.['kind']).toBe('APIGroupList');
  });

  it('says 304 to those who know the answer, until a kind comes or goes', () => {
    let kinds: readonly ServedKind[] = [deployment];
    const discovery = createDiscovery({ kinds: () => kinds, address: () => '' });
    const ask = (ifNoneMatch = '') => discovery.answer({ path: '/apis', accept: aggregated('v2'), ifNoneMatch });
    const etag = ask()?.headers['etag'] ?? '';

    expect(ask(etag)).toMatchObject({ status: 304, body: '' });

    kinds = [deployment, thing];

    expect(ask(etag)?.status).toBe(200);
  });

  it('does not know other paths', () => {
    const { get } = world();

    expect(
      ['/apis/nope', '/apis/apps/v9', '/api/v2', '/openapi/v3/apis/nope/v1', '/healthz'].map((path) => get(path)),
    ).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe('versions', () => {
  it('come in the order of their promise', () => {
    const versions = ['v1alpha1', 'v1', 'foo', 'v10', 'v2beta1', 'v2', 'v1beta2', 'bar'];

    expect(versions.toSorted(compareVersions)).toEqual([
      'v10',
      'v2',
      'v1',
      'v2beta1',
      'v1beta2',
      'v1alpha1',
      'bar',
      'foo',
    ]);
  });
});
