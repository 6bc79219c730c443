import { describe } from 'vitest';
import { asServiceAccounts, openImpersonatingWorld } from '../../support/impersonating-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeDrift } from '../gitops/suites/drift.ts';
import { describeGarbage } from '../gitops/suites/drift-garbage.ts';
import { describeDriftMappings } from '../gitops/suites/drift-mappings.ts';
import { describeDriftOperations } from '../gitops/suites/drift-operations.ts';
import { describeDriftOrphans } from '../gitops/suites/drift-orphans.ts';
import { describeDriftRepairs } from '../gitops/suites/drift-repairs.ts';
import { describeDriftSecrets } from '../gitops/suites/drift-secrets.ts';
import { describeManagedEnvironments } from '../gitops/suites/managed-environments.ts';
import { describeOperationsOfEngines } from '../gitops/suites/operations-engines.ts';
import { describeOperationsAsAWhole } from '../gitops/suites/operations-whole.ts';
import { describeStatusWholeWay } from '../gitops/suites/status-whole-way.ts';

// Clusters of tenants, several Argo CDs and the passes over everything, with nothing but the roles of infra/kubernetes/rbac.
describe('each function as its own ServiceAccount', () => {
  for (const suite of [
    describeDrift,
    describeDriftMappings,
    describeDriftRepairs,
    describeDriftSecrets,
    describeGarbage,
    describeOperationsAsAWhole,
    describeStatusWholeWay,
  ])
    suite(openImpersonatingWorld);
  for (const suite of [describeDriftOperations, describeOperationsOfEngines])
    suite(asServiceAccounts(undefined, { hasOtherEngines: true }));
  describeDriftOrphans(asServiceAccounts(undefined, { optional: ['orphans'] }));
  describeManagedEnvironments(openImpersonatingWorld, startTarget);
});
