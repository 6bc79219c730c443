import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../find-program.ts';

export interface GitCommand {
  /** Runs to its end; for the small commands that make a repository. */
  run(args: readonly string[]): Promise<string>;
  /** Starts it in a process group of its own, so that it ends together with what it started. */
  start(args: readonly string[], protocol: string | undefined): ChildProcessWithoutNullStreams;
}

const commandTimeoutMs = 30_000;

// The same for every child, whatever the repository's own configuration says.
const always = [
  // A hook is a program; nothing that somebody put into a repository may run here.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['transfer.fsckObjects', 'true'],
  // Argo CD and others fetch a commit by its id; whoever may read a repository may read all of it.
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['uploadpack.allowFilter', 'true'],
  // Clean-up happens inside the push that made it needful, not in a process that outlives it.
  ['gc.autoDetach', 'false'],
  ['maintenance.autoDetach', 'false'],
] as const;

/** Finds git, and looks once whether it is new enough. */
export async function openGitCommand(searchPath: string | undefined, maxPushBytes: number): Promise<GitCommand> {
  const program = findProgram('git', searchPath);
  if (program === undefined)
    throw new Error(
      'The embedded git server needs git 2.28 or newer on the PATH: install git, or configure a git host',
    );
  const options = [...always, ['receive.maxInputSize', String(maxPushBytes)] as const];
  const settings = options.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Nothing of ours gets through: no user or system configuration, no credentials, no object directories elsewhere.
  const environment = {
    PATH: dirname(program),
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  const command: GitCommand = {
    async run(args) {
      const { stdout } = await promisify(execFile)(program, [...settings, ...args], {
        env: environment,
        cwd: '/',
        timeout: commandTimeoutMs,
      });
      return stdout;
    },
    start: (args, protocol) =>
      spawn(program, [...settings, ...args], {
        env: protocol === undefined ? environment : { ...environment, GIT_PROTOCOL: protocol },
        cwd: '/',
        detached: true,
        stdio: 'pipe',
      }),
  };
  await checkVersion(command, program);
  return command;
}

async function checkVersion(command: GitCommand, program: string): Promise<void> {
  const text = await command.run(['version']).catch((cause: unknown) => {
    throw new Error(`${program} does not run: install git again`, { cause });
  });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (Number(major) * 1_000 + Number(minor) < 2_028)
    throw new Error(`${program} is ${text.trim()}: the embedded git server needs git 2.28 or newer`);
}
