import { describe, expect, it } from 'vitest';
import { discoverResources } from '../../../shared/adapters/kubernetes/discover-resources.ts';
import { Transient } from '../../../shared/ports/trouble.ts';

const everything = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** An API server that has only these documents; a path that it does not have is one that is away. */
function serving(documents: Readonly<Record<string, unknown>>) {
  return {
    async request(path: string) {
      const body = documents[path];
      if (body === undefined) throw new Transient('cluster', `GET ${path} ended with 503`);
      return { status: 200, headers: {}, body };
    },
  };
}

function aggregated(items: readonly unknown[]) {
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items };
}

function offered(resource: string, kind: string, { scope = 'Namespaced', verbs = everything } = {}) {
  return { resource, scope, verbs, responseKind: { group: '', version: '', kind } };
}

describe('discovery', () => {
  it('CR-01 finds only namespaced kinds that can be listed, read and deleted', async () => {
    const connection = serving({
      '/api': aggregated([
        {
          metadata: {},
          versions: [
            {
              version: 'v1',
              resources: [
                offered('configmaps', 'ConfigMap'),
                offered('nodes', 'Node', { scope: 'Cluster' }),
                offered('bindings', 'Binding', { verbs: ['create'] }),
                offered('readings', 'Reading', { verbs: ['get', 'list'] }),
              ],
            },
          ],
        },
      ]),
      '/apis': aggregated([]),
    });

    expect(await discoverResources(connection, AbortSignal.timeout(5_000))).toEqual({
      resources: [{ group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }],
      unreadable: [],
    });
  });

  it('takes the version that a group prefers, and another one for what only that has', async () => {
    const connection = serving({
      '/api': aggregated([]),
      '/apis': aggregated([
        {
          metadata: { name: 'things.test' },
          versions: [
            { version: 'v2', resources: [offered('boxes', 'Box')], freshness: 'Current' },
            { version: 'v1', resources: [offered('boxes', 'Box'), offered('bags', 'Bag')], freshness: 'Current' },
          ],
        },
        { metadata: { name: 'away.test' }, versions: [{ version: 'v1', freshness: 'Stale' }] },
      ]),
    });

    expect(await discoverResources(connection, AbortSignal.timeout(5_000))).toEqual({
      resources: [
        { group: 'things.test', version: 'v1', plural: 'bags', kind: 'Bag' },
        { group: 'things.test', version: 'v2', plural: 'boxes', kind: 'Box' },
      ],
      unreadable: ['away.test/v1'],
    });
  });

  it('asks version by version where the API server knows no better, and misses only what is away', async () => {
    const resource = (name: string, kind: string, namespaced = true) => ({ name, kind, namespaced, verbs: everything });
    const connection = serving({
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'things.test',
            versions: [{ version: 'v1' }, { version: 'v2' }],
            preferredVersion: { version: 'v2' },
          },
          { name: 'away.test', versions: [{ version: 'v1' }] },
        ],
      },
      '/api/v1': {
        kind: 'APIResourceList',
        resources: [
          resource('pods', 'Pod'),
          { ...resource('pods/eviction', 'Eviction'), verbs: everything },
          resource('nodes', 'Node', false),
        ],
      },
      '/apis/things.test/v1': { kind: 'APIResourceList', resources: [resource('boxes', 'Box')] },
      '/apis/things.test/v2': { kind: 'APIResourceList', resources: [resource('boxes', 'Box')] },
    });

    expect(await discoverResources(connection, AbortSignal.timeout(5_000))).toEqual({
      resources: [
        { group: '', version: 'v1', plural: 'pods', kind: 'Pod' },
        { group: 'things.test', version: 'v2', plural: 'boxes', kind: 'Box' },
      ],
      unreadable: ['away.test/v1'],
    });
  });

  it('fails where the API server is away: nothing is not the same as no kinds', async () => {
    await expect(discoverResources(serving({}), AbortSignal.timeout(5_000))).rejects.toBeInstanceOf(Transient);
  });
});
