import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnEmbeddedKubernetes } from '../../infra/embedded/kubernetes/spawn-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { startControlPlane } from '../../infra/real/start-control-plane.ts';
import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { realParts } from '../support/real-parts.ts';

const claims = '/apis/appstudio.redhat.com/v1alpha1/namespaces/default/deploymenttargetclaims';

/** An API server in a process of its own, with our CRDs, under measure. */
export interface BenchCluster {
  readonly connection: ClusterConnection;
  readonly kubeconfigFile: string;
  create(name: string): Promise<void>;
  /** Begins to watch; `seen` resolves with the moment at which an object of that name came by. */
  follow(): Promise<{ seen(name: string): Promise<number>; stop(): void }>;
  close(): Promise<void>;
}

export async function openEmbeddedCluster(): Promise<BenchCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-bench-'));
  const server = await spawnEmbeddedKubernetes({ folder });
  const cluster = clusterAt(server.kubeconfigFile, async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await applyCrds(cluster.connection, readCrds(ownCrds));
  return cluster;
}

/** Undefined where there is no Go to build it with. */
export async function openRealCluster(): Promise<BenchCluster | undefined> {
  const real = await realParts(['etcd', 'kube-apiserver']);
  if ('missing' in real) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-bench-'));
  const plane = await startControlPlane({ parts: real.parts, folder });
  return clusterAt(plane.kubeconfigFile, async () => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

function claim(name: string): object {
  return {
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'DeploymentTargetClaim',
    metadata: { name, namespace: 'default' },
    spec: { deploymentTargetClassName: 'isolation-level-namespace' },
  };
}

function clusterAt(kubeconfigFile: string, end: () => Promise<void>): BenchCluster {
  const connection = connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now });
  return {
    connection,
    kubeconfigFile,
    async create(name) {
      await connection.request(claims, { method: 'POST', body: claim(name), accept: [] });
    },
    follow: () => follow(connection),
    async close() {
      await connection.close();
      await end();
    },
  };
}

async function follow(connection: ClusterConnection): ReturnType<BenchCluster['follow']> {
  const leaving = new AbortController();
  const { body } = await connection.request(`${claims}?limit=1`);
  const version = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  const query = `watch=true&resourceVersion=${version}`;
  const { chunks } = await connection.stream(`${claims}?${query}`, { signal: leaving.signal, accept: [] });
  const waiting = new Map<string, (at: number) => void>();
  void read().catch(() => {});
  return {
    seen: (name) => new Promise((resolve) => waiting.set(name, resolve)),
    stop: () => leaving.abort(),
  };

  async function read(): Promise<void> {
    for await (const chunk of chunks) {
      const at = performance.now();
      for (const [, name = ''] of chunk.toString('utf8').matchAll(/"name":"(bench-[^"]+)"/g)) {
        waiting.get(name)?.(at);
        waiting.delete(name);
      }
    }
  }
}
