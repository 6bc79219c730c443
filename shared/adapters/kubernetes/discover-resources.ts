import { z } from 'zod';
import type { ApiResource, Offer } from '../../ports/api-resources.ts';
import { isTrouble } from '../../ports/trouble.ts';
import type { ClusterConnection } from './connection.ts';

/** One version of one group, in either form of discovery. */
interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly {
    readonly plural: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
  /** The API server could not ask whoever serves it. */
  readonly stale: boolean;
}

const verbs = z.array(z.string()).default([]);

/** All kinds in one answer, since Kubernetes 1.27. */
const Aggregated = z.object({
  kind: z.literal('APIGroupDiscoveryList'),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string().default('') }).default({ name: '' }),
      versions: z
        .array(
          z.object({
            version: z.string(),
            freshness: z.string().default('Current'),
            resources: z
              .array(
                z.object({
                  resource: z.string(),
                  scope: z.string(),
                  verbs,
                  responseKind: z.object({ kind: z.string() }).nullish(),
                }),
              )
              .default([]),
          }),
        )
        .default([]),
    }),
  ),
});

/** The older form: the versions first, and then an answer for each. */
const CoreVersions = z.object({ versions: z.array(z.string()) });
const Groups = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      versions: z.array(z.object({ version: z.string() })),
      preferredVersion: z.object({ version: z.string() }).optional(),
    }),
  ),
});
const VersionResources = z.object({
  resources: z.array(z.object({ name: z.string(), namespaced: z.boolean(), kind: z.string(), verbs })),
});

const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

const timeoutMs = 15_000;
const needed = ['list', 'get', 'delete'];

type Connection = Pick<ClusterConnection, 'request'>;

/** The kinds of namespaced objects that can be listed, read and deleted, each in the version that its group prefers. */
export async function discoverResources(connection: Connection, signal: AbortSignal): Promise<Offer> {
  const served = [...(await ask(connection, 'api', signal)), ...(await ask(connection, 'apis', signal))];
  const found = new Map<string, ApiResource>();
  // The versions of a group come in the order of its liking.
  for (const { group, version, resources } of served)
    for (const { plural, kind, namespaced, verbs: offered } of resources) {
      const key = `${group}/${plural}`;
      if (plural.includes('/') || found.has(key) || !namespaced) continue;
      if (needed.every((verb) => offered.includes(verb))) found.set(key, { group, version, plural, kind });
    }
  return {
    resources: [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, resource]) => resource),
    unreadable: served.filter(({ stale }) => stale).map(({ group, version }) => `${group}/${version}`),
  };
}

async function ask(connection: Connection, root: 'api' | 'apis', signal: AbortSignal): Promise<ServedVersion[]> {
  const { body } = await connection.request(`/${root}`, { headers: { accept }, signal, timeoutMs, accept: [] });
  const aggregated = Aggregated.safeParse(body);
  if (aggregated.success) return aggregated.data.items.flatMap(readGroup);
  const versions =
    root === 'api'
      ? CoreVersions.parse(body).versions.map((version) => ({ group: '', version }))
      : Groups.parse(body).groups.flatMap(inOrder);
  const served: ServedVersion[] = [];
  // One after the other: this is the way of old API servers, and it is taken once in hours.
  for (const version of versions) served.push(await askVersion(connection, version, signal));
  return served;
}

function readGroup({ metadata, versions }: z.output<typeof Aggregated>['items'][number]): ServedVersion[] {
  return versions.map(({ version, freshness, resources }) => ({
    group: metadata.name,
    version,
    stale: freshness !== 'Current',
    resources: resources.map((one) => ({
      plural: one.resource,
      kind: one.responseKind?.kind ?? '',
      namespaced: one.scope === 'Namespaced',
      verbs: one.verbs,
    })),
  }));
}

function inOrder({ name, versions, preferredVersion }: z.output<typeof Groups>['groups'][number]) {
  const names = new Set([...(preferredVersion === undefined ? [] : [preferredVersion]), ...versions].map(versionOf));
  return [...names].map((version) => ({ group: name, version }));
}

function versionOf({ version }: { readonly version: string }): string {
  return version;
}

/** A group whose own server is away must not hide the others. */
async function askVersion(
  connection: Connection,
  { group, version }: { readonly group: string; readonly version: string },
  signal: AbortSignal,
): Promise<ServedVersion> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const { body } = await connection.request(path, { signal, timeoutMs, accept: [] });
    const resources = VersionResources.parse(body).resources.map(({ name, ...rest }) => ({ plural: name, ...rest }));
    return { group, version, resources, stale: false };
  } catch (error) {
    if (signal.aborted || !isTrouble(error)) throw error;
    return { group, version, resources: [], stale: true };
  }
}
