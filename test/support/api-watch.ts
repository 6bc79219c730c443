import { createInterface } from 'node:readline';
import { type Dispatcher, request } from 'undici';
import type { ApiBody } from './api-client.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiBody;
}

/** One watch. Every way of reading throws when its deadline has passed, and says what it had seen until then. */
export interface Watching extends AsyncIterable<WatchEvent> {
  readonly code: number;
  /** The Status of a watch that was refused. */
  readonly refusal: ApiBody | undefined;
  /** The next event; undefined when the server has ended the watch. */
  next(): Promise<WatchEvent | undefined>;
  /** Exactly so many events. */
  take(count: number): Promise<WatchEvent[]>;
  /** The events up to and with the first that matches. */
  until(matches: (event: WatchEvent) => boolean): Promise<WatchEvent[]>;
  /** The events until the server ends the watch. */
  rest(): Promise<WatchEvent[]>;
  close(): void;
}

interface WatchRequest {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
}

export async function openWatch({ url, dispatcher, headers, deadlineMs }: WatchRequest): Promise<Watching> {
  const controller = new AbortController();
  const deadline = setTimeout(() => controller.abort(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  const response = await request(url, { dispatcher, headers, signal: controller.signal, bodyTimeout: 0 });
  if (response.statusCode !== 200) {
    const refusal = JSON.parse(await response.body.text()) as ApiBody;
    clearTimeout(deadline);
    return watchingOf(response.statusCode, refusal, async () => undefined, stopNothing);
  }
  let closed = false;
  // Closing the watch, by us or by its deadline, shows as an error of the stream; the readers tell the two apart.
  response.body.on('error', () => undefined);
  const lines = createInterface({ input: response.body, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();

  async function next(): Promise<WatchEvent | undefined> {
    const late = new Promise<never>((_resolve, reject) => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    const line = await Promise.race([lines.next(), late]);
    if (line.done === true) {
      clearTimeout(deadline);
      return undefined;
    }
    return line.value === '' ? next() : (JSON.parse(line.value) as WatchEvent);
  }

  function close(): void {
    if (closed) return;
    closed = true;
    clearTimeout(deadline);
    controller.abort(new Error('the watch was closed'));
  }

  return watchingOf(200, undefined, next, close);
}

function stopNothing(): void {}

function watchingOf(
  code: number,
  refusal: ApiBody | undefined,
  next: () => Promise<WatchEvent | undefined>,
  close: () => void,
): Watching {
  async function collect(enough: (seen: readonly WatchEvent[]) => boolean, mayEnd: boolean): Promise<WatchEvent[]> {
    const seen: WatchEvent[] = [];
    while (!enough(seen)) {
      const event = await next().catch((cause: unknown) => {
        throw new Error(`the watch fell silent after ${inWords(seen)}`, { cause });
      });
      if (event === undefined && mayEnd) break;
      if (event === undefined) throw new Error(`the watch ended after ${inWords(seen)} (code ${code})`);
      seen.push(event);
    }
    return seen;
  }

  return {
    code,
    refusal,
    next,
    close,
    take: (count) => collect((seen) => seen.length === count, false),
    until: (matches) => collect((seen) => seen.some(matches), false),
    rest: () => collect(() => false, true),
    async *[Symbol.asyncIterator]() {
      try {
        for (let event = await next(); event !== undefined; event = await next()) yield event;
      } finally {
        close();
      }
    },
  };
}

function inWords(events: readonly WatchEvent[]): string {
  if (events.length === 0) return 'no event';
  return events.map(({ type, object }) => `${type} ${object.metadata.name ?? object.message ?? ''}`).join(', ');
}
