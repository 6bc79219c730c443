import type { HostedClusterPlan } from './plan-hosted-cluster.ts';

/** `spec` of the HostedCluster. The pull Secret is the provider's own: no class and no tenant names it. */
export function hostedClusterSpec(plan: HostedClusterPlan, pullSecret: string): Readonly<Record<string, unknown>> {
  const { releaseImage, platform, services, baseDomain, others } = plan;
  return {
    ...others,
    release: { image: releaseImage },
    pullSecret: { name: pullSecret },
    platform,
    services,
    ...(baseDomain !== undefined && { dns: { baseDomain } }),
  };
}

/** `spec` of the NodePool: all nodes of the cluster are in one, and a sick node is replaced. */
export function nodePoolSpec(plan: HostedClusterPlan, clusterName: string): Readonly<Record<string, unknown>> {
  const { nodes, releaseImage, nodePlatform, arch } = plan;
  return {
    clusterName,
    replicas: nodes,
    release: { image: releaseImage },
    platform: nodePlatform,
    management: { upgradeType: 'Replace', autoRepair: true },
    ...(arch !== undefined && { arch }),
  };
}
