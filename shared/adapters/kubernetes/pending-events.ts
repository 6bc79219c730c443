import { backoffSeconds } from '../../domain/core/backoff.ts';
import type { Pace } from './pace.ts';
import type { WatchEvent } from './watched-object.ts';

interface PendingSettings {
  readonly deliver: (batch: readonly WatchEvent[], signal: AbortSignal) => Promise<void>;
  readonly maxBatch: number;
  /** So many objects may wait before `room` makes the reader wait. */
  readonly maxPending: number;
  readonly pace: Pace;
  readonly onFailure: (error: unknown, attempt: number) => void;
}

interface PendingEvents {
  add(event: WatchEvent): void;
  readonly isFull: boolean;
  /** Resolves when there is room again, or when delivery was stopped. */
  room(): Promise<void>;
  readonly size: number;
  /** Since when the oldest of them waits. */
  readonly since: number | undefined;
  /** Delivers until the signal ends it. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Events on their way to a receiver that may be slow or away. What piles up while one delivery is under way is the next
 * batch, so that nothing waits for a timer. For each object only the newest event is kept, which is all a reader that
 * looks for itself needs, so that an hour without the receiver costs no more memory than there are objects.
 */
export function openPendingEvents({ deliver, maxBatch, maxPending, pace, onFailure }: PendingSettings): PendingEvents {
  // By uid and not by name: the end of an object and the beginning of its successor are both news.
  const waiting = new Map<string, { event: WatchEvent; since: number }>();
  let wakeDelivery: (() => void) | undefined;
  let wakeReaders: (() => void)[] = [];
  let ended = false;

  function releaseReaders(): void {
    const readers = wakeReaders;
    wakeReaders = [];
    for (const wake of readers) wake();
  }

  /** What was taken stays in place until it is delivered; what was replaced meanwhile has to go again. */
  async function deliverOnce(signal: AbortSignal): Promise<void> {
    const batch = [...take(waiting, maxBatch)];
    await deliver(
      batch.map(([, { event }]) => event),
      signal,
    );
    for (const [uid, { event }] of batch) {
      const now = waiting.get(uid);
      if (now?.event === event) waiting.delete(uid);
      else if (now !== undefined) now.since = pace.now();
    }
    if (waiting.size < maxPending) releaseReaders();
  }

  return {
    add(event) {
      const { uid } = event.object.metadata;
      const before = waiting.get(uid);
      // Replaced where it stands: an object that never rests would else be put off for ever.
      waiting.set(uid, {
        event: before === undefined ? event : merge(before.event, event),
        since: before?.since ?? pace.now(),
      });
      wakeDelivery?.();
    },
    get isFull() {
      return waiting.size >= maxPending;
    },
    room: () =>
      waiting.size < maxPending || ended
        ? Promise.resolve()
        : new Promise<void>((resolve) => wakeReaders.push(resolve)),
    get size() {
      return waiting.size;
    },
    get since() {
      for (const { since } of waiting.values()) return since;
      return undefined;
    },
    async run(signal) {
      signal.addEventListener('abort', () => wakeDelivery?.(), { once: true });
      let attempt = 0;
      while (!signal.aborted) {
        if (waiting.size === 0) {
          await new Promise<void>((resolve) => {
            wakeDelivery = resolve;
          });
          wakeDelivery = undefined;
          continue;
        }
        try {
          await deliverOnce(signal);
          attempt = 0;
        } catch (error) {
          if (signal.aborted) break;
          attempt += 1;
          onFailure(error, attempt);
          await pace.sleep(1_000 * backoffSeconds(attempt, pace.random(), pace.backoff), signal);
        }
      }
      ended = true;
      releaseReaders();
    },
  };
}

/** A change of something whose beginning was not told yet is still its beginning. */
function merge(before: WatchEvent, after: WatchEvent): WatchEvent {
  return before.type === 'ADDED' && after.type === 'MODIFIED' ? { type: 'ADDED', object: after.object } : after;
}

function* take<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let left = count;
  for (const item of items) {
    if (left === 0) return;
    left -= 1;
    yield item;
  }
}
