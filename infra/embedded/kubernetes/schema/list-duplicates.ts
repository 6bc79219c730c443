import type { FieldError } from '../status-error.ts';
import { duplicateValue, invalidValue } from './field-errors.ts';
import { jsonText } from './go-text.ts';
import { isPlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

type Walk = (value: unknown, path: string, errors: FieldError[]) => void;

/** Finds what occurs twice in lists that are sets or maps. Nothing to do where a schema has no such list. */
export function duplicatesCheckOf(schema: Schema): Walk | undefined {
  const own = ownCheckOf(schema);
  const items = schema.items === undefined ? undefined : duplicatesCheckOf(schema.items);
  const others =
    typeof schema.additionalProperties === 'object' ? duplicatesCheckOf(schema.additionalProperties) : undefined;
  const fields = new Map<string, Walk>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const check = duplicatesCheckOf(field);
    if (check !== undefined) fields.set(name, check);
  }
  if (own === undefined && items === undefined && others === undefined && fields.size === 0) return undefined;

  return (value, path, errors) => {
    if (Array.isArray(value)) {
      own?.(value, path, errors);
      if (items === undefined) return;
      for (let index = 0; index < value.length; index += 1) items(value[index], `${path}[${index}]`, errors);
    } else if (isPlainObject(value)) {
      for (const [name, check] of fields) {
        if (Object.hasOwn(value, name)) check(value[name], path === '' ? name : `${path}.${name}`, errors);
      }
      if (others !== undefined) for (const key in value) others(value[key], `${path}[${key}]`, errors);
    }
  };
}

function ownCheckOf(
  schema: Schema,
): ((list: readonly unknown[], path: string, errors: FieldError[]) => void) | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return (list, path, errors) => tellTwice(list, path, errors);
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return (list, path, errors) => {
    const misfit = list.findIndex((item) => item !== null && !isPlainObject(item));
    if (misfit >= 0) {
      const detail = 'must be an object for an array of list-type map';
      errors.push(invalidValue(`${path}[${misfit}]`, list[misfit], detail));
      return;
    }
    if (list.length < 2 || (keys.length === 1 && areDistinct(list, keys[0] ?? ''))) return;
    tellTwice(
      list.map((item) => keyOf(item, keys)),
      path,
      errors,
    );
  };
}

/** The usual case of one key that is a text, without building keys. */
function areDistinct(list: readonly unknown[], key: string): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    const value = isPlainObject(item) ? item[key] : undefined;
    if (typeof value !== 'string' || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function keyOf(item: unknown, keys: readonly string[]): unknown {
  if (!isPlainObject(item)) return {};
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
}

/** Each value is told once, where it occurs the second time. */
function tellTwice(list: readonly unknown[], path: string, errors: FieldError[]): void {
  const times = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const key = typeof item === 'object' ? jsonText(item) : item;
    const seen = times.get(key) ?? 0;
    times.set(key, seen + 1);
    if (seen === 1) errors.push(duplicateValue(`${path}[${index}]`, item));
  }
}
