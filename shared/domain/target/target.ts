import type { Said } from '../core/condition.ts';
import type { Resources } from '../core/quantity.ts';

export type TargetPhase = '' | 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';

/** A place to deploy to, as a rule sees it. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly isDeleting: boolean;
  /** It carries the finalizer of the provisioner that made it. */
  readonly isHeld: boolean;
  readonly className: string;
  /** The claim that has it, or that it is kept for. Without a UID a person wrote it, and any claim of that name is meant. */
  readonly claim: { readonly name: string; readonly uid?: string | undefined } | undefined;
  readonly phase: TargetPhase;
  /** The provisioner that made it; undefined: a person did. */
  readonly provisionedBy: string | undefined;
  readonly resources: Resources | undefined;
  readonly arch: string;
  readonly access: TargetAccess;
  readonly said: readonly Said[];
}

/** How a target is reached. The Secret is only named here. */
export interface TargetAccess {
  readonly defaultNamespace: string;
  readonly apiURL: string;
  readonly clusterCredentialsSecret: string;
  readonly allowInsecureSkipTLSVerify: boolean;
}

export interface TargetClass {
  readonly name: string;
  readonly uid: string;
  readonly provisioner: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Delete or Retain; anything else is somebody's mistake. */
  readonly reclaimPolicy: string;
  readonly allowsExpansion: boolean;
}
