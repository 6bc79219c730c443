import type { Said } from '../core/condition.ts';
import type { Resources } from '../core/quantity.ts';

export type ClaimPhase = '' | 'Pending' | 'Bound' | 'Lost';

/** A wish for a place to deploy to, as a rule sees it. */
export interface Claim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly isDeleting: boolean;
  /** It carries the binder's finalizer. */
  readonly isHeld: boolean;
  readonly className: string;
  readonly targetName: string;
  readonly resources: Resources | undefined;
  readonly arch: string;
  readonly phase: ClaimPhase;
  /** The binder is done with it. */
  readonly isBindComplete: boolean;
  readonly isBoundByController: boolean;
  /** The provisioner that should make a target for it; undefined: none was asked. */
  readonly provisioner: string | undefined;
  /** How long it may live, as the user wrote it; undefined: as long as it likes. */
  readonly timeToLive: string | undefined;
  readonly owner: string | undefined;
  readonly said: readonly Said[];
}
