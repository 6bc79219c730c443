import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { ask, type GitWorld, openGitWorld, reader, writer } from './world.ts';

let world: GitWorld;
beforeAll(async () => {
  world = await openGitWorld();
  await world.pushed('team/app');
  // A repository beside the folder that is served: the prize of every attempt below.
  await world.git(['init', '--quiet', '--bare', join(world.elsewhere, 'secret.git')]);
});
afterAll(() => world.end());

const service = 'info/refs?service=git-upload-pack';

describeWithGit('nothing outside its folder can be reached', () => {
  it.each([
    `/../secret.git/${service}`,
    `/team/../../secret.git/${service}`,
    `/team/..%2f..%2fsecret.git/${service}`,
    `/team%2fapp.git/${service}`,
    `/%2e%2e/secret.git/${service}`,
    `/../served/team/app.git/${service}`,
    `/team/app.git/../../../secret.git/${service}`,
    `//team/app.git/${service}`,
    `/team//app.git/${service}`,
    `/team\\app.git/${service}`,
    `/./team/app.git/${service}`,
    `/team/./app.git/${service}`,
    `/.unfinished/app.git/${service}`,
    `/team/app.git%00/${service}`,
    `/team/app/${service}`,
    `/team/app.git.git/${service}`,
    `/-team/app.git/${service}`,
    `/team/--upload-pack=x.git/${service}`,
    `http://elsewhere/team/app.git/${service}`,
  ])('by the address %s', async (path) => {
    const answer = await ask(world.server, { path, token: writer });

    expect(answer.status).toBe(404);
  });

  it.each(['HEAD', 'config', 'objects/info/packs', 'objects/info/alternates', 'info/exclude', 'hooks/update'])(
    'nor the file %s of a repository',
    async (file) => {
      const answer = await ask(world.server, { path: `/team/app.git/${file}`, token: writer });

      expect(answer.status).toBe(404);
    },
  );

  it('nor any ref through the dumb protocol', async () => {
    const answer = await ask(world.server, { path: '/team/app.git/info/refs', token: writer });

    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('refs/heads');
  });

  it.each(['git-upload-archive', 'upload-pack', 'git-upload-pack;id', ''])('nor the service "%s"', async (name) => {
    const answer = await ask(world.server, {
      path: `/team/app.git/info/refs?service=${encodeURIComponent(name)}`,
      token: writer,
    });

    expect(answer.status).toBe(400);
  });

  it('through a link in the place of a repository', async () => {
    await symlink(join(world.elsewhere, 'secret.git'), join(world.folder, 'team/linked.git'));

    const answer = await ask(world.server, { path: `/team/linked.git/${service}`, token: writer });

    expect(answer.status).toBe(404);
  });

  it('through a link in the place of an owner', async () => {
    await symlink(world.elsewhere, join(world.folder, 'outside'));

    const answer = await ask(world.server, { path: `/outside/secret.git/${service}`, token: writer });

    expect(answer.status).toBe(404);
  });

  it('through a link in the place of the objects of a repository', async () => {
    await world.pushed('team/objects');
    const place = join(world.folder, 'team/objects.git/objects');
    await rename(place, join(world.elsewhere, 'objects-moved'));
    await symlink(join(world.elsewhere, 'objects-moved'), place);

    const answer = await ask(world.server, { path: `/team/objects.git/${service}`, token: writer });

    expect(answer.status).toBe(404);
  });

  it('through alternates', async () => {
    await world.pushed('team/alternates');
    const info = join(world.folder, 'team/alternates.git/objects/info');
    await mkdir(info, { recursive: true });
    await writeFile(join(info, 'alternates'), `${join(world.elsewhere, 'secret.git/objects')}\n`);

    const answer = await ask(world.server, { path: `/team/alternates.git/${service}`, token: writer });

    expect(answer.status).toBe(404);
  });

  it.each(['../secret', 'team/../secret', '/etc/passwd', 'a/b/c', 'team', 'team/.hidden', 'team/x.git', 'te am/x', ''])(
    'nor is a repository called "%s" made',
    async (name) => {
      await expect(world.server.createRepository(name)).rejects.toThrow(/name it <owner>\/<name>/);
    },
  );

  it('nor is one made through a link in the place of an owner', async () => {
    await symlink(world.elsewhere, join(world.folder, 'linked-owner'));

    await expect(world.server.createRepository('linked-owner/fresh')).rejects.toThrow();

    await expect(world.git(['rev-parse', '--git-dir'], join(world.elsewhere, 'fresh.git'))).rejects.toThrow();
  });

  it('and what is inside stays reachable', async () => {
    const answer = await ask(world.server, { path: `/team/app.git/${service}`, token: reader });

    expect(answer.status).toBe(200);
    expect(answer.body).toContain('refs/heads/main');
  });
});
