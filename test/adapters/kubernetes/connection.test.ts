import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../infra/embedded/make-certificate.ts';
import {
  type ClusterConnection,
  type ClusterSettings,
  connectCluster,
} from '../../../shared/adapters/kubernetes/connection.ts';

describe('a connection to a cluster', () => {
  let folder: string;
  const ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-kubernetes-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await rm(folder, { recursive: true });
  });

  async function serve(listener: RequestListener, tls?: ServerOptions): Promise<string> {
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Answers with what it was asked. */
  const echo: RequestListener = (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        path: request.url,
        authorization: request.headers.authorization,
        client: peerOf(request),
        headers: request.headers,
      }),
    );
  };

  function connect(settings: Partial<ClusterSettings>): ClusterConnection {
    const connection = connectCluster({ now: Date.now, ...settings });
    ends.push(() => connection.close());
    return connection;
  }

  async function kubeconfig(cluster: object, user: object, name = 'config'): Promise<string> {
    const path = join(folder, name);
    const document = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path, JSON.stringify(document));
    return path;
  }

  it('sends the token of its kubeconfig', async () => {
    const server = await serve(echo);
    const { request } = connect({ kubeconfigPath: await kubeconfig({ server }, { token: 'abc' }) });

    const { body } = await request('/api/v1/pods?limit=1');

    expect(body).toMatchObject({ path: '/api/v1/pods?limit=1', authorization: 'Bearer abc' });
  });

  it('reads a token file again, after a minute or as soon as the old token is refused', async () => {
    let accepted = 'one';
    const server = await serve((request, response) => {
      response.statusCode = request.headers.authorization === `Bearer ${accepted}` ? 200 : 401;
      response.end();
    });
    let now = 0;
    const file = join(folder, 'token');
    await writeFile(file, 'one\n');
    const { request } = connect({
      kubeconfigPath: await kubeconfig({ server }, { tokenFile: 'token' }),
      now: () => now,
    });
    await request('/');

    await writeFile(file, 'two\n');
    accepted = 'two';
    now = 59_000;
    const early = request('/');
    await expect(early).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('does not accept our credential'),
    });
    const afterRefusal = await request('/');
    await writeFile(file, 'three\n');
    accepted = 'three';
    now = 59_000 + 60_000;
    const afterAMinute = await request('/');

    expect([afterRefusal.status, afterAMinute.status]).toEqual([200, 200]);
  });

  it('shows its client certificate, trusts the authority it was given, and takes a renewed certificate into use', async () => {
    const authority = makeCertificate('authority');
    const serving = makeCertificate('serving', authority);
    const server = await serve(echo, { ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
    let now = 0;
    await writeFile(join(folder, 'ca.crt'), authority.cert);
    async function renew(name: string): Promise<void> {
      const { cert, key } = makeCertificate(name, authority);
      await writeFile(join(folder, 'me.crt'), cert);
      await writeFile(join(folder, 'me.key'), key);
    }
    await renew('first');
    const cluster = { server, 'certificate-authority': 'ca.crt' };
    const { request } = connect({
      kubeconfigPath: await kubeconfig(cluster, { 'client-certificate': 'me.crt', 'client-key': 'me.key' }),
      now: () => now,
    });

    const first = await request('/');
    await renew('second');
    now = 60_000;
    const second = await request('/');

    expect([first.body, second.body]).toMatchObject([{ client: 'first' }, { client: 'second' }]);
  });

  it('does not talk to a server whose certificate it cannot trust', async () => {
    const stranger = makeCertificate('stranger');
    const server = await serve(echo, stranger);
    const { request } = connect({ kubeconfigPath: await kubeconfig({ server }, { token: 'abc' }) });

    const asked = request('/', { method: 'POST', body: {} });

    await expect(asked).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
  });

  it('asks the credential plugin of its kubeconfig once for many requests at once', async () => {
    const server = await serve(echo);
    const plugin = join(folder, 'plugin');
    const status = { token: 'from-plugin', expirationTimestamp: '2999-01-01T00:00:00Z' };
    await writeFile(
      plugin,
      `#!/bin/sh\necho called >> ${folder}/calls\necho '${JSON.stringify({ kind: 'ExecCredential', status })}'\n`,
    );
    await chmod(plugin, 0o700);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: plugin,
      args: ['get'],
      env: [{ name: 'A', value: 'b' }],
    };
    const { request } = connect({ kubeconfigPath: await kubeconfig({ server }, { exec }) });

    const answers = await Promise.all([request('/a'), request('/b'), request('/c')]);

    expect(answers.map(({ body }) => body)).toMatchObject(Array(3).fill({ authorization: 'Bearer from-plugin' }));
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('called\n');
  });

  it('names the plugin that gives no credential', async () => {
    const { request } = connect({
      kubeconfigPath: await kubeconfig({ server: 'http://127.0.0.1:9' }, { exec: { command: join(folder, 'nobody') } }),
    });

    await expect(request('/', { method: 'POST' })).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('nobody'),
    });
  });

  it('takes the context it is told to, from a list of kubeconfigs, and acts for somebody else where the file says so', async () => {
    const server = await serve(echo);
    const first = await kubeconfig({ server: 'http://127.0.0.1:9' }, { token: 'abc' }, 'first');
    const second = join(folder, 'second.yaml');
    await writeFile(
      second,
      `clusters: [{ name: other, cluster: { server: "${server}/under/a/path/" } }]
users: [{ name: someone, user: { username: me, password: pass, as: tenant, as-groups: [g1, g2] } }]
contexts: [{ name: wanted, context: { cluster: other, user: someone } }]
`,
    );
    const { request } = connect({ kubeconfigPath: `${first}:${join(folder, 'absent')}:${second}`, context: 'wanted' });

    const { body } = await request('/version');

    expect(body).toMatchObject({
      path: '/under/a/path/version',
      authorization: `Basic ${Buffer.from('me:pass').toString('base64')}`,
      headers: { 'impersonate-user': 'tenant', 'impersonate-group': 'g1, g2' },
    });
  });

  it('uses its connections again', async () => {
    const sockets = new Set<unknown>();
    const server = await serve((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const { request } = connect({ server });

    for (let count = 0; count < 20; count += 1) await request('/');

    // One may still be finishing when the next is needed.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('gives up after its time, and ends a stream when it is told to', async () => {
    const server = await serve((_request, response) => void response.writeHead(200).write('first'));
    const silent = await serve(() => {});
    const stop = new AbortController();

    await expect(connect({ server: silent }).request('/', { timeoutMs: 20 })).rejects.toMatchObject({
      kind: 'transient',
    });
    await expect(
      connect({ server: silent }).request('/', { method: 'PUT', body: {}, timeoutMs: 20 }),
    ).rejects.toMatchObject({ kind: 'uncertain' });
    await expect(connect({ server: silent }).stream('/', { timeoutMs: 20 })).rejects.toMatchObject({
      kind: 'transient',
    });
    const { chunks } = await connect({ server }).stream('/', { timeoutMs: 1_000, signal: stop.signal });
    const read = async () => {
      for await (const chunk of chunks) if (String(chunk) === 'first') stop.abort();
    };

    await expect(read()).rejects.toMatchObject({ kind: 'transient' });
  });
});

function peerOf({ socket }: IncomingMessage): string | undefined {
  return 'getPeerCertificate' in socket ? String((socket as TLSSocket).getPeerCertificate().subject?.CN) : undefined;
}
