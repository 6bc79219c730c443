import { setOwn } from '../patch/set-own.ts';
import type { Json } from '../schema/schema.ts';
import { type FieldSet, fieldNode, fieldSetOf, isEmptySet, isMember } from './field-set.ts';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './field-type.ts';
import { asList, asMap, elementOf } from './list-elements.ts';

/** A value without the given fields. A list or map of which nothing is left becomes null, as on the real server. */
export function removeFields(type: FieldType, value: Json, fields: FieldSet): Json {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined) return fromMap(type.map, value, fields);
  if (form === 'list' && type.list !== undefined) return fromList(type.list, value, fields);
  return value;
}

function fromMap(type: MapType, value: Json, fields: FieldSet): Json {
  const map = asMap(value);
  if (map === undefined || type.atomic) return null;
  const left: Record<string, Json> = {};
  let size = 0;
  for (const name in map) {
    const part = map[name];
    const node = fields[`f:${name}`];
    if (part === undefined || (node !== undefined && isMember(node))) continue;
    const kept = node === undefined || isEmptySet(node) ? part : removeFields(memberType(type, name), part, node);
    setOwn(left, name, kept);
    size += 1;
  }
  return size === 0 ? null : left;
}

function fromList(type: ListType, value: Json, fields: FieldSet): Json {
  const list = asList(value);
  if (list === undefined || type.relation === 'atomic') return null;
  const left: Json[] = [];
  for (const item of list) {
    const element = elementOf(type, item);
    const node = typeof element === 'string' ? fields[element] : undefined;
    if (node !== undefined && isMember(node)) continue;
    left.push(node === undefined || isEmptySet(node) ? item : removeFields(type.items, item, node));
  }
  return left.length === 0 ? null : left;
}

/** The set with every field that the schema names and that has members below it as a member too. */
export function withNamedFields(type: FieldType, fields: FieldSet): FieldSet {
  const nodes: [string, FieldSet][] = [];
  for (const element in fields) {
    const node = fields[element];
    if (element === '.' || node === undefined) continue;
    const below = typeAt(type, element);
    const named = element.startsWith('f:') && type.map?.fields.has(element.slice(2)) === true;
    const children = below === undefined || isEmptySet(node) ? node : withNamedFields(below, node);
    const member = isMember(node) || (named && !isEmptySet(node));
    nodes.push([element, fieldNode(member, children) ?? node]);
  }
  return fieldSetOf(nodes);
}

function typeAt(type: FieldType, element: string): FieldType | undefined {
  if (!element.startsWith('f:')) return type.list?.items;
  if (type.map === undefined) return undefined;
  return type.map.fields.get(element.slice(2)) ?? type.map.elements;
}
