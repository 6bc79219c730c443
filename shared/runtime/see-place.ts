import { claimOf, classOf, targetOf } from '../contracts/claims.ts';
import { claims, classes, namespaces, targets } from '../contracts/kubernetes/kinds.ts';
import type { Claim } from '../domain/claim/claim.ts';
import { isObjectName } from '../domain/core/object-name.ts';
import { type Choice, choosePlace } from '../domain/environment/choose-place.ts';
import type { Environment } from '../domain/environment/environment.ts';
import type { Target, TargetClass } from '../domain/target/target.ts';
import type { Cluster, ObjectKey } from '../ports/cluster.ts';
import type { World } from './world.ts';

// What several functions about claims look at, in the words of their rules. Undefined: there is no such object.

export async function readTarget(cluster: Cluster, key: ObjectKey, signal: AbortSignal): Promise<Target | undefined> {
  const found = isObjectName(key.name) ? await cluster.read(targets, key, { signal }) : undefined;
  return found === undefined ? undefined : targetOf(found);
}

export async function readClass(cluster: Cluster, name: string, signal: AbortSignal): Promise<TargetClass | undefined> {
  const found = isObjectName(name) ? await cluster.read(classes, { namespace: '', name }, { signal }) : undefined;
  return found === undefined ? undefined : classOf(found);
}

/** Nothing is begun in a namespace that is being deleted, or is gone. */
export async function isHomeGoing(cluster: Cluster, name: string, signal: AbortSignal): Promise<boolean> {
  const home = await cluster.read(namespaces, { namespace: '', name }, { signal });
  return home === undefined || home.metadata.deletionTimestamp !== undefined;
}

type Services = Pick<World, 'clusters' | 'claimRows'>;

/** Where an Environment deploys to, and how that was found out. */
export async function seePlace(
  namespace: string,
  environment: Pick<Environment, 'name' | 'claimName' | 'credentials'> | undefined,
  services: Services,
  signal: AbortSignal,
): Promise<{ claim: Claim | undefined; target: Target | undefined; choice: Choice | undefined }> {
  const claim = await readClaim(services.clusters.local, { namespace, name: environment?.claimName ?? '' }, signal);
  const target = claim?.phase === 'Bound' ? await readTargetOf(claim, services, signal) : undefined;
  return { claim, target, choice: environment && choosePlace(environment, claim, target) };
}

async function readClaim(cluster: Cluster, key: ObjectKey, signal: AbortSignal): Promise<Claim | undefined> {
  const found = isObjectName(key.name) ? await cluster.read(claims, key, { signal }) : undefined;
  return found && claimOf(found);
}

/** The target that the claim names; where it names none, the one that names the claim. */
async function readTargetOf(
  { namespace, name: claimName, targetName }: Claim,
  { clusters, claimRows }: Services,
  signal: AbortSignal,
): Promise<Target | undefined> {
  const names =
    targetName === '' ? (await claimRows.observeGoneClaim({ namespace, name: claimName })).reserved : [targetName];
  for (const name of names) {
    const found = await readTarget(clusters.local, { namespace, name }, signal);
    // A row may be older than the target: one that names another claim by now is not the one.
    if (found !== undefined && (targetName !== '' || found.claim?.name === claimName)) return found;
  }
  return undefined;
}
