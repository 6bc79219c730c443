import { objectMetaSchema } from './object-meta-schema.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';
import { type Shape, shapeOf } from './shape.ts';

const metaShape = shapeOf(objectMetaSchema);

/**
 * The value without the fields that its schema does not know. What did not change is shared with the input, which is
 * never touched. The paths of what was taken away are collected in `found`.
 */
export function pruneValue(value: unknown, shape: Shape | undefined, isResource: boolean, found?: Found): unknown {
  if (Array.isArray(value)) return pruneList(value, shape, found);
  if (!isPlainObject(value)) return value;
  return pruneObject(value, shape, isResource || shape?.isResource === true, found);
}

/** Where the walk is, and what it found that should not be there. */
export interface Found {
  path: string;
  /** Of these lists, the one that the walk fills: unknown fields of metadata are kept apart. */
  filled: string[];
  readonly fields: string[];
  readonly metadata: string[];
  readonly embeddedMetadata: string[];
}

/** The paths in the order in which a real server tells them. */
export function findUnknownFields(value: unknown, shape: Shape, isResource: boolean): string[] {
  const fields: string[] = [];
  const found: Found = { path: '', filled: fields, fields, metadata: [], embeddedMetadata: [] };
  pruneValue(value, shape, isResource, found);
  return [...found.metadata.sort(), ...found.fields.sort(), ...found.embeddedMetadata.sort()];
}

function pruneList(list: readonly unknown[], shape: Shape | undefined, found: Found | undefined): unknown {
  const items = shape?.items;
  const parent = found?.path ?? '';
  let kept: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (typeof item !== 'object' || item === null) continue;
    if (found !== undefined) found.path = `${parent}[${index}]`;
    const pruned = shape?.preserves === true && items === undefined ? item : pruneValue(item, items, false, found);
    if (pruned === item) continue;
    kept ??= [...list];
    kept[index] = pruned;
  }
  if (found !== undefined) found.path = parent;
  return kept ?? list;
}

function pruneObject(
  object: PlainObject,
  shape: Shape | undefined,
  isResource: boolean,
  found: Found | undefined,
): PlainObject {
  const parent = found?.path ?? '';
  let kept: Record<string, unknown> | undefined;
  for (const key in object) {
    const field = object[key];
    const next = fieldShape(key, shape, isResource);
    if (next === 'unknown') {
      kept ??= { ...object };
      delete kept[key];
      // An object without a schema for its root still has these three.
      if (!(parent === '' && isMeta(key))) found?.filled.push(join(parent, key));
      continue;
    }
    if (next === 'kept' || typeof field !== 'object' || field === null) continue;
    if (found !== undefined) {
      found.path = join(parent, key);
      if (next === metaShape) found.filled = parent === '' ? found.metadata : found.embeddedMetadata;
    }
    const pruned = pruneValue(field, next, false, found);
    if (found !== undefined && next === metaShape) found.filled = found.fields;
    if (pruned === field) continue;
    kept ??= { ...object };
    kept[key] = pruned;
  }
  if (found !== undefined) found.path = parent;
  return kept ?? object;
}

function fieldShape(
  key: string,
  shape: Shape | undefined,
  isResource: boolean,
): Shape | undefined | 'unknown' | 'kept' {
  if (isResource && isMeta(key)) return key === 'metadata' ? metaShape : 'kept';
  if (shape === undefined) return 'unknown';
  const field = shape.fields.get(key);
  if (field !== undefined) return field;
  if (shape.isOpen) return shape.others;
  return shape.preserves ? 'kept' : 'unknown';
}

function isMeta(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata';
}

function join(parent: string, key: string): string {
  return parent === '' ? key : `${parent}.${key}`;
}
