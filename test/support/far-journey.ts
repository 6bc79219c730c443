import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { readMap } from '../../infra/map.ts';
import { startControlPlane } from '../../infra/real/start-control-plane.ts';
import { setUp } from '../../scripts/setup.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { runOps } from '../ops/run-ops.ts';
import { type ArgoCluster, type ArgoParts, type GitOpsJourney, openGitOpsJourney } from './gitops-journey.ts';
import { type HostProcess, startHostProcess } from './host-process.ts';
import type { RunningCluster } from './running-cluster.ts';
import { startTarget } from './start-target.ts';
import { until } from './until.ts';

/** Two clusters: the tenants' own, which has no Argo CD, and another one, whose Argo CD works for them. */
export interface FarJourney extends GitOpsJourney {
  readonly engine: ArgoCluster;
  /** The API of the cluster of the Argo CD. */
  readonly beside: Cluster;
  /** Registers the Argo CD, or registers it anew. */
  register(kubeconfigFile: string, transport: 'queue' | 'agent'): Promise<void>;
  /** A kubeconfig of the cluster of the Argo CD, with a token of this account of the namespace stagecoach. */
  kubeconfigOf(account: string): Promise<string>;
  /** The host beside the Argo CD, which works off Operation objects. */
  startAgent(kubeconfigFile: string): Promise<HostProcess>;
}

export async function openFarJourney(
  openTenants: () => Promise<RunningCluster>,
  openEngine: () => Promise<ArgoCluster>,
  patienceMs: number,
): Promise<FarJourney> {
  const engine = await openEngine();
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-far-'));
  const beside = openCluster({ connection: engine.connection });
  const journey = await openGitOpsJourney(
    async () => withoutArgoCd(await openTenants()),
    patienceMs,
    ({ environment }) => addEngine(environment, engine.cluster.kubeconfigFile, 'queue'),
  );
  const { stop, world } = journey;

  async function addEngine(settings: Readonly<Record<string, string>>, file: string, transport: string): Promise<void> {
    const words = ['engines', 'add', '--kubeconfig', file, '--namespace', engine.argoNamespace];
    const { code, err } = await runOps([...words, '--transport', transport, '--yes'], settings);
    if (code !== 0) throw new Error(`the Argo CD was not registered: ${err}`);
  }

  return Object.assign(journey, {
    engine,
    beside,
    register: (file: string, transport: 'queue' | 'agent') => addEngine(world.environment, file, transport),
    async kubeconfigOf(account: string) {
      const key = { namespace: 'stagecoach', name: `${account}-${randomBytes(4).toString('hex')}` };
      await beside.create(secrets, {
        metadata: { ...key, annotations: { 'kubernetes.io/service-account.name': account } },
        type: 'kubernetes.io/service-account-token',
      });
      const token = await until('a token', async () => (await beside.read(secrets, key))?.data['token']);
      const file = join(folder, `${key.name}.json`);
      const { url, ca } = engine.cluster;
      const text = JSON.stringify(kubeconfigFor({ url, ca, token: Buffer.from(token, 'base64').toString() }));
      await writeFile(file, text, { mode: 0o600 });
      return file;
    },
    async startAgent(KUBECONFIG: string) {
      const settings = { MAP_FILE: 'infra/agent/serverless.yml', QUEUE_PREFIX: 'agent', KUBECONFIG };
      const environment = { ...world.environment, ...settings };
      const config = readConfig(['database', 'queues', 'host'], environment);
      await setUp(config, readMap(config.host.MAP_FILE));
      return startHostProcess(environment);
    },
    async stop() {
      await stop();
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Somebody's way into a cluster, as a kubeconfig. */
export function kubeconfigFor({ url, ca, token }: Readonly<Record<'url' | 'ca' | 'token', string>>): object {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'there',
    contexts: [{ name: 'there', context: { cluster: 'there', user: 'there' } }],
    clusters: [{ name: 'there', cluster }],
    users: [{ name: 'there', user: { token } }],
  };
}

export async function openRealTenants(parts: ArgoParts): Promise<RunningCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-tenants-'));
  const plane = await startControlPlane({ parts, folder });
  return {
    ...plane,
    async stop() {
      await plane.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function openEmbeddedTenants(): Promise<RunningCluster> {
  const cluster = await startTarget();
  const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  await applyCrds(connection, readCrds(ownCrds));
  await connection.close();
  return cluster;
}

/** The namespace that an Argo CD of the own cluster would be in does not exist. */
function withoutArgoCd(cluster: RunningCluster): ArgoCluster {
  const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  return {
    cluster,
    connection,
    argoNamespace: 'argocd',
    async stop() {
      await connection.close();
      await cluster.stop();
    },
  };
}
