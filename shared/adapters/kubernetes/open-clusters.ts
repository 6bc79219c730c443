import { createHash } from 'node:crypto';
import type { Cluster, ClusterAccess, Clusters } from '../../ports/cluster.ts';
import { type ClusterConnection, connectCluster } from './connection.ts';
import { openCluster } from './open-cluster.ts';
import type { RecentObjects } from './recent-objects.ts';

interface ClustersSettings {
  /** The connection to the cluster of the tenants; undefined where none is configured. */
  readonly local: Pick<ClusterConnection, 'request'> | undefined;
  readonly recent?: RecentObjects | undefined;
  /** For another cluster. Its address comes from a tenant, so it may be anywhere and may never answer. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** How many connections to other clusters are kept. */
  readonly most?: number | undefined;
}

/** A page of Applications of an engine cluster fits; what a tenant's server makes up does not fill our memory. */
const maxAnswerBytes = 32 * 1_024 * 1_024;

interface Kept {
  readonly cluster: Cluster;
  readonly connection: ClusterConnection;
}

/** The clusters that functions talk to. Connections to others than the local one are kept, the least used are let go. */
export function openClusters({
  local,
  recent,
  timeoutMs,
  now,
  most = 64,
}: ClustersSettings): Clusters & { close(): Promise<void> } {
  const kept = new Map<string, Kept>();

  function connect(access: ClusterAccess): Kept {
    const connection = connectCluster({
      server: access.server,
      token: access.token === '' ? undefined : access.token,
      clientCertificate: access.clientCertificate,
      certificateAuthority: access.certificateAuthority,
      insecure: access.insecure,
      maxAnswerBytes,
      now,
    });
    return { connection, cluster: openCluster({ connection, timeoutMs }) };
  }

  return {
    local:
      local === undefined
        ? openCluster({ connection: unconfigured })
        : openCluster({ connection: local, recent, timeoutMs: 15_000 }),
    at(access) {
      const key = fingerprint(access);
      const known = kept.get(key) ?? connect(access);
      // Put at the end again: the first of the map is the one that was not used for longest.
      kept.delete(key);
      kept.set(key, known);
      if (kept.size > most) {
        const [oldest] = kept;
        if (oldest !== undefined) {
          kept.delete(oldest[0]);
          void oldest[1].connection.close();
        }
      }
      return known.cluster;
    },
    async close() {
      await Promise.all([...kept.values()].map(({ connection }) => connection.close()));
    },
  };
}

/** So that no token and no key is the key of a map. */
function fingerprint(access: ClusterAccess): string {
  return createHash('sha256').update(JSON.stringify(access)).digest('base64');
}

const unconfigured: Pick<ClusterConnection, 'request'> = {
  request: async () => {
    throw new Error('No cluster is configured: set KUBECONFIG, or run inside the cluster');
  },
};
