import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { readAnswers, readStatements } from './statements.ts';

/** Before something reaches the other side, or after it did and before the answer came. */
export type When = 'before' | 'after';

/** Asked about every call of a process, twice. True: it has died over this one, so nothing goes any further. */
export type Dies = (when: When, call: string) => boolean;

/** A moment at which a process dies. */
export interface Boundary {
  readonly when: When;
  /** Part of a call: an action of SQS, a piece of SQL, `METHOD /path` of a cluster. */
  readonly what: string | RegExp;
  /** Which of several, counted from one. */
  readonly nth: number;
}

export interface KillingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** The death of one process at one place. */
export function deathAt({ when, what, nth }: Boundary, kill: () => void): { dies: Dies; struck: Promise<void> } {
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>();
  let seen = 0;
  return {
    struck,
    dies(moment, call) {
      if (seen < nth && moment === when && call.search(what) >= 0) {
        seen += 1;
        if (seen === nth) {
          kill();
          strike();
        }
      }
      return seen >= nth;
    },
  };
}

/** Stands between a process and its queue. */
export async function startQueueProxy(endpoint: string, dies: Dies): Promise<KillingProxy> {
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const target = String(request.headers['x-amz-target']);
    // A single message and a batch are the same act to us.
    const action = target.replace(/^.*\./, '').replace(/Batch$/, '');
    if (dies('before', action)) return;
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    try {
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': String(request.headers['content-type']), 'x-amz-target': target },
        body: Buffer.concat(chunks),
        signal: closed.signal,
      });
      const text = await answer.text();
      // A receive counts when it brings something.
      const isNothing = action === 'ReceiveMessage' && !text.includes('MessageId');
      if (!isNothing && dies('after', action)) return;
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Stands between a process and its database. */
export async function startDatabaseProxy(databaseUrl: string, dies: Dies): Promise<KillingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    const asked: string[] = [];
    const statements = readStatements();
    const answers = readAnswers();
    client.on('data', (chunk) => {
      for (const { bytes, text } of statements(chunk as Buffer)) {
        if (text !== undefined) {
          if (dies('before', text)) return client.destroy();
          asked.push(text);
        }
        upstream.write(bytes);
      }
    });
    upstream.on('data', (chunk) => {
      for (const { bytes, isLast } of answers(chunk as Buffer)) {
        // The server says that it is ready for the next one after it has committed.
        const text = isLast ? asked.shift() : undefined;
        if (text !== undefined && dies('after', text)) return client.destroy();
        client.write(bytes);
      }
    });
    client.on('close', () => {
      upstream.destroy();
      for (const socket of [client, upstream]) sockets.delete(socket);
    });
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
