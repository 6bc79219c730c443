import { classOf, targetOf } from '../contracts/claims.ts';
import { classes, namespaces, targets } from '../contracts/kubernetes/kinds.ts';
import { isObjectName } from '../domain/core/object-name.ts';
import type { Target, TargetClass } from '../domain/target/target.ts';
import type { Cluster, ObjectKey } from '../ports/cluster.ts';

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
