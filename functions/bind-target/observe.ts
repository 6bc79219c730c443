import { claimOf, targetOf } from '../../shared/contracts/claims.ts';
import { claims, classes, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Claim } from '../../shared/domain/claim/claim.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { SeenTarget } from '../../shared/domain/target/decide-target.ts';
import { claimHas, mayBeForgotten, needsPolicy } from '../../shared/domain/target/hold.ts';
import type { Policy } from '../../shared/domain/target/phase.ts';
import type { Target } from '../../shared/domain/target/target.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import type { World } from '../../shared/runtime/world.ts';

export async function observeTarget(
  { namespace, name, version }: Subject,
  { clusters, claimRows }: World,
  signal: AbortSignal,
): Promise<SeenTarget | undefined> {
  const { local } = clusters;
  const object = await local.read(targets, { namespace, name }, { signal, atLeast: version });
  const target = object === undefined ? undefined : targetOf(object);
  const [around, claim] = await Promise.all([
    claimRows.observeTarget({ namespace, name }, target),
    target === undefined ? undefined : readClaim(target, clusters, signal),
  ]);
  if (target === undefined && around.known === undefined) return undefined;

  const policy = await readPolicy(target, claim, clusters, signal);
  return { namespace, name, target, claim, policy, ...around };
}

/** Whether a claim is gone only the API server can say, so nothing older than its answer is good enough. */
async function readClaim(
  target: Target,
  { local }: World['clusters'],
  signal: AbortSignal,
): Promise<Claim | undefined> {
  const { namespace } = target;
  if (target.claim !== undefined) {
    const found = await local.read(claims, { namespace, name: target.claim.name }, { signal });
    return found === undefined ? undefined : claimOf(found);
  }
  // Rare enough to look at all claims: somebody took its claimRef away, or it was bound by who does not write one.
  if (!mayBeForgotten(target)) return undefined;
  for await (const page of local.list(claims, { namespace, signal })) {
    const found = page.map(claimOf).find((claim) => claimHas(claim, target));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readPolicy(
  target: Target | undefined,
  claim: Claim | undefined,
  { local }: World['clusters'],
  signal: AbortSignal,
): Promise<Policy | undefined> {
  if (target === undefined || !needsPolicy(target, claim)) return undefined;
  try {
    const found = await local.read(classes, { namespace: '', name: target.className }, { signal });
    if (found === undefined) return 'missing';
    const { reclaimPolicy } = found.spec;
    return reclaimPolicy === 'Delete' || reclaimPolicy === 'Retain' ? reclaimPolicy : 'unexpected';
  } catch (error) {
    if (error instanceof Refused) return 'unreadable';
    throw error;
  }
}
