import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { openTargetClusters } from '../../shared/adapters/kubernetes/target-cluster.ts';
import type { ClusterAccess } from '../../shared/ports/cluster.ts';
import type { TargetClusters } from '../../shared/ports/target-cluster.ts';
import type { Watched } from './audited-connection.ts';

/** The way to the clusters of tenants, with a test that can stand in it. */
export interface WatchedTargets {
  readonly targets: TargetClusters;
  readonly way: Watched;
  close(): Promise<void>;
}

export function openWatchedTargets(): WatchedTargets {
  const way: Watched = { trouble: undefined };
  const connections = new Map<string, ClusterConnection>();

  function throwIfAny(error: Error | undefined): void {
    if (error !== undefined) throw error;
  }

  function connect({ server, token, certificateAuthority }: ClusterAccess): ClusterConnection {
    const connection = connectCluster({ server, token, certificateAuthority, now: Date.now });
    return {
      ...connection,
      async request(path, settings = {}) {
        const asked = { method: settings.method ?? 'GET', path };
        throwIfAny(way.trouble?.(asked, 'before'));
        const answer = await connection.request(path, settings);
        throwIfAny(way.trouble?.(asked, 'after'));
        return answer;
      },
    };
  }

  return {
    way,
    targets: openTargetClusters({
      clusters: {
        at(access) {
          const key = `${access.server} ${access.token}`;
          const connection = connections.get(key) ?? connect(access);
          connections.set(key, connection);
          return openCluster({ connection, timeoutMs: 5_000 });
        },
      },
      timeoutMs: 5_000,
    }),
    async close() {
      for (const connection of connections.values()) await connection.close();
    },
  };
}
