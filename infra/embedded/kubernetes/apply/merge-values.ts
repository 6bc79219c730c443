import { setOwn } from '../patch/set-own.ts';
import type { Json } from '../schema/schema.ts';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './field-type.ts';
import { asList, asMap, elementOf } from './list-elements.ts';

/** Lays what is applied over what is there. Nothing is removed; lists of type set and map are merged item by item. */
export function mergeValues(type: FieldType, live: Json | undefined, applied: Json | undefined): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const form = formOf(type, applied);
  if (form === 'map' && type.map !== undefined && !type.map.atomic) return mergeMaps(type.map, live, applied);
  if (form === 'list' && type.list !== undefined && type.list.relation !== 'atomic') {
    return mergeLists(type.list, live, applied);
  }
  return applied;
}

function mergeMaps(type: MapType, live: Json, applied: Json): Json {
  const old = asMap(live) ?? {};
  const own = asMap(applied) ?? {};
  if (Object.keys(old).length === 0) return applied;
  const merged: Record<string, Json | undefined> = { ...old };
  for (const name in own) {
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    setOwn(merged, name, mergeValues(memberType(type, name), before, own[name]));
  }
  return merged;
}

interface Indexed {
  readonly order: readonly string[];
  readonly items: ReadonlyMap<string, Json>;
}

function index(type: ListType, list: readonly Json[]): Indexed {
  const order: string[] = [];
  const items = new Map<string, Json>();
  for (const item of list) {
    const element = elementOf(type, item);
    if (typeof element !== 'string') continue;
    // An item that is there twice cannot be merged with: the applied one stands alone.
    items.set(element, items.has(element) ? null : item);
    order.push(element);
  }
  return { order, items };
}

/**
 * Items that only one side has keep their place relative to their neighbours; items that both have stand in the order
 * of the applied list.
 */
function mergeLists(type: ListType, live: Json, applied: Json): Json {
  const oldItems = asList(live) ?? [];
  const ownItems = asList(applied) ?? [];
  if (oldItems.length === 0 && ownItems.length === 0) return applied;
  const old = index(type, oldItems);
  const own = index(type, ownItems);
  const shared = own.order.filter((element) => old.items.has(element));
  const placed = new Set<string>();
  const merged: Json[] = [];
  function takeOwn(element: string): void {
    placed.add(element);
    const item = mergeValues(type.items, old.items.get(element), own.items.get(element));
    if (item !== undefined) merged.push(item);
  }
  let l = 0;
  let r = 0;
  let nextShared = 0;
  while (l < old.order.length || r < own.order.length) {
    const left = old.order[l];
    const right = own.order[r];
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        takeOwn(left);
        l += 1;
        r += 1;
        nextShared += 1;
        continue;
      }
      const awaited = shared[nextShared];
      if (own.items.has(left) && awaited !== undefined && awaited !== left) {
        l += 1;
        continue;
      }
    }
    if (left !== undefined && !own.items.has(left)) {
      merged.push(oldItems[l] ?? null);
      l += 1;
      continue;
    }
    if (left !== undefined && placed.has(left)) l += 1;
    if (right !== undefined) {
      takeOwn(right);
      r += 1;
      if (shared[nextShared] === right) nextShared += 1;
    }
  }
  return merged.length === 0 ? live : merged;
}
