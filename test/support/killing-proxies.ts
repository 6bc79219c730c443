import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A moment at which a process dies: before something reaches the other side, or after it did and before the answer came. */
export interface Boundary {
  readonly when: 'before' | 'after';
  /** An action of SQS, or a piece of SQL. */
  readonly what: string;
  /** Which of several, counted from one. */
  readonly nth: number;
}

export interface KillingProxy {
  readonly url: string;
  readonly struck: Promise<void>;
  close(): Promise<void>;
}

/** Stands between a process and its queue, and kills the process at the boundary. */
export async function startQueueProxy(
  endpoint: string,
  { when, what, nth }: Boundary,
  kill: () => void,
): Promise<KillingProxy> {
  let seen = 0;
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>();
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const target = String(request.headers['x-amz-target']);
    const body = Buffer.concat(chunks).toString();
    const isBoundary = (answer?: string): boolean => {
      // A single message and a batch are the same act to us; a receive counts when it brings something.
      if (
        !target.replace(/Batch$/, '').endsWith(`.${what}`) ||
        (answer !== undefined && what === 'ReceiveMessage' && !answer.includes('MessageId'))
      )
        return false;
      seen += 1;
      return seen === nth;
    };
    if (when === 'before' && isBoundary()) return end();
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    try {
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': String(request.headers['content-type']), 'x-amz-target': target },
        body,
        signal: closed.signal,
      });
      const text = await answer.text();
      if (when === 'after' && isBoundary(text)) return end();
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    } catch {
      response.destroy();
    }

    function end(): void {
      kill();
      strike();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    struck,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Stands between a process and its database, and kills the process at the boundary. */
export async function startDatabaseProxy(
  databaseUrl: string,
  { when, what, nth }: Boundary,
  kill: () => void,
): Promise<KillingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>();
  let seen = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    let armed = false;
    client.on('data', (chunk) => {
      if (chunk.includes(what)) {
        seen += 1;
        if (seen === nth) {
          if (when === 'before') return end();
          armed = true;
        }
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      // The server says so after it has committed.
      if (armed && chunk.includes('SELECT 1')) return end();
      client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });

  function end(): void {
    kill();
    strike();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    struck,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
