import { createHash } from 'node:crypto';
import type { ClusterConnection } from '../../../../shared/adapters/kubernetes/connection.ts';
import type { Logger } from '../../../../shared/adapters/telemetry/logger.ts';
import type { Destination } from '../application.ts';
import type { KubeObject } from '../kube-object.ts';
import type { ArgoSecret } from '../source/repository-credentials.ts';
import { type ApiResources, openApiResources } from './api-resources.ts';
import { type LiveState, openLiveState } from './live-state.ts';
import { type ClusterEntry, inClusterServer, localCluster, openCluster, readClusterSecret } from './open-cluster.ts';

export interface Target extends ClusterEntry {
  readonly connection: ClusterConnection;
  readonly resources: ApiResources;
  readonly live: LiveState;
}

export interface ClustersSettings {
  readonly local: ClusterConnection;
  readonly folder: string;
  readonly log: Logger;
  readonly now: () => number;
  readonly secrets: () => readonly ArgoSecret[];
  readonly onChange: (object: KubeObject) => void;
}

export interface Clusters {
  /** The cluster that a destination means. Throws in the words of Argo CD where it means none. */
  find(destination: Destination): ClusterEntry;
  open(entry: ClusterEntry): Target;
  /** Closes what no Secret stands for any more. */
  tidy(): void;
  stop(): Promise<void>;
}

export function openClusters(settings: ClustersSettings): Clusters {
  const { local, folder, log, now, secrets, onChange } = settings;
  const open = new Map<string, Target>();

  function entries(): readonly ClusterEntry[] {
    return secrets()
      .filter(({ type }) => type === 'cluster')
      .map(readClusterSecret);
  }

  async function close({ live, connection, secret }: Target): Promise<void> {
    await live.stop();
    if (secret !== undefined) await connection.close();
  }

  return {
    find(destination) {
      const known = entries();
      const server = serverOf(destination, known);
      const found = known.find((one) => one.server === server);
      if (found !== undefined) return found;
      if (server === inClusterServer) return localCluster;
      throw new Error(
        `error getting cluster by ${destination.server ? `server "${destination.server}"` : 'URL'}: rpc error: code = NotFound desc = cluster "${server}" not found`,
      );
    },
    open(entry) {
      const key = identityOf(entry);
      const running = open.get(key);
      if (running !== undefined) return running;
      const connection = entry.secret === undefined ? local : openCluster(entry.secret, folder, now);
      const { namespaces, clusterResources } = entry;
      const live = openLiveState({
        server: entry.server,
        connection,
        namespaces,
        clusterResources,
        log,
        now,
        onChange,
      });
      const target = { ...entry, connection, resources: openApiResources(connection), live };
      open.set(key, target);
      return target;
    },
    tidy() {
      const wanted = new Set([localCluster, ...entries()].map(identityOf));
      for (const [key, target] of open) {
        if (wanted.has(key)) continue;
        open.delete(key);
        close(target).catch((error: unknown) => log.warn('argo cluster not closed', { error: String(error) }));
      }
    },
    async stop() {
      await Promise.all([...open.values()].map(close));
      open.clear();
    },
  };
}

function serverOf({ name = '', server = '' }: Destination, known: readonly ClusterEntry[]): string {
  if (name !== '' && server !== '')
    throw new Error(`application destination can't have both name and server defined: ${name} ${server}`);
  if (server !== '') return server.replace(/\/+$/, '');
  if (name === '') throw new Error('Destination server missing from app spec');
  const named = known.filter((one) => one.name === name).map((one) => one.server);
  if (named.length > 1) throw new Error(`there are ${named.length} clusters with the same name: [${named.join(' ')}]`);
  if (named[0] !== undefined) return named[0];
  if (name === localCluster.name) return inClusterServer;
  throw new Error(`there are no clusters with this name: ${name}`);
}

/** A Secret that changed is another cluster: its token or its certificate may be new. */
function identityOf({ server, secret }: ClusterEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([server, secret?.name, secret?.data]))
    .digest('hex');
}
