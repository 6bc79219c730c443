import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../infra/embedded/make-certificate.ts';
import { openRepositoryProbe } from '../../../shared/adapters/git/open-repository-probe.ts';
import { type ArgoGit, startArgoGit } from '../../support/argo-repository.ts';
import { describeWithGit } from '../../support/needs-git.ts';

const probe = openRepositoryProbe({ timeoutMs: 3_000 });
const nothing = { username: '', password: '', sshPrivateKey: '' };
const me = { ...nothing, username: 'me', password: 'hunter2' };
const branches =
  '001e# service=git-upload-pack\n0000004c0123456789012345678901234567890123456789 refs/heads/main\0agent=x\n0000';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

function ask(url: string, credential = me, signal = AbortSignal.timeout(20_000)) {
  return probe.ask(url, credential, signal);
}

describe('a repository over HTTP', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function serve(answer: Answer, server = createServer(answer)): Promise<string> {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const says =
    (status: number, body = ''): Answer =>
    (_request, response) => {
      response.writeHead(status).end(body);
    };

  it('is asked once, for its branches, with the credential in the header and nowhere else', async () => {
    const asked: { url: string | undefined; authorization: string | undefined }[] = [];
    const host = await serve(({ url, headers }, response) => {
      asked.push({ url, authorization: headers.authorization });
      response.end(branches);
    });

    expect(await ask(`http://${host}/Team/Repo.git/`)).toEqual({ kind: 'listed' });
    expect(asked).toEqual([
      {
        url: '/Team/Repo.git/info/refs?service=git-upload-pack',
        authorization: `Basic ${Buffer.from('me:hunter2').toString('base64')}`,
      },
    ]);
  });

  it.each([
    ['nothing is given: nobody is named', nothing, '', undefined],
    ['a token alone', { ...nothing, password: 'token' }, '', ':token'],
    ['the address names somebody', { ...nothing, password: 'token' }, 'team@', 'team:token'],
    ['the Secret names somebody else', me, 'team@', 'me:hunter2'],
    ['a file with an end of line in it', { ...nothing, username: 'me\n', password: 'hunter2\r\n' }, '', 'me:hunter2'],
  ])('%s', async (_what, credential, user, sent) => {
    let header: string | undefined;
    const host = await serve(({ headers }, response) => {
      header = headers.authorization;
      response.end(branches);
    });

    expect(await ask(`http://${user}${host}/r`, credential)).toEqual({ kind: 'listed' });
    expect(header).toBe(sent === undefined ? undefined : `Basic ${Buffer.from(sent).toString('base64')}`);
  });

  it.each([
    [200, branches, { kind: 'listed' }],
    [200, '001e# service=git-upload-pack\n00000000', { kind: 'listed' }],
    [200, '0123456789012345678901234567890123456789\trefs/heads/main\n', { kind: 'listed' }],
    [200, '<html>Please sign in</html>', { kind: 'missing', detail: 'there is no Git repository at this address' }],
    [200, '', { kind: 'missing', detail: 'there is no Git repository at this address' }],
    [
      200,
      '001e# service=git-upload-pack\n0000001eERR Repository not found',
      { kind: 'missing', detail: 'repository not found' },
    ],
    [200, '001e# service=git-upload-pack\n0000001eERR access denied', { kind: 'denied' }],
    [401, '', { kind: 'denied' }],
    [403, '', { kind: 'denied' }],
    [400, '', { kind: 'denied' }],
    [404, '', { kind: 'missing', detail: 'repository not found' }],
    [429, '', { kind: 'unknown', detail: 'the host is too busy' }],
    [503, '', { kind: 'unknown', detail: 'the host answers with an error of its own' }],
  ])('an answer of %d %j is understood', async (status, body, verdict) => {
    const host = await serve(says(status, body));

    expect(await ask(`http://${host}/r.git`)).toEqual(verdict);
  });

  it('is followed to its other name on the same host', async () => {
    const host = await serve((request, response) => {
      if (request.url?.startsWith('/r.git/')) response.end(branches);
      else response.writeHead(301, { location: request.url?.replace('/r/', '/r.git/') ?? '' }).end();
    });

    expect(await ask(`http://${host}/r`)).toEqual({ kind: 'listed' });
  });

  it('is not followed to another host, which would be given the credential', async () => {
    let asked = false;
    const other = await serve((_request, response) => {
      asked = true;
      response.end(branches);
    });
    const host = await serve(({ url }, response) => {
      response.writeHead(302, { location: `http://${other}${url}` }).end();
    });

    expect(await ask(`http://${host}/r`)).toMatchObject({ kind: 'unknown' });
    expect(asked).toBe(false);
  });

  it('is not followed for ever', async () => {
    const host = await serve(({ url }, response) => {
      response.writeHead(302, { location: url ?? '' }).end();
    });

    expect(await ask(`http://${host}/r`)).toMatchObject({ kind: 'unknown' });
  });

  it("of a host that is not there is nobody's fault", async () => {
    const host = await serve(says(200));
    for (const close of closing.splice(0)) close();

    expect(await ask(`http://${host}/r`)).toEqual({ kind: 'unknown', detail: 'the host refuses the connection' });
  });

  it('of a host that never answers is given up in time', async () => {
    const host = await serve(() => {});
    const impatient = openRepositoryProbe({ timeoutMs: 100 });

    expect(await impatient.ask(`http://${host}/r`, me, AbortSignal.timeout(20_000))).toEqual({
      kind: 'unknown',
      detail: 'the host did not answer in time',
    });
  });

  it('a step whose time is over gets no answer', async () => {
    const host = await serve(() => {});
    const over = new AbortController();
    const asked = ask(`http://${host}/r`, me, over.signal);
    over.abort(new Error('the time is over'));

    await expect(asked).rejects.toThrow('the time is over');
  });

  it('of a host whose certificate nobody vouches for is not believed', async () => {
    const { cert, key } = makeCertificate('a host');
    const host = await serve(says(200), createTlsServer({ cert, key }, says(200, branches)) as never);

    expect(await ask(`https://${host}/r`)).toEqual({
      kind: 'unknown',
      detail: 'the certificate of the host is not trusted',
    });
  });

  it.each([
    'http://git.example.com/r',
    'http://127.0.0.1.example.com/r',
    'file:///etc',
    'ext::sh',
    '/etc',
    'git://127.0.0.1/r',
  ])('is not asked at all at %s', async (url) => {
    expect(await ask(url)).toEqual({ kind: 'refused', detail: 'repository must begin with ssh:// or https://' });
  });
});

describeWithGit('a repository of a real git server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-probe-'));
  let git: ArgoGit;
  beforeAll(async () => {
    git = await startArgoGit(folder);
  });
  afterAll(async () => {
    await git.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens for the right credential, with branches and without any, and for no other', async () => {
    const { url } = await git.repository({ 'a.txt': 'a' });
    const empty = await git.server.createRepository('team/empty');
    const right = { ...nothing, username: 'me', password: git.readToken };

    expect(await ask(url, right)).toEqual({ kind: 'listed' });
    expect(await ask(empty, right)).toEqual({ kind: 'listed' });
    expect(await ask(url, me)).toEqual({ kind: 'denied' });
    expect(await ask(url, nothing)).toEqual({ kind: 'denied' });
    expect(await ask(`${git.server.url}/team/nothing.git`, right)).toEqual({
      kind: 'missing',
      detail: 'repository not found',
    });
  });
});
