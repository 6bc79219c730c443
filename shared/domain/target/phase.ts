import type { Claim } from '../claim/claim.ts';
import { type Hold, wasUsed } from './hold.ts';
import { isReachable } from './is-bindable.ts';
import type { Target, TargetPhase } from './target.ts';

/** What is done with a target when its claim goes. `missing`: it has a class, and that does not exist. */
export type Policy = 'Delete' | 'Retain' | 'missing' | 'unreadable' | 'unexpected';

/** A target, and how it stands with its claim. */
export interface Standing {
  readonly target: Target;
  readonly claim: Claim | undefined;
  readonly hold: Hold;
  readonly policy: Policy | undefined;
}

/** The phase that a target should have. Whoever looks again at the same things says the same. */
export function phaseOf({ target, claim, hold, policy }: Standing): TargetPhase {
  const { phase, isDeleting } = target;
  // It goes, or it was used: what comes of it is for the reclaimer and for people to say.
  if (isDeleting || phase === 'Failed' || phase === 'Released') return phase;
  if (hold === 'held') return 'Bound';
  if (phase === 'Bound') return isLeft(target, hold, claim) ? 'Released' : 'Bound';
  // It was made for a claim that never got it, and nobody else asked for it.
  if (hold === 'gone' && target.provisionedBy !== undefined && policy === 'Delete') return 'Released';
  return isReachable(target) ? 'Available' : 'Pending';
}

/** Has whoever had it left it? */
function isLeft({ claim: reference }: Target, hold: Hold, claim: Claim | undefined): boolean {
  if (hold === 'nobody' || hold === 'gone') return true;
  // The binder writes a UID before anybody has a target. Its claim may yet be pointed back here, until it has another one.
  return hold === 'elsewhere' && (reference?.uid === undefined || claim?.phase === 'Bound');
}

/**
 * Should it no longer name its claim? One that was used goes on naming it where everything behind it will be deleted:
 * that is found by the claim.
 */
export function letsGo(standing: Standing): boolean {
  const { target, hold, policy } = standing;
  const { phase, className, isDeleting, provisionedBy, claim: reference } = target;
  if (isDeleting || phase === 'Failed' || (hold !== 'gone' && hold !== 'elsewhere')) return false;
  if (wasUsed(target)) return phaseOf(standing) === 'Released' && (className === '' || policy === 'Retain');
  // What a person kept stays kept, and what was made for a claim is its own while that is there.
  if (hold === 'elsewhere') return reference?.uid !== undefined && provisionedBy === undefined;
  return className === '' || provisionedBy === undefined || policy === 'Retain';
}
