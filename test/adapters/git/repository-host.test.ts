import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRepositoryHost } from '../../../shared/adapters/git/open-repository-host.ts';
import type { RepositoryHost } from '../../../shared/ports/repository-host.ts';
import { isTrouble } from '../../../shared/ports/trouble.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { gitTokens, openReleaseGit, type ReleaseGit } from '../../support/release-world.ts';

const soon = () => AbortSignal.timeout(20_000);

/** What came of it, in a word and a sentence. */
async function come(making: Promise<void>): Promise<string> {
  try {
    await making;
    return 'made';
  } catch (error) {
    if (!isTrouble(error)) throw error;
    return `${error.kind}${'dependency' in error ? ` ${error.dependency}` : ''}: ${error.message}`;
  }
}

describeWithGit("the service's own place for repositories", () => {
  let git: ReleaseGit;
  let host: RepositoryHost;
  beforeAll(async () => {
    git = await openReleaseGit();
    const { GIT_ROOT_URL: root, GIT_TOKEN_FILE: tokenFile } = git.settings;
    host = openRepositoryHost({ root, username: 'stagecoach', tokenFile, timeoutMs: 5_000 });
  });
  afterAll(() => git?.stop());
  afterEach(() => giveToken(gitTokens.service));

  const giveToken = (text: string) => writeFile(git.settings.GIT_TOKEN_FILE, text);
  const has = (url: string) => git.git(url, 'rev-parse', '--is-bare-repository').then(Boolean, () => false);

  it('L01 makes a repository that was not there, and leaves one that is', async () => {
    const url = `${host.root}/team/shop-0f9c8b7a.git`;
    expect(await has(url)).toBe(false);

    await host.make(url, soon());
    await git.commit(url, { 'README.md': 'mine' });
    await host.make(url, soon());

    expect(await git.files(url)).toEqual({ 'README.md': 'mine' });
  });

  it('reads its token whenever it is needed, without what stands around it', async () => {
    await giveToken(`  ${gitTokens.tenant}\r\nsomething else\n`);

    expect(host.credential()).toEqual({ username: 'stagecoach', password: gitTokens.tenant, sshPrivateKey: '' });
    expect(await come(host.make(`${host.root}/team/rotated.git`, soon()))).toBe('made');
  });

  it.each([
    ['that may only read', gitTokens.reader],
    ['that nobody knows', 'nobody-s-token'],
  ])('L03 says to the operator what is wrong with a token %s, and nothing of it', async (_what, token) => {
    await giveToken(token);

    const came = await come(host.make(`${host.root}/team/denied.git`, soon()));

    expect(came).toBe(
      'refused: RepositoryNotMade: The host of repositories does not let this service make one: an operator must check GIT_USERNAME and the token in GIT_TOKEN_FILE',
    );
    expect(came).not.toContain(token);
  });

  it('waits for a token that somebody is writing', async () => {
    await giveToken('\n');

    expect(() => host.credential()).toThrow('GIT_TOKEN_FILE is empty');
    expect(await come(host.make(`${host.root}/team/x.git`, soon()))).toBe('transient git: GIT_TOKEN_FILE is empty');
  });
});

describe('a place for repositories', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const host = (but: Partial<Parameters<typeof openRepositoryHost>[0]> = {}) =>
    openRepositoryHost({ root: undefined, username: 'me', tokenFile: undefined, timeoutMs: 300, ...but });

  it.each([200, 201, 204, 302, 307, 400, 404, 405, 409, 411, 422, 501])(
    'that answers %i may make repositories when they are pushed to',
    async (status) => {
      const url = await serve((_request, response) => response.writeHead(status, { location: '/elsewhere' }).end());

      expect(await come(host().make(`${url}/team/shop.git`, soon()))).toBe('made');
    },
  );

  it.each([408, 429, 500, 502, 503, 504])('that answers %i is asked again', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end());

    expect(await come(host().make(`${url}/team/shop.git`, soon()))).toBe(
      `transient git: The host of repositories is not able to make one (${status})`,
    );
  });

  it.each([401, 403])('that answers %i is for an operator', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end());

    expect(await come(host().make(`${url}/team/shop.git`, soon()))).toMatch(/^refused: RepositoryNotMade/);
  });

  it('is not followed to another place', async () => {
    const asked: string[] = [];
    const elsewhere = await serve((request, response) => {
      asked.push(`elsewhere ${request.headers.authorization}`);
      response.end();
    });
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(307, { location: elsewhere }).end();
    });
    await host().make(`${url}/team/shop.git`, soon());

    expect(asked).toEqual([`PUT /team/shop.git Basic ${Buffer.from('me:').toString('base64')}`]);
  });

  it('that is silent, or away, is asked again', async () => {
    const silent = await serve(() => undefined);
    const away = await serve(() => undefined);
    closing.pop()?.();

    expect(await come(host().make(`${silent}/team/shop.git`, soon()))).toMatch(
      /^transient git: The host of repositories does not answer \(/,
    );
    expect(await come(host().make(`${away}/team/shop.git`, soon()))).toBe(
      'transient git: The host of repositories does not answer (ECONNREFUSED)',
    );
  });

  it('is left at once when the step is over', async () => {
    const url = await serve(() => undefined);
    const step = new AbortController();
    const over = new Error('the step is over');
    const making = host({ timeoutMs: 20_000 }).make(`${url}/team/shop.git`, step.signal);
    step.abort(over);

    await expect(making).rejects.toBe(over);
  });

  it('may be none', () => {
    expect(host().root).toBeUndefined();
    expect(host().credential()).toEqual({ username: 'me', password: '', sshPrivateKey: '' });
  });

  it('has no token where its file is gone', async () => {
    const tokenFile = '/nowhere/token';

    expect(await come(host({ tokenFile }).make('http://127.0.0.1:1/a/b.git', soon()))).toBe(
      'transient git: GIT_TOKEN_FILE cannot be read (ENOENT)',
    );
  });
});
