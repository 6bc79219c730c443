import { letIn, type Verdict } from '../gitops/admit.ts';
import { cycleMessage } from './parents.ts';
import { type ParentLink, promotionOrder } from './promotion-order.ts';

export interface OtherEnvironment extends ParentLink {
  readonly isDeleting: boolean;
}

/** More names than these help nobody. */
const mostNames = 10;

/**
 * May it stand behind that parent? Not where the way leads back to it; the words are those of the condition that answers
 * where nobody asked here. A parent that is not there yet is fine, and so is a circle of others: theirs to mend.
 */
export function admitParent(written: ParentLink, others: readonly ParentLink[]): Verdict {
  const cycle = promotionOrder([...others, written]).cycleOf(written.name);
  return cycle === undefined ? letIn : { refused: cycleMessage(cycle), warnings: [] };
}

/** May it go? Not while it is the parent of one that stays. */
export function admitRemoval(name: string, others: readonly OtherEnvironment[]): Verdict {
  const children = others
    .filter((other) => other.parent === name && other.name !== name && !other.isDeleting)
    .map((other) => other.name)
    .toSorted();
  if (children.length === 0) return letIn;
  const named = children.slice(0, mostNames).join(', ');
  const more = children.length > mostNames ? ` and ${children.length - mostNames} more` : '';
  const remedy =
    children.length === 1 ? 'give it another parent or delete it' : 'give them another parent or delete them';
  return {
    refused: `Environment ${name} is the parentEnvironment of ${named}${more}: ${remedy}, then this Environment may be deleted`,
    warnings: [],
  };
}
