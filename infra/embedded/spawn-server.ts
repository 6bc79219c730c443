import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface SpawnedServer<Announcement> {
  /** What the server said about itself when it was ready. */
  readonly announced: Announcement;
  readonly pid: number;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface SpawnOptions {
  /** What it is called in an error. */
  readonly name: string;
  readonly main: URL;
  readonly args: readonly string[];
  /** All of its environment: what is ours is not its business. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Gets the lines the server writes about itself. */
  readonly log?: ((line: string) => void) | undefined;
}

const StartMs = 20_000;
const StopMs = 5_000;

/** Starts a stand-in as a process of its own, so that it does not share our event loop. serve-parent.ts is its other end. */
export async function spawnServer<Announcement>(options: SpawnOptions): Promise<SpawnedServer<Announcement>> {
  const child = spawn(process.execPath, [fileURLToPath(options.main), ...options.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...options.environment },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lastWords: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastWords.push(line);
    if (lastWords.length > 20) lastWords.shift();
    options.log?.(line);
  });
  // Its end is seen through `ended`; a broken pipe to it is no news.
  child.stdin.on('error', () => {});
  try {
    const announced = JSON.parse(await firstLine(child)) as Announcement;
    return { announced, pid: child.pid ?? 0, ended, stop: () => stop(child, ended) };
  } catch (cause) {
    await stop(child, ended);
    throw new Error(`The ${options.name} did not start: ${lastWords.join(' ') || String(cause)}`, { cause });
  }
}

function firstLine(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it said nothing for ${StartMs} ms`)), StartMs);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => settle(() => reject(new Error(`it ended with ${signal ?? code}`))));
    createInterface({ input: child.stdout }).once('line', (line) => settle(() => resolve(line)));
  });
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), StopMs);
  await ended;
  clearTimeout(timer);
}
