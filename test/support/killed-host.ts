import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClusterProxy } from './cluster-proxy.ts';
import { type HostProcess, startHostProcess, type World } from './host-process.ts';
import { type Boundary, type Dies, deathAt, startDatabaseProxy, startQueueProxy } from './killing-proxies.ts';
import type { RunningCluster } from './running-cluster.ts';

/** What a host calls. */
interface Surroundings {
  readonly world: World;
  /** Where it has none, its functions need none. */
  readonly cluster?: RunningCluster;
}

/** Stands between hosts and all that they call; answers with what a host is started with to go this way. */
export async function standBetween({ world, cluster }: Surroundings, dies: Dies) {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-proxies-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const database = await startDatabaseProxy(world.database.url, dies);
  const queue = await startQueueProxy(world.queue.endpoint, dies);
  const plane = cluster && (await startClusterProxy(cluster, kubeconfig, dies));
  return {
    environment: {
      ...world.environment,
      DATABASE_URL: database.url,
      AWS_ENDPOINT_URL_SQS: queue.url,
      ...(plane && { KUBECONFIG: kubeconfig }),
    },
    async close() {
      for (const proxy of [database, queue, plane]) await proxy?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A host of its own begins to work, and is killed by the system at the boundary. */
export async function dieAt(
  boundary: Boundary,
  surroundings: Surroundings,
  begin: (victim: HostProcess) => Promise<unknown>,
): Promise<void> {
  let victim: HostProcess | undefined;
  const { dies, struck } = deathAt(boundary, () => void victim?.kill('SIGKILL'));
  const ways = await standBetween(surroundings, dies);
  try {
    victim = await startHostProcess(ways.environment);
    await begin(victim);
    await struck;
  } finally {
    await victim?.kill('SIGKILL');
    await ways.close();
  }
}
