import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import type { Logger } from '../../shared/adapters/telemetry/logger.ts';
import { findProgram } from '../find-program.ts';
import { applyClasses } from '../kubernetes/apply-classes.ts';
import { findKustomize } from './argo-cd/source/find-kustomize.ts';
import { spawnEmbeddedArgoCd } from './argo-cd/spawn-embedded-argo-cd.ts';
import { ensureCrds } from './ensure-crds.ts';
import { spawnEmbeddedGit } from './git/spawn-embedded-git.ts';
import { spawnEmbeddedKubernetes } from './kubernetes/spawn-embedded-kubernetes.ts';
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.ts';
import { spawnEmbeddedQueue } from './queue/spawn-embedded-queue.ts';

/** A part of the world around the functions, and where it is; or, in `missing`, why it could not be started here. */
export interface Part {
  readonly name: string;
  readonly at: string;
  readonly missing?: string;
}

export interface Embedded {
  /** The settings that the stand-ins fill in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves with all of them when the last is ready: those that no setting depends on take their time. */
  readonly ready: Promise<readonly Part[]>;
  stop(): Promise<void>;
}

/** Starts a development stand-in for each part that the environment does not configure, and for no other. */
export async function startEmbedded(
  folder: string,
  given: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Embedded> {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const environment: Record<string, string> = {};
  const parts: Part[] = [];
  const stops: (() => Promise<void>)[] = [];
  const later: Promise<void>[] = [];
  const searchPath = given['PATH'] ?? '';
  const childEnvironment = pick('NODE_COMPILE_CACHE');
  const stop = async (): Promise<void> => {
    // The last to start is the first to end: nobody loses what it stands on.
    await Promise.allSettled(later);
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    const began = await Promise.allSettled([database(), queue(), git(), cluster()]);
    const failed = began.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    token();
    credentialKeys();
    const ready = Promise.all(later).then(() => parts);
    // Whoever awaits it hears of it; until then it is no unhandled trouble.
    ready.catch(() => {});
    return { environment, ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function database(): Promise<void> {
    if (isGiven('DATABASE_URL')) return;
    const postgres = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      log: (msg, { port, error, folder: where }) =>
        log.info(msg, {
          part: 'postgres',
          url: port === undefined ? undefined : `127.0.0.1:${port}`,
          name: String(where),
          error: error === undefined ? undefined : String(error),
        }),
    });
    stops.push(() => postgres.stop());
    environment['DATABASE_URL'] = postgres.url;
    parts.push({ name: 'PostgreSQL', at: new URL(postgres.url).host });
  }

  async function queue(): Promise<void> {
    // A region or credentials alone mean Amazon's own endpoint.
    if (isGiven('AWS_ENDPOINT_URL_SQS') || isGiven('AWS_ENDPOINT_URL') || isGiven('AWS_REGION')) return;
    const server = await spawnEmbeddedQueue({
      folder: join(folder, 'queue'),
      environment: childEnvironment,
      log: says('queue'),
    });
    stops.push(() => server.stop());
    log.info('embedded SQS server (development stand-in) is ready', { part: 'queue', url: server.endpoint });
    Object.assign(environment, {
      AWS_ENDPOINT_URL_SQS: server.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'embedded',
      AWS_SECRET_ACCESS_KEY: 'embedded',
    });
    parts.push({ name: 'SQS', at: server.endpoint });
  }

  async function git(): Promise<void> {
    if (isGiven('GIT_ROOT_URL')) return;
    if (findProgram('git', searchPath) === undefined) return goWithout('Git', 'git is not installed');
    const tokenFile = keep('git-token', () => randomBytes(24).toString('base64url'));
    const server = await spawnEmbeddedGit({
      folder: join(folder, 'git'),
      tokenFile,
      searchPath,
      environment: childEnvironment,
      log: says('git'),
    });
    stops.push(() => server.stop());
    log.info('embedded git server (development stand-in) is ready', { part: 'git', url: server.url });
    Object.assign(environment, {
      GIT_ROOT_URL: server.url,
      GIT_TOKEN_FILE: tokenFile,
      GIT_CACHE_FOLDER: join(folder, 'clones'),
    });
    parts.push({ name: 'Git', at: server.url });
  }

  /** Whoever names a cluster has an Argo CD there, or wants none: a stand-in never writes to a real cluster. */
  async function cluster(): Promise<void> {
    const own = join(folder, 'kubernetes');
    if (isGiven('KUBECONFIG') || isGiven('KUBERNETES_SERVICE_HOST')) return;
    const server = await spawnEmbeddedKubernetes({
      folder: own,
      environment: childEnvironment,
      log: says('kubernetes'),
    });
    stops.push(() => server.stop());
    const { kubeconfigFile } = server;
    const connection = connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now });
    try {
      await ensureCrds(connection, own);
      await applyClasses(connection);
    } finally {
      await connection.close();
    }
    log.info('embedded Kubernetes API server (development stand-in) is ready', { part: 'kubernetes', url: server.url });
    Object.assign(environment, { KUBECONFIG: kubeconfigFile, ARGO_CD_NAMESPACE: 'argocd' });
    // What is on the stand-in is this user's own.
    if (!isGiven('CONSOLE_OPEN_TO')) environment['CONSOLE_OPEN_TO'] = 'loopback';
    parts.push({ name: 'Kubernetes API', at: server.url });
    later.push(argoCd(kubeconfigFile));
  }

  async function argoCd(kubeconfigFile: string): Promise<void> {
    if (findProgram('git', searchPath) === undefined) return goWithout('Argo CD', 'git is not installed');
    const kustomize = await findKustomize(searchPath).catch(() => undefined);
    if (kustomize === undefined)
      return goWithout('Argo CD', 'there is no kustomize: put kustomize 5 or kubectl on the PATH');
    const server = await spawnEmbeddedArgoCd({
      folder: join(folder, 'argo-cd'),
      kubeconfigFile,
      searchPath,
      kustomize,
      environment: childEnvironment,
      log: says('argo-cd'),
    });
    stops.push(() => server.stop());
    log.info('embedded Argo CD (development stand-in) is ready', { part: 'argo-cd', namespace: 'argocd' });
    parts.push({ name: 'Argo CD', at: 'namespace argocd' });
  }

  /** With npm alone there may be no git: everything else starts, and the first screen says what does not. */
  function goWithout(name: string, missing: string): void {
    log.warn('a stand-in was not started', { part: name, reason: missing });
    parts.push({ name, at: '–', missing });
  }

  /** A token of its own for each project folder, so that nobody else on the machine may knock. */
  function token(): void {
    if (isGiven('WEBHOOK_TOKEN_FILE') || isGiven('TLS_CLIENT_CA_FILE')) return;
    environment['WEBHOOK_TOKEN_FILE'] = keep('webhook-token', () => randomBytes(24).toString('base64url'));
  }

  /** A secret that is made once and kept for this user's eyes. */
  function keep(name: string, make: () => string): string {
    const file = join(folder, name);
    if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 });
    return file;
  }

  /** Without a key nothing could be sealed; whoever configures a real database brings their own. */
  function credentialKeys(): void {
    if (isGiven('CREDENTIAL_KEYS_FILE')) return;
    environment['CREDENTIAL_KEYS_FILE'] = keep('credential-keys', () => `k1:${randomBytes(32).toString('base64')}`);
  }

  function says(part: string): (line: string) => void {
    return (line) => log.info('a stand-in says', { part, reason: line });
  }

  function pick(...names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.flatMap((name) => (isGiven(name) ? [[name, given[name] as string]] : [])));
  }

  function isGiven(name: string): boolean {
    return (given[name] ?? '') !== '';
  }
}
