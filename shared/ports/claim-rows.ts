import type { Claim } from '../domain/claim/claim.ts';
import type { Target } from '../domain/target/target.ts';
import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** A free target as the rows know it: the API server may know better. */
export interface Candidate {
  readonly name: string;
  readonly version: string;
}

export interface AroundClaim {
  /** The targets whose claimRef names it. */
  readonly reserved: readonly string[];
  /** Free targets that would do, the best first; the first few of them. */
  readonly candidates: readonly Candidate[];
  /** The Environments that name it. */
  readonly environments: readonly string[];
}

export interface AroundTarget {
  /** What was last remembered of a target of this name. */
  readonly known:
    | { readonly uid: string; readonly version: string; readonly claimName: string | undefined }
    | undefined;
  /**
   * Claims without a target for which this may be a chance, the oldest first: those that name it; where it is free, a few
   * that it would do for; where it was free and is taken, a few that another free one would do for.
   */
  readonly waiting: readonly string[];
  /** The Environments that name its claim, or the one that had it. */
  readonly environments: readonly string[];
}

/**
 * Who could have which target, so that nobody has to list them all. It is a memory, not the truth: whoever binds looks at
 * the target itself and writes with its version. What was missed is told again by the drift pass.
 */
export interface ClaimRows {
  observeClaim(claim: Claim): Promise<AroundClaim>;
  /** What is around a claim that is gone. */
  observeGoneClaim(key: ObjectKey): Promise<Omit<AroundClaim, 'candidates'>>;
  /** `target` undefined: it is gone, and what the rows know of it is asked for. */
  observeTarget(key: ObjectKey, target: Target | undefined): Promise<AroundTarget>;
  /** Only by who tells others that a target has changed: what is remembered has been told. */
  rememberTarget(target: Target): RowWrite;
  /** A claim has just got it. */
  claimTarget(uid: string, claim: { readonly name: string; readonly uid: string }): RowWrite;
  forgetTarget(uid: string): RowWrite;
  rememberWaiting(claim: Claim): RowWrite;
  /** No claim of this name waits any more. */
  forgetWaiting(key: ObjectKey): RowWrite;
}
