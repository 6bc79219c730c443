import { claimOf } from '../../shared/contracts/claims.ts';
import { claims } from '../../shared/contracts/kubernetes/kinds.ts';
import { belongsTo } from '../../shared/domain/claim/belongs-to.ts';
import { fits, mayTakeFree, mostCandidates } from '../../shared/domain/claim/choose-target.ts';
import type { Claim } from '../../shared/domain/claim/claim.ts';
import { neededClasses, needsNamespace, needsProvision } from '../../shared/domain/claim/needs.ts';
import type { LivingClaim, ObservedClaim } from '../../shared/domain/claim/observed-claim.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { Provision } from '../../shared/domain/target/provision.ts';
import type { Target } from '../../shared/domain/target/target.ts';
import type { AroundClaim } from '../../shared/ports/claim-rows.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { isHomeGoing, readClass, readTarget } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';

/** What the rule sees, and what is needed to write to the claim. */
export interface SeenByStep extends ObservedClaim {
  readonly finalizers: readonly string[];
  readonly version: string | undefined;
}

export async function observeClaim(
  { namespace, name, version }: Subject,
  world: World,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const key = { namespace, name };
  const object = await world.clusters.local.read(claims, key, { signal, atLeast: version });
  const nothing = { ...key, isNamespaceGoing: false, classes: [], provision: undefined };
  if (object === undefined) {
    const { reserved, environments } = await world.claimRows.observeGoneClaim(key);
    const kept = await readTargets(namespace, reserved, world, signal);
    return { ...nothing, claim: undefined, targets: kept, environments, finalizers: [], version: undefined };
  }

  const claim = claimOf(object);
  // The one that it names is needed in any case, so it is asked for while the rows are.
  const [around, named] = await Promise.all([
    world.claimRows.observeClaim(claim),
    readTargets(namespace, [claim.targetName], world, signal),
  ]);
  const found = [...named, ...(await readOthers(claim, around, world, signal))];
  const seen: LivingClaim = { ...nothing, claim, targets: found, environments: around.environments };
  return { ...(await lookAround(seen, world, signal)), finalizers: object.metadata.finalizers, version: claim.version };
}

/** Targets that are kept for a claim which does not name one, else the best one that is really free. */
async function readOthers(
  claim: Claim,
  { reserved, candidates }: AroundClaim,
  world: World,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const { namespace, targetName } = claim;
  if (targetName !== '' && !claim.isDeleting) return [];
  const names = reserved.filter((name) => name !== targetName);
  const kept = await readTargets(namespace, names, world, signal);
  const isServed = kept.some((target) => isUsable(target, claim));
  if (isServed || claim.isBindComplete || claim.isDeleting || !mayTakeFree(claim)) return kept;

  // The rows may be late: each is looked at, in the order of the rule, until one is really free.
  for (const { name } of candidates) {
    const [target] = await readTargets(namespace, [name], world, signal);
    // Whoever died after the first pointer has left one that the rows still take for free.
    if (target !== undefined && (fits(target, claim) || isUsable(target, claim))) return [...kept, target];
  }
  // As many as the rows name at most: there may be more.
  if (candidates.length >= mostCandidates)
    throw new Conflict(
      `all ${candidates.length} targets that were free for ${namespace}/${claim.name} are taken by now`,
    );
  return kept;
}

/** One that is kept for the claim and that the rule would choose before any free one. */
function isUsable(target: Target, claim: Claim): boolean {
  return belongsTo(target, claim) && !target.isDeleting && target.className === claim.className;
}

async function readTargets(
  namespace: string,
  names: readonly string[],
  { clusters }: World,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const found = await Promise.all(names.map((name) => readTarget(clusters.local, { namespace, name }, signal)));
  return found.filter((target) => target !== undefined);
}

/** The rest of what the rule needs, and no more. */
async function lookAround(seen: LivingClaim, world: World, signal: AbortSignal): Promise<LivingClaim> {
  const { clusters } = world;
  const [isNamespaceGoing, provision] = await Promise.all([
    needsNamespace(seen) ? isHomeGoing(clusters.local, seen.namespace, signal) : false,
    needsProvision(seen) ? observeProvision(seen.claim, world, signal) : undefined,
  ]);
  // OBSERVED: a target was made for it that the rows do not know yet.
  const made = provision === undefined || provision.state === 'absent' ? undefined : provision.target;
  const isUnknown = made !== undefined && !seen.targets.some(({ name }) => name === made);
  const late = isUnknown ? await readTargets(seen.namespace, [made], world, signal) : [];
  const looked = { ...seen, isNamespaceGoing, provision, targets: [...seen.targets, ...late] };
  const found = await Promise.all(neededClasses(looked).map((name) => readClass(clusters.local, name, signal)));
  return { ...looked, classes: found.filter((one) => one !== undefined) };
}

/** Asked only for what stands, so without a class that could be wrong. Undefined: nobody here goes by that name. */
async function observeProvision(claim: Claim, world: World, signal: AbortSignal): Promise<Provision | undefined> {
  const { namespace, name, uid, created, resources, arch, provisioner = '' } = claim;
  const wanted = { namespace, claim: { name, uid, created }, class: undefined, resources, arch };
  return world.provisioners(provisioner)?.observe(wanted, signal);
}
