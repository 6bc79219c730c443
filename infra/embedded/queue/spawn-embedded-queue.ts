import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddedQueue } from './start-embedded-queue.ts';

export interface SpawnedQueue extends EmbeddedQueue {
  readonly pid: number;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<void>;
}

interface SpawnOptions {
  readonly folder: string;
  readonly port?: number | undefined;
  /** Gets the lines the server writes about itself. */
  readonly log?: ((line: string) => void) | undefined;
}

const StartMs = 20_000;
const StopMs = 5_000;

/** Starts the embedded SQS server as a process of its own, so that it does not share our event loop. */
export async function spawnEmbeddedQueue(options: SpawnOptions): Promise<SpawnedQueue> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, options.folder, String(options.port ?? 0)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {},
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
    const endpoint = await firstLine(child);
    return { endpoint, pid: child.pid ?? 0, ended, stop: () => stop(child, ended) };
  } catch (cause) {
    await stop(child, ended);
    throw new Error(`The embedded SQS server did not start: ${lastWords.join(' ') || String(cause)}`, { cause });
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
    createInterface({ input: child.stdout }).once('line', (line) => {
      settle(() => resolve((JSON.parse(line) as { endpoint: string }).endpoint));
    });
  });
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), StopMs);
  await ended;
  clearTimeout(timer);
}
