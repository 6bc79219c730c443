import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe } from 'vitest';
import { runPods } from '../../../infra/real/run-pods.ts';
import { startArgoCd } from '../../../infra/real/start-argo-cd.ts';
import { startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { type OpenArgoWorld, openArgoWorld } from '../../support/argo-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeBeyondTheStandIn } from './contract/beyond-the-stand-in.ts';
import { describeArgoCd } from './contract/suite.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd', 'kustomize']);

describe.skipIf('missing' in real)(`the real Argo CD${reasonOf(real)}`, () => {
  let opened: OpenArgoWorld | undefined;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const parts = partsOf(real);
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-argo-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const cluster = await startControlPlane({
      parts,
      folder: join(folder, 'plane'),
      crds: false,
      controllerManager: true,
    });
    stops.push(() => cluster.stop());
    const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
    stops.push(() => connection.close());
    const pods = await runPods(connection);
    stops.push(() => pods.stop());
    const argo = await startArgoCd({
      parts,
      folder: join(folder, 'argo'),
      kubeconfigFile: cluster.kubeconfigFile,
      path: process.env['PATH'] ?? '',
    });
    stops.push(() => argo.stop());
    const world = await openArgoWorld({
      cluster,
      folder,
      argoNamespace: argo.namespace,
      patience: { deadlineMs: 60_000, nudgeEveryMs: 5_000 },
    });
    stops.push(() => world.close());
    opened = world;
  });

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  function world(): OpenArgoWorld {
    if (opened === undefined) throw new Error('The cluster of this suite did not start.');
    return opened;
  }

  describeArgoCd(world);
  describeBeyondTheStandIn(world);
});
