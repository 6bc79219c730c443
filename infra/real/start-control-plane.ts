import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { holdLock } from '../../shared/adapters/git/hold-lock.ts';
import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { freePort } from '../free-port.ts';
import { applyCrds, ownCrds, readCrds } from '../kubernetes/apply-crds.ts';
import { GiveUp, poll } from '../poll.ts';
import {
  type AuditWebhook,
  apiServerArguments,
  controllerManagerArguments,
  etcdArguments,
  filesOf,
  kubeconfig,
  type TokenUser,
  writePrivate,
  writeSettings,
} from './api-server-settings.ts';
import { type Program, runProgram } from './run-program.ts';

export interface ControlPlaneOptions {
  /** The programs, as buildParts gives them. */
  readonly parts: Readonly<Record<'etcd' | 'kube-apiserver', string>> &
    Readonly<Partial<Record<'kube-controller-manager', string>>>;
  /** Made where missing. Keeps the data: a later start in the same folder goes on where this one ended. */
  readonly folder: string;
  /** A free one unless named. */
  readonly port?: number | undefined;
  readonly audit?: AuditWebhook | undefined;
  /** Users beside the admin, who is in system:masters. */
  readonly tokens?: readonly TokenUser[] | undefined;
  /** False: without our CRDs. */
  readonly crds?: boolean | undefined;
  /** Garbage collection, namespace deletion, service accounts, Deployments, Jobs. Without it no pod is admitted. */
  readonly controllerManager?: boolean | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** etcd and kube-apiserver on loopback. The kubeconfig file and the fields beside it say the same. */
export interface ControlPlane {
  readonly url: string;
  readonly ca: string;
  readonly adminToken: string;
  readonly kubeconfigFile: string;
  readonly folder: string;
  /** SIGKILL; resolves when it is gone. */
  killApiServer(): Promise<void>;
  killEtcd(): Promise<void>;
  /** On the same port and data; resolves when the API server is ready again. */
  restartApiServer(): Promise<void>;
  restartEtcd(): Promise<void>;
  stop(): Promise<void>;
}

// Three seconds on a machine that has nothing else to do; a busy one was seen to need ten times as many.
const readyLimitMs = 120_000;
// Seen: a little over a second, and for ever when etcd is away.
const apiServerGraceMs = 5_000;
const graceMs = 2_000;
const portAttempts = 5;

/** Ready when it resolves: the API server says so itself, and our CRDs are served. Ends with this process, however that ends. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { parts, audit, tokens = [], log = () => {} } = options;
  // The programs work in folders of their own.
  const folder = resolve(options.folder);
  const settings = { folder, audit, tokens };
  const files = filesOf(folder);
  mkdirSync(files.etcd, { recursive: true, mode: 0o700 });
  const unlock = holdLock(join(folder, 'lock.db'));
  if (unlock === undefined)
    throw new Error(`Another control plane runs in ${folder}. Stop it, or choose another folder.`);
  let etcd: Program | undefined;
  let apiServer: Program | undefined;
  let controllers: Program | undefined;
  let connection: ClusterConnection | undefined;
  let port = options.port ?? (await freePort());

  function runEtcd(): Program {
    const logFile = join(folder, 'etcd.log');
    return runProgram({ command: parts.etcd, args: etcdArguments(), folder: files.etcd, logFile });
  }
  function runApiServer(): Program {
    const args = apiServerArguments(settings, port);
    const logFile = join(folder, 'kube-apiserver.log');
    return runProgram({ command: parts['kube-apiserver'], args, folder: files.etcd, logFile });
  }
  function checkAlive(): void {
    for (const [name, program] of Object.entries({ etcd, 'kube-apiserver': apiServer }))
      if (program?.hasEnded()) throw new GiveUp(`${name} is not running. Its last words:\n${program.lastWords()}`);
  }
  async function stop(): Promise<void> {
    await connection?.close();
    await controllers?.stop(graceMs);
    await apiServer?.stop(etcd?.hasEnded() ? 0 : apiServerGraceMs);
    await etcd?.stop(graceMs);
    unlock?.();
  }
  async function untilReady(): Promise<void> {
    await poll('kube-apiserver to be ready', readyLimitMs, async () => {
      checkAlive();
      // The first start writes its certificate, and the authority behind it, before it listens.
      if (connection === undefined && !isWhole(files.authority)) return false;
      connection ??= connect();
      const { status } = await connection.request('/readyz', { accept: [500], timeoutMs: 2_000 });
      if (status !== 200) return false;
      // Its own word is a moment old: after etcd's return only a read of etcd tells. And all that comes needs the namespaces.
      const found = await Promise.all(
        ['default', 'kube-system'].map((name) =>
          connection?.request(`/api/v1/namespaces/${name}`, { timeoutMs: 2_000 }),
        ),
      );
      return found.every((answer) => answer?.status === 200);
    });
  }
  function connect(): ClusterConnection {
    const ca = readFileSync(files.authority, 'utf8');
    writePrivate(files.kubeconfigFile, kubeconfig({ server: `https://127.0.0.1:${port}`, ca, token: adminToken }));
    return connectCluster({ kubeconfigPath: files.kubeconfigFile, now: Date.now });
  }
  /** Another program may have taken the port between our look and the server's bind. */
  async function startApiServer(attempts: number, nextPort: () => Promise<number>): Promise<void> {
    for (let left = attempts; ; left -= 1) {
      apiServer = runApiServer();
      try {
        return await untilReady();
      } catch (error) {
        await apiServer.kill();
        if (left <= 1 || !apiServer.lastWords().includes('address already in use')) throw error;
        await connection?.close();
        connection = undefined;
        port = await nextPort();
      }
    }
  }

