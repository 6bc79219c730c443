import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { GitOpsRepositories } from '../../../shared/ports/gitops-repositories.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import {
  clonesIn,
  failure,
  type GitStage,
  openGitStage,
  type StageRepository,
  usual,
  write,
  writer,
} from './git-stage.ts';

describeWithGit('the clones on the disk', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());

  /** What cannot be made any smaller. */
  function weight(kilobytes: number): Record<string, string> {
    return Object.fromEntries(
      Array.from({ length: kilobytes / 100 }, (_, index) => [
        `${index}.txt`,
        // Six bits in each character; deflate finds that out.
        randomBytes(100 * 1_024).toString('base64'),
      ]),
    );
  }

  async function isWarm(write: () => Promise<unknown>): Promise<boolean> {
    stage.asked.length = 0;
    await write();
    return !stage.asked.some((what) => what.includes('upload-pack'));
  }

  it('that were not used for longest make room for others', { timeout: 60_000 }, async () => {
    let now = usual.now();
    const folder = stage.folder();
    const repositories = stage.open({ folder, maxMegabytes: 2, now: () => now });
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => stage.repository(weight(700))));
    const touch = (repository: StageRepository | undefined) => {
      now += 1_000;
      return write(repositories, (repository as StageRepository).place, { 'a.yaml': `${now}` });
    };

    for (const repository of [one, two, one, three]) await touch(repository);

    expect(clonesIn(folder)).toHaveLength(2);
    expect(await isWarm(() => touch(one))).toBe(true);
    expect(await isWarm(() => touch(three))).toBe(true);
    expect(await isWarm(() => touch(two))).toBe(false);
    expect(await isWarm(() => touch(one))).toBe(false);
  });

  describe('in which only something is looked up', () => {
    async function isThere(repositories: GitOpsRepositories, { place, commits }: StageRepository) {
      const [newest = '', ...older] = await commits();
      const question = { commit: older.at(-1) ?? newest, revision: newest };
      return repositories.contains(place, writer, question, AbortSignal.timeout(25_000));
    }

    it('make room for others as well', { timeout: 60_000 }, async () => {
      let now = usual.now();
      const folder = stage.folder();
      const repositories = stage.open({ folder, maxMegabytes: 2, now: () => now });
      const [one, two, three] = await Promise.all([1, 2, 3].map(() => stage.repository(weight(700))));
      const look = (repository: StageRepository | undefined) => {
        now += 1_000;
        return isThere(repositories, repository as StageRepository);
      };

      expect([await look(one), await look(two), await look(one), await look(three)]).toEqual([true, true, true, true]);

      expect(clonesIn(folder)).toHaveLength(2);
      expect(await isWarm(() => look(one))).toBe(true);
      expect(await isWarm(() => look(two))).toBe(false);
    });

    it('are not kept where the repository is too large, or is not there', async () => {
      const folder = stage.folder();
      const repositories = stage.open({ folder, maxRepositoryMegabytes: 1 });
      const large = await stage.repository(weight(2_000));
      const gone = await stage.repository({ 'a.yaml': '0' });
      const place = { ...gone.place, url: `${gone.place.url}.gone` };

      expect(await failure(isThere(repositories, large))).toMatchObject({ reason: 'RepositoryTooLarge' });
      expect(await failure(isThere(repositories, { ...gone, place }))).toMatchObject({ kind: 'refused' });
      expect(clonesIn(folder)).toEqual([]);
    });

    it('are made anew after they broke', async () => {
      const folder = stage.folder();
      const repositories = stage.open({ folder });
      const repository = await stage.repository({ 'a.yaml': '0' });
      await isThere(repositories, repository);
      const [clone = ''] = clonesIn(folder);
      writeFileSync(join(clone, 'HEAD'), 'broken');
      await repository.commit({ 'a.yaml': '1' });

      await failure(isThere(repositories, repository));

      expect(await isThere(repositories, repository)).toBe(true);
    });
  });

  it('that nobody has named a place for are where no other user can look or write', async () => {
    const temporary = stage.folder();
    vi.stubEnv('TMPDIR', temporary);
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });

    await write(stage.open({ folder: undefined }), repository.place, { 'a.yaml': '1' });
    vi.unstubAllEnvs();

    const [name = '', ...others] = readdirSync(temporary);
    expect([name, others]).toEqual([`stagecoach-clones-${process.getuid?.()}`, []]);
    expect(statSync(join(temporary, name)).mode & 0o777).toBe(0o700);
    expect(clonesIn(join(temporary, name))).toHaveLength(1);
  });

  it('are not filled with a repository that is too large', async () => {
    const folder = stage.folder();
    const repository = await stage.repository(weight(2_000));
    const repositories = stage.open({ folder, maxRepositoryMegabytes: 1 });

    const refused = await failure(write(repositories, repository.place, { 'a.yaml': '1' }));

    expect(refused).toMatchObject({ kind: 'refused', reason: 'RepositoryTooLarge' });
    expect(refused.message).toContain('has more than 1 MB');
    expect(clonesIn(folder)).toEqual([]);
  });

  it('that have swollen are made anew', async () => {
    const folder = stage.folder();
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open({ folder, maxRepositoryMegabytes: 1 });
    await write(repositories, repository.place, { 'a.yaml': '1' });
    const [clone = ''] = clonesIn(folder);
    // As a git that is killed in a fetch leaves it.
    const garbage = join(clone, 'objects/pack/tmp_pack_abcdef');
    writeFileSync(garbage, Buffer.alloc(2_000_000));
    await repository.commit({ 'b.yaml': 'theirs' });

    await write(repositories, repository.place, { 'a.yaml': '2' });

    expect(await repository.commits()).toHaveLength(4);
    expect(readdirSync(join(clone, 'objects/pack'))).not.toContain('tmp_pack_abcdef');
  });

  it('that have too many pieces are made anew', { timeout: 60_000 }, async () => {
    const folder = stage.folder();
    const repository = await stage.repository({ 'a.yaml': '0' });
    const repositories = stage.open({ folder });
    await write(repositories, repository.place, { 'a.yaml': '1' });
    const [clone = ''] = clonesIn(folder);
    for (let index = 0; index < 5_000; index += 1) {
      const name = index.toString(16).padStart(40, '0');
      const place = join(clone, 'objects', `${(index % 256).toString(16).padStart(2, '0')}`);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, name.slice(2)), '');
    }
    await repository.commit({ 'b.yaml': 'theirs' });

    const worn = await isWarm(() => write(repositories, repository.place, { 'a.yaml': '2' }));
    const anew = await isWarm(() => write(repositories, repository.place, { 'a.yaml': '3' }));
    const warm = await isWarm(() => write(repositories, repository.place, { 'a.yaml': '4' }));

    expect([worn, anew, warm]).toEqual([false, false, true]);
    expect(await repository.show('a.yaml')).toBe('4');
  });

  it('are swept of what processes that died have left', async () => {
    const folder = stage.folder();
    const repositories = stage.open({ folder });
    const hours = { old: 2, young: 0, '.dropped-half': 0 };
    for (const [name, count] of Object.entries(hours)) {
      const seconds = (usual.now() - count * 3_600_000) / 1_000;
      mkdirSync(join(folder, '0', name), { recursive: true });
      utimesSync(join(folder, '0', name), seconds, seconds);
    }
    const repository = await stage.repository({ 'a.yaml': '0' });

    await write(repositories, repository.place, { 'a.yaml': '1' });

    expect(readdirSync(join(folder, '0'))).toEqual([expect.stringMatching(/^[\da-f]{40}$/), 'young']);
  });

  it('are of one process alone, and of the next one when it has ended', async () => {
    const folder = stage.folder();
    const repository = await stage.repository({ 'a.yaml': '0' });
    const [one, other] = [stage.open({ folder }), stage.open({ folder })];
    await write(one, repository.place, { 'a.yaml': '1' });

    expect(await isWarm(() => write(other, repository.place, { 'a.yaml': '2' }))).toBe(false);
    expect(clonesIn(folder)).toHaveLength(2);
    other.close();
    expect(await isWarm(() => write(stage.open({ folder }), repository.place, { 'a.yaml': '3' }))).toBe(true);
    expect(clonesIn(folder)).toHaveLength(2);
  });

  it('have to be somewhere, or an operator is told', async () => {
    const repository = await stage.repository({ 'a.yaml': '0' });

    expect(await failure(write(stage.open({ folder: '/dev/null/x' }), repository.place, { a: '1' }))).toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('an operator has to let it write to its folders'),
    });
  });

  it('are for nobody else to read, and do not say whose they are', async () => {
    const folder = stage.folder();
    const repository = await stage.repository({ 'a.yaml': '0' });
    await write(stage.open({ folder }), repository.place, { 'a.yaml': '1' });

    const [clone = ''] = clonesIn(folder);
    expect(clone).toMatch(/\/[\da-f]{40}$/);
    expect(statSync(clone).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(clone, 'config'), 'utf8')).not.toContain('127.0.0.1');
  });
});
