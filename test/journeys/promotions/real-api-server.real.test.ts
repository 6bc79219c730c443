import { afterAll, describe, vi } from 'vitest';
import { openRealGitOpsWorld } from '../../support/real-gitops-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { openReleaseWorld, type ReleaseWorld } from '../../support/release-world.ts';
import { describeClaimedTargets } from './suites/claimed-targets.ts';
import { describeEvidence } from './suites/evidence.ts';
import { describeGraph } from './suites/graph.ts';
import { describeOtherControllers } from './suites/other-controllers.ts';
import { describeRuns } from './suites/runs.ts';
import { describeSeedExample } from './suites/seed-example.ts';
import { describeTurns } from './suites/turns.ts';
import { describeUnheard } from './suites/unheard.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd']);

describe.skipIf('missing' in real)(`promotions on a real API server${reasonOf(real)}`, () => {
  // Every test has a namespace of its own, so one control plane is enough for all of them.
  let opened: Promise<ReleaseWorld> | undefined;
  const open = async (): Promise<ReleaseWorld> => {
    opened ??= openReleaseWorld({}, async (settings) => (await openRealGitOpsWorld(partsOf(real), settings)).world);
    return { ...(await opened), async close() {} };
  };
  afterAll(async () => (await opened)?.close());
  for (const suite of [
    describeSeedExample,
    describeRuns,
    describeTurns,
    describeEvidence,
    describeGraph,
    describeOtherControllers,
    describeClaimedTargets,
    describeUnheard,
  ])
    suite(open);
});
