import type { Json } from '../schema/schema.ts';
import { type FieldSet, fieldNode, fieldSetOf, noFields, unionOf } from './field-set.ts';
import { asMap } from './list-elements.ts';
import { canonicalElement } from './path-element.ts';

/** Sets that are known to be canonical, so that what comes out of the store is not looked at again. */
const canonical = new WeakSet<FieldSet>();

/** The wire form of a set, which is the set itself. */
export function encodeFieldsV1(set: FieldSet): Json {
  if (set !== noFields) canonical.add(set);
  return set as unknown as Json;
}

/** Reads a set that somebody may have written by hand: sorts it, drops what is unknown, throws on what is malformed. */
export function decodeFieldsV1(fields: Json | undefined): FieldSet {
  if (fields === undefined || fields === null) return noFields;
  if (canonical.has(fields as unknown as FieldSet)) return fields as unknown as FieldSet;
  const set = fieldNode(false, readNode(fields)) ?? noFields;
  if (set === noFields) return set;
  // What was canonical all along is kept, so that it is read only once.
  const kept = JSON.stringify(set) === JSON.stringify(fields) ? (fields as unknown as FieldSet) : set;
  canonical.add(kept);
  return kept;
}

function readNode(value: Json): FieldSet {
  const map = asMap(value);
  if (map === undefined) throw new Error('a set of fields must be an object');
  const nodes: [string, FieldSet][] = [];
  let self = false;
  for (const key of Object.keys(map)) {
    if (key === '.') {
      self = true;
      continue;
    }
    const read = canonicalElement(key);
    if (read instanceof Error) throw new Error(`error parsing key as path element: ${read.message}`);
    if (read !== undefined) nodes.push([read.element, readNode(map[key] ?? {})]);
  }
  const children = nodes.length === 0 ? noFields : joined(nodes);
  // Nothing below a place means that the place itself is a member.
  return fieldNode(self || nodes.length === 0, children) ?? noFields;
}

function joined(nodes: [string, FieldSet][]): FieldSet {
  const names = new Set(nodes.map(([element]) => element));
  if (names.size === nodes.length) return fieldSetOf(nodes);
  return nodes.reduce<FieldSet>((set, [element, node]) => unionOf(set, { [element]: node }), noFields);
}
