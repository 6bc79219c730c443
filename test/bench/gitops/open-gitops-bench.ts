import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { applyCrds, type CrdFile, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { mapFile, readMap, routesOf } from '../../../infra/map.ts';
import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import { connectQueue } from '../../../shared/adapters/sqs/client.ts';
import { openQueueUrls } from '../../../shared/adapters/sqs/queue-urls.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { realParts } from '../../support/real-parts.ts';
import { openRealCluster } from '../cluster.ts';
import type { Measured } from '../measure.ts';
import { type BenchHost, openBenchWorld, startBenchHost } from '../world.ts';
import { argoNamespace, floorGroups, ourGroups } from './objects.ts';
import { openSide, type Side } from './side.ts';
import { becomeStill } from './stillness.ts';
import { tellState } from './tell-state.ts';

/** What the bare client does beside creating Applications. */
type FloorTask = 'create' | 'status' | 'delete';

interface Settings {
  /** Undefined: there is no floor. */
  readonly floor?: FloorTask | undefined;
  /** What else the host is told. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** The product's host and a bare client, on one real API server whose Argo CD is played by this process. */
export interface GitOpsBench {
  readonly sql: Sql;
  readonly connection: ClusterConnection;
  /** What a host of this world is told; also for a machine in this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The process id of the host that runs. */
  hostPid(): number;
  startHost(): Promise<void>;
  stopHost(): Promise<void>;
  readonly ours: Side;
  readonly floor: Side;
  makeNamespaces(names: readonly string[]): Promise<void>;
  /** Resolves when no step runs and none is due, so that the end of one turn does not disturb the next. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const inFlight = 32;

/** Undefined where the real parts cannot be had. */
export async function openGitOpsBench({ floor, environment: more }: Settings): Promise<GitOpsBench | undefined> {
  const real = await realParts(['argo-cd']);
  if ('missing' in real) return undefined;
  const cluster = await openRealCluster();
  if (cluster === undefined) return undefined;
  const { connection, kubeconfigFile } = cluster;
  const closing: (() => Promise<void>)[] = [() => cluster.close()];
  async function close(): Promise<void> {
    for (const one of closing.splice(0).reverse()) await one();
  }
  try {
    const argoCrds = readCrds(join(dirname(real.parts['argo-cd']), 'crds'));
    // That of ApplicationSets costs the API server seconds, and nothing here serves them.
    await applyCrds(connection, [
      ...argoCrds.filter(({ spec }) => spec.names.plural !== 'applicationsets'),
      ...(floor === undefined ? [] : floorCrds([...argoCrds, ...readCrds(ownCrds)])),
    ]);
    await makeNamespaces(connection, [argoNamespace]);
    const world = await openBenchWorld(mapFile);
    closing.push(() => world.close());
    const { queues: settings } = readConfig(['queues'], world.environment);
    const client = connectQueue({ endpoint: settings.AWS_ENDPOINT_URL_SQS, region: settings.AWS_REGION });
    closing.push(async () => client.destroy());
    const urls = openQueueUrls(client, settings.QUEUE_PREFIX);
    const queues = await Promise.all(routesOf(readMap(mapFile)).map((route) => urls.of(route.function)));
    const environment = {
      ...world.environment,
      ...credentials(closing),
      KUBECONFIG: kubeconfigFile,
      ARGO_CD_NAMESPACE: argoNamespace,
      ...more,
    };
    let host: BenchHost | undefined = await startBenchHost('host', environment);
    async function stopHost(): Promise<void> {
      const running = host;
      host = undefined;
      await running?.stop();
    }
    closing.push(stopHost);
    if (floor !== undefined) {
      const bare = await startBareClient(kubeconfigFile, floor);
      closing.push(() => end(bare));
    }
    const follow = { followDeployments: floor === 'status', whenLost: () => tellState(world.sql) };
    const ours = await openSide(connection, ourGroups, follow);
    const bareSide = floor === undefined ? ours : await openSide(connection, floorGroups, follow);
    closing.push(async () => {
      ours.stop();
      bareSide.stop();
    });
    return {
      sql: world.sql,
      connection,
      environment,
      hostPid: () => host?.pid ?? 0,
      async startHost() {
        host ??= await startBenchHost('host', environment);
      },
      stopHost,
      ours,
      floor: bareSide,
      makeNamespaces: (names) => makeNamespaces(connection, names),
      quiet: () => becomeStill(world.sql, client, queues),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export function skipped(name: string, unit: string): Measured {
  const figures = { ours: 0, p99: null, floor: null, ratio: null };
  return {
    name,
    unit,
    ...figures,
    target: 'no Go: no real one',
    ok: true,
    note: 'skipped: the real parts are missing',
  };
}

/** Does it for every number below the count, some at a time. */
export async function inParallel(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  async function one(): Promise<void> {
    while (next < count) {
      const at = next;
      next += 1;
      await work(at);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, one));
}

function floorCrds(crds: readonly CrdFile[]): CrdFile[] {
  return Object.entries({ gitopsdeployments: floorGroups.deployments, applications: floorGroups.applications }).map(
    ([plural, group]) => {
      const suffix = group.replace(/^floor\./, '');
      const crd = crds.find(({ spec }) => spec.names.plural === plural && spec.group === suffix);
      if (crd === undefined) throw new Error(`there is no CRD of ${plural}.${suffix}`);
      return { ...crd, metadata: { ...crd.metadata, name: `${plural}.${group}` }, spec: { ...crd.spec, group } };
    },
  );
}

function credentials(closing: (() => Promise<void>)[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-bench-'));
  closing.push(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'keys');
  writeFileSync(file, `bench:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  return { CREDENTIAL_KEYS_FILE: file };
}

async function makeNamespaces(connection: ClusterConnection, names: readonly string[]): Promise<void> {
  await inParallel(names.length, async (at) => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names[at] } };
    await connection.request('/api/v1/namespaces', { method: 'POST', body, accept: [] });
  });
}

async function startBareClient(kubeconfigFile: string, task: FloorTask): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('./bare-client.ts', import.meta.url));
  const child = fork(file, [kubeconfigFile, task]);
  await once(child, 'message');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
