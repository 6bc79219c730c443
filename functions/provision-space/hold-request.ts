import { type ObjectOf, spaceRequests } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Condition } from '../../shared/domain/core/condition.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import type { SpaceEffect } from '../../shared/domain/space/space-request.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { requestOf } from './request-of.ts';

type Request = ObjectOf<typeof spaceRequests.Schema>;
type Access = Extract<SpaceEffect, { do: 'tell-user' }>['access'];

/**
 * The request in our hand: each write goes over the version that was seen last. After a write of our own the request is
 * read again, and only if it still asks for the same does the next write go on.
 */
export function holdRequest(seen: Request, cluster: Cluster, signal: AbortSignal) {
  const { namespace, name, uid } = seen.metadata;
  let current: Request | undefined = seen;

  async function patch(body: (request: Request) => object, subresource?: 'status'): Promise<void> {
    current ??= await cluster.read(spaceRequests, { namespace, name }, { signal });
    if (current === undefined || !asksTheSame(current, seen)) throw new Conflict(`SpaceRequest ${name} has changed`);
    const { resourceVersion } = current.metadata;
    const written = { metadata: { resourceVersion }, ...body(current) } as { readonly metadata: object };
    const change = { ...written, metadata: { ...written.metadata, resourceVersion } };
    if (!(await cluster.patch(spaceRequests, { namespace, name }, change, { signal, subresource })))
      throw new Conflict(`SpaceRequest ${name} is gone by now`);
    current = undefined;
  }

  function asksTheSame(one: Request, other: Request): boolean {
    const key = annotations.wantedResources.key;
    return (
      one.metadata.uid === uid &&
      one.metadata.generation === other.metadata.generation &&
      one.metadata.deletionTimestamp === other.metadata.deletionTimestamp &&
      one.metadata.annotations[key] === other.metadata.annotations[key]
    );
  }

  return {
    hold: () =>
      patch(({ metadata }) => ({
        metadata: { finalizers: [...metadata.finalizers, finalizers.spaceRequest.key] },
      })),
    letGo: () =>
      patch(({ metadata }) => ({
        metadata: { finalizers: metadata.finalizers.filter((key) => key !== finalizers.spaceRequest.key) },
      })),
    recordGrant: (resources: string | undefined) =>
      patch(() => ({ metadata: { annotations: { [annotations.grantedResources.key]: resources ?? null } } })),

    /** Written only where it says something else than before. */
    async tell(conditions: readonly Condition[], at: number, access?: Access): Promise<void> {
      const told = withConditions(requestOf(seen).said, conditions, at);
      if (told === undefined && access === undefined) return;
      const status = {
        ...(told !== undefined && {
          conditions: told.map(({ lastTransitionTime, ...rest }) => ({
            ...rest,
            ...(lastTransitionTime !== '' && { lastTransitionTime }),
          })),
        }),
        ...(access !== undefined && {
          targetClusterURL: access.server,
          namespaceAccess: [{ name: access.namespace, secretRef: access.secret }],
        }),
      };
      await patch(() => ({ status }), 'status');
    },
  };
}
