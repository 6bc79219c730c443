import type { AnySchema, ObjectKind, ObjectOf } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, ListOptions } from '../../shared/ports/cluster.ts';

/** All objects of a kind, in a namespace or everywhere. */
export async function listObjects<Schema extends AnySchema>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  namespace?: string,
  options: Omit<ListOptions, 'namespace'> = {},
): Promise<ObjectOf<Schema>[]> {
  const found: ObjectOf<Schema>[] = [];
  for await (const page of cluster.list(kind, { ...options, namespace })) found.push(...page);
  return found;
}
