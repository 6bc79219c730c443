import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { type ListWatchSettings, startListWatch } from '../../../shared/adapters/kubernetes/list-watch.ts';
import { usualPace } from '../../../shared/adapters/kubernetes/pace.ts';
import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';
import type { FakeWatchServer } from '../../support/fake-watch-server.ts';

export const things = '/apis/example.com/v1/things';
const resource = { group: 'example.com', version: 'v1', plural: 'things', kind: 'Thing' };
export const silentLog = { error() {}, warn() {}, info() {}, debug() {} };

export function thing(name: string, size = 1, namespace = 'team-a') {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name, namespace }, spec: { size } };
}

/** Waits are cut to almost nothing, and time passes only when the test says so, on top of its own. */
export function openStepClock() {
  let ahead = 0;
  return {
    pass(ms: number): void {
      ahead += ms;
    },
    pace: {
      now: () => Date.now() + ahead,
      random: () => 0.5,
      sleep: (ms: number, signal: AbortSignal) => usualPace.sleep(Math.min(ms, 2), signal),
    },
  };
}

/** Takes events as the function behind the forwarder would: it keeps what it was told last about every object. */
export function openReceiver() {
  const told: WatchEvent[] = [];
  const batches: (readonly WatchEvent[])[] = [];
  const waiters = new Set<() => void>();
  let gate: Promise<void> = Promise.resolve();
  let failures = 0;
  const wake = () => {
    for (const waiter of waiters) waiter();
  };
  let attempts = 0;
  return {
    told,
    batches,
    attempts: () => attempts,
    async onEvents(this: void, batch: readonly WatchEvent[]): Promise<void> {
      attempts += 1;
      wake();
      await gate;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the receiver is away');
      }
      batches.push(batch);
      told.push(...batch);
      wake();
    },
    failNext(times: number): void {
      failures = times;
    },
    /** Holds every delivery until the answer is called. */
    block(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    /** What exists, as far as it was told: name to version. */
    world(): Record<string, string> {
      const alive = new Map<string, { key: string; version: string }>();
      for (const { type, object } of told) {
        const { uid, name, namespace, resourceVersion } = object.metadata;
        if (type === 'DELETED') alive.delete(uid);
        else alive.set(uid, { key: `${namespace}/${name}`, version: resourceVersion });
      }
      return Object.fromEntries([...alive.values()].map(({ key, version }) => [key, version]));
    },
    inWords: () => told.map(({ type, object }) => `${type} ${object.metadata.name}`),
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        await new Promise<void>((resolve) => {
          const waiter = () => {
            waiters.delete(waiter);
            resolve();
          };
          waiters.add(waiter);
        });
      }
    },
  };
}

export function follow(
  server: FakeWatchServer,
  onEvents: ListWatchSettings['onEvents'],
  settings: Partial<ListWatchSettings> = {},
) {
  const connection = connectCluster({ server: server.url, now: Date.now });
  const watch = startListWatch({
    connection,
    resource,
    onEvents,
    log: silentLog,
    pace: openStepClock().pace,
    ...settings,
  });
  return {
    state: watch.state,
    async stop(): Promise<void> {
      await watch.stop();
      await connection.close();
    },
  };
}
