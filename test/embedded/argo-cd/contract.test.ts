import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, vi } from 'vitest';
import { findKustomize } from '../../../infra/embedded/argo-cd/source/find-kustomize.ts';
import { startEmbeddedArgoCd } from '../../../infra/embedded/argo-cd/start-embedded-argo-cd.ts';
import { startEmbeddedKubernetes } from '../../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { type OpenArgoWorld, openArgoWorld } from '../../support/argo-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { describeArgoCd } from './contract/suite.ts';

// A case takes a second or two; a busy machine was seen to need ten times as many.
vi.setConfig({ testTimeout: 60_000 });

const silent = { error() {}, warn() {}, info() {}, debug() {} };

describeWithGit('the Argo CD stand-in', () => {
  let opened: OpenArgoWorld | undefined;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const searchPath = process.env['PATH'] ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-argo-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const cluster = await startEmbeddedKubernetes({ folder: join(folder, 'plane') });
    stops.push(() => cluster.stop());
    const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
    stops.push(() => connection.close());
    const argo = await startEmbeddedArgoCd({
      cluster: connection,
      folder: join(folder, 'argo'),
      log: silent,
      now: Date.now,
      searchPath,
      kustomize: await findKustomize(searchPath),
    });
    stops.push(() => argo.stop());
    const world = await openArgoWorld({ cluster, folder, argoNamespace: 'argocd', patience: { deadlineMs: 30_000 } });
    stops.push(() => world.close());
    opened = world;
  });

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  describeArgoCd(() => {
    if (opened === undefined) throw new Error('The cluster of this suite did not start.');
    return opened;
  });
});
