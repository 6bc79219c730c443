import type { Json, JsonObject } from '../schema/schema.ts';
import { StatusError } from '../status-error.ts';
import { goText } from './go-text.ts';

export function isMap(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** What the real server does not expect of a strategic merge patch it answers as an internal error. */
export function unexpected(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function noMergeKey(item: Json, mergeKey: string): StatusError {
  return unexpected(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** What tells an item of a merged list from the others: its merge key, or itself when it is a scalar. */
export function identityOf(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item;
  if (!isMap(item)) throw unexpected(`value for key 0 is not a map`);
  const identity = item[mergeKey];
  if (identity === undefined) throw noMergeKey(item, mergeKey);
  return identity;
}

/**
 * Puts the items that a patch speaks of into the order of the patch, and lets the others keep their order and stand
 * before those that they stood before on the server.
 */
export function orderItems(
  items: readonly Json[],
  order: readonly Json[],
  serverOrder: readonly Json[],
  mergeKey: string,
): Json[] {
  const wanted = ranks(order, mergeKey);
  const served = ranks(serverOrder, mergeKey);
  const named = sortedBy(
    wanted,
    items.filter((item) => wanted.has(identityOf(item, mergeKey))),
    mergeKey,
  );
  const others = sortedBy(
    served,
    items.filter((item) => !wanted.has(identityOf(item, mergeKey))),
    mergeKey,
  );
  const result: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < others.length || j < named.length) {
    const other = others[i];
    const name = named[j];
    const before = other === undefined ? undefined : served.get(identityOf(other, mergeKey));
    const after = name === undefined ? undefined : served.get(identityOf(name, mergeKey));
    const first = name === undefined || (before !== undefined && after !== undefined && before < after);
    if (other !== undefined && first) {
      result.push(other);
      i += 1;
    } else if (name !== undefined) {
      result.push(name);
      j += 1;
    }
  }
  return result;
}

function ranks(items: readonly Json[], mergeKey: string): Map<Json, number> {
  const places = new Map<Json, number>();
  items.forEach((item, place) => {
    const identity = identityOf(item, mergeKey);
    if (!places.has(identity)) places.set(identity, place);
  });
  return places;
}

function sortedBy(places: ReadonlyMap<Json, number>, items: readonly Json[], mergeKey: string): Json[] {
  function place(item: Json): number {
    return places.get(identityOf(item, mergeKey)) ?? Number.MAX_SAFE_INTEGER;
  }
  return items.toSorted((a, b) => place(a) - place(b));
}
