import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as immediately } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLiveFeed } from '../../shared/runtime/page/live-feed.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;

describe('a viewer that does not read', () => {
  let stop: AbortController;
  let server: ReturnType<typeof createServer>;
  let viewer: Socket;
  let stream: ServerResponse;
  let troubles: unknown[];
  let version: number;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    [version, troubles, stop] = [1, [], new AbortController()];
    const clock = { now: () => 0, elapsed: () => version };
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const machine = { clock, log, draining: stop.signal } as unknown as Parameters<typeof openLiveFeed>[0]['machine'];
    const feed = openLiveFeed({ machine, fn: 'page', version: async () => `v${version}` });
    const joined = Promise.withResolvers<ServerResponse>();
    server = createServer((request, response) => {
      if (request.url === '/large') return void response.end(Buffer.alloc(20_000_000));
      response.on('error', (error) => troubles.push(error));
      feed.join(request, response);
      joined.resolve(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    viewer = connect((server.address() as AddressInfo).port, '127.0.0.1');
    viewer.on('error', () => {});
    // What is large stands before the events, and is never taken.
    viewer.write('GET /large HTTP/1.1\r\nHost: page\r\n\r\nGET /events HTTP/1.1\r\nHost: page\r\n\r\n');
    viewer.pause();
    stream = await joined.promise;
  });
  afterEach(async () => {
    stop.abort();
    vi.useRealTimers();
    viewer.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('is written nothing more when its time is over, however long what it has not taken keeps it open', async () => {
    vi.advanceTimersByTime(30 * minutes);
    expect(stream.writableEnded).toBe(true);

    vi.advanceTimersByTime(minutes);

    await immediately();
    expect([stream.destroyed, troubles]).toEqual([false, []]);
    await until('it to be gone', async () => stream.destroyed);
  });

  it('is written nothing more when the host drains, whatever changes then', async () => {
    stop.abort();
    expect(stream.writableEnded).toBe(true);

    version += 1;
    vi.advanceTimersByTime(minutes);

    await immediately();
    expect(troubles).toEqual([]);
  });
});
