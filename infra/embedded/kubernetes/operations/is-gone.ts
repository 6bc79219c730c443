import type { ApiObject } from '../api-object.ts';

/** Whether an object that is being deleted is held by nothing any more. */
export function isGone(object: ApiObject): boolean {
  if (object.metadata.deletionTimestamp === undefined) return false;
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return true;
  // A namespace is held by a finalizer in its spec as well: the one that empties it.
  const { finalizers = [] } = (object['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
  return finalizers.length === 0;
}
