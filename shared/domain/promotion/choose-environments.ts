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

/**
 * Where promotion starts for a new snapshot: every environment without a parent that takes it by itself. One that names a
 * parent that is not there is none: it may be production, applied a moment before what comes before it, or a slip of the pen.
 */
export function automatedRoots(environments: readonly GraphEnvironment[]): Choice {
  const order = promotionOrder(environments);
  return chooseAmong(
    order.roots.filter((name) => !order.isParentMissing(name)),
    environments,
  );
}

interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/**
 * Where a run begins. What a person names has to be as it should be, all of it. What was chosen by itself may have changed
 * while the run stood in line: it begins where such a run would begin now.
 */
export function chooseFirst(
  run: Pick<Run, 'goal' | 'cause'>,
  environments: readonly GraphEnvironment[],
): Choice | Obstacle {
  const { goal, cause } = run;
  const obstacle = findObstacle(run, environments);
  if (goal.kind === 'manual') return obstacle ?? { next: [goal.target], left: [] };
  const initial = [...new Set(goal.initial)].toSorted();
  if (cause === '') return obstacle ?? { next: initial, left: [] };
  const chosen = isOfSnapshot(cause)
    ? automatedRoots(environments)
    : chooseAmong(highestOf(initial, environments), environments);
  return chosen.next.length === 0 ? (obstacle ?? nowhere) : chosen;
}

const nowhere: Obstacle = {
  reason: 'NoAutomatedEnvironment',
  message: 'None of the environments takes a snapshot by itself any more: create a PromotionRun with manualPromotion',
};

/** A new Snapshot has started it, and not the run before it. */
function isOfSnapshot(cause: string): boolean {
  return cause.startsWith('Snapshot ');
}

/** Without those that have come to stand behind another one of them, or in a circle: a snapshot comes there later, or never. */
function highestOf(names: readonly string[], environments: readonly GraphEnvironment[]): readonly string[] {
  const order = promotionOrder(environments);
  const parents = new Map(environments.map(({ name, parent }) => [name, parent]));
  return names.filter((name) => {
    if (order.depthOf(name) === undefined) return false;
    for (let at = parents.get(name); at !== undefined; at = parents.get(at)) if (names.includes(at)) return false;
    return true;
  });
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
