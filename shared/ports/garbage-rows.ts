import type { OperationType } from '../domain/gitops/names.ts';
import type { EmptyTenant, Orphan } from '../domain/upkeep/garbage.ts';

/** Whom clearing up concerns: an operation that was asked for, or a deployment that lost its environment. */
export interface Concerned {
  readonly type: OperationType | 'GitOpsDeployment';
  /** The key of the row, or the name of the deployment. */
  readonly resourceId: string;
  /** The namespace of the tenant, or of the Argo CD where nobody knows the tenant. */
  readonly namespace: string;
}

/** Times are milliseconds since the epoch: what is younger than `before` is never touched. */
export interface GarbageRows {
  /** Rows that no mapping points to, the oldest first. */
  orphans(before: number, most: number): Promise<readonly Orphan[]>;
  /** Deletes them with all that hangs on them, and asks for what stands beside an Argo CD to go, too. */
  dropOrphans(orphans: readonly Orphan[], before: number): Promise<readonly Concerned[]>;
  /** Tenants that have nothing left but the rows of their own namespace. */
  emptyTenants(before: number, afterId: string, most: number): Promise<readonly EmptyTenant[]>;
  /** Deletes their rows. One that still has a project beside an Argo CD waits until that has gone, and asks for it. */
  dropTenants(ids: readonly string[]): Promise<readonly Concerned[]>;
  /** Deletes users and credentials that nobody uses, mappings of namespaces that point to nothing, ended operations. */
  dropUnused(limits: UnusedLimits): Promise<number>;
  /** State and age of these operations, by their ids. */
  operations(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly state: string; readonly created: number }>>;
  /** Which of these users there are. */
  users(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface UnusedLimits {
  readonly now: number;
  readonly before: number;
  readonly reportsBefore: number;
  /** Of each kind. */
  readonly most: number;
}
