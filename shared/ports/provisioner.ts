import type { Resources } from '../domain/core/quantity.ts';
import type { Orphan } from '../domain/target/orphan.ts';
import type { Provision } from '../domain/target/provision.ts';
import type { TargetClass } from '../domain/target/target.ts';
import type { ObjectKey } from './cluster.ts';

/** A target that should be made, or that was made, for one claim. */
export interface Wanted {
  readonly namespace: string;
  /** Undefined: the target no longer says whose it was, and is itself the only way to find what is behind it. */
  readonly claim: WantedClaim | undefined;
  /** The class that asks for it; undefined where it is gone: then only what is there can be looked at and freed. */
  readonly class: TargetClass | undefined;
  /** What the claim asks for, or what its class gives to claims that ask for nothing. */
  readonly resources: Resources | undefined;
  readonly arch: string;
  /** The target that was made of it, by whoever asks on behalf of that target. */
  readonly target?: string | undefined;
}

interface WantedClaim {
  readonly name: string;
  /** Undefined: a person wrote the reference to it, and any claim of that name is meant. */
  readonly uid: string | undefined;
  /** Milliseconds since the epoch, where it is known: what is older was not made for this claim. */
  readonly created?: number | undefined;
}

/**
 * Makes targets of the classes that name it, and takes away what is behind them. Every call may be repeated and may be cut
 * short anywhere: what stands is found again by the claim's UID. A call that finds nothing to do writes nothing. A new one
 * is a file in shared/adapters/provisioners and a line in its list; test/adapters/provisioners/provisioner-contract.ts says
 * what it has to keep.
 */
export interface Provisioner {
  /** As `provisioner` of a class says it. */
  readonly name: string;
  /** What stands for this claim. Reads only. */
  observe(wanted: Wanted, signal: AbortSignal): Promise<Provision>;
  /** Asks for what is missing of it, or for more where it has grown, and does not wait for it. */
  provision(wanted: Wanted, signal: AbortSignal): Promise<void>;
  /** Says which target was made of it, so that both find each other. The target is there. */
  attach(wanted: Wanted & { readonly target: string }, signal: AbortSignal): Promise<void>;
  /** Asks to take it away, and does not wait for it. */
  release(wanted: Wanted, signal: AbortSignal): Promise<void>;
  /** All that was made for claims of this name and is not yet being taken away, also for those that are still there. */
  made(claim: ObjectKey, signal: AbortSignal): Promise<readonly Orphan[]>;
  /** As `release`, for one of those. */
  discard(orphan: Orphan, signal: AbortSignal): Promise<void>;
}

/** Undefined: nobody here goes by that name. */
export interface Provisioners {
  (name: string): Provisioner | undefined;
  readonly all: readonly Provisioner[];
}
