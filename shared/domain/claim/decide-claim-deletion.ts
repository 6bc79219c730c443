import { patienceSeconds } from '../core/patience.ts';
import { blockedOn, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import type { Target } from '../target/target.ts';
import { belongsTo } from './belongs-to.ts';
import type { Claim } from './claim.ts';
import { claimConditions } from './claim-conditions.ts';
import { knockEnvironments, knockProvisioning, tellClaim } from './claim-step.ts';
import { boundTarget } from './decide-bound.ts';
import type { ClaimEffect, LivingClaim } from './observed-claim.ts';

/** Taking away what is behind a target takes minutes at most. After this the condition says that it takes longer. */
const deadlineSeconds = 600;

/** Decides how a claim goes. It ends without the binder's finalizer, or in a wait that says for what. */
export function decideClaimDeletion(seen: LivingClaim, moment: Moment): Step<ClaimEffect> {
  const { claim } = seen;
  // OBSERVED: others hold it. What is ours has been done.
  if (!claim.isHeld) return { effects: [], conditions: [], knocks: [], next: settled };

  // What is in a namespace that goes has been told to go, and holds itself until what is behind it is freed.
  const had = seen.isNamespaceGoing ? [] : targetsOf(claim, seen.targets);
  const ends = had.map((target) => ({ target, end: endOf(target, seen) }));
  const unclear = ends.find(({ end }) => end === 'unclear');
  if (unclear !== undefined) return waitForClass(seen, unclear.target, moment);

  const letGo = ends.flatMap(({ target, end }) => effectOf(target, end));
  const leaving = ends.find(({ end }) => end === 'delete');
  if (leaving !== undefined) return waitForTarget(seen, leaving.target, letGo, moment);
  if (leavesSomething(seen)) return waitForProvisioner(seen, letGo, moment);
  return {
    effects: [...letGo, { do: 'let-claim-go' }],
    conditions: [],
    knocks: knockEnvironments(seen),
    next: settled,
  };
}

/** What it has, and what was kept for it by the binder or a provisioner. What a person kept for it stays as it is. */
export function targetsOf(claim: Claim, targets: readonly Target[]): readonly Target[] {
  const bound = claim.isBindComplete ? boundTarget(claim, targets) : undefined;
  return targets.filter(
    (target) =>
      target === bound || (belongsTo(target, claim) && (target.claim?.uid !== undefined || target.phase === 'Bound')),
  );
}

type End = 'delete' | 'release' | 'free' | 'unclear' | 'none';

function endOf(target: Target, { claim, classes }: LivingClaim): End {
  // OBSERVED: the binder kept it for this claim and did not come further.
  if (!claim.isBindComplete && target.provisionedBy === undefined && target.phase !== 'Bound') return 'free';
  if (target.className === '') return target.isDeleting ? 'none' : 'release';
  const found = classes.find(({ name }) => name === target.className);
  if (found === undefined) return 'unclear';
  if (found.reclaimPolicy === 'Delete') return 'delete';
  // Retain. Where the class says something else, that is somebody's mistake, and nothing is deleted by mistake.
  return target.isDeleting ? 'none' : 'release';
}

function effectOf({ name, uid, isDeleting }: Target, end: End): readonly ClaimEffect[] {
  if (end === 'delete') return isDeleting ? [] : [{ do: 'delete-target', target: name, uid }];
  if (end === 'release') return [{ do: 'release-target', target: name }];
  return end === 'free' && !isDeleting ? [{ do: 'free-target', target: name }] : [];
}

/**
 * Something stands that was made for this claim, and no target of it. With Retain it stays: it may be behind a target that
 * this claim has let go a moment ago.
 */
function leavesSomething({ claim, classes, provision, targets }: LivingClaim): boolean {
  if (claim.provisioner === undefined || provision === undefined || provision.state === 'absent') return false;
  // What is behind a target goes with the target.
  if (targetsOf(claim, targets).some(({ provisionedBy }) => provisionedBy !== undefined)) return false;
  const policy = classes.find(({ name }) => name === claim.className)?.reclaimPolicy;
  return policy === undefined ? !claim.isBindComplete : policy === 'Delete';
}

function waitForClass(seen: LivingClaim, target: Target, moment: Moment): Step<ClaimEffect> {
  const error = 'unable to locate matching DTClass for DT';
  const message = `DeploymentTargetClass ${target.className} does not exist, so nobody knows what becomes of DeploymentTarget ${target.name}`;
  return terminating(seen, moment, {
    effects: [],
    knocks: [],
    error,
    message,
    // Nobody tells when a class appears.
    wake: (wait) => recheck(patienceSeconds(moment, wait.reason), wait),
  });
}

function waitForTarget(
  seen: LivingClaim,
  { name, phase }: Target,
  effects: readonly ClaimEffect[],
  moment: Moment,
): Step<ClaimEffect> {
  const trouble = phase === 'Failed' ? ', whose resources could not be freed yet' : '';
  return terminating(seen, moment, {
    effects,
    knocks: [],
    message: `Waits until DeploymentTarget ${name}${trouble} is gone`,
    wake: (wait) => blockedOn(`DeploymentTarget ${name}`, wait),
  });
}

function waitForProvisioner(seen: LivingClaim, effects: readonly ClaimEffect[], moment: Moment): Step<ClaimEffect> {
  return terminating(seen, moment, {
    effects,
    knocks: [knockProvisioning(seen)],
    message: `Waits until ${seen.claim.provisioner} has taken away what it made`,
    wake: (wait) => recheck(patienceSeconds(moment, wait.reason), wait),
  });
}

interface Terminating {
  readonly effects: readonly ClaimEffect[];
  readonly knocks: Step['knocks'];
  readonly message: string;
  readonly error?: string;
  readonly wake: (wait: Extract<Next, { kind: 'recheck' }>['wait']) => Next;
}

function terminating(seen: LivingClaim, moment: Moment, told: Terminating): Step<ClaimEffect> {
  const { claim } = seen;
  const reason = 'Terminating';
  const isOverdue = moment.waiting?.reason === reason && moment.now >= moment.waiting.deadline;
  const message = isOverdue ? `${told.message}, which takes more than ten minutes by now` : told.message;
  return tellClaim(seen, moment, {
    effects: told.effects,
    phase: claim.phase,
    conditions: [
      claimConditions.isNotBound(reason, message),
      ...(told.error === undefined ? claimConditions.resolved(claim) : [claimConditions.error(told.error)]),
    ],
    // Their target is about to go.
    knocks: [...told.knocks, ...knockEnvironments(seen)],
    next: told.wake({ reason, message, deadlineSeconds }),
  });
}
