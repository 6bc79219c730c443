import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, vi } from 'vitest';
import { startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeManyChanges } from './suites/many-changes.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager']);

describe.skipIf('missing' in real)(`on a real API server${reasonOf(real)}`, () =>
  describeManyChanges(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecoach-many-'));
    const plane = await startControlPlane({ parts: partsOf(real), folder, controllerManager: true });
    return {
      kubeconfigFile: plane.kubeconfigFile,
      async stop() {
        await plane.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }),
);
