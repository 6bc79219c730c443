import { isPlainObject, type PlainObject } from './plain-object.ts';
import type { Shape } from './shape.ts';

/**
 * The value with the defaults of its schema filled in. A null where none is allowed counts as absent. What did not
 * change is shared with the input, and a default that is filled in is shared with the schema.
 */
export function defaultValue(value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined) return value;
  if (Array.isArray(value)) return shape.items === undefined ? value : defaultList(value, shape.items);
  return isPlainObject(value) ? defaultObject(value, shape) : value;
}

function defaultList(list: readonly unknown[], items: Shape): unknown {
  let filled: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const given = item === null && !items.isNullable && items.hasDefault ? items.default : item;
    const next = defaultValue(given, items);
    if (next === item) continue;
    filled ??= [...list];
    filled[index] = next;
  }
  return filled ?? list;
}

function defaultObject(object: PlainObject, shape: Shape): PlainObject {
  let filled: Record<string, unknown> | undefined;
  for (const key in object) {
    const value = object[key];
    if (value !== null && typeof value !== 'object') continue;
    const field = shape.fields.get(key) ?? shape.others;
    if (field === undefined) continue;
    if (value === null && !field.isNullable && !field.hasDefault) {
      filled ??= { ...object };
      delete filled[key];
      continue;
    }
    const next = defaultValue(value === null && !field.isNullable ? field.default : value, field);
    if (next === value) continue;
    filled ??= { ...object };
    filled[key] = next;
  }
  for (const key of shape.defaulted) {
    if (Object.hasOwn(object, key)) continue;
    filled ??= { ...object };
    const field = shape.fields.get(key);
    filled[key] = defaultValue(field?.default, field);
  }
  return filled ?? object;
}
