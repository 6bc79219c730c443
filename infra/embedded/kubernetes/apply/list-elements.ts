import type { Json, JsonObject } from '../schema/schema.ts';
import type { ListType } from './field-type.ts';
import { keyElement, valueElement } from './path-element.ts';

export function asMap(value: Json | undefined): JsonObject | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function asList(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? (value as readonly Json[]) : undefined;
}

/** Which element of a path an item of a set or of a list of type map is, or what is wrong with it. */
export function elementOf(type: ListType, item: Json): string | { readonly wrong: string } {
  return type.relation === 'map' ? keyOf(type, item) : setElementOf(item);
}

function keyOf(type: ListType, item: Json): string | { readonly wrong: string } {
  if (item === null) return { wrong: 'associative list with keys may not have a null element' };
  const map = asMap(item);
  if (map === undefined) return { wrong: 'associative list with keys may not have non-map elements' };
  const fields: [string, Json][] = [];
  for (const key of type.keys) {
    const value = map[key] ?? (Object.hasOwn(map, key) ? null : type.keyDefaults.get(key));
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length > 0) return keyElement(fields);
  const keys = type.keys.map((key) => JSON.stringify(key)).join(' ');
  return {
    wrong: `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
  };
}

function setElementOf(item: Json): string | { readonly wrong: string } {
  if (item === null) return { wrong: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { wrong: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object') return { wrong: "associative list without keys has an element that's a map type" };
  return valueElement(item);
}
