import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Machine } from '../machine.ts';

/** Tells everybody who looks that something has changed: where to look again, never what is true. */
export interface LiveFeed {
  /** The version of everything, at most a second old; asked for again where the caller has seen another one. */
  current(seen?: string): Promise<string>;
  /** Keeps the response and writes events to it. False: there is no place for another one. */
  join(request: IncomingMessage, response: ServerResponse): boolean;
}

interface FeedSettings {
  readonly machine: Pick<Machine, 'clock' | 'log' | 'draining'>;
  readonly fn: string;
  version(): Promise<string>;
}

const pollMs = 1_000;
/** Proxies cut connections that are silent for half a minute. */
const heartbeatMs = 15_000;
/** A connection costs some kilobytes; whoever comes later asks every few seconds instead. */
const mostClients = 256;
/** Then the browser comes again by itself, and has to be welcome still. */
const longestMs = 30 * 60_000;
/** Who does not read as fast as this is not looking. */
const mostUnreadBytes = 64 * 1_024;
/** What was written last has so long to get through. */
const farewellMs = 5_000;

/** One look at the database a second for all who look, and none while nobody does. */
export function openLiveFeed({ machine, fn, version }: FeedSettings): LiveFeed {
  const { clock, log, draining } = machine;
  /** Each with what takes it out: nothing is written to a response any more that has ended, or is about to. */
  const clients = new Map<ServerResponse, () => void>();
  let known: { readonly version: string; readonly at: number } | undefined;
  let looking: Promise<string> | undefined;
  let isPolling = false;
  let isTroubled = false;

  function look(): Promise<string> {
    looking ??= version()
      .then((found) => {
        const isNew = found !== known?.version;
        known = { version: found, at: clock.elapsed() };
        if (isNew || isTroubled) tell(changed(found));
        isTroubled = false;
        return found;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function poll(): Promise<void> {
    while (clients.size > 0) {
      await look().catch((error: unknown) => {
        if (isTroubled) return;
        log.warn('a page cannot look', { fn, error: String(error) });
        isTroubled = true;
        tell(trouble);
      });
      await setTimeout(pollMs, undefined, { ref: false });
    }
    isPolling = false;
  }

  function tell(text: string): void {
    for (const client of clients.keys()) {
      client.write(text);
      if (client.writableLength > mostUnreadBytes) client.destroy();
    }
  }

  function dismiss(client: ServerResponse): void {
    clients.get(client)?.();
    client.end();
    void setTimeout(farewellMs, undefined, { ref: false }).then(() => client.destroy());
  }

  draining?.addEventListener('abort', () => {
    for (const client of clients.keys()) dismiss(client);
  });

  return {
    async current(seen) {
      const isFresh = known !== undefined && clock.elapsed() - known.at < pollMs;
      return known !== undefined && isFresh && (seen === undefined || seen === known.version) ? known.version : look();
    },
    join(request, response) {
      if (clients.size >= mostClients || draining?.aborted === true) return false;
      response.statusCode = 200;
      response.setHeader('content-type', 'text/event-stream');
      response.setHeader('cache-control', 'no-store');
      // Asks nginx not to collect what is meant for now.
      response.setHeader('x-accel-buffering', 'no');
      if (request.method === 'HEAD') {
        response.end();
        return true;
      }
      response.write('retry: 2000\n: welcome\n\n');
      const beat = setInterval(() => response.write(': still here\n\n'), heartbeatMs).unref();
      const last = setInterval(() => dismiss(response), longestMs).unref();
      const leave = (): void => {
        clients.delete(response);
        clearInterval(beat);
        clearInterval(last);
      };
      clients.set(response, leave);
      // An error that nobody listens for would end the process, with all that the others do in it.
      response.once('close', leave).on('error', leave);
      if (isTroubled) response.write(trouble);
      else if (isPolling && known !== undefined && request.headers['last-event-id'] !== known.version)
        response.write(changed(known.version));
      if (!isPolling) {
        isPolling = true;
        // What was known is old by now: the first look tells whoever is here.
        known = undefined;
        void poll();
      }
      return true;
    },
  };
}

const trouble = 'event: trouble\ndata: {}\n\n';

function changed(version: string): string {
  return `event: changed\nid: ${version.replace(/[\r\n\0]/g, '')}\ndata: {}\n\n`;
}
