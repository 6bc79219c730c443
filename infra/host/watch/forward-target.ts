import { Agent } from 'undici';
import { openTimeLimit } from '../../../shared/adapters/kubernetes/time-limit.ts';
import type { WatchEvent } from '../../../shared/adapters/kubernetes/watched-object.ts';

/** The body of a post, as shared/contracts/forwarded-events.ts reads it. */
export interface ForwardedBody {
  readonly source: 'watch';
  readonly events: readonly WatchEvent[];
}

/** Where the events go. Throws where they were not taken; an EventsRefused says that the same events never will be. */
export type ForwardTarget = (body: ForwardedBody, signal: AbortSignal) => Promise<void>;

export interface HttpTarget {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs?: number | undefined;
}

/** The receiver looked at the events and will not have them, now or later. */
export class EventsRefused extends Error {
  override readonly name = 'EventsRefused';
}

/**
 * What the receiver says about the events themselves. Every other answer is about the receiver: it is away, is not
 * deployed yet (404), or does not know our token yet (401, 403), and the events wait until it does.
 */
const refusals = new Set([400, 413, 415, 422]);

/** Posts to the function forward-event, wherever it runs. */
export function openHttpTarget({ url, token, timeoutMs = 15_000 }: HttpTarget): {
  send: ForwardTarget;
  close(): Promise<void>;
} {
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({ keepAliveTimeout: 30_000, connect: { timeout: 5_000 } });
  return {
    async send(body, signal) {
      const limit = openTimeLimit(timeoutMs, signal);
      try {
        const { statusCode, body: answer } = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
          signal: limit.signal,
        });
        const text = await answer.text();
        if (statusCode >= 200 && statusCode < 300) return;
        const message = `${url} answered ${statusCode}: ${text.slice(0, 300)}`;
        throw refusals.has(statusCode) ? new EventsRefused(message) : new Error(message);
      } finally {
        limit.end();
      }
    },
    close: () => agent.destroy(),
  };
}
