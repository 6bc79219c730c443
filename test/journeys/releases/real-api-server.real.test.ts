import { describe, vi } from 'vitest';
import { openRealGitOpsWorld } from '../../support/real-gitops-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { byHand, openReleaseWorld, type ReleaseWorld } from '../../support/release-world.ts';
import { describeApplications } from './suites/applications.ts';
import { describeBindings } from './suites/bindings.ts';
import { describeRepositories } from './suites/repositories.ts';
import { describeSeed1 } from './suites/seed-1.ts';
import { describeSnapshots } from './suites/snapshots.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd']);

describe.skipIf('missing' in real)(`releases on a real API server${reasonOf(real)}`, () => {
  const open = (): Promise<ReleaseWorld> =>
    openReleaseWorld(byHand, async (settings) => (await openRealGitOpsWorld(partsOf(real), settings)).world);
  for (const suite of [describeApplications, describeSnapshots, describeBindings, describeRepositories, describeSeed1])
    suite(open);
});
