import { describe } from 'vitest';
import { openImpersonatingWorld } from '../../support/impersonating-world.ts';
import { describeDeployments } from '../gitops/suites/deployments.ts';
import { describeDeploymentsEnding } from '../gitops/suites/deployments-ending.ts';
import { describeDeploymentsTargets } from '../gitops/suites/deployments-targets.ts';
import { describeOperations } from '../gitops/suites/operations.ts';
import { describeOperationsOfDeletion } from '../gitops/suites/operations-deletion.ts';
import { describeOperationsOfSecrets } from '../gitops/suites/operations-secrets.ts';
import { describeOperationsOfSync } from '../gitops/suites/operations-sync.ts';
import { describeRepositoryCredentials } from '../gitops/suites/repository-credentials.ts';
import { describeSecrets } from '../gitops/suites/secrets.ts';
import { describeStatus } from '../gitops/suites/status.ts';
import { describeSyncRuns } from '../gitops/suites/sync-runs.ts';

// The GitOps service with nothing but the roles of infra/kubernetes/rbac: what was shown with all rights holds.
describe('each function as its own ServiceAccount', () => {
  for (const suite of [
    describeDeployments,
    describeDeploymentsEnding,
    describeDeploymentsTargets,
    describeOperations,
    describeOperationsOfDeletion,
    describeOperationsOfSecrets,
    describeOperationsOfSync,
    describeRepositoryCredentials,
    describeSecrets,
    describeStatus,
    describeSyncRuns,
  ])
    suite(openImpersonatingWorld);
});
