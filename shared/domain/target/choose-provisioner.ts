import type { Claim } from '../claim/claim.ts';
import type { TargetClass } from './target.ts';

/**
 * Whom to ask for a claim. Undefined: nobody, because it names a target, has no class, or was not marked for the
 * provisioner of its class. Of a bound claim the class tells, which may have to give more.
 */
export function chooseProvisioner(claim: Claim, asking: TargetClass | undefined): string | undefined {
  if (claim.isDeleting) return claim.provisioner ?? asking?.provisioner;
  if (claim.className === '' || asking === undefined) return undefined;
  if (claim.isBindComplete) return asking.provisioner;
  return claim.targetName === '' && claim.provisioner === asking.provisioner ? asking.provisioner : undefined;
}
