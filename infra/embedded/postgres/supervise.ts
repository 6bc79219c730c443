/**
 * Runs one program and stops it when the pipe on standard input closes, which is when the parent is gone.
 * Used where setpriv is missing; see run-as.ts.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const { command, args, account } = JSON.parse(process.argv[2] ?? '{}') as {
  command: string;
  args: string[];
  account?: { uid: number; gid: number };
};

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...account });
child.on('error', () => process.exit(127));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => child.kill(signal));
process.stdin.on('end', () => child.kill('SIGINT'));
process.stdin.on('error', () => child.kill('SIGINT'));
process.stdin.resume();
