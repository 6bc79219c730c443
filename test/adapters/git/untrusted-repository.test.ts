import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';
import {
  clonesIn,
  failure,
  type GitStage,
  openGitStage,
  packet,
  processesOf,
  write,
  writer,
  writeToken,
} from './git-stage.ts';

const inHeader = Buffer.from(`git:${writeToken}`).toString('base64');

describeWithGit('a repository, its address and its host are not trusted:', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());
  afterEach(() => {
    stage.play = undefined;
    stage.asked.length = 0;
  });

  it.each([
    'ext::sh -c touch% /tmp/owned',
    'file:///etc',
    '/etc',
    '../repository.git',
    'git://127.0.0.1/r.git',
    'ftp://127.0.0.1/r.git',
    'http://example.com/r.git',
    'http://127.0.0.1.example.com/r.git',
    '--upload-pack=touch /tmp/owned',
    '-u',
    'ssh://-oProxyCommand=id/r.git',
    'git@-oProxyCommand=id:r.git',
    'https://me:secret-token@example.com/r.git',
    'https://secret-token@example.com/r.git',
    'https://me:secret%2Dtoken@example.com/r.git',
    'https://example.com/r.git\n[core]',
    '',
  ])('%j is no address to go to', async (url) => {
    const folder = stage.folder();
    const error = await failure(write(stage.open({ folder }), { tenant: 'team', url, branch: 'main' }, { a: '1' }));

    expect(error).toMatchObject({ kind: 'refused', reason: 'InvalidRepositoryUrl' });
    expect(inspect(error)).not.toContain('secret');
    expect(existsSync(folder)).toBe(false);
  });

  it.each(['--force', '-f', 'main:refs/heads/other', '../main', 'a b', 'a\nb', 'main.lock', ''])(
    '%j is no branch to push to',
    async (branch) => {
      const { place } = await stage.repository({ 'a.yaml': '0' });

      expect(await failure(write(stage.open(), { ...place, branch }, { a: '1' }))).toMatchObject({
        kind: 'refused',
        reason: 'InvalidBranch',
      });
      expect(stage.asked).toEqual([]);
    },
  );

  it('nobody is followed to another host, who would be given the credential', async () => {
    const given: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      given.push(headers.authorization);
      response.end();
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { place } = await stage.repository({ 'a.yaml': '0' });
    stage.play = (_asked, response, { url }) => {
      const location = `http://localhost:${(other.address() as AddressInfo).port}${url}`;
      response.writeHead(302, { location }).end();
      return true;
    };

    const error = await failure(write(stage.open(), place, { a: '1' }));

    other.close();
    expect(error).toMatchObject({ kind: 'refused', reason: 'RepositoryMoved' });
    expect(given).toEqual([]);
  });

  it('what it brings along is not run, and nothing of it is laid out on the disk', async () => {
    const around = stage.folder();
    mkdirSync(around);
    const trap = join(around, 'trap');
    const run = { mode: '100755', text: `#!/bin/sh\ntouch ${trap}\n` } as const;
    const repository = await stage.repository({
      'hooks/pre-push': run,
      '.githooks/post-checkout': run,
      '.gitattributes': '* filter=trap diff=trap\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${trap}"\n`,
      'a.yaml': '0',
    });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    await write(repositories, repository.place, { 'a.yaml': '1' });
    // As nobody but us can write here, this is more than anybody can do.
    for (const clone of clonesIn(folder)) {
      mkdirSync(join(clone, 'hooks'), { recursive: true });
      for (const hook of ['pre-push', 'reference-transaction', 'post-update', 'proc-receive'])
        writeFileSync(join(clone, 'hooks', hook), run.text, { mode: 0o755 });
    }

    await repository.commit({ 'b.yaml': 'theirs' });
    await write(repositories, repository.place, { 'a.yaml': '2' });

    expect(await repository.show('a.yaml')).toBe('2');
    expect(existsSync(trap)).toBe(false);
    expect(files(folder).filter((name) => /yaml|gitattributes|gitmodules/.test(name))).toEqual([]);
  });

  it('what is set for git on this machine does not count, and what is set for us is not handed on', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const folder = stage.folder();
    const around = stage.folder();
    mkdirSync(around);
    const traces = join(around, 'trace');
    const before = { ...process.env };
    Object.assign(process.env, {
      GIT_TRACE: traces,
      GIT_CONFIG_PARAMETERS: "'http.proxy=http://127.0.0.1:1'",
      http_proxy: 'http://127.0.0.1:1',
      GIT_SSH_COMMAND: 'false',
      DATABASE_URL: 'postgres://of-no-concern',
    });
    let seen = '';
    stage.play = (asked) => {
      if (asked.startsWith('POST'))
        seen += clonesIn(folder)
          .flatMap(processesOf)
          .map(({ pid }) => environmentOf(pid));
      return false;
    };

    const { kind } = await write(stage.open({ folder }), repository.place, { 'a.yaml': '1' });

    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    expect(kind).toBe('pushed');
    expect(seen).toContain('GIT_TERMINAL_PROMPT=0');
    expect(seen).not.toMatch(/DATABASE_URL|GIT_TRACE|http_proxy/);
    expect(existsSync(traces)).toBe(false);
  });

  it('the credential is in no argument and in no file, while it is used and after', async () => {
    const { place } = await stage.repository({ 'a.yaml': '0' });
    const folder = stage.folder();
    let words = '';
    let found: readonly string[] = [];
    stage.play = async (asked) => {
      if (!asked.startsWith('POST')) return false;
      words += clonesIn(folder)
        .flatMap(processesOf)
        .map((one) => one.words)
        .join('\n');
      found = [...found, ...filesWith(folder, [writeToken, inHeader])];
      return false;
    };

    await write(stage.open({ folder }), place, { 'a.yaml': '1' });

    expect(words).toContain('git-remote-http');
    expect(words).toContain('fetch');
    expect(words).toContain('push');
    for (const secret of [writeToken, inHeader]) expect(words).not.toContain(secret);
    expect([...found, ...filesWith(folder, [writeToken, inHeader])]).toEqual([]);
  });

  it.each<[string, GitStage['play']]>([
    [
      'in the body of an answer',
      (_asked, response, { headers }) => {
        response.writeHead(403, { 'content-type': 'text/plain' }).end(told(headers.authorization));
        return true;
      },
    ],
    [
      'in the language of git',
      (asked, response, { headers }) => {
        const line = `ERR ${told(headers.authorization)}`;
        response.writeHead(200, { 'content-type': `application/x-${asked.split('=')[1]}-advertisement` });
        response.end(`${packet('# service=git-upload-pack\n')}0000${packet(line)}`);
        return true;
      },
    ],
    [
      'beside a refusal (G11)',
      (asked, response, { headers }) => {
        if (asked !== 'POST git-receive-pack') return false;
        response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' });
        const report = `${packet('unpack ok\n')}${packet(`ng refs/heads/main ${told(headers.authorization)}\n`)}0000`;
        response.end(`${packet(`\x02${told(headers.authorization)}\n`)}${packet(`\x01${report}`)}0000`);
        return true;
      },
    ],
  ])('a host that says what it was sent, %s, is not repeated', async (_how, play) => {
    const { place } = await stage.repository({ 'a.yaml': '0' });
    stage.play = play;

    const error = await failure(write(stage.open(), place, { 'a.yaml': '1' }));

    expect(error).toHaveProperty('kind');
    for (const secret of [writeToken, inHeader, 'x-access-token']) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });

  it('over ssh the key is in a file that nobody else may read, and is gone afterwards', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const { program, notes, place } = stage.overSsh(repository, 'exec sh -c "$last"');
    const credential = { ...writer, password: '', sshPrivateKey: 'KEY\r\nOF OURS' };

    const written = await write(stage.open({ sshProgram: program }), place, { 'a.yaml': '1' }, { credential });

    expect(written.kind).toBe('pushed');
    expect(await repository.show('a.yaml')).toBe('1');
    const calls = readFileSync(notes, 'utf8').trim().split('\n--\n');
    expect(calls.map((call) => /git-\w+-pack/.exec(call)?.[0])).toEqual(['git-upload-pack', 'git-receive-pack']);
    for (const call of calls) {
      expect(call).toContain('600 KEY OF OURS');
      expect(call).toMatch(/^-F\n\/dev\/null\n/);
      expect(call).toContain('BatchMode=yes');
      expect(existsSync(/IdentityFile=(.*)/.exec(call)?.[1] ?? '/')).toBe(false);
    }
  });

  it('over ssh a signal leaves neither a process nor a key behind', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });
    const { program, notes, place } = stage.overSsh(repository, 'exec sleep 60');
    const folder = stage.folder();
    const credential = { ...writer, password: '', sshPrivateKey: 'KEY' };
    const over = new AbortController();
    const writing = failure(
      write(stage.open({ folder, sshProgram: program }), place, { a: '1' }, { credential, signal: over.signal }),
    );
    await until('ssh', () => existsSync(notes) && readFileSync(notes, 'utf8').includes('KEY'));
    const key = /IdentityFile=(.*)/.exec(readFileSync(notes, 'utf8'))?.[1] ?? '';
    const [clone = ''] = clonesIn(folder);
    expect(existsSync(key)).toBe(true);

    over.abort(new Error('the time is over'));

    expect((await writing).message).toBe('the time is over');
    expect(processesOf(clone)).toEqual([]);
    expect(existsSync(key)).toBe(false);
    expect(key.startsWith(tmpdir())).toBe(true);
  });

  it('over ssh there is no way in without a key', async () => {
    const place = { tenant: 'team', url: 'git@example.com:r.git', branch: 'main' };

    expect(await failure(write(stage.open(), place, { a: '1' }))).toMatchObject({
      kind: 'refused',
      reason: 'RepositoryDenied',
    });
  });
});

function told(authorization: string | undefined): string {
  return `You sent ${authorization}, that is ${Buffer.from(authorization?.slice(6) ?? '', 'base64')} at https://x-access-token:${writeToken}@github.com/a/b`;
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function files(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

function filesWith(folder: string, words: readonly string[]): readonly string[] {
  return files(folder).filter((name) => {
    try {
      const text = readFileSync(join(folder, name), 'latin1');
      return words.some((word) => text.includes(word));
    } catch {
      return false;
    }
  });
}
