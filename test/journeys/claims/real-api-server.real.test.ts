import { describe, vi } from 'vitest';
import type { GitOpsWorld } from '../../support/gitops-world.ts';
import { asServiceAccounts } from '../../support/impersonating-world.ts';
import { noSpaces } from '../../support/no-spaces.ts';
import { openRealGitOpsWorld } from '../../support/real-gitops-world.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeBinding } from './suites/binding.ts';
import { describeBindingWaits } from './suites/binding-waits.ts';
import { describeBringYourOwn } from './suites/bring-your-own.ts';
import { describeClaimDeletion } from './suites/claim-deletion.ts';
import { describeClaimExpansion } from './suites/claim-expansion.ts';
import { describeClaimLifetime } from './suites/claim-lifetime.ts';
import { describeClaimsAdmission } from './suites/claims-admission.ts';
import { describeDeprovisioning } from './suites/deprovisioning.ts';
import { describeEnvironments } from './suites/environments.ts';
import { describeClaimedEnvironments } from './suites/environments-claims.ts';
import { describeMovingEnvironments } from './suites/environments-moves.ts';
import { describeEnvironmentParents } from './suites/environments-parents.ts';
import { describeTroubledEnvironments } from './suites/environments-trouble.ts';
import { describeFreeTargetWakes } from './suites/free-target-wakes.ts';
import { describeGrowing } from './suites/growing.ts';
import { describeGrowingWholeWay } from './suites/growing-whole-way.ts';
import { describeHostedClusters } from './suites/hosted-clusters.ts';
import { describeLostTarget } from './suites/lost-target.ts';
import { describeOperatorVerbs } from './suites/operator-verbs.ts';
import { describeOrphans } from './suites/orphans.ts';
import { describeProvisioning } from './suites/provisioning.ts';
import { describeRbac } from './suites/rbac.ts';
import { describeReclaiming } from './suites/reclaiming.ts';
import { describeSeed2 } from './suites/seed-2.ts';
import { describeSpaces } from './suites/spaces.ts';
import { describeSpaceLeaving } from './suites/spaces-leaving.ts';
import { describeSpaceNames } from './suites/spaces-names.ts';
import { describeSpacePrivilege } from './suites/spaces-privilege.ts';
import { describeSpaceQuotas } from './suites/spaces-quotas.ts';
import { describeSpaceRefusals } from './suites/spaces-refused.ts';
import { describeTargets } from './suites/targets.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd']);

/** Each suite has an API server of its own, as each has a database of its own. */
const suites: Readonly<Record<string, (open: () => Promise<GitOpsWorld>) => void>> = {
  describeBindingWaits,
  describeBinding,
  describeBringYourOwn,
  describeClaimDeletion,
  describeClaimExpansion,
  describeClaimLifetime,
  describeClaimsAdmission,
  describeDeprovisioning,
  describeClaimedEnvironments,
  describeMovingEnvironments,
  describeEnvironmentParents,
  describeTroubledEnvironments,
  describeEnvironments,
  describeFreeTargetWakes,
  describeGrowing,
  describeGrowingWholeWay,
  describeHostedClusters,
  describeLostTarget,
  describeOperatorVerbs,
  describeOrphans,
  describeProvisioning,
  describeRbac,
  describeReclaiming,
  describeSpaceLeaving,
  describeSpaceNames,
  describeSpacePrivilege,
  describeSpaceQuotas,
  describeSpaceRefusals,
  describeSpaces,
  describeTargets,
};

describe.skipIf('missing' in real)(`claims on a real API server${reasonOf(real)}`, () => {
  const open = async (): Promise<GitOpsWorld> => (await openRealGitOpsWorld(partsOf(real))).world;
  for (const suite of Object.values(suites)) suite(open);
  describe('with the roles that ship, each function as itself', () => {
    for (const suite of [describeBinding, describeClaimDeletion, describeSpaces, describeClaimedEnvironments])
      suite(asServiceAccounts(open, { optional: ['hypershift'] }));
  });
  describeSeed2(async () => (await openRealGitOpsWorld(partsOf(real), { world: noSpaces })).world);
});
