import { apiVersionOf, type WatchEvent, type WatchedObject, type WatchedResource } from './watched-object.ts';

/** The differences between a new list and what was known, found while its pages come in. */
interface Relist {
  /** What one object of the list means. `listVersion` is the resourceVersion of the list. */
  see(object: WatchedObject, listVersion: string): WatchEvent[];
  /** All pages were seen: what was known and not seen is gone. */
  finish(listVersion: string): WatchEvent[];
}

interface KnownObjects {
  readonly size: number;
  /** Takes note of an event of the watch. */
  note(event: WatchEvent): void;
  beginRelist(): Relist;
}

interface Identity {
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * What is needed to tell, after a gap, what happened in it: the uid and the version of every object, and not the
 * objects. It lives as long as the process; what is deleted while nobody watches is found by the drift pass.
 */
export function openKnownObjects(resource: WatchedResource): KnownObjects {
  const known = new Map<string, Identity>();

  /**
   * A deletion nobody saw. Its version is that of the list, never that of the object when it was last seen: a reader that
   * has served that version already would take the news for old.
   */
  function tombstone(key: string, { uid }: Identity, listVersion: string): WatchEvent {
    const [namespace = '', name = ''] = key.split('/');
    const metadata = { name, ...(namespace !== '' && { namespace }), uid, resourceVersion: listVersion };
    return { type: 'DELETED', object: { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata } };
  }

  return {
    get size() {
      return known.size;
    },
    note({ type, object }) {
      const key = keyOf(object);
      if (type !== 'DELETED') known.set(key, identityOf(object));
      // The name may belong to a successor already.
      else if (known.get(key)?.uid === object.metadata.uid) known.delete(key);
    },
    beginRelist() {
      const seen = new Set<string>();
      return {
        see(object, listVersion) {
          const key = keyOf(object);
          const before = known.get(key);
          const { uid, resourceVersion } = object.metadata;
          seen.add(key);
          if (before?.uid === uid && before.resourceVersion === resourceVersion) return [];
          known.set(key, identityOf(object));
          if (before === undefined) return [{ type: 'ADDED', object }];
          if (before.uid === uid) return [{ type: 'MODIFIED', object }];
          return [tombstone(key, before, listVersion), { type: 'ADDED', object }];
        },
        finish(listVersion) {
          const gone = [...known].filter(([key]) => !seen.has(key));
          for (const [key] of gone) known.delete(key);
          return gone.map(([key, identity]) => tombstone(key, identity, listVersion));
        },
      };
    },
  };
}

function keyOf({ metadata: { namespace, name } }: WatchedObject): string {
  return `${namespace ?? ''}/${name}`;
}

function identityOf({ metadata: { uid, resourceVersion } }: WatchedObject): Identity {
  return { uid, resourceVersion };
}
