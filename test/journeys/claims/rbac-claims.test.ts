import { describe } from 'vitest';
import { asServiceAccounts, openImpersonatingWorld } from '../../support/impersonating-world.ts';
import { describeBinding } from './suites/binding.ts';
import { describeClaimDeletion } from './suites/claim-deletion.ts';
import { describeClaimExpansion } from './suites/claim-expansion.ts';
import { describeClaimLifetime } from './suites/claim-lifetime.ts';
import { describeClaimsAdmission } from './suites/claims-admission.ts';
import { describeClaimedEnvironments } from './suites/environments-claims.ts';
import { describeMovingEnvironments } from './suites/environments-moves.ts';
import { describeEnvironmentParents } from './suites/environments-parents.ts';
import { describeFreeTargetWakes } from './suites/free-target-wakes.ts';
import { describeGrowing } from './suites/growing.ts';
import { describeHostedClusters } from './suites/hosted-clusters.ts';
import { describeLostTarget } from './suites/lost-target.ts';
import { describeOrphans } from './suites/orphans.ts';
import { describeProvisioning } from './suites/provisioning.ts';
import { describeReclaiming } from './suites/reclaiming.ts';
import { describeSpaces } from './suites/spaces.ts';
import { describeSpaceLeaving } from './suites/spaces-leaving.ts';
import { describeSpacePrivilege } from './suites/spaces-privilege.ts';
import { describeSpaceQuotas } from './suites/spaces-quotas.ts';

// Claims, targets and environments with nothing but the roles of infra/kubernetes/rbac: what was shown with all rights holds.
describe('each function as its own ServiceAccount', () => {
  for (const suite of [
    describeBinding,
    describeClaimDeletion,
    describeClaimExpansion,
    describeClaimLifetime,
    describeClaimsAdmission,
    describeClaimedEnvironments,
    describeEnvironmentParents,
    describeFreeTargetWakes,
    describeGrowing,
    describeLostTarget,
    describeMovingEnvironments,
    describeOrphans,
    describeProvisioning,
    describeReclaiming,
    describeSpaceLeaving,
    describeSpacePrivilege,
    describeSpaceQuotas,
    describeSpaces,
  ])
    suite(openImpersonatingWorld);
  describeHostedClusters(asServiceAccounts(undefined, { optional: ['hypershift'] }));
});
