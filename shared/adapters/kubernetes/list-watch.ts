import { backoffSeconds } from '../../domain/core/backoff.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ClusterConnection } from './connection.ts';
import { openKnownObjects } from './known-objects.ts';
import { KindMissing, listPages } from './list-pages.ts';
import { type Pace, usualPace } from './pace.ts';
import { openPendingEvents } from './pending-events.ts';
import { UnreadableLine } from './read-lines.ts';
import { HistoryGone, versionOf, type WatchLine } from './watch-line.ts';
import { watchOnce } from './watch-once.ts';
import type { WatchEvent, WatchedObject, WatchedResource } from './watched-object.ts';

export interface ListWatchSettings {
  readonly connection: Pick<ClusterConnection, 'request' | 'stream'>;
  readonly resource: WatchedResource;
  /** Called with one batch at a time, in order; called again with what is newest then until it succeeds. */
  readonly onEvents: (batch: readonly WatchEvent[], signal: AbortSignal) => Promise<void>;
  /** Cuts an object down to what the receiver needs, before it is kept anywhere. */
  readonly project?: ((object: WatchedObject) => WatchedObject) | undefined;
  readonly log: Logger;
  readonly pace: Partial<Pace> & Pick<Pace, 'now'>;
  /**
   * No byte for so long: the connection is dead, whatever TCP says. Bookmarks come every minute; for a kind that nobody
   * touches the first one was seen to take two.
   */
  readonly silenceMs?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly maxBatch?: number | undefined;
  readonly maxPending?: number | undefined;
}

/** What /healthz asks. Times are those of `pace.now`. */
export interface ListWatchState {
  /** The picture is complete as of the last contact; false until the first list, and after a gap until the next. */
  readonly synced: boolean;
  readonly connected: boolean;
  /** The cluster does not know the kind. */
  readonly missing: boolean;
  readonly known: number;
  /** Any byte of the watch, bookmarks too. */
  readonly lastContactAt: number | undefined;
  readonly lastEventAt: number | undefined;
  readonly lastError: { readonly at: number; readonly message: string } | undefined;
  /** How often the watch began anew for another reason than that the server closed it in good order. */
  readonly restarts: number;
  readonly unreadable: number;
  /** Events the receiver has not taken yet, and since when the oldest of them waits. */
  readonly pending: number;
  readonly pendingSince: number | undefined;
}

export interface ListWatch {
  state(): ListWatchState;
  /** Ends reading and delivering. What was not delivered is found again by the list of the next start. */
  stop(): Promise<void>;
}

// A watch that lived this long was a good one: the next begins at once, and the back-off from the start.
const steadyMs = 1_000;
// So many failures in a row: perhaps it is what we ask for that is wrong, and a list asks for nothing.
const relistAfter = 5;

/**
 * Follows the objects of one kind for ever: list, watch, resume, list again after a gap. Nothing that the server, the
 * network or the receiver does ends it, and nothing is lost in between.
 */
