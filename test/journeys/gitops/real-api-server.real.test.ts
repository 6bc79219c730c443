import { describe, vi } from 'vitest';
import type { GitOpsWorld } from '../../support/gitops-world.ts';
import { openRealGitOpsWorld } from '../../support/real-gitops-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import type { RunningCluster } from '../../support/running-cluster.ts';
import { describeAdmission } from './suites/admission.ts';
import { describeBadInput } from './suites/bad-input.ts';
import { describeBadRepositoryCredentials } from './suites/bad-repository-credentials.ts';
import { describeCredentialsBesideArgoCd } from './suites/credentials-beside-argo-cd.ts';
import { describeDeployments } from './suites/deployments.ts';
import { describeDeploymentsConditions } from './suites/deployments-conditions.ts';
import { describeDeploymentsEnding } from './suites/deployments-ending.ts';
import { describeDeploymentsTargets } from './suites/deployments-targets.ts';
import { describeDrift } from './suites/drift.ts';
import { describeGarbage } from './suites/drift-garbage.ts';
import { describeDriftMappings } from './suites/drift-mappings.ts';
import { describeDriftOperations } from './suites/drift-operations.ts';
import { describeDriftOrphans } from './suites/drift-orphans.ts';
import { describeDriftRepairs } from './suites/drift-repairs.ts';
import { describeDriftSecrets } from './suites/drift-secrets.ts';
import { describeDriftTurns } from './suites/drift-turns.ts';
import { describeEvents } from './suites/events.ts';
import { describeManagedEnvironments } from './suites/managed-environments.ts';
import { describeMetrics } from './suites/metrics.ts';
import { describeOperations } from './suites/operations.ts';
import { describeOperationsOfDeletion } from './suites/operations-deletion.ts';
import { describeOperationsOfEngines } from './suites/operations-engines.ts';
import { describeOperationsOfSecrets } from './suites/operations-secrets.ts';
import { describeOperationsOfSync } from './suites/operations-sync.ts';
import { describeOperationsAsAWhole } from './suites/operations-whole.ts';
import { describeQuiet } from './suites/quiet.ts';
import { describeRepositoryCredentials } from './suites/repository-credentials.ts';
import { describeSecrets } from './suites/secrets.ts';
import { describeStatus } from './suites/status.ts';
import { describeStatusTrouble } from './suites/status-trouble.ts';
import { describeStatusWholeWay } from './suites/status-whole-way.ts';
import { describeSyncRuns } from './suites/sync-runs.ts';
import { describeDeletedSyncRuns } from './suites/sync-runs-deleted.ts';
import { describeSyncRunsInLine } from './suites/sync-runs-in-line.ts';
import { describeSyncRunsToArgo } from './suites/sync-runs-to-argo.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd']);

/** Each suite has an API server of its own, as each has a database of its own. */
const suites: Readonly<Record<string, (open: () => Promise<GitOpsWorld>) => void>> = {
  describeEvents,
  describeDeployments,
  describeDeploymentsConditions,
  describeDeploymentsEnding,
  describeDeploymentsTargets,
  describeOperations,
  describeOperationsOfDeletion,
  describeOperationsOfEngines,
  describeOperationsOfSecrets,
  describeOperationsOfSync,
  describeOperationsAsAWhole,
  describeStatus,
  describeStatusTrouble,
  describeStatusWholeWay,
  describeRepositoryCredentials,
  describeBadRepositoryCredentials,
  describeCredentialsBesideArgoCd,
  describeSecrets,
  describeSyncRuns,
  describeDeletedSyncRuns,
  describeSyncRunsInLine,
  describeSyncRunsToArgo,
  describeAdmission,
  describeMetrics,
  describeDrift,
  describeDriftMappings,
  describeDriftOperations,
  describeDriftOrphans,
  describeDriftRepairs,
  describeDriftSecrets,
  describeDriftTurns,
  describeGarbage,
};

describe.skipIf('missing' in real)(`on a real API server${reasonOf(real)}`, () => {
  let plane: RunningCluster | undefined;
  const open = async (): Promise<GitOpsWorld> => {
    const opened = await openRealGitOpsWorld(partsOf(real));
    plane = opened.plane;
    return opened.world;
  };
  /** The same cluster once more, as a tenant reaches it; it ends with its world. */
  const target = async (): Promise<RunningCluster> => {
    if (plane === undefined) throw new Error('there is no cluster yet');
    return { ...plane, stop: async () => {} };
  };
  for (const suite of Object.values(suites)) suite(open);
  for (const suite of [describeManagedEnvironments, describeQuiet, describeBadInput]) suite(open, target);
});
