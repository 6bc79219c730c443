import { blockedOn, type Moment, type Step } from '../core/step.ts';
import type { Target } from '../target/target.ts';
import { belongsTo, keptFor } from './belongs-to.ts';
import { bindTo } from './bind-to.ts';
import { type Obstructed, obstructedBy } from './choose-target.ts';
import type { Claim } from './claim.ts';
import { boundSince, claimConditions } from './claim-conditions.ts';
import { keepClaim, knockEnvironments } from './claim-step.ts';
import type { ClaimEffect, LivingClaim } from './observed-claim.ts';

/** A lost target rarely comes back. Its claim is looked at once a day, beside every change of a target that names it. */
const lostDeadlineSeconds = 24 * 3_600;

/**
 * Decides about a claim that was bound before. It keeps that target or says that it lost it; it never quietly takes
 * another one, because an Environment already points there.
 */
export function decideBound(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  const { claim, targets } = seen;
  const target = boundTarget(claim, targets);
  if (target !== undefined) return bindTo(seen, target, moment);

  // OBSERVED: it does not say which target it had, and several name it.
  const kept = keptFor(targets, claim);
  return claim.targetName === '' && kept.length > 1 ? doubt(seen, obstructedBy(kept), moment) : lose(seen, moment);
}

function doubt(seen: LivingClaim, { reason, message }: Obstructed, moment: Moment): Step<ClaimEffect> {
  const { phase } = seen.claim;
  return keepClaim(seen, moment, {
    effects: [],
    phase: phase === '' ? 'Pending' : phase,
    conditions: [claimConditions.isNotBound(reason, message), claimConditions.error(message)],
    next: blockedOn('the DeploymentTargets that name it', { reason, message, deadlineSeconds: lostDeadlineSeconds }),
  });
}

/** The target that a bound claim has. Undefined: it is gone, belongs to another by now, or cannot be told. */
export function boundTarget(claim: Claim, targets: readonly Target[]): Target | undefined {
  if (claim.targetName === '') {
    const [one, other] = keptFor(targets, claim);
    return other === undefined ? one : undefined;
  }
  const named = targets.find(({ name }) => name === claim.targetName);
  return named !== undefined && (belongsTo(named, claim) || hasLostItsPointer(named, claim)) ? named : undefined;
}

/**
 * Somebody took its claimRef away, or it was bound by the original service, which never wrote one. A target that was made
 * again under the same name is another one, and so is one that a claim lost before.
 */
function hasLostItsPointer({ claim: reference, phase, isDeleting, created }: Target, claim: Claim): boolean {
  return (
    reference === undefined &&
    !isDeleting &&
    phase !== 'Released' &&
    phase !== 'Failed' &&
    claim.phase !== 'Lost' &&
    created <= (boundSince(claim) ?? created)
  );
}

/** The claim stays and says so. Only a target that names it makes it whole again. */
function lose(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  const { claim, targets } = seen;
  const message = inWords(claim, targets);
  return keepClaim(seen, moment, {
    effects: [],
    phase: 'Lost',
    conditions: [claimConditions.isNotBound('TargetLost', message), claimConditions.error(message)],
    knocks: knockEnvironments(seen),
    next: blockedOn(
      claim.targetName === '' ? 'a DeploymentTarget that names it' : `DeploymentTarget ${claim.targetName}`,
      {
        reason: 'TargetLost',
        message,
        deadlineSeconds: lostDeadlineSeconds,
      },
    ),
  });
}

function inWords({ targetName }: Claim, targets: readonly Target[]): string {
  if (targetName === '') return 'No DeploymentTarget names this claim any more';
  return targets.some(({ name }) => name === targetName)
    ? `DeploymentTarget ${targetName} no longer belongs to this claim`
    : `DeploymentTarget ${targetName}, which this claim had, does not exist any more`;
}
