import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitCommand } from './git-command.ts';
import type { RepositoryName } from './repository-name.ts';

export interface GitRepositories {
  /** The folder of a repository that is there and keeps to itself; undefined otherwise. */
  find(repository: RepositoryName): Promise<string | undefined>;
  /** True where it was not there before. */
  create(repository: RepositoryName): Promise<boolean>;
}

// A name that no request can spell, because it begins with a dot.
const unfinished = '.unfinished';

export async function openGitRepositories(folder: string, command: GitCommand): Promise<GitRepositories> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const root = await realpath(folder);
  await rm(join(root, unfinished), { recursive: true, force: true });

  const placeOf = ({ owner, name }: RepositoryName) => join(root, owner, `${name}.git`);

  return {
    async find(repository) {
      const place = placeOf(repository);
      return (await keepsToItself(root, place)) ? place : undefined;
    },
    async create(repository) {
      const place = placeOf(repository);
      if (await keepsToItself(root, place)) return false;
      const fresh = join(root, unfinished, randomUUID());
      await mkdir(join(root, unfinished), { recursive: true, mode: 0o700 });
      await command.run(['init', '--quiet', '--bare', '--initial-branch=main', '--template=', fresh]);
      await mkdir(join(root, repository.owner), { recursive: true, mode: 0o700 });
      if (!(await isFolder(join(root, repository.owner)))) throw new Error(`${repository.owner} is not a folder here`);
      try {
        // Whole or not at all: a crash in between leaves nothing that looks like a repository.
        await rename(fresh, place);
        return true;
      } catch (error) {
        await rm(fresh, { recursive: true, force: true });
        if (await keepsToItself(root, place)) return false;
        throw error;
      }
    },
  };
}

/**
 * A push cannot make a link, an alternate or a common directory, but somebody who can write to the folder can; git would
 * follow them out of it. So each is looked for before every request.
 */
async function keepsToItself(root: string, place: string): Promise<boolean> {
  if ((await realpath(place).catch(() => undefined)) !== place || !place.startsWith(`${root}/`)) return false;
  const folders = ['', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads'].map((name) =>
    join(place, name),
  );
  const [whole, objects, ...rest] = await Promise.all(folders.map(isFolder));
  if (!whole || !objects || rest.includes(false)) return false;
  const away = ['objects/info/alternates', 'objects/info/http-alternates', 'commondir', 'gitdir', 'config.worktree'];
  const there = await Promise.all(
    away.map((name) =>
      lstat(join(place, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (there.includes(true)) return false;
  const entries = await readdir(place, { withFileTypes: true });
  return !entries.some((entry) => entry.isSymbolicLink());
}

/** True for a folder, false for a link or a file in its place, undefined where nothing is. */
async function isFolder(path: string): Promise<boolean | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory();
}
