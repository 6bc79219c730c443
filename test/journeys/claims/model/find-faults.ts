import { claimOf, targetOf } from '../../../../shared/contracts/claims.ts';
import {
  type AnySchema,
  claims,
  type ObjectKind,
  type ObjectOf,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { fits } from '../../../../shared/domain/claim/choose-target.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';

interface Scene {
  readonly claims: readonly Claim[];
  readonly targets: readonly Target[];
}

export async function lookAt(cluster: Cluster, namespace: string): Promise<Scene> {
  return {
    claims: (await listed(cluster, claims, namespace)).map(claimOf),
    targets: (await listed(cluster, targets, namespace)).map(targetOf),
  };
}

async function listed<Schema extends AnySchema>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  namespace: string,
): Promise<ObjectOf<Schema>[]> {
  const found: ObjectOf<Schema>[] = [];
  for await (const page of cluster.list(kind, { namespace })) found.push(...page);
  return found;
}

/** What may never be seen, not even for a moment. */
export function findDoubles({ claims: all, targets: places }: Scene): string[] {
  const sure = all.filter(({ isBindComplete, phase }) => isBindComplete || phase === 'Bound');
  const bound = places.filter(({ phase }) => phase === 'Bound');
  return [
    ...doubles(sure, ({ targetName }) => targetName).map((name) => `two claims are bound to ${name}`),
    ...doubles(bound, ({ claim }) => claim?.uid ?? '').map((uid) => `two targets are bound to the claim ${uid}`),
  ];
}

/** What has been bound may never be free again by itself. `used` remembers, from look to look, what has. */
export function findGivenAwayAgain({ targets: places }: Scene, used: Set<string>): string[] {
  for (const { uid, phase } of places) if (phase === 'Bound') used.add(uid);
  return places
    .filter(({ uid, phase }) => used.has(uid) && (phase === 'Available' || phase === 'Pending'))
    .map(({ name }) => `the target ${name} was used, and is free again`);
}

function doubles<T>(all: readonly T[], keyOf: (one: T) => string): string[] {
  const keys = all.map(keyOf).filter((key) => key !== '');
  return [...new Set(keys.filter((key, place) => keys.indexOf(key) !== place))];
}

/** What may not be left when nobody is left to wake. */
export function findFaults(scene: Scene): string[] {
  return [
    ...findDoubles({ ...scene, claims: scene.claims.filter(({ phase }) => phase !== 'Lost') }),
    ...scene.claims.flatMap((claim) => faultsOfClaim(claim, scene.targets)),
    ...scene.targets.flatMap((target) => faultsOfTarget(target, scene.claims)),
  ];
}

function faultsOfClaim(claim: Claim, all: readonly Target[]): string[] {
  const { name, phase, isDeleting, targetName } = claim;
  const said = claim.said.find(({ type }) => type === 'Bound');
  const isTold = said !== undefined && said.reason !== '' && (said.status === 'True' || said.message !== '');
  if (isDeleting) return isTold || !claim.isHeld ? [] : [`the claim ${name} goes and does not say for what it waits`];
  const faults: string[] = [];
  if (phase === '') faults.push(`the claim ${name} has no phase`);
  if (!isTold || (said.status === 'True') !== (phase === 'Bound'))
    faults.push(`the claim ${name} is ${phase} and says ${said?.status} ${said?.reason}`);
  if (phase === 'Bound') {
    const target = all.find((one) => one.name === targetName);
    if (target?.claim?.uid !== claim.uid) faults.push(`the claim ${name} is bound to ${targetName}, which is not its`);
    else if (target.phase !== 'Bound' && !target.isDeleting)
      faults.push(`the target ${targetName} of the bound claim ${name} is ${target.phase}`);
  }
  if (said?.reason === 'TargetAmbiguous' && all.some((target) => target.claim?.uid === claim.uid))
    faults.push(`the claim ${name} does not know its own half-done work`);
  const waits = said?.reason === 'WaitingForTarget' || said?.reason === 'ClassNotFound';
  const missed = waits ? all.filter((target) => fits(target, claim)) : [];
  return [
    ...faults,
    ...missed.map((target) => `the claim ${name} waits beside ${target.name}, which is free and fits`),
  ];
}

function faultsOfTarget({ name, phase, isDeleting, claim: reference }: Target, all: readonly Claim[]): string[] {
  if (isDeleting) return [];
  if (phase === '') return [`the target ${name} has no phase`];
  const claim = all.find((one) => one.name === reference?.name);
  const isMeant = claim !== undefined && (reference?.uid === undefined || reference.uid === claim.uid);
  if (phase === 'Bound')
    return isMeant && claim.targetName === name ? [] : [`the target ${name} is bound, and no claim has it`];
  // What the binder kept it has either used or let go.
  if (reference?.uid !== undefined && phase !== 'Released')
    return [`the target ${name} is ${phase} and still kept for ${reference.name}`];
  return [];
}
