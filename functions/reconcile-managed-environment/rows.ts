import type { Step } from '../../shared/domain/core/step.ts';
import { accountOf, currentOf, freshCredentials, wantedOf } from '../../shared/domain/gitops/environment-probes.ts';
import type { EnvironmentEffect } from '../../shared/domain/gitops/managed-environment.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';

/** The rows of what was decided. Tokens come from what was seen, never from the step. */
export function environmentRows(seen: SeenByStep, step: Step<EnvironmentEffect>, world: World): readonly RowWrite[] {
  return step.effects.flatMap((effect) => rowsOf(effect, seen, world));
}

function rowsOf(effect: EnvironmentEffect, seen: SeenByStep, world: World): readonly RowWrite[] {
  const { environments } = world;
  switch (effect.do) {
    case 'write-environment':
      return writeRows(seen, world);
    case 'complete-environment':
      return aroundRows(seen, world, (owner) => environments.complete(owner));
    case 'remove-environment': {
      const gone = seen.stored.find(({ id }) => id === effect.id);
      return gone === undefined ? [] : environments.remove(gone);
    }
    case 'record-service-account': {
      const access = wantedOf(seen);
      const { namespace, name } = seen;
      return access === undefined
        ? []
        : environments.recordAccount({ id: effect.id, namespace, name }, access, accountOf(seen));
    }
    case 'discard-service-account':
      return [environments.discardAccount(effect.id)];
    case 'forget-service-account':
      return [environments.forgetAccount(effect.id)];
    // The rest is done on clusters.
    default:
      return [];
  }
}

function writeRows(seen: SeenByStep, world: World): readonly RowWrite[] {
  const credentials = freshCredentials(seen);
  if (credentials === undefined) return [];
  return aroundRows(seen, world, (owner) => [
    ...world.environments.write(owner, credentials, currentOf(seen)),
    ...(seen.environment?.spec.createNewServiceAccount
      ? [world.environments.keepAccountToken(owner.id, credentials.token)]
      : []),
  ]);
}

/** A tenant that was never seen before is placed in the same step. */
function aroundRows(
  { namespace, name, environment, tenant, engine }: SeenByStep,
  { tenants }: World,
  write: (owner: Parameters<World['environments']['complete']>[0]) => readonly RowWrite[],
): readonly RowWrite[] {
  if (environment === undefined || tenant === undefined || engine === undefined) return [];
  const { namespaceUid } = tenant;
  return [
    ...(tenant.placed === undefined ? tenants.place(tenant, engine) : []),
    ...write({ id: environment.uid, namespace, namespaceUid, name, instanceId: engine.instanceId }),
  ];
}
