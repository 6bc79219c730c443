import type { ClusterAccess } from './cluster.ts';

/** A cluster other than the tenants' own that runs Argo CDs of ours. */
export interface EngineCluster {
  /** The UID of its kube-system. */
  readonly clusterId: string;
  /** The namespaces of its Argo CDs. */
  readonly namespaces: readonly string[];
  readonly access: ClusterAccess;
}

export interface EngineClusters {
  /** All of them, with what opens them. */
  list(): Promise<readonly EngineCluster[]>;
}
