import { isLater } from '../../domain/core/interest.ts';
import type { WatchEvent } from './watched-object.ts';

/** What the watch has brought a moment ago. */
export interface RecentObjects {
  note(event: WatchEvent): void;
  /** The object, null where it was deleted; undefined where nothing is known that is at least of this version. */
  find(group: string, kind: string, namespace: string, name: string, atLeast: string): object | null | undefined;
}

interface Remembered {
  readonly version: string;
  readonly object: object | null;
}

/**
 * Spares the look at an object that the watch has just brought, which is what a knock mostly is about. A knock names the
 * version of its change, and only a copy of that version or a later one is given: older than that, the API server is
 * asked. What changes later makes a knock of its own, so a copy that has aged meanwhile does no harm.
 *
 * `most` bounds the memory: what was pushed out is asked for again.
 */
export function openRecentObjects({ most = 1_000 }: { readonly most?: number } = {}): RecentObjects {
  const remembered = new Map<string, Remembered>();
  return {
    note({ type, object }) {
      const { apiVersion, kind, metadata } = object;
      const [group = '', version] = apiVersion.split('/');
      const key = keyOf(version === undefined ? '' : group, kind, metadata.namespace ?? '', metadata.name);
      remembered.delete(key);
      remembered.set(key, { version: metadata.resourceVersion, object: type === 'DELETED' ? null : object });
      if (remembered.size <= most) return;
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        break;
      }
    },
    find(group, kind, namespace, name, atLeast) {
      const found = remembered.get(keyOf(group, kind, namespace, name));
      if (found === undefined || !/^\d{1,18}$/.test(found.version)) return undefined;
      return isLater(atLeast, found.version) ? undefined : found.object;
    },
  };
}

function keyOf(group: string, kind: string, namespace: string, name: string): string {
  return `${group}/${kind} ${namespace}/${name}`;
}
