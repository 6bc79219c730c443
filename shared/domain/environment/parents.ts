import type { Condition, Said } from '../core/condition.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { Sibling } from './environment.ts';
import type { PromotionOrder } from './promotion-order.ts';

/** More names than these help nobody. */
const mostNames = 10;

/** The Environments that keep this one from going: those that have it as their parent and do not go themselves. */
export function childrenThatStay(
  name: string,
  order: PromotionOrder,
  siblings: ReadonlyMap<string, Sibling>,
): readonly string[] {
  return order.childrenOf(name).filter((child) => child !== name && siblings.get(child)?.isDeleting === false);
}

/** What is to be told of an Environment's place among the others. Nothing, where nothing ever was wrong. */
export function parentConditions({ name, parent, said }: Sibling, order: PromotionOrder): readonly Condition[] {
  const cycle = order.cycleOf(name);
  return [
    ...toldWhileWrong(
      said,
      'ParentsValid',
      'NoCycle',
      cycle && { reason: 'ParentCycle', message: cycleMessage(cycle) },
    ),
    ...toldWhileWrong(
      said,
      'ParentFound',
      'ParentFound',
      order.isParentMissing(name)
        ? {
            reason: 'ParentNotFound',
            message: `The parent environment ${parent} does not exist: until it does, no Snapshot comes here by itself`,
          }
        : undefined,
    ),
  ];
}

export function cycleMessage(cycle: readonly string[]): string {
  const whole = [...cycle, cycle[0]];
  const shown = whole.length <= mostNames + 2 ? whole : [...whole.slice(0, mostNames), '…', cycle[0]];
  return `Each of these Environments names the next one as its parent, so no promotion ever gets there: ${shown.join(' → ')}. Give one of them another parentEnvironment`;
}

/** Told only while it is being deleted, and taken back if something else keeps it after that. */
export function deletableConditions({ isDeleting, said }: Sibling, children: readonly string[]): readonly Condition[] {
  if (!isDeleting) return [];
  const named = children.slice(0, mostNames).join(', ');
  const more = children.length > mostNames ? ` and ${children.length - mostNames} more` : '';
  const message = `It is the parentEnvironment of ${named}${more}: give ${children.length === 1 ? 'it another parent or delete it' : 'them another parent or delete them'}, then this Environment goes`;
  return toldWhileWrong(
    said,
    'Deletable',
    'NoChildren',
    children.length === 0 ? undefined : { reason: 'HasChildren', message },
  );
}

/**
 * The others that are not as the list says they should be: they are told to look at themselves. Whoever looks last sees
 * everything, so it comes out right in whatever order things happened.
 */
export function whoMustLook(
  siblings: ReadonlyMap<string, Sibling>,
  order: PromotionOrder,
  except: string,
): readonly string[] {
  return [...siblings.values()]
    .filter((one) => one.name !== except && !isAsItShould(one, order, siblings))
    .map(({ name }) => name)
    .toSorted();
}

function isAsItShould(one: Sibling, order: PromotionOrder, siblings: ReadonlyMap<string, Sibling>): boolean {
  const children = childrenThatStay(one.name, order, siblings);
  // Nobody can hold what is on its way out already.
  const isHeldWell = children.length > 0 === one.isHeld || (one.isDeleting && !one.isHeld);
  const conditions = [...parentConditions(one, order), ...deletableConditions(one, children)];
  return isHeldWell && withConditions(one.said, conditions, 0) === undefined;
}

function toldWhileWrong(
  said: readonly Said[],
  type: string,
  resolved: string,
  wrong: { readonly reason: string; readonly message: string } | undefined,
): Condition[] {
  if (wrong !== undefined) return [{ type, status: 'False', ...wrong }];
  const before = said.find((one) => one.type === type);
  return before === undefined || before.status === 'True'
    ? []
    : [{ type, status: 'True', reason: resolved, message: '' }];
}
