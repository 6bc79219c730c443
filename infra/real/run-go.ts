import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface GoRun {
  /** The module's folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine?: ((line: string) => void) | undefined;
}

const program = 'go';
// Half an hour is four times what the slowest part took.
const limitMs = 30 * 60_000;

/** What the command printed. `onLine` hears what it says on the way, which is its progress. */
export function runGo(args: readonly string[], { folder, environment, onLine }: GoRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      // No C compiler is needed, the program runs on any Linux of its kind, and a workspace around the clone stays out of it.
      env: { ...environment, CGO_ENABLED: '0', GOWORK: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not the option of spawn: its clock goes on, and keeps this process alive, where there is no Go to be started.
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
    let printed = '';
    const said: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      if (said.length > 20) said.shift();
      onLine?.(line);
    });
    child.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve(printed.trim());
      else reject(new Error(`${program} ${args[0]} in ${folder} ended with ${code ?? signal}:\n${said.join('\n')}`));
    });
  });
}

/**
 * Undefined where Go can build the module, otherwise what is missing. Asked inside the module, because there Go looks
 * for the version that the module wants, and may fetch it.
 */
export async function missingGo(run: GoRun): Promise<string | undefined> {
  const wanted = /^go (\S+)$/m.exec(readFileSync(join(run.folder, 'go.mod'), 'utf8'))?.[1] ?? '';
  const next = `install Go ${wanted} or newer and put it on the PATH`;
  try {
    const found = /go(\d+(?:\.\d+)*)/.exec(await runGo(['version'], run))?.[1] ?? '';
    return isOlder(found, wanted) ? `Go ${found} is too old: ${next}` : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return `Go was not found: ${next}`;
    return `Go does not work here: ${next}. It said: ${error instanceof Error ? error.message : error}`;
  }
}

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (const [index, number] of (right ?? []).entries()) {
    const own = left?.[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}