  let adminToken = '';
  try {
    adminToken = writeSettings(settings).adminToken;
    etcd = runEtcd();
    // Read while the server starts.
    const [, crds] = await Promise.all([
      startApiServer(options.port === undefined ? portAttempts : 1, freePort),
      (async () => (options.crds === false ? [] : readCrds(ownCrds)))(),
    ]);
    log(`kube-apiserver is ready on https://127.0.0.1:${port}`);
    if (connection !== undefined) await applyCrds(connection, crds);
    if (connection !== undefined && options.controllerManager === true) {
      controllers = runControllers(options, folder, files.kubeconfigFile);
      await untilControllersWork(connection, controllers);
      log('kube-controller-manager works');
    }
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    url: `https://127.0.0.1:${port}`,
    ca: readFileSync(files.authority, 'utf8'),
    adminToken,
    kubeconfigFile: files.kubeconfigFile,
    folder,
    killApiServer: async () => apiServer?.kill(),
    killEtcd: async () => etcd?.kill(),
    async restartApiServer() {
      await apiServer?.kill();
      await startApiServer(portAttempts, async () => port);
    },
    async restartEtcd() {
      await etcd?.kill();
      etcd = runEtcd();
      // Where both were killed, the API server is the one to wait for.
      if (!apiServer?.hasEnded()) await untilReady();
    },
    stop,
  };
}

function runControllers({ parts }: ControlPlaneOptions, folder: string, kubeconfigFile: string): Program {
  const command = parts['kube-controller-manager'];
  if (command === undefined)
    throw new Error('Controllers need the part kube-controller-manager: name it to buildParts as well.');
  return runProgram({
    command,
    args: controllerManagerArguments(folder, kubeconfigFile),
    folder,
    logFile: join(folder, 'kube-controller-manager.log'),
  });
}

/** Its service accounts are what a pod waits for. */
async function untilControllersWork(connection: ClusterConnection, controllers: Program): Promise<void> {
  await poll('kube-controller-manager to make the service account default', readyLimitMs, async () => {
    if (controllers.hasEnded())
      throw new GiveUp(`kube-controller-manager is not running. Its last words:\n${controllers.lastWords()}`);
    const { status } = await connection.request('/api/v1/namespaces/default/serviceaccounts/default');
    return status === 200;
  });
}

function isWhole(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').split('-----END CERTIFICATE-----').length === 3;
  } catch {
    return false;
  }
}
