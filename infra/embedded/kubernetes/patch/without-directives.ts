import type { Json } from '../schema/schema.ts';
import { isMap } from './order-items.ts';
import { setOwn } from './set-own.ts';

export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const kept: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    const part = value[name];
    if (part !== null && part !== undefined) setOwn(kept, name, withoutNulls(part));
  }
  return kept;
}

/**
 * What is new in an object is taken as it stands in the patch, without directives: they would have acted on something
 * that is not there. A map with `$patch` is dropped as a whole.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if (value['$patch'] !== undefined) return undefined;
  const kept: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    if (/^\$(retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/.test(name)) continue;
    const part = withoutDirectives(value[name] ?? null);
    if (part !== undefined) setOwn(kept, name, part);
  }
  return kept;
}
