import { spawn } from 'node:child_process';

export interface CommandSettings {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing of ours is added to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const killAfterMs = 2_000;

/** Runs a program to its end, without a shell, within limits. Throws where it did not come to an end of its own. */
export function runCommand(program: string, settings: CommandSettings): Promise<CommandResult> {
  const { args, cwd, env, timeoutMs, maxOutputBytes, signal } = settings;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const problems: Buffer[] = [];
    let length = 0;
    let failure: Error | undefined;

    function giveUp(reason: string): void {
      failure ??= new Error(reason);
      endGroup(child.pid);
    }
    function take(into: Buffer[], chunk: Buffer): void {
      length += chunk.length;
      if (length > maxOutputBytes) giveUp(`printed more than ${maxOutputBytes} bytes`);
      else into.push(chunk);
    }
    const stop = () => giveUp('was stopped');
    const timer = setTimeout(() => giveUp(`timed out after ${timeoutMs / 1_000} s`), timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();

    child.stdout.on('data', (chunk: Buffer) => take(out, chunk));
    child.stderr.on('data', (chunk: Buffer) => take(problems, chunk));
    const finish = (end: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      end();
    };
    child.once('error', (error) => finish(() => reject(error)));
    child.once('close', (code, killedBy) =>
      finish(() => {
        if (failure !== undefined) return reject(failure);
        if (code === null) return reject(new Error(`was ended by ${killedBy}`));
        resolve({
          code,
          stdout: Buffer.concat(out).toString('utf8'),
          stderr: Buffer.concat(problems).toString('utf8'),
        });
      }),
    );
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), killAfterMs).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
