import { gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { type DeploymentEffect, deploymentFinalizer } from '../../shared/domain/gitops/deployment.ts';
import { errorOccurred, inCondition } from '../../shared/domain/gitops/deployment-step.ts';
import { chooseEngine, userIdOf } from '../../shared/domain/gitops/placement.ts';
import { say, sayResolved } from '../../shared/domain/gitops/probed-conditions.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { Seen } from './observe.ts';

/** The object itself: its condition and its finalizer. Both only over the version that was seen. */
export async function apply(
  seen: Seen,
  { effects }: Step<DeploymentEffect>,
  { clusters }: World,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name, deployment, version: resourceVersion } = seen;
  if (deployment === undefined) return;
  const patches = effects.flatMap((effect) => patchFor(effect, deployment));
  for (const { subresource, patch } of patches) {
    const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
    // An object that is gone by now has nothing left to be told; its end makes a knock of its own.
    await clusters.local.patch(gitOpsDeployments, { namespace, name }, body, { signal, subresource });
  }
}

interface Patch {
  readonly subresource: 'status' | undefined;
  readonly patch: { readonly metadata?: object; readonly status?: object };
}

function patchFor(
  effect: DeploymentEffect,
  { conditions, finalizers }: NonNullable<Seen['deployment']>,
): readonly Patch[] {
  switch (effect.do) {
    case 'say-error':
      return [inStatus(say(conditions, inCondition(effect.message), effect.at))];
    case 'resolve-error':
      return [inStatus(sayResolved(conditions, errorOccurred, effect.at))];
    case 'remove-finalizer':
      return [
        {
          subresource: undefined,
          patch: { metadata: { finalizers: finalizers.filter((one) => one !== deploymentFinalizer) } },
        },
      ];
    default:
      return [];
  }
}

function inStatus(conditions: readonly object[]): Patch {
  return { subresource: 'status', patch: { status: { conditions } } };
}

/** What is only true of a tenant whose rows are there. */
const needsTenant: ReadonlySet<DeploymentEffect['do']> = new Set([
  'create-application',
  'update-application',
  'restore-owner',
]);

export function rows(seen: Seen, { effects }: Step<DeploymentEffect>, world: World): readonly RowWrite[] {
  const written = effects.flatMap((effect) => rowsFor(effect, seen, world));
  return effects.some(({ do: what }) => needsTenant.has(what)) ? [...placement(seen, world), ...written] : written;
}

function placement({ tenant, placesTenant }: Seen, { tenants }: World): readonly RowWrite[] {
  const engine = tenant === undefined ? undefined : chooseEngine(tenant);
  return tenant === undefined || engine === undefined || !placesTenant ? [] : tenants.place(tenant, engine);
}

function rowsFor(effect: DeploymentEffect, seen: Seen, { deployments }: World): readonly RowWrite[] {
  const { namespace, name, deployment, tenant, applications, progress } = seen;
  switch (effect.do) {
    case 'delete-application':
      return applications.filter(({ id }) => id === effect.id).flatMap((one) => deployments.remove(one, name));
    case 'retry-application':
      return deployments.retry(effect, { name, userId: progress.ownerId ?? undefined });
    case 'repair-application':
      return deployments.repair(effect, effect.asked, name);
    case 'say-error':
      return deployment === undefined ? [] : deployments.noteTrouble({ id: deployment.uid, namespace, name });
    case 'resolve-error':
      return deployment === undefined ? [] : deployments.forgetTrouble(deployment.uid);
    case 'forget-trouble':
      return deployments.forgetTrouble(effect.id);
    default:
  }
  if (tenant === undefined) return [];
  const { namespaceUid } = tenant;
  const owner = { namespace, name, namespaceUid, userId: userIdOf(tenant) };
  switch (effect.do) {
    case 'create-application':
      return deployments.create(effect, owner);
    case 'update-application':
      return applications
        .filter(({ id }) => id === effect.id)
        .flatMap((over) => deployments.update(effect, over, owner));
    case 'restore-owner':
      return deployments.own(effect.id, owner.userId);
    default:
      return [];
  }
}
