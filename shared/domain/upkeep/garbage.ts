import type { OperationType } from '../gitops/names.ts';

/** What nobody points to is garbage when it is older than this: a younger one may be in the middle of being made. */
export const garbageSeconds = 60 * 60;

/** An operation that ended and says nothing about how long it is to be kept. */
export const endedOperationSeconds = 24 * 60 * 60;

/** How long the report of a drift pass is kept. */
export const driftReportSeconds = 30 * 24 * 60 * 60;

/** The original's own user. It owns nothing, and stays. */
export const specialUser = 'cluster-agent-application-sync-user';

/** Rows that no mapping points to any more. */
export interface Orphan {
  readonly type: Exclude<OperationType, 'GitOpsEngineInstance'>;
  /** The key of the row, which is the UID of the resource it stood for. */
  readonly id: string;
}

/** A tenant that has nothing left in the API. */
export interface EmptyTenant {
  readonly id: string;
  readonly namespace: string;
}

/**
 * The tenants whose namespace is gone or was made again. One that has nothing left but still has its namespace is only
 * quiet, and keeps its place.
 */
export function deadTenants(
  tenants: readonly EmptyTenant[],
  namespaceUids: ReadonlyMap<string, string | undefined>,
): readonly EmptyTenant[] {
  return tenants.filter(({ id, namespace }) => namespaceUids.has(namespace) && namespaceUids.get(namespace) !== id);
}

/** What is left of orphans when those are taken out whose resource is still there: a drift pass gives them their mapping back. */
export function trulyOrphaned(orphans: readonly Orphan[], alive: ReadonlySet<string>): readonly Orphan[] {
  return orphans.filter(({ id }) => !alive.has(id));
}

/** An Operation object, and what the row that it names says. */
export interface OperationObject {
  readonly created: number;
  /** No user asked for it, and no user looks for its end. */
  readonly repair: boolean;
  /** Undefined: there is no such row. */
  readonly row: { readonly state: string; readonly created: number } | undefined;
}

/** Is an Operation object of no use any more? Its row stays as long as it likes. */
export function isUseless({ created, repair, row }: OperationObject, now: number): boolean {
  const limit = now - garbageSeconds * 1_000;
  if (row === undefined) return created < limit;
  if (repair && (row.state === 'Completed' || row.state === 'Failed')) return true;
  return row.state === 'Completed' && row.created < limit;
}
