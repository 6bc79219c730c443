import { classOf, targetOf } from '../../shared/contracts/claims.ts';
import { classes, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Claim } from '../../shared/domain/claim/claim.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import { isOrphan } from '../../shared/domain/target/decide-orphans.ts';
import { targetNames } from '../../shared/domain/target/made-names.ts';
import type { Orphan } from '../../shared/domain/target/orphan.ts';
import type { SeenOrphan } from '../../shared/domain/target/provision-effect.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import type { Provisioner } from '../../shared/ports/provisioner.ts';
import type { World } from '../../shared/runtime/world.ts';

/** What was made for other claims of this name, with what decides about it. */
export async function observeOrphans(
  key: ObjectKey,
  claim: Claim | undefined,
  provisioners: readonly Provisioner[],
  world: World,
  signal: AbortSignal,
): Promise<readonly SeenOrphan[]> {
  const found = await Promise.all(
    provisioners.map(async ({ name, made }) =>
      (await made(key, signal)).filter((one) => isOrphan(one, claim)).map((orphan) => ({ orphan, name })),
    ),
  );
  return Promise.all(
    found.flat().map(async ({ orphan, name }): Promise<SeenOrphan> => {
      const [reclaimPolicy, hasTarget] = await Promise.all([
        policyOf(orphan, name, world, signal),
        hasItsTarget(orphan, key.name, world, signal),
      ]);
      return { ...orphan, provisioner: name, reclaimPolicy, hasTarget };
    }),
  );
}

/** Where it does not say which class asked for it, all classes of its provisioner have to agree. */
async function policyOf(
  { className }: Orphan,
  provisioner: string,
  { clusters }: World,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isObjectName(className)) {
    const found = await clusters.local.read(classes, { namespace: '', name: className }, { signal });
    return found?.spec.reclaimPolicy;
  }
  const policies = new Set<string>();
  for await (const page of clusters.local.list(classes, { signal }))
    for (const one of page.map(classOf)) if (one.provisioner === provisioner) policies.add(one.reclaimPolicy);
  const [policy, ...others] = policies;
  return others.length === 0 ? policy : 'Retain';
}

/** By what was said of it, or where nobody had the time to say so, by the names that its target would have. */
async function hasItsTarget(
  { namespace, claimUid, target }: Orphan,
  claimName: string,
  { clusters }: World,
  signal: AbortSignal,
): Promise<boolean> {
  if (target !== undefined && isObjectName(target))
    return (await clusters.local.read(targets, { namespace, name: target }, { signal })) !== undefined;
  if (claimUid === undefined) return false;
  for (const name of targetNames({ name: claimName, uid: claimUid })) {
    const found = await clusters.local.read(targets, { namespace, name }, { signal });
    if (found !== undefined && targetOf(found).claim?.uid === claimUid) return true;
  }
  return false;
}
