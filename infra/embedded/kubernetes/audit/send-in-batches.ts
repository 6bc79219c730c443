import type { Clock } from '../clock.ts';
import type { AuditEvent, AuditEventList } from './audit-event.ts';

export type SendAuditEvents = (eventList: AuditEventList) => Promise<void>;

export interface BatchOptions {
  readonly send: SendAuditEvents;
  readonly clock: Clock;
  readonly log?: (line: string) => void;
  /** Events wait at most this long for others; milliseconds. */
  readonly longestWait?: number;
  readonly largestBatch?: number;
  /** Events that may wait or be on their way; more are lost, as on a real server. */
  readonly largestBuffer?: number;
  /** Before the second try; each further wait is half as long again. Milliseconds. */
  readonly firstPause?: number;
}

interface Batches {
  add(event: AuditEvent): void;
  /** Sends what waits and resolves when nothing is under way any more. */
  flush(): Promise<void>;
  /** As flush, but what fails now is not tried again. */
  stop(): Promise<void>;
}

const tries = 5;
const growth = 1.5;

/** Batches on their way at once. A receiver that is away holds up those, and the rest waits. */
const mostUnderWay = 10;

/** Sends events to a receiver that may be slow or away, without holding up any request. */
export function sendInBatches(options: BatchOptions): Batches {
  const { send, clock, log } = options;
  const { longestWait = 100, largestBatch = 400, largestBuffer = 10_000, firstPause = 10_000 } = options;
  const underWay = new Set<Promise<void>>();
  const pauses = new Set<() => void>();
  let waiting: AuditEvent[] = [];
  let sending = 0;
  let lost = 0;
  let isStopping = false;
  let isDue = false;
  let cancelTimer: (() => void) | undefined;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = clock.after(milliseconds, end);
      pauses.add(end);
    });
  }

  async function deliver(items: readonly AuditEvent[]): Promise<void> {
    let wait = firstPause;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items });
        return;
      } catch (error) {
        if (attempt >= tries || isStopping) {
          const why = error instanceof Error ? error.message : String(error);
          log?.(`audit: ${items.length} events could not be delivered in ${attempt} tries and are lost: ${why}`);
          return;
        }
      }
      await pause(wait);
      wait *= growth;
    }
  }

  /** Sends full batches, and everything once the wait of the first event is over. */
  function dispatch(): void {
    while (underWay.size < mostUnderWay && (waiting.length >= largestBatch || (isDue && waiting.length > 0))) {
      const batch = waiting.slice(0, largestBatch);
      waiting = waiting.slice(largestBatch);
      sending += batch.length;
      const delivery = deliver(batch).finally(() => {
        underWay.delete(delivery);
        sending -= batch.length;
        sayLost();
        dispatch();
      });
      underWay.add(delivery);
    }
    if (waiting.length > 0) return;
    isDue = false;
    cancelTimer?.();
    cancelTimer = undefined;
  }

  function dispatchAll(): void {
    isDue = true;
    dispatch();
  }

  /** Once per jam, not once per event. */
  function sayLost(): void {
    if (lost === 0) return;
    log?.(`audit: ${lost} events are lost, because ${largestBuffer} others were waiting for the receiver already`);
    lost = 0;
  }

  async function flush(): Promise<void> {
    dispatchAll();
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    add(event) {
      if (waiting.length + sending >= largestBuffer) {
        lost += 1;
        return;
      }
      waiting.push(event);
      if (waiting.length >= largestBatch) dispatch();
      if (waiting.length > 0) cancelTimer ??= clock.after(longestWait, dispatchAll);
    },
    flush,
    async stop() {
      isStopping = true;
      for (const end of [...pauses]) end();
      await flush();
    },
  };
}
