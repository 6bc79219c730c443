import { setTimeout as pause } from 'node:timers/promises';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { labels } from '../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { EngineCluster, EngineClusters } from '../../../shared/ports/engine-clusters.ts';
import type { ForwardTarget } from './forward-target.ts';
import { type ForwardedKind, type Forwarding, startForwarding } from './start-forwarding.ts';

interface WatchEnginesSettings {
  readonly engines: EngineClusters;
  readonly kinds: readonly ForwardedKind[];
  /** Where the events of a cluster go, by its id. */
  readonly target: (clusterId: string) => ForwardTarget;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often to look whether clusters came or went. */
  readonly everyMs?: number | undefined;
}

interface Watched {
  readonly access: string;
  readonly forwarding: Forwarding;
  close(): Promise<void>;
}

/**
 * Follows what Argo CDs of other clusters report. Which clusters there are is in the database, and may change at any
 * time: a new one is followed within half a minute, one with new credentials is followed with those.
 */
export function watchEngines({ engines, kinds, target, clock, log, everyMs = 30_000 }: WatchEnginesSettings) {
  const stopping = new AbortController();
  const watched = new Map<string, Watched>();

  function follow({ clusterId, access }: EngineCluster): Watched {
    log.info('engine cluster is watched', { name: clusterId, url: access.server });
    const connection = connectCluster({ ...access, now: clock.now });
    const forwarding = startForwarding({
      connection,
      // An Application of somebody else is none of our business.
      kinds: kinds.map((kind) => (kind.group === 'argoproj.io' ? { ...kind, labelSelector: labels.databaseId } : kind)),
      target: target(clusterId),
      pace: { now: clock.now },
      log,
    });
    return {
      access: JSON.stringify(access),
      forwarding,
      async close() {
        await forwarding.stop();
        await connection.close();
      },
    };
  }

  async function look(): Promise<void> {
    const wanted = new Map((await engines.list()).map((cluster) => [cluster.clusterId, cluster]));
    for (const [id, known] of watched) {
      const cluster = wanted.get(id);
      if (cluster !== undefined && JSON.stringify(cluster.access) === known.access) continue;
      watched.delete(id);
      await known.close();
    }
    for (const [id, cluster] of wanted) if (!watched.has(id)) watched.set(id, follow(cluster));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.warn('engine clusters are not known', { error: String(error) }));
      await pause(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    health: () => [...watched].flatMap(([id, { forwarding }]) => forwarding.health().map((one) => ({ id, ...one }))),
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await Promise.all([...watched.values()].map((one) => one.close()));
    },
  };
}
