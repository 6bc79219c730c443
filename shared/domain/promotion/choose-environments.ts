import { promotionOrder } from '../environment/promotion-order.ts';
import { isOurs } from './is-ours.ts';
import type { GraphEnvironment, Run } from './promotion.ts';

/** An environment that would come next, and why it does not. */
export interface Left {
  readonly name: string;
  readonly why: 'manual' | 'external' | 'leaving';
  readonly controller: string;
}

interface Choice {
  /** Those that a snapshot goes on to by itself, in the order of their names. */
  readonly next: readonly string[];
  readonly left: readonly Left[];
}

/** Where promotion starts for a new snapshot: every environment without a parent that takes it by itself. */
export function automatedRoots(environments: readonly GraphEnvironment[]): Choice {
  return chooseAmong(promotionOrder(environments).roots, environments);
}

interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/**
 * Where a run begins. What a person names has to be as it should be, all of it. What was chosen by itself may have changed
 * while the run stood in line: it goes where it still may.
 */
export function chooseFirst(
  run: Pick<Run, 'goal' | 'cause'>,
  environments: readonly GraphEnvironment[],
): Choice | Obstacle {
  const { goal, cause } = run;
  const obstacle = findObstacle(run, environments);
  if (goal.kind === 'manual') return obstacle ?? { next: [goal.target], left: [] };
  const initial = [...new Set(goal.initial)].toSorted();
  if (obstacle === undefined) return { next: initial, left: [] };
  const order = promotionOrder(environments);
  const still = chooseAmong(
    initial.filter((name) => order.depthOf(name) !== undefined),
    environments,
  );
  return cause === '' || still.next.length === 0 ? obstacle : still;
}

/** Where a snapshot goes on to from these environments by itself. */
export function automatedChildren(parents: readonly string[], environments: readonly GraphEnvironment[]): Choice {
  const order = promotionOrder(environments);
  // What stands in a circle has no depth: no snapshot gets there.
  const children = parents
    .flatMap((name) => order.childrenOf(name))
    .filter((name) => order.depthOf(name) !== undefined);
  return chooseAmong(children, environments);
}

/** What keeps the environments that a run names from being promoted to. Undefined: nothing. */
export function findObstacle(
  { goal }: Pick<Run, 'goal'>,
  environments: readonly GraphEnvironment[],
): Obstacle | undefined {
  const order = promotionOrder(environments);
  const named = goal.kind === 'manual' ? [goal.target] : goal.initial;
  if (named.length === 0 || named.includes(''))
    return { reason: 'TargetEnvironmentInvalid', message: 'Target Environment has invalid value.' };
  for (const name of named) {
    const found = environments.find((one) => one.name === name);
    if (found === undefined)
      return {
        reason: 'EnvironmentNotFound',
        message: `Environment ${name} does not exist: create it, or promote to another one`,
      };
    if (found.isDeleting)
      return { reason: 'EnvironmentLeaving', message: `Environment ${name} is being deleted: promote to another one` };
    const cycle = order.cycleOf(name);
    if (cycle !== undefined)
      return {
        reason: 'ParentCycle',
        message: `Environment ${name} is its own parent by way of ${cycle.join(', ')}: give one of them another parentEnvironment`,
      };
    if (!isOurs(found.controller))
      return {
        reason: 'ExternalController',
        message: `Environment ${name} is promoted to by ${found.controller}: its spec.deploymentController says so`,
      };
    if (goal.kind === 'automated' && !found.isAutomated)
      return {
        reason: 'EnvironmentNotAutomated',
        message: `Environment ${name} has the deploymentStrategy Manual: use manualPromotion to promote to it`,
      };
  }
  return undefined;
}

function chooseAmong(names: readonly string[], environments: readonly GraphEnvironment[]): Choice {
  const next: string[] = [];
  const left: Left[] = [];
  for (const name of names.toSorted()) {
    const found = environments.find((one) => one.name === name);
    if (found === undefined) continue;
    const { controller } = found;
    if (found.isDeleting) left.push({ name, why: 'leaving', controller });
    else if (!isOurs(controller)) left.push({ name, why: 'external', controller });
    else if (!found.isAutomated) left.push({ name, why: 'manual', controller });
    else next.push(name);
  }
  return { next, left };
}
