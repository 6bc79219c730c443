import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../../support/until.ts';
import type { Chapter, Step } from './step.ts';

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined: a watch, which was ended. */
  readonly code: number | undefined;
}

export interface Shell {
  readonly kubectl: string;
  readonly kubeconfigFile: string;
  /** For what kubectl keeps between two lines. */
  readonly folder: string;
  readonly path: string;
}

const limitMs = 60_000;
const manifests = fileURLToPath(new URL('./manifests', import.meta.url));

/** Types the lines of a chapter one after the other; the answers come in the same order. */
export async function playChapter(shell: Shell, { namespace, steps }: Chapter): Promise<readonly Answer[]> {
  const environment = await prepare(shell, namespace);
  const watches: Typed[] = [];
  const answers: (() => Promise<Answer>)[] = [];
  try {
    for (const step of steps) {
      if (step.watchesUntil === undefined) {
        const answer = await answered(step, environment);
        answers.push(async () => answer);
      } else {
        const watch = await startWatch(step, environment);
        watches.push(watch);
        answers.push(() => endOfWatch(watch, step));
      }
    }
    return await Promise.all(answers.map((answer) => answer()));
  } finally {
    for (const watch of watches) end(watch.child);
  }
}

/** Nothing of the person's own shell but the path, and a namespace that need not be named in every line. */
async function prepare(
  { kubectl, kubeconfigFile, folder, path }: Shell,
  namespace: string,
): Promise<Record<string, string>> {
  const home = join(folder, namespace);
  mkdirSync(home, { recursive: true });
  const own = join(home, 'kubeconfig');
  copyFileSync(kubeconfigFile, own);
  const environment = {
    PATH: `${dirname(kubectl)}${delimiter}${path}`,
    HOME: home,
    TMPDIR: home,
    KUBECONFIG: own,
    KUBECACHEDIR: join(folder, 'cache'),
    LC_ALL: 'C',
    TZ: 'UTC',
  };
  await typeLine(`kubectl config set-context --current --namespace=${namespace}`, environment).ended;
  return environment;
}

interface Typed {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<number>;
}

function typeLine(line: string, environment: Record<string, string>): Typed {
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: manifests,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that kubectl ends with its shell.
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? -1));
  });
  return { child, said, ended };
}

async function answered({ line, until: expected }: Step, environment: Record<string, string>): Promise<Answer> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const { child, said, ended } = typeLine(line, environment);
    const timer = setTimeout(() => end(child), Math.max(0, deadline - Date.now()));
    const code = await ended;
    clearTimeout(timer);
    // What never comes is shown as it is, so that the difference tells what is missing.
    if (expected === undefined || expected.test(said.stdout + said.stderr) || Date.now() > deadline) {
      return { stdout: said.stdout, stderr: withoutLog(said.stderr), code };
    }
  }
}

/** Goes on once the server has accepted the watch, which kubectl tells in its log. */
async function startWatch({ line }: Step, environment: Record<string, string>): Promise<Typed> {
  const watch = typeLine(`${line} -v=6`, environment);
  await until(`the watch of: ${line}`, () => /watch=true/.test(watch.said.stderr), limitMs);
  return watch;
}

async function endOfWatch({ child, said, ended }: Typed, { watchesUntil = /^/ }: Step): Promise<Answer> {
  const deadline = Date.now() + limitMs;
  await until('what the watch is to show', () => watchesUntil.test(said.stdout) || Date.now() > deadline, limitMs);
  end(child);
  await ended;
  return { stdout: said.stdout, stderr: withoutLog(said.stderr), code: undefined };
}

/** kubectl logs when a connection ends at an unlucky moment; that is between it and the clock. */
function withoutLog(text: string): string {
  return text
    .split('\n')
    .filter(
      (one) =>
        !/^[IWE]\d{4} [\d:.]+ +\d+ (reflector|round_trippers|loader|helper|envvar|cert_rotation|streamwatcher)\.go:/.test(
          one,
        ),
    )
    .join('\n');
}

function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended between the look and the signal.
  }
}
