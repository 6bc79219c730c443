import { sameJson } from '../same-json.ts';
import type { Json, JsonObject } from '../schema/schema.ts';
import { type FieldSet, fieldNode, fieldSetOf, noFields, unionOf } from './field-set.ts';
import { type FieldType, type Form, formOf, type ListType, type MapType, memberType } from './field-type.ts';
import { asList, asMap, elementOf } from './list-elements.ts';
import { fieldElement } from './path-element.ts';

/** What became of the fields between two states of an object. No field is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

type Kind = keyof Comparison;

/** The nodes of one place for each kind of change; absent when that kind did not happen there. */
type Change = Partial<Record<Kind, FieldSet>>;

const kinds: readonly Kind[] = ['removed', 'modified', 'added'];
const leaf: FieldSet = noFields;

export function compareValues(type: FieldType, old: Json | undefined, next: Json | undefined): Comparison {
  const change = compare(type, old, next) ?? {};
  return {
    removed: change.removed ?? noFields,
    modified: change.modified ?? noFields,
    added: change.added ?? noFields,
  };
}

function compare(type: FieldType, old: Json | undefined, next: Json | undefined): Change | undefined {
  if (old === next) return undefined;
  if (next === undefined) return inForm(type, formOf(type, old ?? null), old, next);
  if (old === undefined) return inForm(type, formOf(type, next), old, next);
  const before = formOf(type, old);
  const after = formOf(type, next);
  // A place that changed its form loses what it had in the old one.
  const lost = before === after ? undefined : inForm(type, before, old, next);
  const change = inForm(type, after, old, next);
  return lost === undefined ? change : change === undefined ? lost : both(lost, change);
}

function both(a: Change, b: Change): Change {
  const joined: Change = {};
  for (const kind of kinds) {
    const [x, y] = [a[kind], b[kind]];
    const node = x === undefined ? y : y === undefined ? x : unionOf({ 'f:': x }, { 'f:': y })['f:'];
    if (node !== undefined) joined[kind] = node;
  }
  return joined;
}

function inForm(type: FieldType, form: Form, old: Json | undefined, next: Json | undefined): Change | undefined {
  if (form === 'map' && type.map !== undefined) return compareMaps(type.map, old, next);
  if (form === 'list' && type.list !== undefined) return compareLists(type.list, old, next);
  return asLeaf(old, next);
}

function asLeaf(old: Json | undefined, next: Json | undefined): Change | undefined {
  if (old === undefined) return { added: leaf };
  if (next === undefined) return { removed: leaf };
  return sameJson(old, next) ? undefined : { modified: leaf };
}

function isBare(map: JsonObject | undefined): boolean {
  if (map !== undefined) for (const key in map) if (map[key] !== undefined) return false;
  return true;
}

function compareMaps(type: MapType, old: Json | undefined, next: Json | undefined): Change | undefined {
  const before = asMap(old);
  const after = asMap(next);
  if (type.atomic || (isBare(before) && isBare(after))) return asLeaf(old, next);
  const changes: [string, Change][] = [];
  for (const name in before) {
    const value = before[name];
    if (value === undefined) continue;
    const other = after !== undefined && Object.hasOwn(after, name) ? after[name] : undefined;
    if (value === other) continue;
    const change = compare(memberType(type, name), value, other);
    if (change !== undefined) changes.push([fieldElement(name), change]);
  }
  for (const name in after) {
    const value = after[name];
    const known = before !== undefined && Object.hasOwn(before, name) && before[name] !== undefined;
    if (value === undefined || known) continue;
    const change = compare(memberType(type, name), undefined, value);
    if (change !== undefined) changes.push([fieldElement(name), change]);
  }
  return gather(changes, old, next);
}

/** Joins the changes below a place, and adds the place itself when it came or went. */
function gather(changes: [string, Change][], old: Json | undefined, next: Json | undefined): Change | undefined {
  const gathered: Change = {};
  let something = false;
  for (const kind of kinds) {
    const nodes: [string, FieldSet][] = [];
    for (const [element, change] of changes) {
      const node = change[kind];
      if (node !== undefined) nodes.push([element, node]);
    }
    const self = (kind === 'added' && old === undefined) || (kind === 'removed' && next === undefined);
    const node = fieldNode(self, nodes.length === 0 ? undefined : fieldSetOf(nodes));
    if (node === undefined) continue;
    gathered[kind] = node;
    something = true;
  }
  return something ? gathered : undefined;
}

function compareLists(type: ListType, old: Json | undefined, next: Json | undefined): Change | undefined {
  const before = asList(old);
  const after = asList(next);
  const bare = (before === undefined || before.length === 0) && (after === undefined || after.length === 0);
  if (type.relation === 'atomic' || bare) return asLeaf(old, next);
  // Comparing items one by one costs more than finding out that there is nothing to compare.
  if (before !== undefined && after !== undefined && sameJson(before, after)) return undefined;
  const left = grouped(type, before);
  const right = grouped(type, after);
  const changes: [string, Change][] = [];
  for (const [element, mine] of left) {
    const change = compareItems(type, mine, right.get(element));
    if (change !== undefined) changes.push([element, change]);
  }
  for (const [element, theirs] of right) {
    if (left.has(element)) continue;
    const change = compareItems(type, undefined, theirs);
    if (change !== undefined) changes.push([element, change]);
  }
  return gather(changes, old, next);
}

function grouped(type: ListType, list: readonly Json[] | undefined): Map<string, Json[]> {
  const groups = new Map<string, Json[]>();
  for (const item of list ?? []) {
    const element = elementOf(type, item);
    if (typeof element !== 'string') continue;
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

/** Items that appear more than once are owned as one thing, without their fields. */
function compareItems(type: ListType, old: Json[] | undefined, next: Json[] | undefined): Change | undefined {
  const twiceBefore = old !== undefined && old.length > 1;
  const twiceAfter = next !== undefined && next.length > 1;
  if (!twiceBefore && !twiceAfter) return compare(type.items, old?.[0], next?.[0]);
  if (twiceBefore && twiceAfter) return sameJson(old, next) ? undefined : { modified: leaf };
  const single = twiceBefore
    ? next === undefined
      ? undefined
      : compare(type.items, undefined, next[0])
    : old === undefined
      ? undefined
      : compare(type.items, old[0], undefined);
  const marker: Change = twiceBefore ? { removed: leaf } : { added: leaf };
  return single === undefined ? marker : both(single, marker);
}
