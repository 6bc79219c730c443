import type { AnySchema, ObjectKind, ObjectOf } from '../contracts/kubernetes/kinds.ts';
import type { Cluster, ListOptions } from '../ports/cluster.ts';

/** All pages in one: for what is needed as a whole, and is never so much that it would not fit into memory. */
export async function listAll<Schema extends AnySchema>(
  cluster: Pick<Cluster, 'list'>,
  kind: ObjectKind<Schema>,
  options: ListOptions = {},
): Promise<ObjectOf<Schema>[]> {
  const all: ObjectOf<Schema>[] = [];
  for await (const page of cluster.list(kind, options)) all.push(...page);
  return all;
}
