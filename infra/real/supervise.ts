/**
 * Runs one program and kills it when the pipe on standard input closes, which is when the parent is gone. Used where
 * the kernel cannot do it; see run-program.ts.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

const { command, args } = JSON.parse(process.argv[2] ?? '{}') as { command: string; args: string[] };

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));

// The signal goes to the whole group, so the program has it already: we only have to outlive it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.stdin.on('end', () => child.kill('SIGKILL'));
process.stdin.on('error', () => child.kill('SIGKILL'));
process.stdin.resume();
