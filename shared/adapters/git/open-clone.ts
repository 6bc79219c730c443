import { access, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileContent } from '../../ports/gitops-repositories.ts';
import { Refused } from '../../ports/trouble.ts';
import type { Edit } from './find-edits.ts';
import { gitEnvironment, type Setting, withSettings } from './git-environment.ts';
import { importStream } from './import-stream.ts';
import { openDisk } from './open-disk.ts';
import type { Remote } from './open-remote.ts';
import { largestFile } from './read-blobs.ts';
import { type GitTree, readTree } from './read-tree.ts';
import { GitFailure, type GitRun, runGit } from './run-git.ts';
import { isOvertaken } from './translate-git.ts';

export interface CloneSettings {
  /** It need not be there yet. */
  readonly folder: string;
  /** Where commits are noted, so that git keeps them. A git that outlived the process before us notes others elsewhere. */
  readonly reference: string;
  readonly remote: Remote;
  readonly author: string;
  readonly searchPath: string;
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
  readonly signal: AbortSignal;
}

/** A bare repository with one branch of another one in it. Nothing is ever checked out: there are no files to act on. */
export interface Clone {
  /** It has been fetched into, now or before. */
  isFilled(): boolean;
  /** Where the branch was when it was seen last, or where somebody tried to take it. Undefined: nobody knows. */
  lastHead(): Promise<string | undefined>;
  /** Where the branch is now. Undefined: it is not there. */
  fetch(): Promise<string | undefined>;
  read(head: string | undefined): Promise<GitTree>;
  commit(parent: string | undefined, edits: readonly Edit[], message: string, seconds: number): Promise<string>;
  /** Takes the branch from its head to a commit on top of it. False: it is somewhere else by now. */
  push(commit: string, head: string | undefined): Promise<boolean>;
  /** Is the commit the other one, or one that the other stands on? Undefined: it has not got both. */
  contains(commit: string, revision: string): Promise<boolean | undefined>;
  measure(): Promise<{ readonly kilobytes: number; readonly pieces: number }>;
}

/** What the references of all who ever worked in a clone begin with. */
export const references = 'refs/stagecoach/';
/** How often the size of what is fetched is looked at. */
const lookMs = 250;
/** Every git looks into all packs, and finds a loose object at once. */
const piecesPerPack = 50;

export async function openClone(settings: CloneSettings): Promise<Clone> {
  const { folder, reference, remote, timeoutMs, signal } = settings;
  const environment = gitEnvironment(folder, settings.searchPath);

  const onDisk = openDisk({ environment, timeoutMs, signal });

  const run = (args: readonly string[], more?: Pick<GitRun, 'input' | 'take'>) =>
    runGit({ args, environment: withSettings(environment), timeoutMs, signal, ...more });

  const overThere = (args: readonly string[], more: readonly Setting[] = [], until = signal) =>
    remote.reach((way) =>
      runGit({
        args,
        environment: withSettings({ ...environment, ...way.environment }, [...way.settings, ...more]),
        timeoutMs,
        signal: until,
      }),
    );

  const newest = (below: string) =>
    onDisk('for-each-ref', async (git) => {
      const options = ['--sort=-committerdate', '--count=1', '--format=%(objectname)'];
      return (await git.raw(['for-each-ref', ...options, below])).trim() || undefined;
    });

  const isNew = await access(join(folder, 'HEAD')).then(
    () => false,
    () => true,
  );
  if (isNew) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await onDisk('init', (git) => git.init(true, ['--template=']));
  }

  /** A clone that failures have blown up is broken; a new one shows how large the repository is. */
  function tooLarge(): Error {
    if (!isNew) return new GitFailure('fetch', 'failed', 'the clone is too large');
    return new Refused(
      'RepositoryTooLarge',
      `${remote.url} has more than ${settings.maxMegabytes} MB: use a repository that has only manifests in it`,
    );
  }

  const contents = new Map<string, FileContent>();
  let isFilled = !isNew;
  return {
    isFilled: () => isFilled,
    lastHead: async () => (isNew ? undefined : newest(references)),
    async fetch() {
      const enough = new AbortController();
      async function look(): Promise<void> {
        const bytes = await sizeOf(join(folder, 'objects/pack'));
        if (bytes > settings.maxMegabytes * 1_048_576) enough.abort(tooLarge());
      }
      const looking = setInterval(look, lookMs);
      try {
        await overThere(
          ['fetch', '--quiet', '--no-tags', '--no-auto-maintenance', 'origin'],
          [
            ['remote.origin.fetch', `+refs/heads/${remote.branch}:${reference}`],
            // Said here and not in the clone, so that no other git thinks of fetching what was left out.
            ['remote.origin.promisor', 'true'],
            // What has so many bytes, or more, is left out.
            ['remote.origin.partialCloneFilter', `blob:limit=${largestFile + 1}`],
          ],
          AbortSignal.any([signal, enough.signal]),
        );
      } catch (error) {
        if (error instanceof GitFailure && /couldn't find remote ref/i.test(error.said)) return undefined;
        throw error;
      } finally {
        clearInterval(looking);
      }
      await look();
      enough.signal.throwIfAborted();
      isFilled = true;
      // It was written just now, so it is a file: that is a process less between a look at the branch and a push to it.
      const written = await readFile(join(folder, reference), 'latin1').catch(() => '');
      return /^[\da-f]{40}$/.test(written.trim()) ? written.trim() : newest(reference);
    },
    async contains(commit, revision) {
      try {
        return (await run(['rev-list', '--max-count=1', commit, `^${revision}`, '--'])).length === 0;
      } catch (error) {
        if (error instanceof GitFailure && /bad (?:object|revision)/i.test(error.said)) return undefined;
        throw error;
      }
    },
    read: (head) => readTree(head, { run, contents, log: (args) => onDisk('log', (git) => git.raw(['log', ...args])) }),
    async commit(parent, edits, message, seconds) {
      const input = importStream({ reference, parent, edits, message, author: settings.author, seconds });
      return (await run(['fast-import', '--quiet', '--force', '--done'], { input })).toString('latin1').trim();
    },
    async push(commit, head) {
      const branch = `refs/heads/${remote.branch}`;
      // Stricter than a plain push, which brings back what somebody took out of the branch: the branch has to be where the
      // parent of the commit is. So there is never anything that could be overwritten.
      const lease = `--force-with-lease=${branch}:${head ?? ''}`;
      try {
        await overThere(['push', '--porcelain', '--quiet', '--no-verify', lease, 'origin', `${commit}:${branch}`]);
        return true;
      } catch (error) {
        if (isOvertaken(error)) return false;
        throw error;
      }
    },
    measure: () =>
      onDisk('count-objects', async (git) => {
        const { count, packs, size, sizePack, sizeGarbage } = await git.countObjects();
        return { kilobytes: size + sizePack + sizeGarbage, pieces: count + packs * piecesPerPack };
      }),
  };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
