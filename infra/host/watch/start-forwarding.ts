import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import {
  type ListWatch,
  type ListWatchSettings,
  type ListWatchState,
  startListWatch,
} from '../../../shared/adapters/kubernetes/list-watch.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { openDelivery } from './deliver-events.ts';
import { type ForwardTarget, type HttpTarget, openHttpTarget } from './forward-target.ts';
import { forwardedObject } from './forwarded-object.ts';

export interface ForwardedKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Only objects with these labels. */
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Only their metadata leaves the API server: for kinds with large bodies that nobody reads. */
  readonly metadataOnly?: boolean | undefined;
}

export interface ForwardingSettings {
  readonly connection: Pick<ClusterConnection, 'request' | 'stream'>;
  readonly kinds: readonly ForwardedKind[];
  /** The function forward-event: called in this process, or posted to. */
  readonly target: ForwardTarget | HttpTarget;
  readonly log: Logger;
  /** Only this namespace, of the kinds that have one. */
  readonly namespace?: string | undefined;
  readonly pace: ListWatchSettings['pace'];
  readonly silenceMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface ForwardingHealth extends ListWatchState {
  readonly group: string;
  readonly kind: string;
  /** Events that the receiver refused for good. */
  readonly dropped: number;
}

export interface Forwarding {
  health(): ForwardingHealth[];
  stop(): Promise<void>;
}

/**
 * Posts every change of these kinds to forward-event, one list and watch for each. Delivery is at least once: after a
 * restart everything that exists is told again, and readers that have seen it have nothing to do.
 */
export function startForwarding(settings: ForwardingSettings): Forwarding {
  const { connection, log, pace, silenceMs, maxEvents, maxBytes } = settings;
  const { send, close } =
    typeof settings.target === 'function'
      ? { send: settings.target, close: async () => {} }
      : openHttpTarget(settings.target);

  function follow({ namespaced, group, kind, ...rest }: ForwardedKind): {
    watch: ListWatch;
    health(): ForwardingHealth;
  } {
    let dropped = 0;
    const deliver = openDelivery({
      target: send,
      log,
      maxEvents,
      maxBytes,
      onDropped: () => {
        dropped += 1;
      },
    });
    const namespace = namespaced ? settings.namespace : undefined;
    const resource = { group, kind, namespace, ...rest };
    const watch = startListWatch({
      connection,
      resource,
      onEvents: deliver,
      project: forwardedObject,
      log,
      pace,
      silenceMs,
      maxBatch: maxEvents,
    });
    return { watch, health: () => ({ group, kind, dropped, ...watch.state() }) };
  }

  const followed = settings.kinds.map(follow);
  return {
    health: () => followed.map(({ health }) => health()),
    async stop() {
      await Promise.all(followed.map(({ watch }) => watch.stop()));
      await close();
    },
  };
}
