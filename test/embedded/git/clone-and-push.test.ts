import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedGit } from '../../../infra/embedded/git/start-embedded-git.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { ask, type GitWorld, openGitWorld, reader, writer } from './world.ts';

let world: GitWorld;
beforeAll(async () => {
  world = await openGitWorld();
});
afterAll(() => world.end());

describeWithGit('the embedded git server', () => {
  it.each(['0', '1', '2'])('gives back what was pushed, in protocol version %s', async (version) => {
    const repository = `team/app-${version}`;
    const clone = await world.pushed(repository);

    const again = join(world.elsewhere, `again-${version}`);
    await world.git(['-c', `protocol.version=${version}`, 'clone', '--quiet', world.as(reader, repository), again]);

    expect(await readFile(join(again, 'file.txt'), 'utf8')).toBe('first\n');
    expect(await world.git(['rev-parse', 'HEAD'], again)).toBe(await world.git(['rev-parse', 'HEAD'], clone));
  });

  it('calls the default branch main', async () => {
    await world.pushed('team/branches');

    const heads = await world.git(['ls-remote', '--symref', world.as(reader, 'team/branches'), 'HEAD']);

    expect(heads).toContain('ref: refs/heads/main\tHEAD');
  });

  it('takes a push of many megabytes', async () => {
    const clone = await world.pushed('team/large');
    await writeFile(join(clone, 'large.bin'), randomBytes(3 * 1024 * 1024));
    await world.git(['add', '.'], clone);
    await world.git(['commit', '--quiet', '-m', 'large'], clone);

    await world.git(['push', '--quiet', 'origin', 'HEAD:main'], clone);

    const [remote = ''] = (await world.git(['ls-remote', world.as(reader, 'team/large'), 'refs/heads/main'])).split(
      '\t',
    );
    expect(remote).toBe(await world.git(['rev-parse', 'HEAD'], clone));
  });

  it('gives out a single commit by its id', async () => {
    const clone = await world.pushed('team/by-id');
    const first = await world.git(['rev-parse', 'HEAD'], clone);
    await world.git(['commit', '--quiet', '--allow-empty', '-m', 'second'], clone);
    await world.git(['push', '--quiet', 'origin', 'HEAD:main'], clone);

    const bare = join(world.elsewhere, 'by-id');
    await world.git(['init', '--quiet', '--bare', bare]);
    await world.git(['fetch', '--quiet', '--depth=1', world.as(reader, 'team/by-id'), first], bare);

    expect(await world.git(['rev-parse', 'FETCH_HEAD'], bare)).toBe(first);
  });

  it('refuses a push that would lose commits, in the words of git', async () => {
    const clone = await world.pushed('team/behind');
    await world.git(['commit', '--quiet', '--amend', '-m', 'another first'], clone);

    const push = world.git(['push', 'origin', 'HEAD:main'], clone);

    await expect(push).rejects.toThrow(/rejected.*(non-fast-forward|fetch first)/s);
  });

  it('reads request bodies that came as gzip, every time', async () => {
    await world.pushed('team/zipped');
    const request = {
      method: 'POST',
      path: '/team/zipped.git/git-upload-pack',
      token: reader,
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        'content-encoding': 'gzip',
        'git-protocol': 'version=2',
      },
      body: gzipSync('0014command=ls-refs\n0000'),
    };

    // Git may be done before it has read to the end: many at once show it.
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(world.server, request)));

    expect(answers.filter(({ status, body }) => status !== 200 || !body.includes('refs/heads/main'))).toEqual([]);
  });

  it('never runs a hook, even one that lies in the repository', async () => {
    const clone = await world.pushed('team/hooked');
    const place = join(world.folder, 'team/hooked.git/hooks');
    await mkdir(place, { recursive: true });
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update']) {
      await writeFile(join(place, hook), `#!/bin/sh\ntouch ${world.elsewhere}/hook-ran\nexit 1\n`);
      await chmod(join(place, hook), 0o755);
    }

    await world.git(['commit', '--quiet', '--allow-empty', '-m', 'more'], clone);
    await world.git(['push', '--quiet', 'origin', 'HEAD:main'], clone);

    await expect(readFile(join(world.elsewhere, 'hook-ran'))).rejects.toThrow('ENOENT');
  });

  it('makes a repository once, whoever asks how often', async () => {
    const first = await ask(world.server, { method: 'PUT', path: '/team/asked-for.git', token: writer });
    const second = await ask(world.server, { method: 'PUT', path: '/team/asked-for.git', token: writer });
    const url = await world.server.createRepository('team/asked-for');

    expect([first.status, second.status]).toEqual([201, 204]);
    expect(url).toBe(`${world.server.url}/team/asked-for.git`);
    await expect(world.git(['ls-remote', world.as(reader, 'team/asked-for')])).resolves.toBe('');
  });

  it('keeps its repositories when it is stopped and started again', async () => {
    const one = await openGitWorld();
    try {
      await one.pushed('team/kept');
      await one.server.stop();

      const two = await startEmbeddedGit({
        folder: one.folder,
        tokens: [{ token: reader, access: 'read' }],
        log: { error() {}, warn() {}, info() {}, debug() {} },
      });
      const { stdout } = await promisify(execFile)('git', [
        'ls-remote',
        `${two.url.replace('//', `//x:${reader}@`)}/team/kept.git`,
      ]);
      await two.stop();

      expect(stdout).toContain('refs/heads/main');
    } finally {
      await one.end();
    }
  });

  it('says what to install where there is no git', async () => {
    const start = startEmbeddedGit({
      folder: join(world.elsewhere, 'no-git'),
      tokens: [],
      log: { error() {}, warn() {}, info() {}, debug() {} },
      searchPath: '/nowhere',
    });

    await expect(start).rejects.toThrow(/needs git 2\.28 or newer on the PATH: install git/);
  });
});
