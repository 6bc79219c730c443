import { spawn } from 'node:child_process';
import { Transient } from '../../ports/trouble.ts';
import type { Environment } from './git-environment.ts';
import { signalGroup } from './signal-group.ts';

export interface GitRun {
  readonly args: readonly string[];
  /** All of it: nothing of ours is added. It says which repository is meant, too. */
  readonly environment: Environment;
  readonly input?: string | undefined;
  /** Gets what git prints as it comes. Without it all of it is the answer. */
  readonly take?: ((chunk: Buffer) => void) | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Why git did not do what it was asked for. */
export type GitEnd = 'failed' | 'timed-out' | 'printed-too-much' | 'not-installed';

/** What it means is known to shared/adapters/git/translate-git.ts alone. To whoever does not ask there, git is away. */
export class GitFailure extends Transient {
  /** `fetch`, `push`, or one of the commands that do not leave the machine. */
  readonly command: string;
  readonly end: GitEnd;
  /** The end of what git printed. It is in no log: the other side may have put anything into it. */
  readonly #said: string;

  constructor(command: string, end: GitEnd, said = '') {
    super('git', `git ${command} ${end.replaceAll('-', ' ')}`);
    this.command = command;
    this.end = end;
    this.#said = said;
  }

  get said(): string {
    return this.#said;
  }
}

/** The list of 200,000 files of a repository has some 30 MB. */
const mostBytes = 64 * 1024 * 1024;
const mostWords = 16 * 1024;
/** git puts its temporary files away when it is asked to end. */
const patienceMs = 1_000;

/**
 * Runs git to its end, without a shell, and answers with what it printed. Throws GitFailure, or the signal's reason; then
 * everything that git had started is gone as well.
 */
export function runGit({ args, environment, input, take, timeoutMs, signal }: GitRun): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const [command = ''] = args;
    // GIT_DIR says where the repository is. A folder to stand in that is gone would look like a git that is not installed.
    const child = spawn('git', args, { cwd: '/', env: environment, detached: true, stdio: 'pipe' });
    const out: Buffer[] = [];
    let length = 0;
    let words = '';
    let stopped: unknown;
    let kill: NodeJS.Timeout | undefined;

    function stop(reason: unknown): void {
      if (stopped !== undefined) return;
      stopped = reason;
      signalGroup(child.pid, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), patienceMs);
    }
    const abort = () => stop(signal.reason);
    const timer = setTimeout(() => stop(new GitFailure(command, 'timed-out')), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    function finish(how: () => void): void {
      clearTimeout(timer);
      clearTimeout(kill);
      signal.removeEventListener('abort', abort);
      how();
    }

    child.stdout.on('data', (chunk: Buffer) => {
      if (take !== undefined) return take(chunk);
      length += chunk.length;
      if (length > mostBytes) stop(new GitFailure(command, 'printed-too-much'));
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString('utf8')).slice(-mostWords);
    });
    // A git that ends early does not read to the end; how it ended says why.
    child.stdin.on('error', () => {}).end(input);
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish(() => reject(error.code === 'ENOENT' ? new GitFailure(command, 'not-installed') : error)),
    );
    child.once('close', (code) =>
      finish(() => {
        if (stopped !== undefined) return reject(stopped);
        const answer = Buffer.concat(out);
        if (code === 0) return resolve(answer);
        reject(new GitFailure(command, 'failed', `${words}\n${answer.subarray(-mostWords).toString('utf8')}`));
      }),
    );
  });
}
