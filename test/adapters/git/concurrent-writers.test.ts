import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { type GitStage, openGitStage, type StageRepository, writeToken } from './git-stage.ts';
import type { Errand } from './write-child.ts';

const child = fileURLToPath(new URL('./write-child.ts', import.meta.url));

describeWithGit('twenty who write to one branch at once', () => {
  let stage: GitStage;
  beforeAll(async () => {
    stage = await openGitStage();
  });
  afterAll(() => stage.end());

  const paths = Array.from({ length: 20 }, (_, index) => `overlays/${index}/kustomization.yaml`);
  const shares = [paths.slice(0, 7), paths.slice(7, 14), paths.slice(14)];

  async function hasAll(repository: StageRepository): Promise<void> {
    expect((await repository.git('ls-tree', '-r', '--name-only', 'main')).split('\n').toSorted()).toEqual(
      [...paths, 'theirs.yaml'].toSorted(),
    );
    // One commit each, and the one that was there; a line without a fork.
    expect(await repository.commits()).toHaveLength(21);
    expect(await repository.git('rev-list', '--merges', 'main')).toBe('');
    await repository.git('fsck', '--strict');
  }

  async function send(errand: Omit<Errand, 'token'>): Promise<void> {
    await promisify(execFile)(process.execPath, [child, JSON.stringify({ ...errand, token: writeToken })], {
      timeout: 90_000,
    });
  }

  it('from three machines all land, and nothing is lost (G21)', { timeout: 120_000 }, async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });

    await Promise.all(shares.map((share) => send({ folder: stage.folder(), place: repository.place, paths: share })));

    await hasAll(repository);
  });

  it('from three processes with one folder for their clones all land', { timeout: 120_000 }, async () => {
    const repository = await stage.repository({ 'theirs.yaml': 'theirs' });
    const folder = stage.folder();

    await Promise.all(shares.map((share) => send({ folder, place: repository.place, paths: share })));

    await hasAll(repository);
  });
});
