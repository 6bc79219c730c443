import type { Provision } from '../target/provision.ts';
import type { Target, TargetClass } from '../target/target.ts';
import type { Claim, ClaimPhase } from './claim.ts';

/** A claim and what is around it. Of targets and classes only those matter that the rule would ask for. */
export interface ObservedClaim {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly claim: Claim | undefined;
  /** Looked at only where something would be begun or ended; see needs.ts. */
  readonly isNamespaceGoing: boolean;
  /** Those that it names, those that name it, and free ones that may fit. */
  readonly targets: readonly Target[];
  /** Those that needs.ts asks for, as far as they exist. */
  readonly classes: readonly TargetClass[];
  /** The Environments that name it. */
  readonly environments: readonly string[];
  /** What its provisioner knows of it; undefined: it was not asked, or nobody here goes by that name. */
  readonly provision: Provision | undefined;
}

/** What is seen of a claim that is there. */
export type LivingClaim = ObservedClaim & { readonly claim: Claim };

export type ClaimEffect =
  /** The first pointer: from now on nobody else can have the target. */
  | { readonly do: 'reserve-target'; readonly target: string }
  /** The binder's finalizer. */
  | { readonly do: 'hold-claim' }
  /** The second pointer, and the mark that the binder is done. */
  | { readonly do: 'point-claim'; readonly target: string; readonly byController: boolean }
  /** A provisioner should make a target for it. */
  | { readonly do: 'mark-claim'; readonly provisioner: string }
  | { readonly do: 'unmark-claim' }
  /** The target says that it is bound. */
  | { readonly do: 'tell-target'; readonly target: string }
  | { readonly do: 'tell-claim'; readonly phase: ClaimPhase; readonly at: number }
  /** The claim that used it goes, and it stays. */
  | { readonly do: 'release-target'; readonly target: string }
  /** It was kept for the claim, and never used. */
  | { readonly do: 'free-target'; readonly target: string }
  | { readonly do: 'delete-target'; readonly target: string; readonly uid: string }
  | { readonly do: 'let-claim-go' }
  /** It has lived as long as it may. */
  | { readonly do: 'delete-claim'; readonly uid: string };
