import type { Condition } from '../core/condition.ts';
import type { Knock, Moment, Next, Step } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import { belongsToPredecessor } from './belongs-to.ts';
import type { ClaimPhase } from './claim.ts';
import { tellLifetime, untilEndOfLife } from './lifetime.ts';
import type { ClaimEffect, LivingClaim, ObservedClaim } from './observed-claim.ts';

interface Told {
  readonly effects: readonly ClaimEffect[];
  readonly phase: ClaimPhase;
  readonly conditions: readonly Condition[];
  readonly knocks?: readonly Knock[];
  readonly next: Next;
}

/** The step of a claim that stays. Its status is written only where it says something else than before. */
export function keepClaim(seen: LivingClaim, moment: Moment, told: Told): Step<ClaimEffect> {
  const { claim } = seen;
  return tellClaim(seen, moment, {
    ...told,
    // Nobody lets go of it before the binder has seen to what it had.
    effects: claim.isHeld ? told.effects : held(told.effects),
    conditions: [...told.conditions, ...tellLifetime(claim)],
    next: untilEndOfLife(told.next, claim, moment),
  });
}

export function tellClaim(seen: LivingClaim, { now }: Moment, told: Told): Step<ClaimEffect> {
  const { claim } = seen;
  const { phase, conditions, next, knocks = [] } = told;
  const isNew = phase !== claim.phase || withConditions(claim.said, conditions, now) !== undefined;
  return {
    effects: [...told.effects, ...(isNew ? [{ do: 'tell-claim', phase, at: now } as const] : [])],
    conditions,
    knocks: [...knocks, ...(isNew ? untold(knocks, knockEnvironments(seen)) : []), ...knockPredecessors(seen)],
    next,
  };
}

/** An Environment says why its claim waits, so it hears of every new reason. */
function untold(knocks: readonly Knock[], more: readonly Knock[]): readonly Knock[] {
  return more.filter(
    ({ type, subject }) => !knocks.some((one) => one.type === type && one.subject.name === subject.name),
  );
}

/** The first pointer is written before anything else, so that whoever dies in between has only kept a target. */
function held(effects: readonly ClaimEffect[]): readonly ClaimEffect[] {
  const [first, ...rest] = effects;
  const hold: ClaimEffect = { do: 'hold-claim' };
  return first?.do === 'reserve-target' ? [first, hold, ...rest] : [hold, ...effects];
}

export function knockEnvironments({ namespace, environments }: ObservedClaim): readonly Knock[] {
  return environments.map((name) => ({ type: 'environment.changed.v1', subject: { namespace, name } }));
}

/** The one who makes, enlarges and frees what is behind targets. */
export function knockProvisioning({ namespace, name }: ObservedClaim): Knock {
  return { type: 'target.requested.v1', subject: { namespace, name } };
}

/** Targets that another claim of this name has used: that one is gone, and they may not have heard of it. */
export function knockPredecessors({ namespace, name, claim, targets }: ObservedClaim): readonly Knock[] {
  const uid = claim?.uid ?? '';
  return targets
    .filter((target) => belongsToPredecessor(target, { name, uid }) && !isSettled(target))
    .map((target) => ({ type: 'target.changed.v1', subject: { namespace, name: target.name } }));
}

function isSettled({ phase, isDeleting }: ObservedClaim['targets'][number]): boolean {
  return isDeleting || phase === 'Released' || phase === 'Failed';
}
