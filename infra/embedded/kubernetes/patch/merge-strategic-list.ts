import type { Json, JsonObject, Schema } from '../schema/schema.ts';
import { goText } from './go-text.ts';
import { identityOf, isMap, noMergeKey, orderItems, unexpected } from './order-items.ts';
import { withoutDirectives, withoutNulls } from './without-directives.ts';

type MergeMaps = (original: JsonObject, patch: JsonObject, schema: Schema | undefined) => JsonObject;

/** Merges a list whose items have a merge key, or are scalars, with the list of a patch. */
export function mergeStrategicList(
  original: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
  items: Schema | undefined,
  mergeMaps: MergeMaps,
): readonly Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (!ofMaps(original, patch)) {
    const all = [...new Set([...original, ...patch])];
    return orderItems(all, patch, original, '');
  }
  if (mergeKey === '') throw unexpected('cannot merge lists without merge key');
  const { base, rest } = obeyDirectives(original, patch, mergeKey);
  const merged = [...base];
  for (const item of rest) {
    if (!isMap(item) || item[mergeKey] === undefined) throw noMergeKey(item, mergeKey);
    const place = merged.findIndex((other) => isMap(other) && other[mergeKey] === item[mergeKey]);
    const found = merged[place];
    if (isMap(found)) merged[place] = mergeMaps(found, item, items);
    else merged.push(withoutDirectives(withoutNulls(item)) ?? {});
  }
  return orderItems(merged, rest, base, mergeKey);
}

/** All items must be of one kind, and none a list. */
function ofMaps(original: readonly Json[], patch: readonly Json[]): boolean {
  const kinds = new Set(
    [...original, ...patch].map((item) =>
      isMap(item) ? 'map' : Array.isArray(item) ? 'list' : item === null ? 'null' : typeof item,
    ),
  );
  if (kinds.size > 1 || kinds.has('null')) {
    throw unexpected(`list element types are not identical: [${goText(original)} ${goText(patch)}]`);
  }
  if (kinds.has('list')) throw unexpected('lists of lists are not supported');
  return kinds.has('map');
}

/** `$patch: delete` takes the item of that key out, `$patch: replace` everything that was there. */
function obeyDirectives(
  original: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): { readonly base: readonly Json[]; readonly rest: readonly Json[] } {
  let base = original;
  let replaces = false;
  const rest: Json[] = [];
  for (const item of patch) {
    const directive = isMap(item) ? item['$patch'] : undefined;
    if (!isMap(item) || directive === undefined) rest.push(item);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') base = withoutKey(base, item, mergeKey);
    else if (directive === 'merge') throw unexpected('merging lists cannot yet be specified in the patch');
    else throw badDirective(directive, item);
  }
  return replaces ? { base: rest, rest: [] } : { base, rest };
}

function withoutKey(list: readonly Json[], item: JsonObject, mergeKey: string): readonly Json[] {
  const key = item[mergeKey];
  if (key === undefined) throw noMergeKey(item, mergeKey);
  return list.filter((other) => !isMap(other) || other[mergeKey] !== key);
}

export function badDirective(directive: Json, patch: JsonObject): Error {
  const printed =
    typeof directive === 'string'
      ? directive
      : typeof directive === 'number'
        ? `%!s(${Number.isInteger(directive) ? 'int64' : 'float64'}=${directive})`
        : goText(directive);
  return unexpected(`unknown patch type: ${printed} in map: ${goText(patch)}`);
}

/** `$setElementOrder` must name every item of the patch, in the order of the patch. */
export function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  let place = 0;
  for (const item of patch) {
    if (isMap(item) && item['$patch'] !== undefined) continue;
    const identity = identityOf(item, mergeKey);
    while (place < order.length && identityOf(order[place] ?? null, mergeKey) !== identity) place += 1;
    if (place === order.length) {
      throw unexpected(
        `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
      );
    }
    place += 1;
  }
}
