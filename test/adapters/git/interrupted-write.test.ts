import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';
import {
  clonesIn,
  failure,
  type GitStage,
  openGitStage,
  processesOf,
  type StageRepository,
  write,
  writeToken,
} from './git-stage.ts';

const script = fileURLToPath(new URL('./write-child.ts', import.meta.url));

describeWithGit('a write that is interrupted', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());
  afterEach(() => {
    stage.play = undefined;
    stage.intercept = undefined;
  });

  /** Holds the next request of a kind back. Answers with the way to let it go. */
  function hold(kind: string): { isHeld(): boolean; release(isForwarded: boolean): void } {
    let held = false;
    let release = (_isForwarded: boolean): void => {};
    const released = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    stage.play = async (asked, response) => {
      if (held || asked !== kind) return false;
      held = true;
      const isForwarded = await released;
      if (!isForwarded) response.destroy();
      return !isForwarded;
    };
    return { isHeld: () => held, release };
  }

  function start(folder: string, repository: StageRepository, path: string): ChildProcess {
    const errand = { folder, place: repository.place, token: writeToken, paths: [path] };
    return spawn(process.execPath, [script, JSON.stringify(errand)], { stdio: 'ignore' });
  }

  async function kill(child: ChildProcess): Promise<void> {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  it('by kill -9 in the middle of a push that comes through all the same is not made twice (G24)', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const push = hold('POST git-receive-pack');
    const child = start(folder, repository, 'a.yaml');
    await until('the push', push.isHeld);

    await kill(child);
    push.release(true);
    await until('the commit', async () => (await repository.commits()).length === 2);
    const written = await write(stage.open({ folder }), repository.place, { 'a.yaml': 'a.yaml' });

    const [head, ...rest] = await repository.commits();
    expect(written).toMatchObject({ kind: 'unchanged', tree: { head } });
    expect(rest).toHaveLength(1);
    expect(written.kind === 'unchanged' && (await written.tree.lastCommitOf(['a.yaml']))).toBe(head);
  });

  it('by kill -9 in the middle of a push that comes too late changes nothing any more', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const push = hold('POST git-receive-pack');
    const child = start(folder, repository, 'a.yaml');
    await until('the push', push.isHeld);

    await kill(child);
    const repositories = stage.open({ folder });
    const written = await write(repositories, repository.place, { 'b.yaml': 'b' });
    push.release(true);
    await until('the end of it', () => clonesIn(folder).every((clone) => processesOf(clone).length === 0));

    expect((await repository.commits())[0]).toBe(written.kind === 'pushed' && written.commit);
    expect(await repository.git('ls-tree', '--name-only', 'main')).toBe('b.yaml\ntheirs.yaml');
    expect(await write(repositories, repository.place, { 'a.yaml': 'a.yaml' })).toMatchObject({ kind: 'pushed' });
  });

  it('by kill -9 in the middle of the first fetch goes on with what is there', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const fetch = hold('POST git-upload-pack');
    const child = start(folder, repository, 'a.yaml');
    await until('the fetch', fetch.isHeld);

    await kill(child);
    const written = await write(stage.open({ folder }), repository.place, { 'b.yaml': 'b' });
    fetch.release(false);

    expect(written.kind).toBe('pushed');
    expect(await repository.commits()).toHaveLength(2);
  });

  it.each<[string, (clone: string) => void]>([
    ['HEAD is gone', (clone) => rmSync(join(clone, 'HEAD'))],
    ['the configuration is nonsense', (clone) => writeFileSync(join(clone, 'config'), '[core\nnonsense')],
    ['the objects are gone', (clone) => rmSync(join(clone, 'objects'), { recursive: true })],
    ['the pack is cut short', (clone) => truncateSync(fileIn(join(clone, 'objects/pack'), /\.pack$/), 40)],
    ['its newest objects are empty', (clone) => emptyLoose(join(clone, 'objects'))],
    ['a lock was left behind', (clone) => writeFileSync(`${fileIn(join(clone, 'refs/stagecoach'), /./)}.lock`, '')],
    ['a reference is nonsense', (clone) => writeFileSync(fileIn(join(clone, 'refs/stagecoach'), /./), 'nonsense\n')],
    ['it is gone', (clone) => rmSync(clone, { recursive: true })],
  ])('by whatever: a clone of which %s is thrown away, and nothing is lost', async (_what, spoil) => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    await write(repositories, repository.place, { 'a.yaml': '1', 'deep/er/a.yaml': '1' });

    for (const [times, opened] of [repositories, stage.open({ folder })].entries()) {
      for (const clone of clonesIn(folder)) spoil(clone);
      await repository.commit({ [`theirs-${times}.yaml`]: 'theirs' });
      await write(opened, repository.place, { 'deep/er/a.yaml': `new ${times}` });
      opened.close();
    }

    expect(await repository.show('deep/er/a.yaml')).toBe('new 1');
    expect(await repository.commits()).toHaveLength(6);
    await repository.git('fsck', '--strict');
    expect(clonesIn(folder)).toHaveLength(1);
  });

  it('by a clone that cannot give away what it has is made with a new one', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    for (const text of ['one', 'two']) await write(repositories, repository.place, { 'a.yaml': text });
    const blob = await repository.git('rev-parse', 'main~1:a.yaml');
    for (const clone of clonesIn(folder)) {
      const file = join(clone, 'objects', blob.slice(0, 2), blob.slice(2));
      rmSync(file);
      writeFileSync(file, '');
    }

    const { kind } = await write(repositories, repository.place, { 'a.yaml': 'one' });

    expect(kind).toBe('pushed');
    expect(await repository.show('a.yaml')).toBe('one');
  });

  it.each<[string, GitStage['intercept']]>([
    [
      'the connection breaks before the answer',
      (_asked, response) => {
        response.destroy();
        return true;
      },
    ],
    [
      'the answer breaks off',
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result', 'content-length': '500' });
        response.write('0030');
        setTimeout(() => response.destroy(), 100);
        return true;
      },
    ],
    [
      'a gateway answers in the place of the host',
      (_asked, response) => {
        response.writeHead(502).end('Bad Gateway');
        return true;
      },
    ],
  ])('as %s is uncertain, and the next one finds its commit and makes no second (G24)', async (_what, intercept) => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const repositories = stage.open();
    await write(repositories, repository.place, { 'b.yaml': 'b' });
    stage.intercept = (asked, response) => asked === 'POST git-receive-pack' && (intercept?.(asked, response) ?? false);

    const lost = await failure(write(repositories, repository.place, { 'a.yaml': 'a' }));
    stage.intercept = undefined;
    const [landed, ...before] = await repository.commits();
    const again = await write(repositories, repository.place, { 'a.yaml': 'a' });

    expect(lost).toMatchObject({ kind: 'uncertain', dependency: 'git' });
    expect(before).toHaveLength(2);
    expect(again).toMatchObject({ kind: 'unchanged', tree: { head: landed } });
    expect(again.kind === 'unchanged' && (await again.tree.lastCommitOf(['a.yaml']))).toBe(landed);
    expect(await repository.commits()).toEqual([landed, ...before]);
  });

  it('by its signal leaves no process behind, in a push as in a fetch, and no half of a clone', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    for (const kind of ['POST git-upload-pack', 'POST git-receive-pack']) {
      const request = hold(kind);
      const over = new AbortController();
      const writing = failure(write(repositories, repository.place, { 'a.yaml': kind }, { signal: over.signal }));
      await until(kind, request.isHeld);
      const [clone = ''] = clonesIn(folder);
      const running = processesOf(clone);

      over.abort(new Error('the time is over'));

      expect((await writing).message).toBe('the time is over');
      expect(running.length).toBeGreaterThan(1);
      expect(processesOf(clone)).toEqual([]);
      request.release(false);
      stage.play = undefined;
      if (kind === 'POST git-upload-pack') {
        expect(clonesIn(folder)).toEqual([]);
        await write(repositories, repository.place, { 'b.yaml': 'b' });
      }
    }

    await write(repositories, repository.place, { 'a.yaml': 'at last' });
    expect(await repository.show('a.yaml')).toBe('at last');
    expect(await repository.commits()).toHaveLength(3);
  });

  it('while it waits for its turn does not wait any longer', async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const repositories = stage.open();
    const request = hold('POST git-receive-pack');
    const first = write(repositories, repository.place, { 'a.yaml': 'a' });
    const over = new AbortController();
    const second = failure(write(repositories, repository.place, { 'b.yaml': 'b' }, { signal: over.signal }));
    const third = write(repositories, repository.place, { 'c.yaml': 'c' });
    await until('the push', request.isHeld);

    over.abort(new Error('the time is over'));

    expect((await second).message).toBe('the time is over');
    request.release(true);
    await Promise.all([first, third]);
    expect(await repository.git('ls-tree', '--name-only', 'main')).toBe('a.yaml\nc.yaml\ntheirs.yaml');
  });

  it.each([
    ['fetch', 'POST git-upload-pack', 'transient', /cannot be reached: the host did not answer in time/],
    ['push', 'POST git-receive-pack', 'uncertain', /The answer to a push to the branch main of .* was lost/],
  ])('by a host that falls silent in a %s is given up', async (_what, request, kind, message) => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();
    const held = hold(request);

    const error = await failure(write(stage.open({ folder, timeoutMs: 3_000 }), repository.place, { 'a.yaml': 'a' }));

    held.release(false);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(clonesIn(folder).flatMap(processesOf)).toEqual([]);
  });
});

function fileIn(folder: string, name: RegExp): string {
  return join(folder, readdirSync(folder).find((file) => name.test(file)) ?? 'nothing');
}

function emptyLoose(objects: string): void {
  const loose = readdirSync(objects, { recursive: true, encoding: 'utf8' }).filter((name) => /^..\/.{38}$/.test(name));
  for (const file of loose.map((name) => join(objects, name))) {
    rmSync(file);
    writeFileSync(file, '');
  }
}
