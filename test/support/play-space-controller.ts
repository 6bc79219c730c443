import { spaceRequests } from '../../shared/contracts/kubernetes/kinds.ts';
import { finalizers } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../shared/contracts/kubernetes/space-request.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';

interface ReadyCondition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
}

export async function requestsIn(cluster: Cluster, namespace: string): Promise<readonly SpaceRequest[]> {
  const found: SpaceRequest[] = [];
  for await (const page of cluster.list(spaceRequests, { namespace })) found.push(...page);
  return found;
}

/** What the controller of SpaceRequests would say of one. */
export async function say(
  cluster: Cluster,
  { metadata: { namespace, name } }: SpaceRequest,
  { status, reason, message = '' }: ReadyCondition,
  access: readonly { readonly name: string; readonly secretRef?: string }[] = [],
): Promise<void> {
  const ready = { type: 'Ready', status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
  const said = { targetClusterURL: 'https://member.example', namespaceAccess: access, conditions: [ready] };
  await cluster.patch(spaceRequests, { namespace, name }, { status: said }, { subresource: 'status' });
}

/** Every request of the namespace gets its namespace. */
export async function fulfilAll(cluster: Cluster, namespace: string): Promise<void> {
  for (const request of await requestsIn(cluster, namespace)) {
    const { name } = request.metadata;
    await say(cluster, request, { status: 'True', reason: 'Provisioned' }, [
      { name: `${name}-space`, secretRef: `${name}-secret` },
    ]);
  }
}

/** Every request that was told to go, goes. */
export async function terminateAll(cluster: Cluster, namespace: string): Promise<void> {
  for (const { metadata } of await requestsIn(cluster, namespace)) {
    if (metadata.deletionTimestamp === undefined) continue;
    const left = metadata.finalizers.filter((each) => each !== finalizers.spaceRequest.key);
    const { name } = metadata;
    await cluster.patch(spaceRequests, { namespace, name }, { metadata: { finalizers: left } });
  }
}
