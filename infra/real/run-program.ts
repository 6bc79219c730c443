import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets: a stray ETCD_… or KUBECONFIG of the person at the keyboard must not steer a part. */
  readonly environment?: Readonly<Record<string, string>>;
  /** It works in here. */
  readonly folder: string;
  /** What it says is added to this file. */
  readonly logFile: string;
}

/** A running part. */
export interface Program {
  /** Undefined when it could not be started at all. */
  readonly pid: number | undefined;
  hasEnded(): boolean;
  /** The last lines it said in this run, for an error that must explain itself. */
  lastWords(): string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL where that takes longer than the grace. */
  stop(graceMs: number): Promise<void>;
}

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/sbin/setpriv'].find((path) => existsSync(path));
const supervisor = fileURLToPath(new URL('supervise.ts', import.meta.url));

/**
 * Starts a program that ends when we end, however we end: the kernel kills it, because util-linux's setpriv asked for
 * that. The request is bound to the thread that spawned it, so in a worker, and where setpriv is missing, a small
 * supervisor does the same. It gets a group of its own: Ctrl-C must reach us first, and a kill must reach all of it.
 */
export function runProgram(options: ProgramOptions): Program {
  const { command, args, environment = {}, folder, logFile } = options;
  const from = existsSync(logFile) ? readFileSync(logFile).length : 0;
  const output = openSync(logFile, 'a', 0o600);
  const shared = { cwd: folder, env: { ...environment }, detached: true };
  const child =
    isMainThread && setpriv !== undefined
      ? spawn(setpriv, ['--pdeathsig', 'KILL', '--', command, ...args], {
          ...shared,
          stdio: ['ignore', output, output],
        })
      : spawn(process.execPath, [supervisor, JSON.stringify({ command, args })], {
          ...shared,
          // Its input stays open as long as we live, and the end of it is the news of our death.
          stdio: ['pipe', output, output],
        });
  closeSync(output);
  let ended = false;
  const end = new Promise<void>((resolve) => {
    const settle = () => {
      ended = true;
      resolve();
    };
    child.once('exit', settle);
    child.once('error', settle);
  });

  async function kill(): Promise<void> {
    signalGroup(child.pid, 'SIGKILL');
    await end;
  }
  return {
    pid: child.pid,
    hasEnded: () => ended,
    lastWords: () => lastLines(logFile, from),
    kill,
    async stop(graceMs) {
      if (ended) return;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), graceMs);
      signalGroup(child.pid, 'SIGTERM');
      await Promise.race([end, once(late.signal, 'abort')]);
      clearTimeout(timer);
      await kill();
    },
  };
}

function lastLines(file: string, from: number): string {
  // Whoever owns the folder may have removed it already.
  if (!existsSync(file)) return '';
  return readFileSync(file).subarray(from).toString('utf8').trim().split('\n').slice(-8).join('\n');
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
