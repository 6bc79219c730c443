import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';
import { isFields } from '../../../shared/domain/core/fields.ts';

/** Argo CD looks at every Application about as often. */
const recentMs = 180_000;

interface ShareSettings {
  readonly now: () => number;
  /** The namespaces of a cluster whose Applications count; undefined: all of them. */
  readonly namespacesOf: (clusterId: string) => readonly string[] | undefined;
}

/**
 * How many Applications Argo CD has looked at lately, by what passes on the way to forward-event: a time for each of them
 * is all that is kept.
 */
export function openReconciledShare({ now, namespacesOf }: ShareSettings) {
  /** By cluster and UID; undefined where Argo CD has never looked. */
  const clusters = new Map<string, Map<string, number | undefined>>();

  return {
    /** A watch of the cluster begins, and tells of everything that is there. What went meanwhile it will never tell of. */
    begin(clusterId: string): void {
      clusters.delete(clusterId);
    },

    note(clusterId: string, events: readonly WatchEvent[]): void {
      const namespaces = namespacesOf(clusterId);
      for (const { type, object } of events) {
        if (object.kind !== 'Application' || !object.apiVersion.startsWith('argoproj.io/')) continue;
        if (namespaces?.includes(object.metadata.namespace ?? '') === false) continue;
        const times = clusters.get(clusterId) ?? new Map<string, number | undefined>();
        clusters.set(clusterId, times);
        if (type === 'DELETED') times.delete(object.metadata.uid);
        else times.set(object.metadata.uid, reconciledAt(object['status']));
      }
    },

    /** Of 100; 0 where there is none. What was in a cluster that is not followed any more does not count. */
    percent(followed: ReadonlySet<string>): number {
      for (const id of clusters.keys()) if (!followed.has(id)) clusters.delete(id);
      const times = [...clusters.values()].flatMap((one) => [...one.values()]);
      if (times.length === 0) return 0;
      const since = now() - recentMs;
      return (100 * times.filter((at) => at !== undefined && at >= since).length) / times.length;
    },
  };
}

function reconciledAt(status: unknown): number | undefined {
  const written = isFields(status) ? status['reconciledAt'] : undefined;
  const at = typeof written === 'string' ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
