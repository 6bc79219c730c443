import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import type { Account } from './choose-home.ts';

type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly account: Account | undefined;
  /** The open file that takes what the program says. */
  readonly output: number;
};

/** How a child learns that its parent is gone. */
export type Tether = 'setpriv' | 'supervisor';

/**
 * The kernel can signal a child when its parent dies, and util-linux's setpriv asks for that. The request is bound to
 * the thread that spawned the child, so from a worker thread the child would be stopped when the worker ends.
 */
export function availableTether(): Tether {
  return isMainThread && setpriv !== undefined ? 'setpriv' : 'supervisor';
}

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/sbin/setpriv'].find((path) => existsSync(path));
const supervisor = fileURLToPath(new URL('supervise.ts', import.meta.url));

/**
 * Starts a program that ends when we end, however we end, under the server's account.
 *
 * It gets a session of its own: Ctrl-C goes to the whole foreground group, and would otherwise stop the database
 * before the host has drained.
 */
export function runTethered(program: Program, tether: Tether): ChildProcess {
  const { account, command, args, environment, output } = program;
  if (tether === 'setpriv' && setpriv !== undefined) {
    const identity =
      account === undefined ? [] : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
    return spawn(setpriv, [...identity, '--pdeathsig', 'INT', '--', command, ...args], {
      cwd: '/',
      detached: true,
      env: environment,
      stdio: ['ignore', output, output],
    });
  }
  // The supervisor's input stays open as long as we live, and its end is the news of our death.
  return spawn(process.execPath, [supervisor, JSON.stringify({ command, args, account })], {
    cwd: '/',
    detached: true,
    env: environment,
    stdio: ['pipe', output, output],
  });
}
