import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../../infra/embedded/make-certificate.ts';
import { freePort } from '../../../infra/free-port.ts';
import { openClusters } from '../../../shared/adapters/kubernetes/open-clusters.ts';
import { openTargetClusters } from '../../../shared/adapters/kubernetes/target-cluster.ts';
import { accountNames } from '../../../shared/domain/gitops/managed-environment.ts';
import { Conflict } from '../../../shared/ports/trouble.ts';

const certificate = makeCertificate('target');
const names = accountNames('uid-1');
const signal = AbortSignal.timeout(60_000);

function targets(timeoutMs = 3_000) {
  const clusters = openClusters({ local: undefined, timeoutMs, now: Date.now });
  onTestFinished(() => clusters.close());
  return openTargetClusters({ clusters, timeoutMs });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A tenant's server, which may be anything. */
async function serve(answer: RequestListener) {
  const port = await listen(createServer({ cert: certificate.cert, key: certificate.key }, answer));
  return access(`https://127.0.0.1:${port}`);
}

function access(server: string) {
  return { server, token: 'token', certificateAuthority: certificate.cert, insecure: false };
}

function json(status: number, body: object): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const aList = { kind: 'NamespaceList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

describe('what answers at a tenant’s address', () => {
  it.each<[string, RequestListener, string]>([
    ['a list of namespaces', json(200, aList), 'works'],
    ['401', json(401, { reason: 'Unauthorized', message: 'who?' }), 'refused'],
    ['403', json(403, { reason: 'Forbidden', message: 'no' }), 'forbidden'],
    ['404 to everything', json(404, {}), 'refused'],
    ['500', json(500, { message: 'oh' }), 'refused'],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/login' }).end(), 'refused'],
    [
      'a page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'refused',
    ],
    [
      'broken JSON',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'refused',
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), 'unreachable'],
  ])('%s', async (_what, answer, connection) => {
    expect(await targets().connect(await serve(answer), undefined, signal)).toBe(connection);
  });

  it('is looked at where the first namespace is named', async () => {
    const asked: (string | undefined)[] = [];
    const there = await serve((request, response) => {
      asked.push(request.url);
      json(404, { reason: 'NotFound' })(request, response);
    });

    expect(await targets().connect(there, 'workload', signal)).toBe('refused');
    expect(asked).toEqual(['/api/v1/namespaces/workload']);
  });

  it('nobody, or nobody who ever answers', async () => {
    const silent = await serve(() => undefined);
    const nobody = access(`https://127.0.0.1:${await freePort()}`);

    expect(await targets().connect(nobody, undefined, signal)).toBe('unreachable');
    expect(await targets(50).connect(silent, undefined, signal)).toBe('unreachable');
    expect(await targets(50).inspect(silent, names, signal)).toMatchObject({ state: 'unreachable' });
    expect(await targets(50).find(silent, names, signal)).toBe('unreachable');
    expect(await targets(50).install(silent, names, signal)).toBe('the cluster stopped answering');
    await expect(targets(50).remove(silent, names, signal)).resolves.toBeUndefined();
  });

  it('a certificate of another authority, or no TLS at all', async () => {
    const there = await serve(json(200, aList));
    const plain = await listen(createHttpServer(json(200, aList)));
    const other = makeCertificate('somebody else').cert;

    expect(await targets().connect({ ...there, certificateAuthority: other }, undefined, signal)).toBe(
      'unknown-authority',
    );
    expect(await targets().connect({ ...there, certificateAuthority: undefined }, undefined, signal)).toBe(
      'unknown-authority',
    );
    expect(
      await targets().connect({ ...there, certificateAuthority: undefined, insecure: true }, undefined, signal),
    ).toBe('works');
    expect(await targets().connect(access(`https://127.0.0.1:${plain}`), undefined, signal)).not.toBe('works');
  });

  it('a step that is over is told to its own runtime, not to the user', async () => {
    const over = AbortSignal.abort(new Error('the step is over'));

    await expect(targets().connect(await serve(json(200, aList)), undefined, over)).rejects.toThrow('the step is over');
  });

  it('an account that is no longer known or may do nothing is gone', async () => {
    expect(await targets().find(await serve(json(401, {})), names, signal)).toBe('gone');
    expect(await targets().find(await serve(json(403, {})), names, signal)).toBe('gone');
    expect(await targets().find(await serve(json(404, {})), names, signal)).toBe('gone');
    expect(await targets().find(await serve(json(503, {})), names, signal)).toBe('unreachable');
  });

  it('a cluster that says why, even one that says too much', async () => {
    const there = await serve((request, response) =>
      json(request.method === 'GET' ? 404 : 403, { reason: 'Forbidden', message: 'not with token!' })(
        request,
        response,
      ),
    );

    expect(await targets().install(there, names, signal)).toBe('not with ***!');
  });

  it('somebody who writes at the same time is trouble of ours', async () => {
    const there = await serve((request, response) =>
      json(request.method === 'GET' ? 404 : 409, { reason: 'AlreadyExists', message: 'there' })(request, response),
    );

    await expect(targets().install(there, names, signal)).rejects.toThrow(Conflict);
  });
});

describe('a kubeconfig that a tenant wrote', () => {
  const read = (text: string) => targets().readKubeconfig(Buffer.from(text));

  it('is read, as YAML or JSON, with what may be used of it and nothing else', () => {
    const text = `
apiVersion: v1
kind: Config
current-context: there
clusters:
- name: c
  cluster: { server: 'https://api.example.com', certificate-authority-data: eA==, proxy-url: 'http://proxy' }
- name: d
  cluster: { server: 'https://other.example.com', certificate-authority: /etc/passwd }
contexts:
- name: there
  context: { cluster: c, user: me, namespace: x }
users:
- name: me
  user: { token: " t \\n" }
- name: plugin
  user:
    exec: { command: /bin/sh, args: [-c, 'touch /tmp/owned'] }
    auth-provider: { name: oidc }
    tokenFile: /etc/passwd
`;

    expect(read(text)).toEqual({
      currentContext: 'there',
      clusters: [
        { name: 'c', server: 'https://api.example.com', certificateAuthority: 'x', namesFile: false },
        { name: 'd', server: 'https://other.example.com', certificateAuthority: undefined, namesFile: true },
      ],
      contexts: [{ name: 'there', cluster: 'c', user: 'me' }],
      users: [
        { name: 'me', token: 't' },
        { name: 'plugin', token: undefined },
      ],
    });
    expect(read('{"clusters": null, "users": [{"name": "me", "user": null}]}')).toMatchObject({
      clusters: [],
      users: [{ name: 'me', token: undefined }],
    });
  });

  it.each([
    ['nothing', ''],
    ['a word', 'kubeconfig'],
    ['a list', '- a'],
    ['no YAML', '{ not: [a'],
    ['another shape', 'clusters: 7'],
    ['one anchor that is used', 'a: &a [x]\nclusters: *a'],
    [
      'a bomb of aliases',
      `a: &a [x]\n${'bcdefghi'
        .split('')
        .map((key, at) => `${key}: &${key} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
        .join('\n')}`,
    ],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['the same key twice', 'clusters: []\nclusters: []'],
    ['more than anybody needs', `current-context: ${'x'.repeat(300_000)}`],
    ['a thousand and one clusters', JSON.stringify({ clusters: Array.from({ length: 1_001 }, () => ({})) })],
  ])('is unreadable where it is %s', (_what, text) => {
    expect(read(text)).toBe('unreadable');
  });

  it('is unreadable where it is no text', () => {
    expect(targets().readKubeconfig(Buffer.from([0xff, 0xfe, 0x80]))).toBe('unreadable');
  });
});
