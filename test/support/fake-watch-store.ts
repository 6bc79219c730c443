export interface FakeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

export interface StoredObject extends FakeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly [field: string]: unknown;
  };
}

export interface HistoryEntry {
  readonly version: number;
  readonly collection: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/** The objects of a fake API server, with one growing version for all of them, and the history a watch is fed from. */
export function openFakeWatchStore(onChange: (entry: HistoryEntry) => void) {
  const collections = new Map<string, Map<string, StoredObject>>();
  let history: HistoryEntry[] = [];
  // A real one is never at zero, and zero means something else in a request.
  let version = 100;
  let oldest = version;
  let uids = 0;

  function record(collection: string, type: HistoryEntry['type'], object: StoredObject): void {
    const entry = { version, collection, type, object };
    history.push(entry);
    onChange(entry);
  }

  return {
    get version() {
      return version;
    },
    /** What happened after this version is no longer known. */
    get oldest() {
      return oldest;
    },
    install(collection: string): void {
      if (!collections.has(collection)) collections.set(collection, new Map());
    },
    uninstall(collection: string): void {
      collections.delete(collection);
    },
    isInstalled: (collection: string) => collections.has(collection),
    put(collection: string, object: FakeObject): StoredObject {
      const objects = collections.get(collection) ?? new Map<string, StoredObject>();
      collections.set(collection, objects);
      const key = keyOf(object.metadata);
      const before = objects.get(key);
      version += 1;
      uids += before === undefined ? 1 : 0;
      const uid = before?.metadata.uid ?? `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
      const generation = Number(before?.metadata['generation'] ?? 0) + 1;
      const stored = {
        ...object,
        metadata: { uid, generation, ...object.metadata, resourceVersion: String(version) },
      } as StoredObject;
      objects.set(key, stored);
      record(collection, before === undefined ? 'ADDED' : 'MODIFIED', stored);
      return stored;
    },
    remove(collection: string, wanted: { name: string; namespace?: string }): void {
      const object = collections.get(collection)?.get(keyOf(wanted));
      if (object === undefined) throw new Error(`the fake has no ${keyOf(wanted)} in ${collection}`);
      collections.get(collection)?.delete(keyOf(wanted));
      version += 1;
      // The version of a deleted object is that of its deletion, as on a real one.
      record(collection, 'DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
    },
    get: (collection: string, wanted: { name: string; namespace?: string }) =>
      collections.get(collection)?.get(keyOf(wanted)),
    list: (collection: string, namespace?: string) =>
      [...(collections.get(collection)?.values() ?? [])].filter(
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      ),
    since: (collection: string, after: number) =>
      history.filter((entry) => entry.collection === collection && entry.version > after),
    expireHistory(): void {
      version += 1;
      oldest = version;
      history = [];
    },
  };
}

function keyOf({ namespace, name }: { name: string; namespace?: string }): string {
  return `${namespace ?? ''}/${name}`;
}
