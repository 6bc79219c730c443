import type { AnySchema, ObjectKind, ObjectOf } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, ListOptions } from '../../shared/ports/cluster.ts';
import { listAll } from '../../shared/runtime/list-all.ts';

/** All objects of a kind, in a namespace or everywhere. */
export function listObjects<Schema extends AnySchema>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  namespace?: string,
  options: Omit<ListOptions, 'namespace'> = {},
): Promise<ObjectOf<Schema>[]> {
  return listAll(cluster, kind, { ...options, namespace });
}
