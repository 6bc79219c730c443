import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { ask, type GitWorld, openGitWorld, reader, writer } from './world.ts';

let world: GitWorld;
beforeAll(async () => {
  world = await openGitWorld();
  await world.pushed('team/app');
});
afterAll(() => world.end());

const refs = '/team/app.git/info/refs?service=git-upload-pack';

describeWithGit('the embedded git server', () => {
  it.each([
    ['nothing', undefined],
    ['a wrong token', 'some-other-token'],
    ['the beginning of a token', writer.slice(0, -1)],
    ['an empty token', ''],
  ])('turns away who brings %s', async (_what, token) => {
    const answer = await ask(world.server, { path: refs, token });

    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
  });

  it.each(['Basic', 'Basic !!!', `Bearer ${writer}`, `Basic ${Buffer.from(writer).toString('base64')}`])(
    'turns away the header "%s"',
    async (authorization) => {
      const answer = await ask(world.server, { path: refs, headers: { authorization } });

      expect(answer.status).toBe(401);
    },
  );

  it('does not tell a stranger which repositories there are', async () => {
    const there = await ask(world.server, { path: refs });
    const missing = await ask(world.server, { path: '/team/none.git/info/refs?service=git-upload-pack' });

    expect(missing).toMatchObject({ status: there.status, body: there.body });
  });

  it('lets a reader read', async () => {
    const answer = await ask(world.server, { path: refs, token: reader });

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/x-git-upload-pack-advertisement');
  });

  it.each([
    ['ask for the refs of a push', 'GET', '/team/app.git/info/refs?service=git-receive-pack'],
    ['push', 'POST', '/team/app.git/git-receive-pack'],
    ['create a repository', 'PUT', '/team/mine.git'],
  ])('does not let a reader %s', async (_what, method, path) => {
    const answer = await ask(world.server, { method, path, token: reader });

    expect(answer.status).toBe(403);
  });

  it('refuses a token that is too short to be a secret', async () => {
    await expect(openGitWorld({ tokens: [{ token: 'abc', access: 'read' }] })).rejects.toThrow(/at least 8 characters/);
  });
});
