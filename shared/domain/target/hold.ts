import type { Claim } from '../claim/claim.ts';
import { boundTarget } from '../claim/decide-bound.ts';
import type { Target } from './target.ts';

/** What there is between a target and the claim that its claimRef names. */
export type Hold =
  /** It names nobody. */
  | 'nobody'
  /** It names nobody although a claim has it: somebody took the name off, or never wrote it. The claim writes it again. */
  | 'forgotten'
  /** Both name each other, and the binder is done. */
  | 'held'
  /** The claim is there and may still take it. */
  | 'kept'
  /** A person has kept it for a claim that is not there yet. */
  | 'awaited'
  /** The claim is there and will not take it: it has, had or wants another one, or is of another class. */
  | 'elsewhere'
  /** The claim that had it, or that the binder kept it for, is gone and cannot come back. */
  | 'gone';

/** `claim` is the one that has the name in claimRef now; for a target that mayBeForgotten, one that says that it has it. */
export function holdOf(target: Target, claim: Claim | undefined): Hold {
  const { name, claim: reference } = target;
  if (reference === undefined)
    return mayBeForgotten(target) && claim !== undefined && claimHas(claim, target) ? 'forgotten' : 'nobody';
  const isMeant = claim !== undefined && (reference.uid === undefined || reference.uid === claim.uid);
  if (!isMeant) return reference.uid === undefined && !wasUsed(target) ? 'awaited' : 'gone';
  if (claim.isBindComplete && claim.targetName === name) return 'held';
  return mayStillTake(claim, target) ? 'kept' : 'elsewhere';
}

function mayStillTake({ targetName, className }: Claim, target: Target): boolean {
  return targetName === '' ? className === target.className : targetName === target.name;
}

/** Is it worth looking for a claim that it does not name? */
export function mayBeForgotten({ claim, phase, isDeleting }: Target): boolean {
  return claim === undefined && phase === 'Bound' && !isDeleting;
}

/** Does a claim say of itself that it has this target? */
export function claimHas(claim: Claim, target: Target): boolean {
  return claim.isBindComplete && !claim.isDeleting && boundTarget(claim, [target]) !== undefined;
}

/** Only then does it matter what the class says about targets whose claim is gone. */
export function needsPolicy(target: Target, claim: Claim | undefined): boolean {
  const { className, isDeleting, phase, provisionedBy } = target;
  if (className === '' || isDeleting || phase === 'Failed') return false;
  const hold = holdOf(target, claim);
  return (
    (hold === 'gone' && (wasUsed(target) || provisionedBy !== undefined)) || (hold === 'elsewhere' && wasUsed(target))
  );
}

/** A claim has had it. */
export function wasUsed({ phase }: Target): boolean {
  return phase === 'Bound' || phase === 'Released';
}
