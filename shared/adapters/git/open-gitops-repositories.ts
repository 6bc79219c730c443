import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { withoutCredentials } from '../../domain/gitops/without-credentials.ts';
import type { GitOpsRepositories, Plan, Question, RepositoryPlace, Written } from '../../ports/gitops-repositories.ts';
import { Refused, Transient } from '../../ports/trouble.ts';
import { isAboutFolder } from './call-ssh.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type Clone, openClone, references } from './open-clone.ts';
import { type CloneFolder, openCloneFolder } from './open-clone-folder.ts';
import { openRemote, type Remote, type RemoteSettings } from './open-remote.ts';
import { privateFolder } from './private-folder.ts';
import { GitFailure } from './run-git.ts';
import { translateGit } from './translate-git.ts';
import { writeChange } from './write-change.ts';

export interface GitOpsSettings extends RemoteSettings {
  /**
   * Clones are kept here. It may be empty each time, and other processes may use it as well: each has clones of its own.
   * Undefined: in a folder of this user's alone, among the temporary files.
   */
  readonly folder?: string | undefined;
  /** For all clones of one process together. */
  readonly maxMegabytes: number;
  readonly maxRepositoryMegabytes: number;
  /** Who commits. */
  readonly author?: { readonly name: string; readonly email: string } | undefined;
  /** Where git and ssh are, as in PATH. */
  readonly searchPath?: string | undefined;
  /** How long one write is tried while others push as well. A step tries three times, within its minute. */
  readonly patienceMs?: number | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

/** A clone with more pieces than this is slow to look things up in. */
const mostPieces = 5_000;
/** So many writes are made to a clone before its size is looked at again. */
const writesPerLook = 50;

/** What this process knows of a clone. */
interface Known {
  readonly head: string | undefined;
  /** Since its size was looked at. */
  readonly writes: number;
  /** It has grown, and is made anew before it is used again. */
  readonly isWorn: boolean;
}

const unknown: Known = { head: undefined, writes: 0, isWorn: false };

/** Keeps clones warm: a write to a branch that nobody else has moved asks the host for one push, and for nothing else. */
export function openGitOpsRepositories(settings: GitOpsSettings): GitOpsRepositories & { close(): void } {
  const { author = { name: 'Stagecoach', email: 'stagecoach@localhost' }, patienceMs = 15_000, random, now } = settings;
  const signature = `${plain(author.name)} <${plain(author.email)}>`;
  const turns = oneAtATime();
  const known = new Map<string, Known>();
  const reference = `${references}${randomUUID()}`;
  let folder: CloneFolder | undefined;
  /** Not before something is written: most processes never do. */
  const clones = () => {
    folder ??= openCloneFolder({
      ...settings,
      folder: settings.folder ?? privateFolder(tmpdir(), 'stagecoach-clones'),
      isTaken: turns.isTaken,
    });
    return folder;
  };

  const openAt = (at: string, remote: Remote, signal: AbortSignal): Promise<Clone> =>
    openClone({
      folder: at,
      reference,
      remote,
      signal,
      author: signature,
      searchPath: settings.searchPath ?? '/usr/local/bin:/usr/bin:/bin',
      timeoutMs: settings.timeoutMs,
      maxMegabytes: settings.maxRepositoryMegabytes,
    });

  /** Works with the clone at this place, which is made where there is none, and taken away where it is of no use any more. */
  async function use<Result>(
    at: string,
    remote: Remote,
    signal: AbortSignal,
    work: (clone: Clone, before: Known) => Promise<readonly [Result, Known]>,
  ): Promise<Result> {
    const before = known.get(at) ?? unknown;
    // Whatever happens now, nothing is known before it went well.
    known.delete(at);
    if (before.isWorn) await drop(at);
    let clone: Clone | undefined;
    try {
      clone = await openAt(at, remote, signal);
      const [result, after] = await work(clone, before);
      known.set(at, after);
      return result;
    } catch (error) {
      const trouble = error instanceof GitFailure ? translateGit(error, remote) : error;
      // Nothing came into it, it is broken, or it is too large to be kept.
      if (!clone?.isFilled() || trouble === undefined || isTooLarge(trouble)) await drop(at);
      throw trouble ?? error;
    }
  }

  const attempt = (at: string, remote: Remote, plan: Plan, signal: AbortSignal): Promise<Written> =>
    use(at, remote, signal, async (clone, { head, writes }) => {
      const lastHead = head ?? (await clone.lastHead());
      const seconds = Math.floor(now() / 1_000);
      const { written, isFetched } = await writeChange(clone, { lastHead, plan, seconds, patienceMs, random, signal });
      const isDue = isFetched || writes + 1 >= writesPerLook;
      const after = {
        head: written.kind === 'pushed' ? written.commit : written.tree.head,
        writes: isDue ? 0 : writes + 1,
        isWorn: await lookAfter(at, clone, isDue),
      };
      return [written, after];
    });

  const lookUp = (at: string, remote: Remote, question: Question, signal: AbortSignal): Promise<boolean | undefined> =>
    use(at, remote, signal, async (clone, before) => {
      const { commit, revision } = question;
      const answer = await clone.contains(commit, revision);
      if (answer !== undefined) return [answer, { ...before, isWorn: await lookAfter(at, clone, false) }];
      await clone.fetch();
      const found = await clone.contains(commit, revision);
      return [found, { ...before, isWorn: await lookAfter(at, clone, true) }];
    });

  /**
   * Answers with whether the clone is worn. It may have grown: then its size is noted, and others make room for it. What was
   * done with it is done, whatever becomes of the clone; it is still read.
   */
  async function lookAfter(at: string, clone: Clone, hasGrown: boolean): Promise<boolean> {
    try {
      if (!hasGrown) {
        await clones().touch(at);
        return false;
      }
      const { kilobytes, pieces } = await clone.measure();
      await clones().note(at, kilobytes);
      return pieces > mostPieces || kilobytes > settings.maxRepositoryMegabytes * 1_024;
    } catch {
      return true;
    }
  }

  async function drop(at: string): Promise<void> {
    known.delete(at);
    await clones().drop(at);
  }

  async function writeAt(at: string, remote: Remote, plan: Plan, signal: AbortSignal): Promise<Written> {
    try {
      return await attempt(at, remote, plan, signal);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
    // The clone was broken and is gone. A push may have come through all the same: the new clone will show.
    return attempt(at, remote, plan, signal);
  }

  async function takeTurn<Result>(
    place: RepositoryPlace,
    remote: Remote,
    signal: AbortSignal,
    work: (at: string) => Promise<Result>,
  ): Promise<Result> {
    try {
      const at = clones().cloneOf(place);
      return await turns.take(at, signal, () => work(at));
    } catch (error) {
      if (error instanceof GitFailure) throw inItsWords(error, remote);
      if (isAboutFolder(error)) throw new Transient('git', noRoom, { cause: error });
      throw error;
    }
  }

  return {
    async write(place, credential, plan, signal) {
      const remote = openRemote(place, credential, settings);
      return takeTurn(place, remote, signal, (at) => writeAt(at, remote, plan, signal));
    },
    async contains(place, credential, question, signal) {
      if (!isCommit(question.commit) || !isCommit(question.revision)) return undefined;
      const remote = openRemote(place, credential, settings);
      return takeTurn(place, remote, signal, (at) => lookUp(at, remote, question, signal));
    },
    async forget(place) {
      const at = clones().cloneOf(place);
      await turns.take(at, new AbortController().signal, () => drop(at));
    },
    close() {
      folder?.release();
      folder = undefined;
      known.clear();
    },
  };
}

function isTooLarge(trouble: unknown): boolean {
  return trouble instanceof Refused && trouble.reason === 'RepositoryTooLarge';
}

/** Whoever says at which revision something is may say anything. */
function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

/** What git does not allow in a name or an address. */
function plain(text: string): string {
  return text.replaceAll(/[<>\p{Cc}]/gu, '');
}

const noRoom =
  'There is no room for clones and keys where the service runs: an operator has to let it write to its folders';

/** What git said itself, for the operator. What it repeats of the other side may be anything. */
function inItsWords(failure: GitFailure, { url }: Remote): Transient {
  const words = failure.said.split('\n').filter((line) => /^(?:fatal|error): (?!remote)/.test(line));
  const text = withoutCredentials(`git ${failure.command} failed for ${url}: ${words.join(' ')}`);
  return new Transient('git', text, { cause: failure });
}
