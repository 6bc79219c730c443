import { type Moment, type Step, settled } from '../core/step.ts';
import { knockEnvironments, knockPredecessors, knockProvisioning } from './claim-step.ts';
import { decideBinding } from './decide-binding.ts';
import { decideBound } from './decide-bound.ts';
import { decideClaimDeletion } from './decide-claim-deletion.ts';
import { isOverage } from './lifetime.ts';
import type { ClaimEffect, LivingClaim, ObservedClaim } from './observed-claim.ts';

/**
 * Decides what becomes of a claim.
 *
 * A binding is two pointers, target to claim and claim to target, and the target is written first. A crash in between
 * leaves a target that is kept for the claim, which the next look finds and finishes; it can never leave two claims sure of
 * the same target.
 */
export function decideClaim(seen: ObservedClaim, moment: Moment): Step<ClaimEffect> {
  const { claim } = seen;
  // OBSERVED: it is gone, perhaps torn away. What it had is seen to by those who have it.
  if (claim === undefined)
    return rest([...knockEnvironments(seen), ...knockPredecessors(seen), knockProvisioning(seen)]);

  const living: LivingClaim = { ...seen, claim };
  if (claim.isDeleting) return decideClaimDeletion(living, moment);
  // Nothing is begun in a namespace that goes: the claim will be told to go, too.
  if (seen.isNamespaceGoing) return rest([]);
  if (isOverage(claim, moment)) return { ...rest([]), effects: [{ do: 'delete-claim', uid: claim.uid }] };
  return claim.isBindComplete ? decideBound(living, moment) : decideBinding(living, moment);
}

function rest(knocks: Step['knocks']): Step<ClaimEffect> {
  return { effects: [], conditions: [], knocks, next: settled };
}
