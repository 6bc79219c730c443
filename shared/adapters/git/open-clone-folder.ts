import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RepositoryPlace } from '../../ports/gitops-repositories.ts';
import { holdFolder } from './hold-folder.ts';

interface FolderSettings {
  readonly folder: string;
  readonly maxMegabytes: number;
  readonly now: () => number;
  /** Somebody works with it, so that it stays. */
  readonly isTaken: (clone: string) => boolean;
}

/** The clones on this disk. No two processes have the same: one would take away what the other works with. */
export interface CloneFolder {
  cloneOf(place: RepositoryPlace): string;
  drop(clone: string): Promise<void>;
  /** It was used just now. */
  touch(clone: string): Promise<void>;
  /** Notes how large it is. Those that were not used for longest make room. */
  note(clone: string, kilobytes: number): Promise<void>;
  /** Leaves the clones to the next process. */
  release(): void;
}

/** In each clone: how large it is, and by the time of the file when it was used last. */
const noteName = 'stagecoach';
const dropped = '.dropped-';
/** A clone that has no note after an hour is one that a process died over. */
const unfinishedMs = 3_600_000;

export function openCloneFolder({ folder: above, maxMegabytes, now, isTaken }: FolderSettings): CloneFolder {
  const { folder, release } = holdFolder(above);

  async function drop(clone: string): Promise<void> {
    const away = join(folder, `${dropped}${randomUUID()}`);
    await rename(clone, away).catch(unlessMissing);
    await rm(away, { recursive: true, force: true });
  }

  async function touch(clone: string): Promise<void> {
    const seconds = now() / 1_000;
    await utimes(join(clone, noteName), seconds, seconds).catch(unlessMissing);
  }

  async function makeRoom(): Promise<void> {
    const all = await Promise.all((await readdir(folder)).map((name) => look(join(folder, name))));
    let kilobytes = all.reduce((sum, clone) => sum + (clone.kilobytes ?? 0), 0);
    for (const one of all.toSorted((one, other) => one.usedAt - other.usedAt)) {
      const isUnfinished = one.kilobytes === undefined && one.usedAt < now() - unfinishedMs;
      if (isTaken(one.clone) || (!isUnfinished && kilobytes <= maxMegabytes * 1_024)) continue;
      await drop(one.clone);
      kilobytes -= one.kilobytes ?? 0;
    }
  }

  return {
    cloneOf: ({ tenant, url, branch }) =>
      join(folder, createHash('sha256').update([tenant, url, branch].join('\0')).digest('hex').slice(0, 40)),
    drop,
    touch,
    async note(clone, kilobytes) {
      await writeFile(join(clone, noteName), String(kilobytes)).catch(unlessMissing);
      await touch(clone);
      await makeRoom();
    },
    release,
  };
}

interface Kept {
  readonly clone: string;
  readonly kilobytes: number | undefined;
  readonly usedAt: number;
}

async function look(clone: string): Promise<Kept> {
  // Whoever took it away did not come to the end.
  if (basename(clone).startsWith(dropped)) return { clone, kilobytes: undefined, usedAt: 0 };
  const note = join(clone, noteName);
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(note, 'utf8'), stat(note)]);
    return { clone, kilobytes: Number(text), usedAt: mtimeMs };
  } catch {
    const found = await stat(clone).catch(() => undefined);
    return { clone, kilobytes: undefined, usedAt: found?.mtimeMs ?? 0 };
  }
}

function unlessMissing(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
}
