import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type Home, isReachable } from './choose-home.ts';
import type { Binaries } from './find-binaries.ts';

export type PlacedBinaries = {
  readonly bin: string;
  /** Environment of the server's programs, and all of it: nothing of ours leaks into them. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * Makes the binaries runnable by the server's account.
 *
 * npm cannot store symbolic links, so the package lists the library names it lacks and expects an install script to
 * make them. We link them in a folder of our own and point the loader there: node_modules stays as npm wrote it, may
 * be read-only, and may serve several starts at once.
 */
export function placeBinaries(binaries: Binaries, home: Home): PlacedBinaries {
  const native = runnableNative(binaries, home);
  const links = join(home.folder, 'lib');
  makeOpenFolder(links);

  const wanted = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of wanted) {
    link(join(native, 'lib', basename(source)), join(links, basename(target)));
  }
  return {
    bin: join(native, 'bin'),
    // A fixed locale and zone: what the server says and how it sorts must not depend on the machine.
    environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: `${links}:${join(native, 'lib')}` },
  };
}

/**
 * Below a mode-700 directory, or installed with a strict umask, the programs are out of reach for the server's account;
 * then they are copied beside the data.
 */
function runnableNative({ native, version }: Binaries, home: Home): string {
  if (home.account === undefined) return realpathSync(native);
  const isOpen = isReachable(join(native, 'bin'), home.account) && isForAll(join(native, 'bin', 'postgres'));
  if (isOpen) return realpathSync(native);

  const copy = join(home.folder, `native-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  copyTree(native, unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    // Another start was faster; its copy is as good as ours.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** Hard links where the file system allows it: 60 MB appear at once and take no room. */
function copyTree(from: string, to: string): void {
  makeOpenFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else placeFile(source, target);
  }
}

function placeFile(source: string, target: string): void {
  if (isForAll(source)) {
    try {
      linkSync(source, target);
      return;
    } catch {
      // Another file system, or one without links.
    }
  }
  copyFileSync(source, target);
  chmodSync(target, 0o755);
}

function isForAll(path: string): boolean {
  return (statSync(path).mode & 0o004) !== 0;
}

/** The server's account must get in, whatever our umask is. */
function makeOpenFolder(path: string): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, 0o755);
}

function link(source: string, path: string): void {
  try {
    if (readlinkSync(path) === source) return;
    rmSync(path, { force: true });
  } catch {
    // Not there yet.
  }
  try {
    symlinkSync(source, path);
  } catch (error) {
    // A start beside ours made the same link between our look and our write.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
