import type { namespaces, ObjectOf, spaceRequests } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers, readAnnotation } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Status } from '../../shared/domain/core/condition.ts';
import type { Place, SpaceRequest } from '../../shared/domain/space/space-request.ts';

/** A SpaceRequest in the words of the rule. */
export function requestOf({ metadata, spec, status }: ObjectOf<typeof spaceRequests.Schema>): SpaceRequest {
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isHeld: metadata.finalizers.includes(finalizers.spaceRequest.key),
    tier: spec.tierName,
    wanted: readAnnotation(metadata.annotations, annotations.wantedResources),
    granted: readAnnotation(metadata.annotations, annotations.grantedResources),
    said: (status?.conditions ?? []).map((condition) => ({
      ...condition,
      status: condition.status as Status,
      lastTransitionTime: condition.lastTransitionTime ?? '',
    })),
    server: status?.targetClusterURL ?? '',
    access: (status?.namespaceAccess ?? []).map(({ name, secretRef }) => ({ name, secret: secretRef })),
  };
}

/** Only a namespace that says which request it was made for is one of ours. */
export function isMadeFor({ uid }: { readonly uid: string }, namespace: ObjectOf<typeof namespaces.Schema>): boolean {
  return readAnnotation(namespace.metadata.annotations, annotations.spaceRequestUid) === uid;
}

export function placeOf({ metadata, ...rest }: ObjectOf<typeof namespaces.Schema>): Place {
  const { name, uid, deletionTimestamp } = metadata;
  const leavingSince = deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp);
  return { name, uid, leavingSince, inTheWay: leavingSince === undefined ? '' : inTheWay(rest['status']) };
}

/** The words of Kubernetes for what keeps a namespace: finalizers first, because somebody has to do something about them. */
function inTheWay(status: unknown): string {
  const conditions = (status as { readonly conditions?: unknown } | undefined)?.conditions;
  const said = (Array.isArray(conditions) ? conditions : []) as readonly Readonly<Record<string, unknown>>[];
  const types = ['NamespaceFinalizersRemaining', 'NamespaceContentRemaining', 'NamespaceDeletionDiscoveryFailure'];
  const [first] = types.flatMap((type) => said.filter((one) => one['type'] === type && one['status'] === 'True'));
  return typeof first?.['message'] === 'string' ? first['message'] : '';
}
