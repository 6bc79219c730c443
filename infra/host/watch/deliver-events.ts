import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { EventsRefused, type ForwardTarget } from './forward-target.ts';
import { bareEvent } from './forwarded-object.ts';

interface DeliverSettings {
  readonly target: ForwardTarget;
  readonly log: Logger;
  readonly onDropped: () => void;
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/**
 * Sends a batch in posts that the receiver takes. A post that it refuses is cut in two until the event is found that it
 * will not have; that one is logged and left to the drift pass, so that one bad object never stands in the way of others.
 */
export function openDelivery({ target, log, onDropped, maxEvents = 500, maxBytes = 1_000_000 }: DeliverSettings) {
  async function send(events: readonly WatchEvent[], signal: AbortSignal): Promise<void> {
    try {
      await target({ source: 'watch', events }, signal);
    } catch (error) {
      const [first] = events;
      if (!(error instanceof EventsRefused) || first === undefined) throw error;
      if (events.length === 1) return drop(first, error);
      const middle = Math.ceil(events.length / 2);
      await send(events.slice(0, middle), signal);
      await send(events.slice(middle), signal);
    }
  }

  function drop({ object }: WatchEvent, error: Error): void {
    onDropped();
    const { namespace, name } = object.metadata;
    log.error('watch event refused', { kind: object.kind, namespace, name, error: error.message });
  }

  return async function deliver(batch: readonly WatchEvent[], signal: AbortSignal): Promise<void> {
    for (const events of cut(batch, maxEvents, maxBytes)) await send(events, signal);
  };
}

/** Posts of at most so many events and bytes. An object that is too large by itself goes without its body: a knock needs only its name. */
function* cut(batch: readonly WatchEvent[], maxEvents: number, maxBytes: number): Generator<WatchEvent[]> {
  let events: WatchEvent[] = [];
  let bytes = 0;
  for (const whole of batch) {
    let event = whole;
    let size = sizeOf(event);
    if (size > maxBytes) {
      event = bareEvent(whole);
      size = sizeOf(event);
    }
    if (events.length > 0 && (events.length === maxEvents || bytes + size > maxBytes)) {
      yield events;
      events = [];
      bytes = 0;
    }
    events.push(event);
    bytes += size;
  }
  if (events.length > 0) yield events;
}

function sizeOf(event: WatchEvent): number {
  // The comma between two events is one byte more.
  return Buffer.byteLength(JSON.stringify(event)) + 1;
}
