import type { Claim } from '../claim/claim.ts';
import type { Condition } from '../core/condition.ts';
import type { Knock, Moment, Next } from '../core/step.ts';
import type { Orphan } from './orphan.ts';
import type { Provision } from './provision.ts';
import type { Target, TargetClass } from './target.ts';

/** What is done for a claim by the one who makes targets. */
export type ProvisionEffect =
  | { readonly do: 'ask-provisioner'; readonly provisioner: string; readonly at: number }
  | { readonly do: 'create-target'; readonly name: string }
  | { readonly do: 'attach-target'; readonly name: string; readonly to: string }
  | { readonly do: 'enlarge-target'; readonly name: string }
  | { readonly do: 'delete-target'; readonly name: string; readonly uid: string }
  | { readonly do: 'release-provision'; readonly what: string }
  | { readonly do: 'discard-orphan'; readonly id: string; readonly name: string }
  | { readonly do: 'keep-orphan'; readonly name: string; readonly why: 'Retain' | 'ClassNotFound' }
  | { readonly do: 'tell-claim'; readonly at: number };

/** Something that may have lost its claim. */
export interface SeenOrphan extends Orphan {
  readonly provisioner: string;
  /** Of the class that asked for it; undefined: that is gone. */
  readonly reclaimPolicy: string | undefined;
  /** The target that was made of it is there, and what is behind a target is the target's. */
  readonly hasTarget: boolean;
}

export interface SeenProvision {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly claim: Claim | undefined;
  readonly class: TargetClass | undefined;
  /** The one of ours who was asked; undefined: this claim is none of our business. */
  readonly provisioner: string | undefined;
  readonly provision: Provision;
  /** The target that the claim is bound to, or else the one that is kept for it. */
  readonly target: Target | undefined;
  /** The name that a target of it may have. */
  readonly targetName: string;
  readonly isNamespaceGoing: boolean;
  readonly orphans: readonly SeenOrphan[];
}

/** What a rule about a live or leaving claim sees: somebody of ours is asked for it. */
export interface ProvisionedClaim extends SeenProvision {
  readonly claim: Claim;
  readonly provisioner: string;
  readonly moment: Moment;
}

/** What is decided about the claim itself; what others of its name have left comes beside it. */
export interface ProvisionPart {
  readonly effects?: readonly ProvisionEffect[];
  readonly conditions?: readonly Condition[];
  readonly knocks?: readonly Knock[];
  readonly next: Next;
}

export function knockClaim({ namespace, name }: SeenProvision): Knock {
  return { type: 'claim.changed.v1', subject: { namespace, name } };
}
