import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import type { Target } from '../target/target.ts';
import { isSufficient } from './choose-target.ts';
import { claimConditions } from './claim-conditions.ts';
import { keepClaim, knockEnvironments, knockProvisioning } from './claim-step.ts';
import type { ClaimEffect, LivingClaim } from './observed-claim.ts';

const expansionDeadlineSeconds = 3_600;

/** Makes whatever is missing of the binding between a claim and the target that it has from now on, or has already. */
export function bindTo(seen: LivingClaim, target: Target, moment: Moment): Step<ClaimEffect> {
  const { claim } = seen;
  const { name } = target;
  const isKept = target.claim?.name === claim.name && target.claim.uid === claim.uid;
  const isPointed = claim.isBindComplete && claim.targetName === name;
  const resources = tellResources(seen, target, moment);
  return keepClaim(seen, moment, {
    effects: [
      ...(isKept || target.isDeleting ? [] : [{ do: 'reserve-target', target: name } as const]),
      ...(isPointed ? [] : [{ do: 'point-claim', target: name, byController: claim.targetName === '' } as const]),
      ...correctMark(seen),
      // What goes is told by the one who takes it away.
      ...(target.phase === 'Bound' || target.isDeleting ? [] : [{ do: 'tell-target', target: name } as const]),
    ],
    phase: 'Bound',
    conditions: [claimConditions.isBound(name), ...claimConditions.resolved(claim), ...resources.conditions],
    // At every look: whoever died between the write and this knock would else have left them waiting.
    knocks: [
      ...knockEnvironments(seen),
      ...resources.knocks,
      ...(isSpare(seen, target) ? [knockProvisioning(seen)] : []),
    ],
    next: resources.next,
  });
}

/** A bound claim that names a provisioner names the one of its class; without a class it names none. */
function correctMark({ claim, classes }: LivingClaim): readonly ClaimEffect[] {
  if (claim.provisioner === undefined) return [];
  if (claim.className === '') return [{ do: 'unmark-claim' }];
  const found = classes.find(({ name }) => name === claim.className);
  return found === undefined || found.provisioner === claim.provisioner
    ? []
    : [{ do: 'mark-claim', provisioner: found.provisioner }];
}

/** OBSERVED: a provisioner was asked, and the claim found a target that a person made. What was begun for it is spare. */
function isSpare({ claim }: LivingClaim, { provisionedBy }: Target): boolean {
  return claim.provisioner !== undefined && claim.className !== '' && provisionedBy === undefined;
}

function tellResources(
  seen: LivingClaim,
  target: Target,
  moment: Moment,
): { readonly conditions: readonly Condition[]; readonly knocks: readonly Knock[]; readonly next: Next } {
  const { claim } = seen;
  const { name, provisionedBy } = target;
  // What goes is not enlarged.
  if (isSufficient(target, claim) || target.isDeleting)
    return { conditions: claimConditions.isSufficient(claim), knocks: [], next: settled };

  const allowed = seen.classes.find((one) => one.name === claim.className)?.allowsExpansion === true;
  if (provisionedBy === undefined || !allowed)
    return { conditions: [claimConditions.mayNotExpand(name)], knocks: [], next: settled };

  // OBSERVED: the claim has grown, and the one who made its target may make more of it.
  const reason = 'Expanding';
  const isOverdue = moment.waiting?.reason === reason && moment.now >= moment.waiting.deadline;
  const asked = `${provisionedBy} has been asked to enlarge DeploymentTarget ${name}`;
  const message = isOverdue ? `${asked}, and has not done so for more than an hour` : asked;
  return {
    conditions: [claimConditions.isExpanding(message)],
    knocks: [knockProvisioning(seen)],
    next: recheck(patienceSeconds(moment, reason), {
      reason,
      message,
      deadlineSeconds: expansionDeadlineSeconds,
    }),
  };
}
