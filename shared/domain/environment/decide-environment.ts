import { timeToLiveSeconds } from '../claim/time-to-live.ts';
import type { Condition, Said } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { blockedOn, type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { Problem } from './choose-place.ts';
import {
  type Environment,
  type EnvironmentEffect,
  managedEnvironmentName,
  type SeenEnvironment,
} from './environment.ts';
import { type Kept, keepPlace, removeAll } from './keep-place.ts';
import { childrenThatStay, cycleMessage, deletableConditions, parentConditions, whoMustLook } from './parents.ts';
import { type PromotionOrder, promotionOrder } from './promotion-order.ts';

const defaultDeadlineSeconds = 3_600;
/** Nobody gets a cluster ready sooner, and a look costs something. */
const shortestDeadlineSeconds = 15;
/** Once it is overdue, nobody sits and waits for it any more. */
const overdueSeconds = 600;

/**
 * Decides what becomes of an Environment: a managed environment for its place, the finalizer while it is a parent, and
 * what is told. It never deploys to a place that is not the tenant's any more, and it never takes part in a circle.
 */
export function decideEnvironment(seen: SeenEnvironment, moment: Moment): Step<EnvironmentEffect> {
  const { name, environment, isNamespaceGoing } = seen;
  // A finalizer of ours must not keep a namespace; the rest goes with it.
  if (isNamespaceGoing) return step(environment?.isHeld ? [{ do: 'let-environment-go' }] : []);

  const siblings = new Map(seen.siblings.map((one) => [one.name, one]));
  const order = promotionOrder(seen.siblings);
  const others = whoMustLook(siblings, order, name).map((other) => look(seen, other));
  // Kubernetes takes away what it owned. What it cannot know of, or did not yet, goes here.
  if (environment === undefined) return { ...step(removeAll(seen)), knocks: others };

  const children = childrenThatStay(name, order, siblings);
  const kept = keep(seen, environment, order, children);
  const ready = overdue(kept, environment, moment);
  const conditions: readonly Condition[] = [
    ...parentConditions(environment, order),
    ...deletableConditions(environment, children),
    ...(kept === undefined ? [] : errorConditions(environment.said, kept.problem)),
    ...(ready === undefined ? [] : [ready]),
  ];
  const isNews = withConditions(environment.said, conditions, moment.now) !== undefined;
  return {
    effects: [
      ...holdEffects(environment, children),
      ...(kept?.effects ?? []),
      ...(isNews ? [{ do: 'tell-user' as const, at: moment.now }] : []),
    ],
    conditions,
    knocks: [...others, ...rotated(seen, kept)],
    next: kept === undefined ? settled : nextLook(kept, ready, environment, moment),
  };
}

/** Undefined: its place is nobody's business any more. */
function keep(
  seen: SeenEnvironment,
  environment: Environment,
  order: PromotionOrder,
  children: readonly string[],
): Kept | undefined {
  const { isDeleting } = environment;
  if (isDeleting && (children.length === 0 || seen.managed === undefined)) return undefined;
  const cycle = order.cycleOf(environment.name);
  if (cycle !== undefined)
    return {
      effects: [],
      ready: { status: 'False', reason: 'ParentCycle', message: cycleMessage(cycle) },
      on: `Environment ${environment.parent}`,
    };
  const kept = keepPlace(seen, environment);
  // Whoever deletes it in the foreground has its objects deleted first: making them again would go on for ever.
  return isDeleting ? { ...kept, effects: kept.effects.filter((effect) => !isCreation(effect)) } : kept;
}

function isCreation(effect: EnvironmentEffect): boolean {
  return effect.do === 'create-managed-environment' || effect.do === 'copy-secret';
}

function holdEffects({ isHeld, isDeleting }: Environment, children: readonly string[]): EnvironmentEffect[] {
  if (isHeld && children.length === 0) return [{ do: 'let-environment-go' }];
  return !isHeld && !isDeleting && children.length > 0 ? [{ do: 'hold-environment' }] : [];
}

/** `Reconciled`, and `ErrorOccurred` for older clients. A first success says nothing; a later one takes back what was said. */
function errorConditions(said: readonly Said[], problem: Problem | undefined): Condition[] {
  if (problem !== undefined) {
    const { reason, message } = problem;
    return [
      { type: 'Reconciled', status: 'False', reason, message },
      { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message },
    ];
  }
  return [...resolved(said, 'Reconciled', 'True'), ...resolved(said, 'ErrorOccurred', 'False')];
}

function resolved(said: readonly Said[], type: string, status: 'True' | 'False'): Condition[] {
  const before = said.find((one) => one.type === type);
  if (before === undefined || before.status === status) return [];
  return [{ type, status, reason: `${before.reason}Resolved`, message: '' }];
}

function overdue(kept: Kept | undefined, environment: Environment, moment: Moment): Condition | undefined {
  if (kept === undefined) return undefined;
  const { status, reason, message } = kept.ready;
  const late = status !== 'True' && isOverdue(kept, environment, moment);
  const remark = late ? ` (overdue: targetDeadline is ${environment.targetDeadline})` : '';
  return { type: 'TargetReady', status, reason, message: `${message}${remark}` };
}

function isOverdue({ ready }: Kept, environment: Environment, { now, waiting }: Moment): boolean {
  return waiting?.reason === ready.reason && now - waiting.since >= deadlineSeconds(environment) * 1_000;
}

/**
 * What it waits for wakes it, by the rows that say who looks at what. A row may come a moment too late, so it looks again
 * by itself, too; but not where the object that it waits for bears its name, or only the user's own change helps.
 */
function nextLook(kept: Kept, ready: Condition | undefined, environment: Environment, moment: Moment): Next {
  if (ready === undefined || ready.status === 'True' || kept.on === undefined) return settled;
  const { reason, message } = ready;
  const deadline = deadlineSeconds(environment);
  const isLate = isOverdue(kept, environment, moment);
  const wait = { reason, message, deadlineSeconds: isLate ? Math.max(deadline, overdueSeconds) : deadline };
  if (!isFoundByRow(kept.on)) return blockedOn(kept.on, wait);
  if (isLate) return recheck(overdueSeconds, wait);
  const since = moment.waiting?.reason === reason ? moment.waiting.since : moment.now;
  const left = Math.ceil(deadline - (moment.now - since) / 1_000);
  return recheck(Math.max(1, Math.min(left, patienceSeconds(moment, reason))), wait);
}

function isFoundByRow(on: string): boolean {
  return on.startsWith('DeploymentTargetClaim ') || on.startsWith('Secret ');
}

function deadlineSeconds({ targetDeadline }: Environment): number {
  return Math.max(shortestDeadlineSeconds, timeToLiveSeconds(targetDeadline) ?? defaultDeadlineSeconds);
}

/** A managed environment that names the same Secret as before does not change when the Secret does. */
function rotated({ namespace, name }: SeenEnvironment, kept: Kept | undefined): Knock[] {
  const effects = kept?.effects ?? [];
  return effects.some((effect) => effect.do === 'update-copied-secret')
    ? [{ type: 'managed-environment.changed.v1', subject: { namespace, name: managedEnvironmentName(name) } }]
    : [];
}

function look({ namespace }: SeenEnvironment, name: string): Knock {
  return { type: 'environment.changed.v1', subject: { namespace, name } };
}

function step(effects: readonly EnvironmentEffect[]): Step<EnvironmentEffect> {
  return { effects, conditions: [], knocks: [], next: settled };
}
