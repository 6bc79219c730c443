import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

/** LocalStack from PyPI, without docker: the independent check of what we believe about SQS. */
interface LocalStack {
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface LocalStackOptions {
  readonly log: (line: string) => void;
}

const Version = '2026.3.0';
const Packages = [
  `localstack-core[base-runtime]==${Version}`,
  'moto-ext>=5.1.22',
  'service_identity',
  'jsonpath-ng',
  'cbor2<6',
  // Version 26 dropped the call with which LocalStack makes its certificate; it then ends before it listens.
  'pyopenssl<26',
];
const InstallMs = 15 * 60_000;
const StartMs = 120_000;
const StopMs = 10_000;

/** Starts LocalStack's SQS on a free port, installing it first where it is not. */
export async function startLocalStack({ log }: LocalStackOptions): Promise<LocalStack | { missing: string }> {
  const installed = await install(log);
  if ('missing' in installed) return installed;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-localstack-'));
  const child = spawn(installed.python, ['-m', 'localstack.runtime.main'], {
    cwd: folder,
    // A group of its own, so that whatever it starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      SERVICES: 'sqs',
      EAGER_SERVICE_LOADING: '1',
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      DISABLE_EVENTS: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      DNS_ADDRESS: '0',
      FILESYSTEM_ROOT: folder,
    },
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said.push(chunk.toString());
      if (said.length > 50) said.shift();
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', () => {});
  const killNow = () => killGroup(child, 'SIGKILL');
  process.once('exit', killNow);
  async function stop(): Promise<void> {
    killGroup(child, 'SIGTERM');
    const timer = setTimeout(killNow, StopMs);
    await ended;
    clearTimeout(timer);
    killNow();
    process.off('exit', killNow);
    rmSync(folder, { recursive: true, force: true });
  }
  const endpoint = `http://127.0.0.1:${port}`;
  log(`LocalStack ${Version} starts on ${endpoint}`);
  try {
    await waitUntilHealthy(endpoint, child);
  } catch (cause) {
    await stop();
    throw new Error(`LocalStack did not start. Its last words: ${said.join('').slice(-2000)}`, { cause });
  }
  log('LocalStack is ready');
  return { endpoint, stop };
}

/** Installs into a folder outside the clone, once: a half-made one is never taken for a whole one. */
async function install(log: (line: string) => void): Promise<{ python: string } | { missing: string }> {
  const folder = join(cacheFolder(), `localstack-${Version}`);
  const python = join(folder, 'bin', 'python');
  const finished = join(folder, 'installed');
  const wanted = Packages.join('\n');
  if (existsSync(python) && existsSync(finished) && readFileSync(finished, 'utf8') === wanted) return { python };
  const system = await findPython();
  if (system === undefined) {
    return { missing: 'LocalStack needs Python 3.12 or newer; none was found on the PATH or below ~/.pyenv/versions' };
  }
  mkdirSync(cacheFolder(), { recursive: true });
  const started = Date.now();
  rmSync(folder, { recursive: true, force: true });
  try {
    log(`LocalStack ${Version}: making a virtual environment with ${system} in ${folder}`);
    await run(system, ['-m', 'venv', folder], InstallMs);
    log('LocalStack: installing its packages; this takes about a minute, once');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...Packages], InstallMs);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { missing: `LocalStack could not be installed: ${error instanceof Error ? error.message : String(error)}` };
  }
  writeFileSync(`${finished}.new`, wanted);
  renameSync(`${finished}.new`, finished);
  log(`LocalStack: installed in ${Math.round((Date.now() - started) / 1000)} s`);
  return { python };
}

function cacheFolder(): string {
  const { STAGECOACH_CACHE: own, XDG_CACHE_HOME: shared } = process.env;
  return own ?? join(shared ?? join(homedir(), '.cache'), 'stagecoach');
}

/** Asks every candidate for its version: a pyenv shim exists also where it leads nowhere. */
async function findPython(): Promise<string | undefined> {
  const versions = join(homedir(), '.pyenv', 'versions');
  const below = existsSync(versions) ? readdirSync(versions).sort().reverse() : [];
  const candidates = [
    'python3.13',
    'python3.12',
    'python3.14',
    'python3',
    ...below.map((v) => join(versions, v, 'bin', 'python3')),
  ];
  for (const candidate of candidates) {
    try {
      await run(
        candidate,
        ['-c', 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 12) else 1)'],
        10_000,
      );
      return candidate;
    } catch {
      // Not this one; the next may do.
    }
  }
  return undefined;
}

function run(command: string, args: readonly string[], milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: milliseconds });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-1000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}: ${complaint.trim()}`));
    });
  });
}

async function waitUntilHealthy(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + StartMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended by itself');
    try {
      const answer = await fetch(`${endpoint}/_localstack/health`, { signal: AbortSignal.timeout(2_000) });
      const health = (await answer.json()) as { services?: { sqs?: string } };
      if (health.services?.sqs === 'running') return;
    } catch {
      // Not listening yet.
    }
    await delay(100);
  }
  throw new Error(`it was not healthy after ${StartMs / 1000} s`);
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
