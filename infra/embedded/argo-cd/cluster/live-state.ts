import type { ClusterConnection } from '../../../../shared/adapters/kubernetes/connection.ts';
import { type ListWatch, startListWatch } from '../../../../shared/adapters/kubernetes/list-watch.ts';
import type { WatchEvent } from '../../../../shared/adapters/kubernetes/watched-object.ts';
import type { Logger } from '../../../../shared/adapters/telemetry/logger.ts';
import { type KubeObject, keyOf } from '../kube-object.ts';
import type { ApiResource } from './api-resources.ts';
import { troubleWith } from './cluster-trouble.ts';

export interface LiveStateSettings {
  readonly server: string;
  readonly connection: ClusterConnection;
  /** Only these, where the cluster Secret names some. */
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
  readonly log: Logger;
  readonly now: () => number;
  readonly onChange: (object: KubeObject) => void;
}

/** What a cluster holds of the kinds that applications have used so far, kept up to date by watches. */
export interface LiveState {
  /** Follows these kinds from now on, and resolves when they are known. Throws ClusterTrouble where they cannot be read. */
  follow(resources: readonly ApiResource[]): Promise<void>;
  find(key: string): KubeObject | undefined;
  all(): Iterable<KubeObject>;
  /** What a write gave back, ahead of the watch. */
  note(object: KubeObject): void;
  forget(key: string): void;
  stop(): Promise<void>;
}

const syncTimeoutMs = 20_000;
const lookEveryMs = 15;

export function openLiveState(settings: LiveStateSettings): LiveState {
  const { connection, namespaces, clusterResources, log, now, onChange } = settings;
  const watches = new Map<string, ListWatch>();
  const kinds = new Map<ListWatch, ApiResource>();
  const objects = new Map<string, KubeObject>();
  const complete = new Set<ListWatch>();

  function take(resource: ApiResource, { type, object }: WatchEvent): void {
    const live = stripped({ ...object, kind: resource.kind } as KubeObject);
    const key = keyOf(live);
    if (type === 'DELETED') {
      // The object may have been made again since, and noted by whoever made it.
      if (objects.get(key)?.metadata.uid === live.metadata.uid) objects.delete(key);
    } else if (isNewer(live, objects.get(key))) objects.set(key, live);
    // Told even where a write of ours has noted it already: another application may care.
    onChange(live);
  }

  function watch(resource: ApiResource, namespace: string | undefined): ListWatch {
    const key = `${resource.group}/${resource.version}/${resource.plural}/${namespace ?? ''}`;
    const running = watches.get(key);
    if (running !== undefined) return running;
    const { group, version, plural, kind } = resource;
    const started = startListWatch({
      connection,
      resource: { group, version, plural, kind, namespace },
      onEvents: async (batch) => {
        for (const event of batch) take(resource, event);
      },
      log: quiet(log),
      pace: { now },
    });
    watches.set(key, started);
    kinds.set(started, resource);
    return started;
  }

  return {
    async follow(resources) {
      const started = resources
        .filter((resource) => resource.canList)
        .flatMap((resource) => {
          if (namespaces.length === 0) return [watch(resource, undefined)];
          if (resource.namespaced) return namespaces.map((namespace) => watch(resource, namespace));
          return clusterResources ? [watch(resource, undefined)] : [];
        });
      const deadline = Date.now() + syncTimeoutMs;
      for (const one of started) {
        // One that was complete before and has lost its connection stays believed until it is back.
        if (complete.has(one)) continue;
        await synced(one, deadline).catch((error: unknown) => {
          const { group, kind } = kinds.get(one) as ApiResource;
          throw troubleWith(settings.server, error, group === '' ? kind : `${kind}.${group}`);
        });
        complete.add(one);
      }
    },
    find: (key) => objects.get(key),
    all: () => objects.values(),
    note(object) {
      const live = stripped(object);
      if (isNewer(live, objects.get(keyOf(live)))) objects.set(keyOf(live), live);
    },
    forget: (key) => void objects.delete(key),
    async stop() {
      await Promise.all([...watches.values()].map((one) => one.stop()));
    },
  };
}

async function synced(one: ListWatch, deadline: number): Promise<void> {
  for (;;) {
    const { synced: complete, pending, missing, lastError } = one.state();
    if (complete && pending === 0) return;
    // The kind went away between discovery and list; nothing of it can be there.
    if (missing) return;
    if (lastError !== undefined) throw new Error(lastError.message);
    if (Date.now() > deadline) throw new Error('the cluster did not answer in time');
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** managedFields are most of an object, and nobody here reads them. */
function stripped(object: KubeObject): KubeObject {
  const { managedFields: _many, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as KubeObject['metadata'] };
}

function isNewer(object: KubeObject, known: KubeObject | undefined): boolean {
  const [mine, theirs] = [object, known].map((one) => one?.metadata.resourceVersion ?? '');
  if (known === undefined || !/^\d+$/.test(mine ?? '') || !/^\d+$/.test(theirs ?? '')) return true;
  return BigInt(mine ?? 0) > BigInt(theirs ?? 0);
}

/** A cluster that refuses us says so in the Application's condition; its watches need not repeat it as warnings. */
function quiet(log: Logger): Logger {
  return { ...log, warn: (msg, fields) => log.debug(msg, fields), info: (msg, fields) => log.debug(msg, fields) };
}
