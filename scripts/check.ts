/** npm run check: everything that can be known without running a test. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Tool {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

interface Verdict {
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

const tools: readonly Tool[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'lint and format', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { name: 'unused code and dependencies', command: ['knip', '--no-progress'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
];

/** Far more than the slowest needs: a tool that hangs is a failure, not a wait. */
const limitMs = 5 * 60_000;

/** Runs the tools side by side; tells each verdict as it comes, and at the end what the unhappy ones said. */
export async function check(
  root: string,
  run: readonly Tool[] = tools,
  say: (text: string) => void = console.log,
): Promise<boolean> {
  const verdicts = await Promise.all(
    run.map(async (tool) => {
      const verdict = await ask(tool, root);
      say(`${verdict.ok ? 'ok    ' : 'FAILED'}  ${tool.name}  ${verdict.seconds.toFixed(1)} s`);
      return { ...tool, ...verdict };
    }),
  );
  for (const { name, command, output } of verdicts.filter(({ ok }) => !ok))
    say(`\n${name} (${command.join(' ')}):\n${output}`);
  return verdicts.every(({ ok }) => ok);
}

function ask({ command: [file, ...args] }: Tool, root: string): Promise<Verdict> {
  const started = performance.now();
  const bin = join(root, 'node_modules/.bin');
  const child = spawn(file, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    timeout: limitMs,
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  return new Promise((resolve) => {
    function end(ok: boolean): void {
      resolve({ ok, seconds: (performance.now() - started) / 1_000, output: said.join('').trimEnd() });
    }
    child.once('error', (error) => {
      said.push(`${file} cannot be run: ${error.message}. Run npm ci first.`);
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

if (import.meta.main) process.exit((await check(fileURLToPath(new URL('..', import.meta.url)))) ? 0 : 1);
