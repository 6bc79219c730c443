import { type SimpleGit, simpleGit } from 'simple-git';
import type { Environment } from './git-environment.ts';
import { GitFailure } from './run-git.ts';

interface DiskSettings {
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type OnDisk = <T>(command: string, use: (git: SimpleGit) => Promise<T>) => Promise<T>;

/**
 * Commands that stay on the machine and start no other program, through simple-git. The others go through
 * shared/adapters/git/run-git.ts: simple-git ends a git that it is told to stop, but not the helper that this git has
 * started to talk to a host (seen: it lives on), and it waits for 50 ms after a git that has printed nothing.
 */
export function openDisk({ environment, timeoutMs, signal }: DiskSettings): OnDisk {
  const git = simpleGit({
    baseDir: '/',
    abort: signal,
    timeout: { block: timeoutMs },
    // Whoever asks for the history of many folders at once does not get a process for each.
    maxConcurrentProcesses: 2,
    // It keeps variables out that could lead git astray. These are there to keep it on the way.
    allowEnvironment: Object.keys(environment),
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeTemplateDir: true },
  }).env(environment);
  return async (command, use) => {
    try {
      return await use(git);
    } catch (error) {
      signal.throwIfAborted();
      throw new GitFailure(command, 'failed', String(error));
    }
  };
}
