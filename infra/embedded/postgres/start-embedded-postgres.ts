import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseHome } from './choose-home.ts';
import { findBinaries } from './find-binaries.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { placeBinaries } from './place-binaries.ts';
import { availableTether, type Tether } from './run-as.ts';
import { logOf, type Postmaster, runPostmaster } from './run-postmaster.ts';

export type EmbeddedPostgresOptions = {
  /** Where the data is kept; made if it is missing. */
  readonly folder: string;
  readonly port?: number;
  readonly log: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** False only for databases that are thrown away, such as those of a test run. */
  readonly durable?: boolean;
  /** Where root keeps the data when the folder is out of reach for other users. */
  readonly shelter?: string;
  readonly tether?: Tether;
  /** How long to wait for a server that still holds the folder. */
  readonly patienceMs?: number;
};

/** After a postmaster is killed its backends need some seconds to notice; one that shuts down needs its checkpoint. */
const patienceForPredecessorMs = 10_000;

export type EmbeddedPostgres = {
  /** Carries the password: do not log it. */
  readonly url: string;
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL that came with npm, as the development stand-in for a database that is not configured.
 *
 * The server listens on loopback only, ends when this process ends, and is started again on the same port if it dies
 * while this process lives.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true, shelter = '/var/lib/stagecoach', tether = availableTether() } = options;
  const home = chooseHome(options.folder, shelter);
  const binaries = placeBinaries(findBinaries(), home);
  const cluster = await initialiseCluster(home, binaries);
  const { patienceMs = patienceForPredecessorMs } = options;
  const settings = { home, data: cluster.data, binaries, durable, tether, patienceMs };

  let stopping = false;
  let server = await runPostmaster({ ...settings, port: options.port });
  const { port } = server;
  let watching = watch();
  log('embedded PostgreSQL (development stand-in) is ready', { folder: home.folder, port });

  async function watch(): Promise<void> {
    server.child.unref();
    await ended(server.child);
    for (let wait = 100; !stopping; wait = Math.min(2 * wait, 5_000)) {
      log('embedded PostgreSQL ended by itself and is started again', { folder: home.folder, port, log: logOf(home) });
      try {
        server = await runPostmaster({ ...settings, port });
        if (stopping) await shutDown(server.child);
        else watching = watch();
        return;
      } catch (error) {
        log('embedded PostgreSQL does not start', { folder: home.folder, error: String(error) });
        await pause(wait, undefined, { ref: false });
      }
    }
  }

  let stopped: Promise<void> | undefined;
  return {
    url: `postgres://${cluster.user}:${cluster.password}@127.0.0.1:${port}/postgres`,
    stop() {
      stopping = true;
      stopped ??= stop(
        () => server,
        () => watching,
      );
      return stopped;
    },
  };
}

async function stop(server: () => Postmaster, watching: () => Promise<void>): Promise<void> {
  server().child.ref();
  await shutDown(server().child);
  await watching();
}

/** Asks for a fast shutdown, then for an immediate one; the next start recovers from the log in either case. */
async function shutDown(child: ChildProcess): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (hasEnded(child)) return;
    child.kill(signal);
    await Promise.race([ended(child), pause(patience, undefined, { ref: false })]);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit');
}
