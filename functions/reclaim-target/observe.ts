import { targetOf } from '../../shared/contracts/claims.ts';
import { targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { SeenReclaim } from '../../shared/domain/target/decide-reclaim.ts';

import type { Target } from '../../shared/domain/target/target.ts';
import type { Wanted } from '../../shared/ports/provisioner.ts';
import { readClass } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';

export interface SeenByStep extends SeenReclaim {
  readonly finalizers: readonly string[];
  readonly wanted: Wanted;
}

export async function observeReclaim(
  { namespace, name, version }: Subject,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep | undefined> {
  const found = await world.clusters.local.read(targets, { namespace, name }, { signal, atLeast: version });
  if (found === undefined) return undefined;
  const target = targetOf(found);
  const provisioner = world.provisioners(target.provisionedBy ?? '');
  const wanted = wantedFor(target);
  const [asking, provision] = await Promise.all([
    provisioner === undefined ? undefined : readClass(world.clusters.local, target.className, signal),
    target.isDeleting && target.isHeld ? provisioner?.observe(wanted, signal) : undefined,
  ]);
  return {
    target,
    class: asking,
    isOurs: provisioner !== undefined,
    provision: provision ?? { state: 'absent' },
    finalizers: found.metadata.finalizers,
    wanted,
  };
}

/** Only to look and to free, so no class is asked whether it would make it again. */
function wantedFor({ namespace, name, claim, arch, resources }: Target): Wanted {
  return {
    namespace,
    claim: claim === undefined ? undefined : { name: claim.name, uid: claim.uid },
    class: undefined,
    resources,
    arch,
    target: name,
  };
}
