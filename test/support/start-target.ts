import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import type { RunningCluster } from './running-cluster.ts';

/** A second cluster, which a tenant reaches over HTTPS. */
export async function startTarget(): Promise<RunningCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-target-'));
  const cluster = await startEmbeddedKubernetes({ folder });
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
