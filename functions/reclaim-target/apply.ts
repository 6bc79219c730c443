import { targets } from '../../shared/contracts/kubernetes/kinds.ts';
import { finalizers as known } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import type { ReclaimEffect } from '../../shared/domain/target/decide-reclaim.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';

export async function applyReclaim(
  seen: SeenByStep,
  step: Step<ReclaimEffect>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of step.effects) await applyOne(effect, seen, step, world, signal);
}

async function applyOne(
  effect: ReclaimEffect,
  { target, finalizers, wanted }: SeenByStep,
  step: Step<ReclaimEffect>,
  { clusters, provisioners }: World,
  signal: AbortSignal,
): Promise<void> {
  const { local } = clusters;
  const { namespace, name, version: resourceVersion } = target;
  switch (effect.do) {
    case 'hold-target': {
      const metadata = { resourceVersion, finalizers: [...finalizers, known.target.key] };
      await local.patch(targets, { namespace, name }, { metadata }, { signal });
      break;
    }
    case 'delete-target':
      await local.remove(targets, { namespace, name }, { uid: effect.uid, signal });
      break;
    case 'release-provision':
      await provisioners(target.provisionedBy ?? '')?.release(wanted, signal);
      break;
    case 'let-target-go': {
      const ours: readonly string[] = [known.target.key, ...known.target.alsoRead];
      const metadata = { resourceVersion, finalizers: finalizers.filter((each) => !ours.includes(each)) };
      await local.patch(targets, { namespace, name }, { metadata }, { signal });
      break;
    }
    case 'tell-target': {
      const { phase, at } = effect;
      const conditions = withConditions(target.said, step.conditions, at) ?? target.said;
      const status = { ...(phase !== '' && { phase }), conditions };
      await local.patch(
        targets,
        { namespace, name },
        { metadata: { resourceVersion }, status },
        { subresource: 'status', signal },
      );
      break;
    }
  }
}
