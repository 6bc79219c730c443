import { targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import type { SeenTarget, TargetEffect } from '../../shared/domain/target/decide-target.ts';
import type { Target } from '../../shared/domain/target/target.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';

/** First what it is, then what it no longer points to: whoever sees it in between sees a target that nobody may take. */
export async function applyTarget(
  { target }: SeenTarget,
  step: Step<TargetEffect>,
  { clusters }: Pick<World, 'clusters'>,
  signal: AbortSignal,
): Promise<void> {
  if (target === undefined) return;
  const { namespace, name } = target;
  let version = target.version;
  for (const effect of step.effects) {
    if (effect.do === 'tell-target') {
      const conditions = withConditions(target.said, step.conditions, effect.at);
      const status = { phase: effect.phase, ...(conditions !== undefined && { conditions }) };
      const patch = { metadata: { resourceVersion: version }, status };
      const isThere = await clusters.local.patch(targets, { namespace, name }, patch, {
        subresource: 'status',
        signal,
      });
      if (!isThere) throw new Conflict(`the target ${namespace}/${name} went while it was looked at`);
    } else {
      if (step.effects.length > 1) version = await readAgain(target, clusters, signal);
      const patch = { metadata: { resourceVersion: version }, spec: { claimRef: null } };
      await clusters.local.patch(targets, { namespace, name }, patch, { signal });
    }
  }
}

/** Its version after our own write, if nobody else has pointed it somewhere meanwhile. */
async function readAgain(
  { namespace, name, uid, claim }: Target,
  { local }: World['clusters'],
  signal: AbortSignal,
): Promise<string> {
  const now = await local.read(targets, { namespace, name }, { signal });
  const { claimRef } = now?.spec ?? {};
  if (now?.metadata.uid !== uid || claimRef?.name !== claim?.name || claimRef?.uid !== claim?.uid)
    throw new Conflict(`the target ${namespace}/${name} was changed while it was looked at`);
  return now.metadata.resourceVersion;
}
