import { isPlainObject } from '../plain-object.ts';
import type { Schema } from '../schema.ts';
import { runningEnvironment } from './environment.ts';
import { escapeName, isReserved } from './escape-name.ts';

export type Convert = (value: unknown) => unknown;

/**
 * How rules see a value: whole numbers as such, times and durations as such, fields under names that can be spelled.
 * Nothing to do (the usual case) where a value of that schema is already what rules see.
 */
export function conversionOf(schema: Schema): Convert | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return wholeNumber;
  switch (schema.type) {
    case 'integer':
      return wholeNumber;
    case 'string':
      return textConversion(schema.format);
    case 'array':
      return schema.items === undefined ? undefined : listConversion(conversionOf(schema.items));
    case 'object':
      return objectConversion(schema);
    default:
      return undefined;
  }
}

function wholeNumber(value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function textConversion(format: string | undefined): Convert | undefined {
  if (format === 'byte') return (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value);
  if (format === 'date-time' || format === 'date') {
    return (value) => (typeof value === 'string' ? new Date(value) : value);
  }
  if (format !== 'duration') return undefined;
  const parse = runningEnvironment().parse('duration(self)');
  return (value) => (typeof value === 'string' ? parse({ self: value }) : value);
}

function listConversion(items: Convert | undefined): Convert | undefined {
  return items && ((value) => (Array.isArray(value) ? value.map(items) : value));
}

function objectConversion(schema: Schema): Convert | undefined {
  const others =
    typeof schema.additionalProperties === 'object' ? conversionOf(schema.additionalProperties) : undefined;
  const fields = new Map<string, { readonly name: string; readonly convert: Convert | undefined }>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const spelled = escapeName(name) ?? name;
    const convert = conversionOf(field);
    if (convert !== undefined || spelled !== name) fields.set(name, { name: spelled, convert });
  }
  if (fields.size === 0 && others === undefined) return undefined;

  return (value) => {
    if (!isPlainObject(value)) return value;
    const seen: Record<string, unknown> = {};
    for (const key in value) {
      const field = fields.get(key);
      const convert = field === undefined ? others : field.convert;
      const item = convert === undefined ? value[key] : convert(value[key]);
      seen[field?.name ?? key] = item;
      if (field !== undefined && isReserved(key)) seen[key] = item;
    }
    return seen;
  };
}

export type Align = (value: unknown, old: unknown) => unknown;

/**
 * In lists that are sets or maps the order does not count. So that a comparison does not see it, the old list is put
 * in the order of the new one, as far as its elements are still there.
 */
export function alignmentOf(schema: Schema): Align | undefined {
  if (schema.type === 'array') return listAlignment(schema);
  const fields = new Map<string, Align>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const align = alignmentOf(field);
    if (align !== undefined) fields.set(name, align);
  }
  if (fields.size === 0) return undefined;
  return (value, old) => {
    if (!isPlainObject(value) || !isPlainObject(old)) return old;
    const aligned: Record<string, unknown> = { ...old };
    for (const [name, align] of fields) {
      if (Object.hasOwn(old, name)) aligned[name] = align(value[name], old[name]);
    }
    return aligned;
  };
}

function listAlignment(schema: Schema): Align | undefined {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type !== 'set' && type !== 'map') return undefined;
  const keyOf = (item: unknown) =>
    type === 'map' && isPlainObject(item) ? JSON.stringify(keys.map((key) => item[key] ?? null)) : JSON.stringify(item);
  const items = schema.items === undefined ? undefined : alignmentOf(schema.items);
  return (value, old) => {
    if (!Array.isArray(value) || !Array.isArray(old)) return old;
    const left = new Map(old.map((item) => [keyOf(item), item]));
    const kept: unknown[] = [];
    for (const item of value) {
      const key = keyOf(item);
      if (!left.has(key)) continue;
      const before = left.get(key);
      kept.push(items === undefined ? before : items(item, before));
      left.delete(key);
    }
    return [...kept, ...left.values()];
  };
}
