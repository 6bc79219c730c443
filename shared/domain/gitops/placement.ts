/** One Argo CD, and what matters for placing a tenant on it. */
export interface Engine {
  /** The UID of its namespace. */
  readonly instanceId: string;
  readonly namespace: string;
  /** The UID of kube-system of its cluster. */
  readonly clusterId: string;
  /** It runs in the cluster whose API the tenants use, so `in-cluster` is the cluster of their namespaces. */
  readonly local: boolean;
  readonly transport: 'queue' | 'agent';
  readonly acceptsTenants: boolean;
  readonly tenants: number;
}

/** The owner of an API namespace. The id of its row is the UID of the namespace. */
export interface Tenant {
  readonly namespace: string;
  readonly namespaceUid: string;
  /** Where it was placed; undefined for one that was never seen. */
  readonly placed: Engine | undefined;
  /** Where it could be placed. Only filled in where it is not placed yet. */
  readonly engines: readonly Engine[];
}

export function userIdOf({ namespaceUid }: Pick<Tenant, 'namespaceUid'>): string {
  return namespaceUid;
}

/**
 * Chooses the Argo CD of a tenant: the one it has, else the one with the fewest tenants. A tenant that deploys into its
 * own namespace needs an Argo CD of the same cluster. It never moves by itself: what one Argo CD deployed, another one
 * would deploy a second time.
 */
export function chooseEngine({ placed, engines }: Pick<Tenant, 'placed' | 'engines'>): Engine | undefined {
  if (placed !== undefined) return placed;
  const open = engines.filter(({ acceptsTenants }) => acceptsTenants);
  // The own namespace can only be reached from an Argo CD of the same cluster, so those go first.
  const near = open.filter(({ local }) => local);
  return (near.length > 0 ? near : open).toSorted(
    (one, other) => one.tenants - other.tenants || (one.instanceId < other.instanceId ? -1 : 1),
  )[0];
}
