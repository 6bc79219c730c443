import type { ApiObject, ManagedFieldsEntry } from '../api-object.ts';
import { sameJson } from '../same-json.ts';

/**
 * A write that changes nothing but the times of managedFields shall change nothing at all. Called with the object as
 * it would be stored; its resourceVersion and generation must still be those of the live one.
 */
export function settleTimestamps(live: ApiObject, next: ApiObject): ApiObject {
  const before = live.metadata.managedFields;
  const after = next.metadata.managedFields;
  if (before === undefined || after === undefined || before === after || before.length !== after.length) return next;
  if (before.every((entry, i) => entry.time === after[i]?.time)) return next;
  if (!before.every((entry, i) => sameJson(timeless(entry), timeless(after[i])))) return next;
  const settled = { ...next, metadata: { ...next.metadata, managedFields: before } };
  return sameJson(settled, live) ? settled : next;
}

function timeless(entry: ManagedFieldsEntry | undefined): Partial<ManagedFieldsEntry> {
  const { time: _, ...rest } = entry ?? ({} as Partial<ManagedFieldsEntry>);
  return rest;
}
