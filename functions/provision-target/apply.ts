import { claims, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Condition } from '../../shared/domain/core/condition.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import type { ProvisionEffect } from '../../shared/domain/target/provision-effect.ts';
import { conditionOf } from '../../shared/domain/target/provision-wait.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';
import { targetFor } from './target-for.ts';

/** The provisioner first, then the target that is made of what it gave, and the condition last. */
export async function applyProvision(
  seen: SeenByStep,
  step: Step<ProvisionEffect>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of step.effects) {
    if (effect.do === 'tell-claim') await tell(seen, step.conditions, effect.at, world, signal);
    else if (effect.do === 'ask-provisioner') {
      const refusal = await ask(seen, world, signal);
      if (refusal === undefined) continue;
      // What it does not take is told in place of what was hoped for, and asked again at the next look.
      await tell(seen, withRefusal(step.conditions, refusal), effect.at, world, signal);
      return;
    } else await applyOne(effect, seen, world, signal);
  }
}

async function applyOne(
  effect: Exclude<ProvisionEffect, { readonly do: 'tell-claim' | 'ask-provisioner' }>,
  seen: SeenByStep,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, wanted } = seen;
  const { local } = world.clusters;
  const provisioner = world.provisioners(seen.provisioner ?? '');
  switch (effect.do) {
    case 'create-target': {
      const target = targetFor(seen, effect.name);
      if (target !== undefined) await local.create(targets, target, { signal });
      break;
    }
    case 'attach-target':
      if (wanted !== undefined) await provisioner?.attach({ ...wanted, target: effect.name }, signal);
      break;
    case 'enlarge-target':
      await enlarge(seen, world, signal);
      break;
    case 'delete-target':
      await local.remove(targets, { namespace, name: effect.name }, { uid: effect.uid, signal });
      break;
    case 'release-provision':
      if (wanted !== undefined) await provisioner?.release(wanted, signal);
      break;
    case 'discard-orphan': {
      const orphan = seen.orphans.find(({ id }) => id === effect.id);
      if (orphan !== undefined) await world.provisioners(orphan.provisioner)?.discard(orphan, signal);
      break;
    }
    // A kept orphan is only written down in the ledger.
    default:
  }
}

/** A refusal is the user's news or the administrator's, never an error of ours. */
async function ask(
  { wanted, provisioner }: SeenByStep,
  { provisioners }: World,
  signal: AbortSignal,
): Promise<Refused | undefined> {
  if (wanted === undefined) return undefined;
  try {
    await provisioners(provisioner ?? '')?.provision(wanted, signal);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function withRefusal(conditions: readonly Condition[], { reason, forUser }: Refused): readonly Condition[] {
  return conditions.map((one) => (one.status === 'False' ? conditionOf(one.type, reason, forUser) : one));
}

async function enlarge(
  { namespace, target, provision, wanted }: SeenByStep,
  { clusters }: World,
  signal: AbortSignal,
): Promise<void> {
  if (target === undefined || provision.state !== 'ready') return;
  const { name, version: resourceVersion } = target;
  const resources = provision.resources ?? wanted?.resources;
  await clusters.local.patch(
    targets,
    { namespace, name },
    { metadata: { resourceVersion }, spec: { resources } },
    { signal },
  );
}

/** Written only where it says something else than before: the time of the last change is that of a change. */
async function tell(
  { namespace, name, claim }: SeenByStep,
  conditions: readonly Condition[],
  at: number,
  { clusters }: World,
  signal: AbortSignal,
): Promise<void> {
  const said = claim === undefined ? undefined : withConditions(claim.said, conditions, at);
  if (claim === undefined || said === undefined) return;
  await clusters.local.patch(
    claims,
    { namespace, name },
    { metadata: { resourceVersion: claim.version }, status: { conditions: said } },
    { subresource: 'status', signal },
  );
}
