import { type HostedCluster, hostedClusters } from '../../contracts/hypershift/hosted-cluster.ts';
import { hostedKeys } from '../../contracts/hypershift/hosted-keys.ts';
import { type NodePool, nodePools } from '../../contracts/hypershift/node-pool.ts';
import { annotations, labels } from '../../contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { hostedClusterName } from '../../domain/target/hosted-cluster.ts';
import { hostedClusterSpec, nodePoolSpec } from '../../domain/target/hosted-cluster-spec.ts';

import type { HostedClusterPlan } from '../../domain/target/plan-hosted-cluster.ts';
import type { Cluster, NewObject } from '../../ports/cluster.ts';
import type { Wanted } from '../../ports/provisioner.ts';
import { Refused } from '../../ports/trouble.ts';

export interface HostedPlace {
  /** The cluster that HyperShift runs on. */
  readonly cluster: Cluster;
  /** The namespace of all hosted clusters, which is the provider's. */
  readonly namespace: string;
  /** The Secret of that namespace with which clusters fetch their images. */
  readonly pullSecret: string;
}

/** A hosted cluster that is there, or whose name is at least known. */
export interface Named {
  readonly name: string;
  readonly claimUid: string;
  readonly found: HostedCluster | undefined;
}

/**
 * The hosted cluster of a claim. A target that changed hands says more than the claim that has it now: what was made for
 * that claim, if anything, is another cluster.
 */
export async function findHosted(place: HostedPlace, wanted: Wanted, signal: AbortSignal): Promise<Named | undefined> {
  const { namespace, claim, target } = wanted;
  if (target !== undefined) {
    const attached = (await listHosted(place, namespace, signal)).find(({ metadata }) => targetOf(metadata) === target);
    if (attached !== undefined) return named(attached);
  }
  if (claim === undefined) return undefined;
  if (claim.uid === undefined) {
    const ofTheName = (await listHosted(place, namespace, signal)).find(
      ({ metadata }) => nameOf(metadata) === claim.name,
    );
    return ofTheName === undefined ? undefined : named(ofTheName);
  }
  const name = hostedClusterName({ name: claim.name, uid: claim.uid }, place.namespace);
  const found = await place.cluster.read(hostedClusters, { namespace: place.namespace, name }, { signal });
  const isAnothers = target !== undefined && found !== undefined && targetOf(found.metadata) !== undefined;
  return isAnothers ? undefined : { name, claimUid: claim.uid, found };
}

/** Those of one tenant. */
export async function listHosted(place: HostedPlace, tenant: string, signal: AbortSignal): Promise<HostedCluster[]> {
  const found: HostedCluster[] = [];
  const labelSelector = `${hostedKeys.tenantNamespace}=${tenant}`;
  for await (const page of place.cluster.list(hostedClusters, { namespace: place.namespace, labelSelector, signal }))
    found.push(...page);
  return found;
}

export async function readPool(place: HostedPlace, name: string, signal: AbortSignal): Promise<NodePool | undefined> {
  return place.cluster.read(nodePools, { namespace: place.namespace, name }, { signal });
}

/** The cluster goes before its nodes: a pool without a cluster is an error to HyperShift, a cluster without a pool is not. */
export async function makeHosted(
  place: HostedPlace,
  { name, found }: Named,
  plan: HostedClusterPlan,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<void> {
  const metadata = metadataFor(place, name, plan, wanted);
  if (found === undefined)
    await place.cluster
      .create(hostedClusters, { metadata, spec: hostedClusterSpec(plan, place.pullSecret) }, { signal })
      .catch(explain);
  const pool = await readPool(place, name, signal);
  if (pool === undefined)
    await place.cluster.create(nodePools, { metadata, spec: nodePoolSpec(plan, name) }, { signal }).catch(explain);
}

function metadataFor(
  { namespace }: HostedPlace,
  name: string,
  { resources }: HostedClusterPlan,
  wanted: Wanted,
): NewObject['metadata'] {
  const claim = wanted.claim?.name ?? '';
  return {
    name,
    namespace,
    labels: {
      [hostedKeys.tenantNamespace]: wanted.namespace,
      ...(fitsLabel(claim) && { [labels.claim]: claim }),
    },
    annotations: {
      [hostedKeys.claimName]: claim,
      [annotations.claimUid.key]: wanted.claim?.uid ?? '',
      [annotations.claimClass.key]: wanted.class?.name ?? '',
      ...(resources !== undefined && { [annotations.wantedResources.key]: JSON.stringify(resources) }),
    },
  };
}

/** Whoever reads it cannot see into the provider's namespace. */
function explain(error: unknown): never {
  if (error instanceof Refused && error.reason === 'NotFound')
    throw new Refused(
      'HyperShiftMissing',
      'No cluster can be made: HyperShift is not installed where HOSTED_CLUSTERS_NAMESPACE says, or there is no such namespace',
      { cause: error },
    );
  throw error;
}

type Metadata = HostedCluster['metadata'];

function named(found: HostedCluster): Named {
  return { name: found.metadata.name, claimUid: claimUidOf(found.metadata) ?? '', found };
}

export function claimUidOf(metadata: Metadata): string | undefined {
  return metadata.annotations[annotations.claimUid.key];
}

export function nameOf(metadata: Metadata): string | undefined {
  return metadata.annotations[hostedKeys.claimName];
}

export function targetOf(metadata: Metadata | undefined): string | undefined {
  return metadata?.annotations[hostedKeys.target];
}

export function tenantOf(metadata: Metadata): string | undefined {
  return metadata.labels[hostedKeys.tenantNamespace];
}
