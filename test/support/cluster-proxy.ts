import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { Dies, KillingProxy } from './killing-proxies.ts';
import type { RunningCluster } from './running-cluster.ts';

/** Stands between a process and its cluster. A call is told as `METHOD path`. */
export async function startClusterProxy(
  cluster: RunningCluster,
  kubeconfigFile: string,
  dies: Dies,
): Promise<KillingProxy> {
  const agent = new Agent({ connect: { ca: cluster.ca }, headersTimeout: 0, bodyTimeout: 0 });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = `${request.method} ${request.url}`;
    if (dies('before', call)) return response.destroy();
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
      if (dies('after', call)) {
        await answer.body.text();
        return response.destroy();
      }
      response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
      await pipeline(answer.body, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(kubeconfigFile, kubeconfigFor(url));
  return {
    url,
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
