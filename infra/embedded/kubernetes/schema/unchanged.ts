import { sameJson } from '../same-json.ts';
import { isPlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

/**
 * Whether a value is what it was, so that an old fault in it is tolerated. Elements of a keyed list are compared with
 * the old element of the same key, and a field that the schema does not describe is never taken for unchanged: so the
 * real server does it.
 */
export function unchanged(schema: Schema, value: unknown, old: unknown): boolean {
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || value.length !== old.length) return false;
    const items = schema.items;
    if (schema['x-kubernetes-list-type'] !== 'map' || items === undefined) return sameJson(value, old);
    return value.every((item) => {
      const before = oldElement(schema, item, old);
      return before !== undefined && unchanged(items, item, before);
    });
  }
  if (!isPlainObject(value)) return value === old;
  if (!isPlainObject(old) || Object.keys(value).length !== Object.keys(old).length) return false;
  return Object.keys(value).every((key) => {
    const field = fieldSchema(schema, key);
    return field !== undefined && Object.hasOwn(old, key) && unchanged(field, value[key], old[key]);
  });
}

/** Whether there is no place for fields that the schema does not describe. */
export function describesAll(schema: Schema): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource']) return false;
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return parts.every((part) => typeof part !== 'object' || describesAll(part));
}

function fieldSchema(schema: Schema, key: string): Schema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** The first old element with the same keys; nothing where the list is not keyed, or a key is missing or not plain. */
export function oldElement(schema: Schema, element: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || !Array.isArray(old)) return undefined;
  if (!isPlainObject(element)) return undefined;
  if (!keys.every((key) => isScalar(element[key]))) return undefined;
  return old.find((each) => isPlainObject(each) && keys.every((key) => each[key] === element[key]));
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
