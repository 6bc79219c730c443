import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { blockedOn, type Moment, type Next, recheck, type Step, type Wait } from '../core/step.ts';
import { bindTo } from './bind-to.ts';
import { chooseTarget, type Obstructed } from './choose-target.ts';
import { type ClaimReason, claimConditions } from './claim-conditions.ts';
import { keepClaim, knockProvisioning } from './claim-step.ts';
import type { ClaimEffect, LivingClaim } from './observed-claim.ts';

/** After this long without a target the condition says so. Whoever makes one wakes the claim at any time. */
const deadlineSeconds = 3_600;

/** Decides about a claim that has no target yet. */
export function decideBinding(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  const choice = chooseTarget(seen.claim, seen.targets);
  switch (choice.kind) {
    case 'bind':
      return bindTo(seen, choice.target, moment);
    case 'obstacle':
      return waitFor(seen, choice, moment);
    default:
      return seen.claim.className === '' ? waitForTarget(seen, moment) : askForTarget(seen, moment);
  }
}

/** OBSERVED: it names a target, or one is kept for it, and they do not come together. */
function waitFor(seen: LivingClaim, choice: Obstructed, moment: Moment): Step<ClaimEffect> {
  const { reason, message, error } = choice;
  const { claim } = seen;
  const on =
    claim.targetName === '' ? 'the DeploymentTarget that is kept for it' : `DeploymentTarget ${claim.targetName}`;
  return pending(seen, moment, {
    reason,
    message,
    errors: error === undefined ? claimConditions.resolved(claim) : [claimConditions.error(error)],
    wake: (wait) => blockedOn(on, wait),
  });
}

/** OBSERVED: nothing fits, and no class could make something. */
function waitForTarget(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  return pending(seen, moment, {
    reason: 'WaitingForTarget',
    message: 'No free DeploymentTarget fits it, and it has no class that would make one',
    errors: claimConditions.resolved(seen.claim),
    // Whose class is empty is made by nobody, whatever was written on it before.
    effects: seen.claim.provisioner === undefined ? [] : [{ do: 'unmark-claim' }],
    // A free target wakes it. One that looked for claims in the same moment in which this one looked for targets does not.
    wake: (wait) => recheck(patienceSeconds(moment, 'WaitingForTarget'), wait),
  });
}

/** OBSERVED: nothing fits, and its class names somebody who makes targets. */
function askForTarget(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  const { claim } = seen;
  const { name, className } = claim;
  const found = seen.classes.find((one) => one.name === className);
  if (found === undefined)
    return pending(seen, moment, {
      reason: 'ClassNotFound',
      message: `DeploymentTargetClass ${className} does not exist`,
      errors: [
        claimConditions.error(
          `unable to handle provisioning of SpaceRequest: DeploymentTargetClaim ${name} does not have a matching DeploymentTargetClass ${className}: the resource could not be found on the cluster`,
        ),
      ],
      // Nobody tells when a class appears.
      wake: (wait) => recheck(patienceSeconds(moment, 'ClassNotFound'), wait),
    });

  const { provisioner } = found;
  return pending(seen, moment, {
    reason: 'WaitingForProvisioner',
    message: `${provisioner} has been asked for a DeploymentTarget`,
    errors: claimConditions.resolvedByUs(claim),
    effects: claim.provisioner === provisioner ? [] : [{ do: 'mark-claim', provisioner }],
    knocks: [knockProvisioning(seen)],
    wake: (wait) => blockedOn(`provisioner ${provisioner}`, wait),
  });
}

interface Pending {
  readonly reason: ClaimReason;
  readonly message: string;
  readonly errors: readonly Condition[];
  readonly effects?: readonly ClaimEffect[];
  readonly knocks?: Step['knocks'];
  readonly wake: (wait: Wait) => Next;
}

function pending(seen: LivingClaim, moment: Moment, told: Pending): Step<ClaimEffect> {
  const { reason, effects = [], knocks = [], errors, wake } = told;
  const isOverdue = moment.waiting?.reason === reason && moment.now >= moment.waiting.deadline;
  const message = isOverdue ? `${told.message}, and that for more than an hour` : told.message;
  return keepClaim(seen, moment, {
    effects,
    phase: 'Pending',
    conditions: [claimConditions.isNotBound(reason, message), ...errors],
    knocks,
    next: wake({ reason, message, deadlineSeconds }),
  });
}
