import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { ask, type GitWorld, openGitWorld, reader, writer } from './world.ts';

let world: GitWorld | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

const push = {
  method: 'POST',
  path: '/team/app.git/git-receive-pack',
  token: writer,
  headers: { 'content-type': 'application/x-git-receive-pack-request' },
};

/** The git processes that work on the folder of this test. */
async function childrenOf(folder: string): Promise<number> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return found.filter((line) => line.includes(folder) && line.includes('-pack')).length;
}

/** Begins a push and says no more; resolves when its git runs. */
async function beginPush({ server, folder }: GitWorld) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const authorization = Buffer.from(`x:${writer}`).toString('base64');
  socket.write(
    `POST ${push.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${authorization}\r\nContent-Type: ${push.headers['content-type']}\r\nContent-Length: 1000\r\n\r\n00`,
  );
  await vi.waitFor(async () => expect(await childrenOf(folder)).toBeGreaterThan(0), { timeout: 10_000 });
  return socket;
}

describeWithGit('the embedded git server', () => {
  it('refuses a body that is longer than allowed, told or untold', async () => {
    world = await openGitWorld({ limits: { pushBytes: 1_000 } });
    await world.server.createRepository('team/app');
    const body = Buffer.alloc(2_000);

    const told = await ask(world.server, { ...push, headers: { ...push.headers, 'content-length': '2000' }, body });
    const untold = await ask(world.server, {
      ...push,
      headers: { ...push.headers, 'transfer-encoding': 'chunked' },
      body,
    });

    expect([told.status, untold.status]).toEqual([413, 413]);
  });

  it('refuses a small body that unpacks to a large one', async () => {
    world = await openGitWorld({ limits: { pushBytes: 100_000 } });
    await world.server.createRepository('team/app');
    // Lines that git reads on and on, each 52 bytes long.
    const body = gzipSync(`0034shallow ${'a'.repeat(40)}`.repeat(100_000));

    const answer = await ask(world.server, { ...push, headers: { ...push.headers, 'content-encoding': 'gzip' }, body });

    expect(answer.status).toBe(413);
  });

  it.each([
    ['another content type', { 'content-type': 'text/plain' }],
    ['another encoding', { ...push.headers, 'content-encoding': 'br' }],
  ])('refuses a body of %s', async (_what, headers) => {
    world = await openGitWorld();
    await world.server.createRepository('team/app');

    const answer = await ask(world.server, { ...push, headers, body: '0000' });

    expect(answer.status).toBe(415);
  });

  it('survives a body that is no gzip at all', async () => {
    world = await openGitWorld();
    await world.server.createRepository('team/app');

    const answer = await ask(world.server, {
      ...push,
      headers: { ...push.headers, 'content-encoding': 'gzip' },
      body: 'no gzip',
    });

    expect(answer.status).toBe(400);
    expect(
      (await ask(world.server, { path: '/team/app.git/info/refs?service=git-upload-pack', token: reader })).status,
    ).toBe(200);
  });

  it('ends its git when the client goes away', async () => {
    world = await openGitWorld();
    await world.server.createRepository('team/app');
    const socket = await beginPush(world);

    socket.destroy();

    const { folder } = world;
    await vi.waitFor(async () => expect(await childrenOf(folder)).toBe(0), { timeout: 10_000 });
  });

  it('ends a git that takes too long, and says so', async () => {
    world = await openGitWorld({ limits: { timeoutMs: 1_500 } });
    await world.server.createRepository('team/app');
    const socket = await beginPush(world);

    const heard = await new Promise<string>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
    });

    expect(heard).toMatch(/^HTTP\/1\.1 (504|408) /);
    const { folder } = world;
    await vi.waitFor(async () => expect(await childrenOf(folder)).toBe(0), { timeout: 10_000 });
  });

  it('turns a request away when too many are served and wait', async () => {
    world = await openGitWorld({ limits: { children: 1, waiting: 0 } });
    await world.server.createRepository('team/app');
    const socket = await beginPush(world);

    const answer = await ask(world.server, { path: '/team/app.git/info/refs?service=git-upload-pack', token: reader });
    socket.destroy();

    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('lets a request wait for its turn', async () => {
    world = await openGitWorld({ limits: { children: 1, waiting: 1 } });
    await world.server.createRepository('team/app');
    const socket = await beginPush(world);

    const waiting = ask(world.server, { path: '/team/app.git/info/refs?service=git-upload-pack', token: reader });
    socket.destroy();

    expect((await waiting).status).toBe(200);
  });

  it('leaves no git behind when it is stopped in the middle of a push', async () => {
    world = await openGitWorld();
    await world.server.createRepository('team/app');
    await beginPush(world);

    await world.server.stop();

    expect(await childrenOf(world.folder)).toBe(0);
  });
});
