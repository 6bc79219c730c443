import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { findProgram } from '../find-program.ts';
import { freePort } from '../free-port.ts';
import { applyCrds, readCrds } from '../kubernetes/apply-crds.ts';
import { GiveUp, poll } from '../poll.ts';
import { type ArgoCdFiles, applySettings, layOut } from './argo-cd-settings.ts';
import { type Program, runProgram } from './run-program.ts';

export interface ArgoCdOptions {
  /** The programs, as buildParts gives them. */
  readonly parts: Readonly<Record<'argo-cd' | 'kustomize', string>>;
  /** Its own, beside that of the control plane. Made anew at every start: Argo CD keeps nothing but caches. */
  readonly folder: string;
  /** The cluster that it lives in and deploys to; an Application names it https://kubernetes.default.svc. */
  readonly kubeconfigFile: string;
  /** Where git and redis-server are looked for: the PATH. */
  readonly path: string;
  readonly namespace?: string | undefined;
  /** How often it looks at Git by itself; two minutes unless said otherwise. A refresh annotation is obeyed at once. */
  readonly resyncSeconds?: number | undefined;
  /** The hosts that it believes over ssh, as in a file of known hosts; none unless said otherwise. */
  readonly knownHosts?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export interface ArgoCd {
  readonly namespace: string;
  readonly folder: string;
  stop(): Promise<void>;
}

const readyLimitMs = 120_000;
const graceMs = 3_000;
const portAttempts = 5;

// Installed by whoever owns the machine; we do not build them.
const needed = {
  'redis-server': 'install Redis 7 (on Debian: apt-get install redis-server)',
  git: 'install git',
};

/** Undefined where all that Argo CD needs beside our parts is on the PATH, otherwise what is not. */
export function missingForArgoCd(path: string): string | undefined {
  const missing = Object.entries(needed).find(([name]) => findProgram(name, path) === undefined);
  return missing && `Argo CD needs ${missing[0]}, which is not on the PATH: ${missing[1]}`;
}

/**
 * Argo CD without its web server: Redis, the repo server and the application controller. Ends with this process, however
 * that ends.
 */
export async function startArgoCd(options: ArgoCdOptions): Promise<ArgoCd> {
  const { parts, path, namespace = 'argocd', knownHosts = '', log = () => {} } = options;
  const missing = missingForArgoCd(path);
  if (missing !== undefined) throw new Error(missing);
  // The programs work in that folder, and must find the file from there.
  const [folder, kubeconfigFile] = [resolve(options.folder), resolve(options.kubeconfigFile)];
  rmSync(folder, { recursive: true, force: true });
  const files = layOut({
    folder,
    programs: { argoCd: parts['argo-cd'], kustomize: parts.kustomize },
    path,
    kubeconfigFile,
    knownHosts,
  });
  const connection = connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now });
  const running: Program[] = [];
  async function stop(): Promise<void> {
    await Promise.all(running.map((program) => program.stop(graceMs)));
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const crds = readCrds(join(dirname(parts['argo-cd']), 'crds'));
    // That of ApplicationSets costs the API server seconds, and nothing here serves them.
    await applyCrds(
      connection,
      crds.filter(({ spec }) => spec.names.plural !== 'applicationsets'),
    );
    await applySettings(connection, namespace, knownHosts);
    const redis = await startOnFreePort('redis-server', running, ([port]) => ({
      command: 'redis-server',
      args: [files.redisSettings, '--port', `${port}`],
      ...surroundings(files, folder, 'redis'),
    }));
    const repoServer = await startOnFreePort('argocd-repo-server', running, ([port, metrics]) => ({
      command: files.repoServer,
      args: [
        ...['--redis', `127.0.0.1:${redis}`, '--address', '127.0.0.1', '--port', `${port}`],
        ...['--metrics-address', '127.0.0.1', '--metrics-port', `${metrics}`, '--disable-tls', '--client-ca-path', ''],
        ...(options.resyncSeconds === undefined ? [] : ['--revision-cache-expiration', `${options.resyncSeconds}s`]),
      ],
      ...surroundings(files, folder, 'repo-server'),
    }));
    // It listens for nothing but questions about its health and numbers, on all addresses; there is no setting for that.
    await startOnFreePort('argocd-application-controller', running, ([port]) => ({
      command: files.controller,
      args: [
        ...['--redis', `127.0.0.1:${redis}`, '--repo-server', `127.0.0.1:${repoServer}`, '--repo-server-plaintext'],
        ...['--metrics-port', `${port}`, '--namespace', namespace, '--persist-resource-health'],
        ...(options.resyncSeconds === undefined
          ? []
          : ['--app-resync', `${options.resyncSeconds}`, '--app-resync-jitter', '0']),
      ],
      ...surroundings(files, folder, 'application-controller'),
    }));
    log(`Argo CD works in namespace ${namespace}`);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await connection.close();
  }
  return { namespace, folder, stop };
}

/** Ready when it accepts connections. The port may be taken between our look and the program's bind: then another. */
async function startOnFreePort(
  name: string,
  running: Program[],
  describe: (ports: readonly [number, number]) => Parameters<typeof runProgram>[0],
): Promise<number> {
  for (let left = portAttempts; ; left -= 1) {
    const ports = [await freePort(), await freePort()] as const;
    const program = runProgram(describe(ports));
    try {
      await poll(`${name} to listen`, readyLimitMs, () => {
        if (program.hasEnded()) throw new GiveUp(`${name} is not running. Its last words:\n${program.lastWords()}`);
        return accepts(ports[0]);
      });
      running.unshift(program);
      return ports[0];
    } catch (error) {
      await program.kill();
      if (left <= 1 || !/address already in use/i.test(program.lastWords())) throw error;
    }
  }
}

function surroundings({ environment }: ArgoCdFiles, folder: string, name: string) {
  return { environment, folder, logFile: join(folder, `${name}.log`) };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, signal: AbortSignal.timeout(1_000) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
