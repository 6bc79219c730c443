import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { startControlPlane } from '../../infra/real/start-control-plane.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace, type GitOpsWorld, openGitOpsWorld } from './gitops-world.ts';
import type { RunningCluster } from './running-cluster.ts';

type Parts = Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'argo-cd', string>>;

/** The functions on a real API server of their own, with the definitions of the real Argo CD. Nobody plays Argo CD. */
export async function openRealGitOpsWorld(
  parts: Parts,
  settings: Parameters<typeof openGitOpsWorld>[0] = {},
): Promise<{ readonly world: GitOpsWorld; readonly plane: RunningCluster }> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-gitops-'));
  const plane = await startControlPlane({ parts, folder, controllerManager: true });
  const connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
  const crds = readCrds(join(dirname(parts['argo-cd']), 'crds'));
  await applyCrds(
    connection,
    crds.filter(({ spec }) => spec.names.plural !== 'applicationsets'),
  );
  await openCluster({ connection }).create(namespaces, { metadata: { name: argoNamespace } });
  const world = await openGitOpsWorld({ ...settings, connection });
  return {
    plane,
    world: {
      ...world,
      async close() {
        await world.close();
        await connection.close();
        await plane.stop();
        await rm(folder, { recursive: true, force: true });
      },
    },
  };
}
