import { managedEnvironments } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Condition } from '../../shared/domain/core/condition.ts';
import { instantOf } from '../../shared/domain/core/instant.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { environmentConditions, isSaid } from '../../shared/domain/gitops/environment-conditions.ts';
import { wantedOf } from '../../shared/domain/gitops/environment-probes.ts';
import { accountNames, type EnvironmentEffect } from '../../shared/domain/gitops/managed-environment.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';

/** The tenant's cluster, and the condition. */
export async function applyEnvironment(
  seen: SeenByStep,
  step: Step<EnvironmentEffect>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of step.effects) {
    switch (effect.do) {
      case 'install-service-account': {
        const failure = await install(seen, effect.id, world, signal);
        if (failure !== undefined) await tell(seen, failure, effect.at, world, signal);
        break;
      }
      case 'remove-service-account': {
        const account = seen.accounts.find(({ id }) => id === effect.id);
        if (account !== undefined) await world.targets.remove(account, accountNames(effect.id), signal);
        break;
      }
      case 'tell-user':
        for (const condition of step.conditions) await tell(seen, condition, effect.at, world, signal);
        break;
      default:
    }
  }
}

/** Undefined: it stands. It is never thrown: the cluster is the tenant's, and so is its trouble. */
async function install(
  seen: SeenByStep,
  id: string,
  { targets }: World,
  signal: AbortSignal,
): Promise<Condition | undefined> {
  const access = wantedOf(seen);
  if (access === undefined) return undefined;
  const why = await targets.install(access, accountNames(id), signal);
  return why === undefined ? undefined : environmentConditions.notInstalled(why);
}

/** Written only where it says something else than before: the time of the last change is that of a change. */
async function tell(
  { namespace, name, version, environment, conditions }: SeenByStep,
  condition: Condition,
  at: number,
  { clusters }: World,
  signal: AbortSignal,
): Promise<void> {
  if (isSaid(environment?.said, condition)) return;
  const { type, status, reason, message } = condition;
  const lastTransitionTime = instantOf(at);
  const others = conditions.filter((other) => other.type !== type);
  await clusters.local.patch(
    managedEnvironments,
    { namespace, name },
    {
      metadata: { resourceVersion: version },
      status: { conditions: [...others, { type, status, reason, message, lastTransitionTime }] },
    },
    { subresource: 'status', signal },
  );
}
