import type { AnySchema, ObjectKind, ObjectOf } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, NewObject, ObjectKey } from '../../../../shared/ports/cluster.ts';
import { Conflict } from '../../../../shared/ports/trouble.ts';

type Fields = Record<string, unknown>;
interface Stored extends Fields {
  metadata: Fields & { name: string; namespace: string; uid: string; resourceVersion: string; finalizers?: string[] };
}

/** What was written, for whoever would be told by the API server. Without a version: it is gone, or about to be. */
interface Written {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string | undefined;
}

/** What a test has to say about the requests of one client. */
interface Ways {
  /** Before and after every request. */
  readonly around?: (request: string) => Promise<void>;
  /** Of copies that are new enough, the watch may have any; the newest comes last. */
  readonly choose?: (copies: number) => number;
}

/** As much of an API server as binding needs, in memory: versions, finalizers, merge patches, and the status apart. */
export function openMemoryCluster(now: () => number, tell: (written: Written) => void) {
  const objects = new Map<string, Stored>();
  const history = new Map<string, Stored[]>();
  let revision = 0;
  let born = 0;
  let writes = 0;

  const addressOf = ({ kind }: ObjectKind, { namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;

  function keep(kind: ObjectKind, stored: Stored): void {
    const address = addressOf(kind, stored.metadata);
    revision += 1;
    writes += 1;
    stored.metadata.resourceVersion = String(revision);
    if (isOver(stored)) objects.delete(address);
    else objects.set(address, stored);
    history.set(address, [...(history.get(address) ?? []), structuredClone(stored)]);
    const { namespace, name } = stored.metadata;
    const version = stored.metadata['deletionTimestamp'] === undefined ? stored.metadata.resourceVersion : undefined;
    tell({ kind: kind.kind, namespace, name, version });
  }

  /** One client of it. */
  function connect({ around = async () => {}, choose = (copies) => copies - 1 }: Ways = {}): Cluster {
    async function asked<T>(request: string, act: () => T): Promise<T> {
      await around(`before ${request}`);
      const answer = act();
      await around(`after ${request}`);
      return answer;
    }
    return {
      read: (kind, key, { atLeast } = {}) =>
        asked(`read ${addressOf(kind, key)}`, () => {
          const address = addressOf(kind, key);
          const copies = (history.get(address) ?? []).filter((copy) => isAtLeast(copy, atLeast));
          const copy = copies[choose(copies.length)];
          const stored = copy === undefined || isOver(copy) ? objects.get(address) : copy;
          return stored === undefined ? undefined : parse(kind, stored);
        }),
      async *list(kind, { namespace } = {}) {
        await around(`list ${kind.kind}`);
        const all = [...objects].filter(([address]) => address.startsWith(`${kind.kind}/${namespace ?? ''}`));
        yield all.map(([, stored]) => parse(kind, stored));
      },
      create: (kind, object) => asked(`create ${kind.kind}`, () => create(kind, object)),
      replace: () => Promise.reject(new Error('nobody replaces here')),
      patch: (kind, key, patch, { subresource } = {}) =>
        asked(`patch ${addressOf(kind, key)} ${subresource ?? ''}`, () => patchObject(kind, key, patch, subresource)),
      remove: (kind, key, { uid } = {}) =>
        asked(`remove ${addressOf(kind, key)}`, () => {
          const stored = objects.get(addressOf(kind, key));
          if (stored === undefined || (uid !== undefined && stored.metadata.uid !== uid)) return false;
          if (stored.metadata['deletionTimestamp'] === undefined) {
            const deletionTimestamp = new Date(now()).toISOString();
            keep(kind, { ...stored, metadata: { ...stored.metadata, deletionTimestamp } });
          }
          return true;
        }),
    };
  }

  function create<Schema extends AnySchema>(kind: ObjectKind<Schema>, object: NewObject): ObjectOf<Schema> {
    const { name = '', namespace = '' } = object.metadata;
    if (objects.has(addressOf(kind, { namespace, name }))) throw new Conflict(`${name} is there already`);
    born += 1;
    const stored: Stored = {
      apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      ...structuredClone(object),
      metadata: {
        ...structuredClone(object.metadata),
        name,
        namespace,
        uid: `uid-${born}`,
        resourceVersion: '',
        creationTimestamp: new Date(Math.floor(now() / 1_000) * 1_000).toISOString(),
      },
    };
    keep(kind, stored);
    return parse(kind, stored);
  }

  function patchObject(kind: ObjectKind, key: ObjectKey, patch: object, subresource: 'status' | undefined): boolean {
    const stored = objects.get(addressOf(kind, key));
    if (stored === undefined) return false;
    const { metadata = {}, status, ...rest } = patch as { metadata?: Fields; status?: Fields };
    const { resourceVersion, ...marks } = metadata;
    if (resourceVersion !== undefined && resourceVersion !== stored.metadata.resourceVersion)
      throw new Conflict(`${key.name} has been changed`);
    const change = subresource === 'status' ? { status } : { ...rest, metadata: marks };
    const patched = merged(stored, change) as Stored;
    // Whoever says what is so already writes nothing.
    if (JSON.stringify(patched) !== JSON.stringify(stored)) keep(kind, patched);
    return true;
  }

  return {
    connect,
    /** How often something was written until now. */
    get writes() {
      return writes;
    },
  };
}

/** It was deleted, and nobody held it. */
function isOver({ metadata }: Stored): boolean {
  return metadata['deletionTimestamp'] !== undefined && (metadata.finalizers ?? []).length === 0;
}

function isAtLeast({ metadata }: Stored, version: string | undefined): boolean {
  return version !== undefined && BigInt(metadata.resourceVersion) >= BigInt(version);
}

function parse<Schema extends AnySchema>({ Schema }: ObjectKind<Schema>, stored: Stored): ObjectOf<Schema> {
  return Schema.parse(structuredClone(stored)) as ObjectOf<Schema>;
}

function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return structuredClone(patch);
  const fields: Fields = typeof target === 'object' && target !== null ? { ...(target as Fields) } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete fields[key];
    else if (value !== undefined) fields[key] = merged(fields[key], value);
  }
  return fields;
}
