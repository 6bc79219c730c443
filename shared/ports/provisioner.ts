import type { Resources } from '../domain/core/quantity.ts';
import type { Provision } from '../domain/target/provision.ts';
import type { TargetClass } from '../domain/target/target.ts';

/** A target that should be made, or that was made, for one claim. */
export interface Wanted {
  readonly namespace: string;
  readonly claim: { readonly name: string; readonly uid: string };
  /** The class that asks for it; undefined where it is gone: then only what is there can be looked at and freed. */
  readonly class: TargetClass | undefined;
  readonly resources: Resources | undefined;
  readonly arch: string;
  /** The target that was made of it, where there is one. */
  readonly target?: string | undefined;
}

/**
 * Makes targets of the classes that name it, and takes away what is behind them. Every call may be repeated and may be cut
 * short anywhere: what stands is found again by the claim's UID. A new one is a file in shared/adapters/provisioners and a
 * line in its list.
 */
export interface Provisioner {
  /** As `provisioner` of a class says it. */
  readonly name: string;
  /** What stands for this claim. Reads only. */
  observe(wanted: Wanted, signal: AbortSignal): Promise<Provision>;
  /** Asks for what is missing of it, or for more where it has grown, and does not wait for it. */
  provision(wanted: Wanted, signal: AbortSignal): Promise<void>;
  /** Says which target was made of it, so that both find each other. */
  attach(wanted: Wanted & { readonly target: string }, signal: AbortSignal): Promise<void>;
  /** Asks to take it away, and does not wait for it. */
  release(wanted: Wanted, signal: AbortSignal): Promise<void>;
  /** What was made for claims of this name that are gone, by the UIDs of those claims. */
  orphans(
    claim: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly Orphan[]>;
}

export interface Orphan {
  readonly claimUid: string;
  /** The class that asked for it. */
  readonly className: string;
  /** The target that was made of it; undefined: none was. */
  readonly target: string | undefined;
}

/** Undefined: nobody here goes by that name. */
export type Provisioners = (name: string) => Provisioner | undefined;
