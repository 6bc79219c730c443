import type { Json } from '../schema/schema.ts';
import { type FieldSet, fieldNode, fieldSetOf, noFields } from './field-set.ts';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './field-type.ts';
import { asList, asMap, elementOf } from './list-elements.ts';
import { fieldElement } from './path-element.ts';

/** Every field that a value states: leaves, items of lists, and members of maps that the schema does not name. */
export function collectFields(type: FieldType, value: Json): FieldSet {
  return collect(type, value) ?? noFields;
}

function collect(type: FieldType, value: Json): FieldSet | undefined {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined) return type.map.atomic ? noFields : ofMap(type.map, value);
  if (form === 'list' && type.list !== undefined) {
    return type.list.relation === 'atomic' ? noFields : ofList(type.list, value);
  }
  return noFields;
}

function ofMap(type: MapType, value: Json): FieldSet | undefined {
  const map = asMap(value);
  if (map === undefined) return undefined;
  const nodes: [string, FieldSet][] = [];
  for (const name in map) {
    const part = map[name];
    if (part === undefined) continue;
    const below = collect(memberType(type, name), part);
    const empty = asMap(part) !== undefined && Object.keys(part as object).length === 0;
    const own = part === null || empty || !type.fields.has(name);
    const node = own ? fieldNode(true, below) : below;
    if (node !== undefined) nodes.push([fieldElement(name), node]);
  }
  return nodes.length === 0 ? undefined : fieldSetOf(nodes);
}

function ofList(type: ListType, value: Json): FieldSet | undefined {
  const counts = new Map<string, number>();
  const items: [string, Json][] = [];
  for (const item of asList(value) ?? []) {
    const element = elementOf(type, item);
    if (typeof element !== 'string') continue;
    counts.set(element, (counts.get(element) ?? 0) + 1);
    items.push([element, item]);
  }
  const nodes = items.map(([element, item]): [string, FieldSet] => {
    const below = (counts.get(element) ?? 0) > 1 ? undefined : collect(type.items, item);
    return [element, fieldNode(true, below) ?? noFields];
  });
  return nodes.length === 0 ? undefined : fieldSetOf(nodes);
}
