import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { KillingProxy } from './killing-proxies.ts';
import type { RunningCluster } from './running-cluster.ts';

/** A moment at which a process dies: before its request reaches the API server, or when it was done and not answered. */
export interface ClusterBoundary {
  readonly when: 'before' | 'after';
  /** The request, as `METHOD path`. */
  readonly what: RegExp;
}

/** Stands between a process and its cluster, and kills the process at the first request that is meant. */
export async function startClusterProxy(
  cluster: RunningCluster,
  kubeconfigFile: string,
  { when, what }: ClusterBoundary,
  kill: () => void,
): Promise<KillingProxy> {
  const agent = new Agent({ connect: { ca: cluster.ca }, headersTimeout: 0, bodyTimeout: 0 });
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>();
  let killed = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const isBoundary = !killed && what.test(`${request.method} ${request.url}`);
    if (killed || (isBoundary && when === 'before')) return end();
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    try {
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const answer = await agent.request({
        origin: cluster.url,
        path: request.url ?? '/',
        method: request.method as Dispatcher.HttpMethod,
        headers: { ...headers, authorization: `Bearer ${cluster.adminToken}` },
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
        signal: closed.signal,
      });
      if (isBoundary) {
        await answer.body.text();
        return end();
      }
      response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
      await pipeline(answer.body, response);
    } catch {
      response.destroy();
    }

    function end(): void {
      killed = true;
      kill();
      strike();
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(kubeconfigFile, kubeconfigFor(url));
  return {
    url,
    struck,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'proxy',
    contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'proxy' } }],
    clusters: [{ name: 'proxy', cluster: { server } }],
    users: [{ name: 'proxy', user: {} }],
  });
}
