import { randomUUID } from 'node:crypto';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { ObjectKey, StoreEvent, StoreReader } from '../../../../infra/embedded/kubernetes/internal-api.ts';

export interface MemoryStore extends StoreReader {
  put(storage: string, object: ApiObject): ApiObject;
  remove(storage: string, namespace: string, name: string): void;
}

function keyOf({ storage, namespace, name }: ObjectKey): string {
  return JSON.stringify([storage, namespace, name]);
}

/** Just enough of a store for whoever only reads. */
export function createMemoryStore(): MemoryStore {
  const objects = new Map<string, { storage: string; object: ApiObject }>();
  const listeners = new Set<(event: StoreEvent) => void>();
  let revision = 0;

  function tell(type: StoreEvent['type'], storage: string, object: ApiObject): void {
    revision += 1;
    for (const listener of listeners) listener({ type, storage, revision, object });
  }

  return {
    get: (key) => objects.get(keyOf(key))?.object,
    list(storage, namespace) {
      const found = [...objects.values()].filter((each) => each.storage === storage).map(({ object }) => object);
      const wanted = found.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
      return wanted.sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
    },
    storages: () => [...new Set([...objects.values()].map(({ storage }) => storage))],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    put(storage, object) {
      const { namespace = '', name = '' } = object.metadata;
      const stored = { ...object, metadata: { uid: randomUUID(), ...object.metadata } };
      objects.set(keyOf({ storage, namespace, name }), { storage, object: stored });
      tell('ADDED', storage, stored);
      return stored;
    },
    remove(storage, namespace, name) {
      const key = keyOf({ storage, namespace, name });
      const known = objects.get(key);
      objects.delete(key);
      if (known !== undefined) tell('DELETED', storage, known.object);
    },
  };
}
