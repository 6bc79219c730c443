import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = {
  readonly url: string;
  /** Breaks every connection without a word, as a network does. */
  cut(): void;
  /** From now on nobody gets through, until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

/** Stands between a client and a database. What it cuts was lost on the way; the server finds out by itself. */
export async function startCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const target = new URL(databaseUrl);
  const clients = new Set<Socket>();
  let away = false;
  const server = createServer((client) => {
    if (away) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    clients.add(client);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        clients.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' ? address?.port : '');

  function cut(): void {
    for (const client of clients) client.resetAndDestroy();
  }
  return {
    url: url.href,
    cut,
    goAway() {
      away = true;
      cut();
    },
    comeBack() {
      away = false;
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
