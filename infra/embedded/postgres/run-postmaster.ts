import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Home } from './choose-home.ts';
import type { PlacedBinaries } from './place-binaries.ts';
import { runTethered, type Tether } from './run-as.ts';

export type Postmaster = { readonly child: ChildProcess; readonly port: number };

type PostmasterOptions = {
  readonly home: Home;
  readonly data: string;
  readonly binaries: PlacedBinaries;
  readonly port: number | undefined;
  readonly durable: boolean;
  readonly tether: Tether;
  /** How long to wait for a predecessor to go. */
  readonly patienceMs: number;
};

const startLimitMs = 60_000;

/** Starts the server and waits until it accepts connections. */
export async function runPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const giveUp = performance.now() + options.patienceMs;
  for (;;) {
    const port = options.port ?? (await freePort());
    const from = logSize(options.home);
    const child = launch(options, port);
    const failure = await readyOrFailed(child, options, port, from);
    if (failure === undefined) return { child, port };

    // Another program took the port between our look and the server's bind.
    if (options.port === undefined && failure.includes('Address already in use')) continue;
    if (!failure.includes('lock file "postmaster.pid" already exists')) throw new Error(explain(failure, options));
    if (performance.now() > giveUp) {
      throw new Error(
        `another process serves the embedded database in ${options.data} (its id is in postmaster.pid): stop it, or set DATABASE_URL`,
      );
    }
    // Process ids are used again, above all in containers: a lock that no living server holds is stale.
    if (!isServed(options.data)) rmSync(join(options.data, 'postmaster.pid'), { force: true });
    await pause(100);
  }
}

function launch({ home, data, binaries, durable, tether }: PostmasterOptions, port: number): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '60',
    // A developer's machine also runs the host, a queue and a browser: small memory, few background processes.
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    io_method: 'sync',
    // Compiling a plan costs more than our statements take.
    jit: 'off',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = openSync(logOf(home), 'a', 0o600);
  try {
    return runTethered(
      {
        command: join(binaries.bin, 'postgres'),
        args,
        environment: binaries.environment,
        account: home.account,
        output: log,
      },
      tether,
    );
  } finally {
    closeSync(log);
  }
}

/** Undefined when the server is ready, otherwise what it said before it ended. */
async function readyOrFailed(
  child: ChildProcess,
  options: PostmasterOptions,
  port: number,
  from: number,
): Promise<string | undefined> {
  let ended: string | undefined;
  child.once('exit', (code, signal) => {
    ended = `exit ${code ?? signal}`;
  });
  child.once('error', (error) => {
    ended = error.message;
  });
  const limit = performance.now() + startLimitMs;
  while (ended === undefined) {
    if (isReady(options.data, port)) return undefined;
    if (performance.now() > limit) {
      child.kill('SIGQUIT');
      await once(child, 'exit');
      break;
    }
    await pause(5);
  }
  const said = readFileSync(logOf(options.home)).subarray(from).toString('utf8').trim();
  return `${said} (${ended ?? 'not ready in time'})`;
}

/** The server keeps its state in the last line of postmaster.pid and its port in the fourth, for exactly this use. */
function isReady(data: string, port: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return lines[3] === String(port) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Every process of a server works in its data folder, so the kernel knows whether one is left. */
function isServed(data: string): boolean {
  const folder = realpathSync(data);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}

function explain(failure: string, { port, data }: PostmasterOptions): string {
  if (failure.includes('Address already in use')) {
    return `the embedded database cannot listen on port ${port}, another program does: choose another port, or none for a free one`;
  }
  if (failure.includes('database files are incompatible with server')) {
    return `the embedded database in ${data} was made by another major version of PostgreSQL: remove the folder (its data is lost), or set DATABASE_URL`;
  }
  return `the embedded database in ${data} did not start: ${failure}`;
}

export function logOf(home: Home): string {
  return join(home.folder, 'server.log');
}

/** Starts a new log when the old one has grown. It is only added to: a server that still ends may write to it, too. */
function logSize(home: Home): number {
  const size = statSync(logOf(home), { throwIfNoEntry: false })?.size ?? 0;
  if (size < 1_000_000) return size;
  renameSync(logOf(home), `${logOf(home)}.old`);
  return 0;
}
