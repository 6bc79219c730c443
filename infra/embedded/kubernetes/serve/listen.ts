import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { StatusError } from '../status-error.ts';
import type { ApiAnswer, ApiRequest } from './exchange.ts';

/** As the real server: an object of more than about 1.5 MB would not fit into etcd, twice that is let in to be judged. */
const BodyLimit = 3_145_728;
/** What a watch may have unread before it is cut off. */
const UnreadLimit = 16 * 1024 * 1024;

interface ListenOptions {
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves over HTTPS on loopback. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = createServer(
    { cert: options.cert, key: options.key, keepAliveTimeout: 90_000 },
    (request, response) => {
      void exchange(request, response, options.handle);
    },
  );
  // A watch stays open for as long as it likes; a request must have arrived within a minute.
  server.requestTimeout = 60_000;
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  handle: ListenOptions['handle'],
): Promise<void> {
  response.on('error', () => {});
  const answer = await handle({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headersDistinct,
    body: () => readBody(request),
    sourceIP: '127.0.0.1',
  });
  if (answer.stream === undefined) {
    // One write with its length: the socket sends head and body together.
    response.writeHead(answer.code, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) } as Heads);
    response.end(request.method === 'HEAD' ? undefined : answer.body);
    // A body that nobody read would otherwise keep the connection from its next request.
    if (!request.complete) request.resume();
    return;
  }
  response.writeHead(answer.code, answer.headers as Heads);
  response.flushHeaders();
  let stop: (() => void) | undefined;
  response.once('close', () => stop?.());
  stop = answer.stream({
    write: (line) => {
      if (response.destroyed) return false;
      response.write(line);
      return response.writableLength < UnreadLimit;
    },
    end: () => response.end(),
  });
  if (response.destroyed) stop();
}

type Heads = Record<string, string | string[] | number>;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BodyLimit) {
      throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BodyLimit}`, {});
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
