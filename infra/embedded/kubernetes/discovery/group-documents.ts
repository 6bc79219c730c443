import { createHash } from 'node:crypto';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import type { ServedGroup, ServedVersion } from './served-groups.ts';
import { subresourceFacts } from './subresource-facts.ts';

export function apiVersionsDocument(address: string): unknown {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

function apiGroup({ group, versions }: ServedGroup): Record<string, unknown> {
  const listed = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: listed, preferredVersion: listed[0] };
}

export function apiGroupListDocument(groups: readonly ServedGroup[]): unknown {
  const named = groups.filter(({ group }) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(apiGroup) };
}

export function apiGroupDocument(group: ServedGroup): unknown {
  return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) };
}

/** Tells clients whether two endpoints show the same stored objects. */
function storageVersionHash({ storedAs, kind, group }: ServedKind): string {
  const version = storedAs.split('/').at(-1) ?? '';
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

function apiResources(kind: ServedKind): readonly Record<string, unknown>[] {
  const { plural, singular, namespaced, verbs, shortNames, categories } = kind;
  const isStored = verbs.includes('get');
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind: kind.kind,
      verbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(isStored ? { storageVersionHash: storageVersionHash(kind) } : {}),
    },
    ...subresourceFacts(kind).map(({ name, group, version, kind: answer, verbs: allowed }) => ({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...(group === undefined ? {} : { group, version }),
      kind: answer,
      verbs: allowed,
    })),
  ];
}

export function apiResourceListDocument(group: string, { version, kinds }: ServedVersion): unknown {
  return {
    kind: 'APIResourceList',
    // The core group's list carries no apiVersion; seen on the real server.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: kinds.flatMap(apiResources),
  };
}
