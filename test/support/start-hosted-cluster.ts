import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { stringify } from 'yaml';
import { makeCertificate } from '../../infra/embedded/make-certificate.ts';
import { startTarget } from './start-target.ts';

/** A whole cluster that its administrator enters with a certificate alone, as HyperShift makes them. */
export interface HostedClusterApi {
  readonly url: string;
  readonly ca: string;
  /** What HyperShift puts into the Secret beside the HostedCluster. */
  readonly adminKubeconfig: string;
  /** The administrator's private key, which nobody may ever see. */
  readonly adminKey: string;
  /** Every request since the list was last emptied, and who made it. */
  readonly asked: {
    readonly who: 'administrator' | 'token' | 'nobody';
    readonly method: string;
    readonly path: string;
  }[];
  /** False: it answers nobody. */
  isUp: boolean;
  /** It goes down when it has done so many more requests, and does not answer the last of them. */
  downAfter: number | undefined;
  stop(): Promise<void>;
}

export async function startHostedCluster(): Promise<HostedClusterApi> {
  const target = await startTarget();
  const authority = makeCertificate('hosted-authority');
  const own = makeCertificate('hosted-api', authority);
  const admin = makeCertificate('system:admin', authority);
  const agent = new Agent({ connect: { ca: target.ca } });
  const server = createServer(
    { cert: own.cert, key: own.key, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { host: _host, connection: _connection, authorization, ...headers } = request.headers;
      const isAdministrator = authorization === undefined && (request.socket as TLSSocket).authorized;
      const who = isAdministrator ? 'administrator' : authorization === undefined ? 'nobody' : 'token';
      hosted.asked.push({ who, method: request.method ?? '', path: request.url ?? '' });
      if (!hosted.isUp) return response.destroy();
      const sent = isAdministrator ? `Bearer ${target.adminToken}` : (authorization ?? 'Bearer nobody');
      const answer = await agent.request({
        origin: target.url,
        path: request.url ?? '/',
        method: request.method as Dispatcher.HttpMethod,
        headers: { ...headers, authorization: sent },
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
      });
      const body = await answer.body.text();
      if (hosted.downAfter !== undefined) {
        hosted.downAfter -= 1;
        if (hosted.downAfter <= 0) hosted.isUp = false;
        if (!hosted.isUp) return response.destroy();
      }
      response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) }).end(body);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const hosted: HostedClusterApi = {
    url,
    ca: authority.cert,
    adminKey: admin.key,
    adminKubeconfig: stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'admin',
      contexts: [{ name: 'admin', context: { cluster: 'cluster', user: 'admin', namespace: 'default' } }],
      clusters: [{ name: 'cluster', cluster: { server: url, 'certificate-authority-data': encoded(authority.cert) } }],
      users: [
        {
          name: 'admin',
          user: { 'client-certificate-data': encoded(admin.cert), 'client-key-data': encoded(admin.key) },
        },
      ],
    }),
    asked: [],
    isUp: true,
    downAfter: undefined,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
      await target.stop();
    },
  };
  return hosted;
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}
