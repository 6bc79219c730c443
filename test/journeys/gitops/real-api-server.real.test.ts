import { describe, vi } from 'vitest';
import type { GitOpsWorld } from '../../support/gitops-world.ts';
import { openRealGitOpsWorld } from '../../support/real-gitops-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeAdmission } from './suites/admission.ts';
import { describeBadRepositoryCredentials } from './suites/bad-repository-credentials.ts';
import { describeCredentialsBesideArgoCd } from './suites/credentials-beside-argo-cd.ts';
import { describeDeployments } from './suites/deployments.ts';
import { describeDeploymentsConditions } from './suites/deployments-conditions.ts';
import { describeDeploymentsEnding } from './suites/deployments-ending.ts';
import { describeDeploymentsTargets } from './suites/deployments-targets.ts';
import { describeOperations } from './suites/operations.ts';
import { describeOperationsOfDeletion } from './suites/operations-deletion.ts';
import { describeOperationsOfEngines } from './suites/operations-engines.ts';
import { describeOperationsOfSecrets } from './suites/operations-secrets.ts';
import { describeOperationsOfSync } from './suites/operations-sync.ts';
import { describeOperationsAsAWhole } from './suites/operations-whole.ts';
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
};

describe.skipIf('missing' in real)(`on a real API server${reasonOf(real)}`, () => {
  const open = async () => (await openRealGitOpsWorld(partsOf(real))).world;
  for (const suite of Object.values(suites)) suite(open);
});