export function startListWatch(settings: ListWatchSettings): ListWatch {
  const { connection, resource, log } = settings;
  const { silenceMs = 150_000, pageSize = 500, maxBatch = 500, maxPending = 5_000 } = settings;
  const pace = { ...usualPace, ...settings.pace };
  const stopping = new AbortController();
  const known = openKnownObjects(resource);
  const pending = openPendingEvents({
    deliver: settings.onEvents,
    maxBatch,
    maxPending,
    pace,
    onFailure: noteDeliveryFailure,
  });
  const state = {
    synced: false,
    connected: false,
    missing: false,
    lastContactAt: undefined as number | undefined,
    lastEventAt: undefined as number | undefined,
    lastError: undefined as { at: number; message: string } | undefined,
    restarts: 0,
    unreadable: 0,
  };
  /** The resourceVersion to watch from; undefined where a list must come first. */
  let position: string | undefined;

  async function list(): Promise<string> {
    const relist = known.beginRelist();
    const pages = listPages({ connection, resource, pageSize, signal: stopping.signal });
    let version = '';
    for await (const page of pages) {
      version = page.resourceVersion;
      state.missing = false;
      state.unreadable += page.unreadable;
      for (const object of page.objects) for (const event of relist.see(object, version)) take(event);
      // The next page waits on the server until the receiver has made room for it.
      await pending.room();
    }
    for (const event of relist.finish(version)) take(event);
    state.synced = true;
    return version;
  }

  function takeLine(line: WatchLine): Promise<void> | undefined {
    const version = versionOf(line);
    if (isOlder(version, position)) throw new HistoryGone('the server went back in time, as after a restored backup');
    if ('event' in line) {
      known.note(line.event);
      take(line.event);
    }
    position = version;
    return pending.isFull ? pending.room() : undefined;
  }

  function take({ type, object }: WatchEvent): void {
    state.lastEventAt = pace.now();
    try {
      pending.add({ type, object: settings.project?.(object) ?? object });
    } catch (error) {
      // A defect of ours; the object is left to the drift pass, and the others go on.
      log.error('watched object not understood', {
        kind: resource.kind,
        namespace: object.metadata.namespace,
        name: object.metadata.name,
        error: String(error),
      });
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    let failures = 0;
    let openedAt: number | undefined;
    const onOpen = () => {
      if (failures > 1) log.info('watch is back', { kind: resource.kind, attempt: failures });
      state.connected = true;
      openedAt = pace.now();
    };
    const onContact = () => {
      state.lastContactAt = pace.now();
    };
    while (!signal.aborted) {
      let trouble: unknown;
      openedAt = undefined;
      try {
        position ??= await list();
        await watchOnce({
          connection,
          resource,
          from: position,
          silenceMs,
          pace,
          signal,
          onOpen,
          onContact,
          onLine: takeLine,
        });
      } catch (error) {
        trouble = error;
      }
      state.connected = false;
      if (signal.aborted) return;
      if (openedAt !== undefined && pace.now() - openedAt >= steadyMs) failures = 0;
      failures += 1;
      const retry = failures === 1 ? 0 : backoffSeconds(failures - 1, pace.random(), pace.backoff);
      if (trouble !== undefined) noteTrouble(trouble, failures, retry);
      await pace.sleep(retry * 1_000, signal);
    }
  }

  function noteTrouble(trouble: unknown, attempt: number, retry: number): void {
    const message = trouble instanceof Error ? trouble.message : String(trouble);
    // Once for each new trouble: during an outage the same line every half minute for every kind says nothing more.
    if (attempt === 1 || message !== state.lastError?.message)
      log.warn('watch interrupted', { kind: resource.kind, error: message, attempt, retry });
    state.restarts += 1;
    state.lastError = { at: pace.now(), message };
    state.missing = trouble instanceof KindMissing;
    if (trouble instanceof UnreadableLine) state.unreadable += 1;
    if (trouble instanceof HistoryGone || trouble instanceof UnreadableLine || attempt % relistAfter === 0) {
      position = undefined;
      state.synced = false;
    }
  }

  function noteDeliveryFailure(error: unknown, attempt: number): void {
    const message = error instanceof Error ? error.message : String(error);
    state.lastError = { at: pace.now(), message };
    if (attempt === 1 || attempt % 20 === 0)
      log.warn('watch events wait for their receiver', {
        kind: resource.kind,
        error: message,
        attempt,
        count: pending.size,
      });
  }

  const running = Promise.all([run(), pending.run(stopping.signal)]);
  return {
    state: () => ({ ...state, known: known.size, pending: pending.size, pendingSince: pending.since }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Versions of one API server are growing whole numbers; anything else is not compared. */
function isOlder(version: string, than: string | undefined): boolean {
  const whole = /^\d+$/;
  return than !== undefined && whole.test(version) && whole.test(than) && BigInt(version) < BigInt(than);
}
