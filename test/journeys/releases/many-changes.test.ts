import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startEmbeddedKubernetes } from '../../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { describeManyChanges } from './suites/many-changes.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

describeWithGit('on the embedded API server', () =>
  describeManyChanges(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-many-'));
    const plane = await startEmbeddedKubernetes({ folder });
    const connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    await connection.close();
    return {
      kubeconfigFile: plane.kubeconfigFile,
      async stop() {
        await plane.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }),
);
