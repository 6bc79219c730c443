import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { SourceError } from './source-error.ts';

/** The folder of a path within a checkout. Throws in the words of Argo CD where there is none. */
export async function findAppFolder(root: string, path: string): Promise<string> {
  if (isAbsolute(path)) throw new SourceError(`${path}: app path is absolute`);
  const folder = resolve(root, path);
  if (!isInside(root, folder)) throw new SourceError(`${path}: app path outside root`);
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) throw new SourceError(`${path}: app path does not exist`);
  // Links were checked to stay inside; where one leads is what counts.
  const real = await realpath(folder);
  if (!isInside(root, real)) throw new SourceError(`${path}: app path outside root`);
  if (!(await lstat(real)).isDirectory()) throw new SourceError(`${path}: app path is not a directory`);
  return real;
}

/** Throws where any link of the checkout leads out of it. */
export async function refuseLinksOut(root: string): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const link = join(entry.parentPath, entry.name);
    const target = await readlink(link);
    if (isAbsolute(target) || !isInside(root, resolve(dirname(link), target)))
      throw new SourceError(`repository contains out-of-bounds symlinks. file: ${relative(root, link)}`);
  }
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
