import type { Kubeconfig } from '../domain/gitops/kubeconfig-choice.ts';
import type { AccountNames, Connection, Installation, TargetAccess } from '../domain/gitops/managed-environment.ts';

/**
 * The clusters that tenants name. Their addresses may lead anywhere and may never answer: every call has an end, and
 * what a cluster does or says is an answer here and never trouble of ours. Only Conflict is thrown, where somebody wrote
 * to the same objects at the same time.
 */
export interface TargetClusters {
  /** What a tenant wrote, as far as it may be used. */
  readKubeconfig(bytes: Uint8Array): Kubeconfig | 'unreadable';
  /** Reads the namespace, or the list of all where none is named. */
  connect(access: TargetAccess, namespace: string | undefined, signal: AbortSignal): Promise<Connection>;
  /** What stands there of a service account. */
  inspect(access: TargetAccess, names: AccountNames, signal: AbortSignal): Promise<Installation>;
  /** Makes what is missing of it. Undefined: done; else why not, for the user. */
  install(access: TargetAccess, names: AccountNames, signal: AbortSignal): Promise<string | undefined>;
  /** Is any of it still there, for who has this token? */
  find(access: TargetAccess, names: AccountNames, signal: AbortSignal): Promise<'present' | 'gone' | 'unreachable'>;
  remove(access: TargetAccess, names: AccountNames, signal: AbortSignal): Promise<void>;
}
