import type { AnySchema, ObjectKind, ObjectOf } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';

/** All objects of a kind, in a namespace or everywhere. */
export async function listObjects<Schema extends AnySchema>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  namespace?: string,
): Promise<ObjectOf<Schema>[]> {
  const found: ObjectOf<Schema>[] = [];
  for await (const page of cluster.list(kind, namespace === undefined ? {} : { namespace })) found.push(...page);
  return found;
}
