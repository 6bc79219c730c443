import { readFileSync } from 'node:fs';
import type { Schema } from '../schema/schema.ts';

type Raw = Readonly<Record<string, unknown>>;

interface CoreSchemas {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, Raw>>;
}

let known: ReadonlyMap<string, Schema> | undefined;

/**
 * The schemas of the built-in kinds, by names such as `apps/v1/Deployment` and `v1/Secret`. References are resolved, so
 * that a schema may contain itself. The title of a definition is the name of its type in Go, which errors speak of.
 */
export function loadCoreSchemas(): ReadonlyMap<string, Schema> {
  known ??= resolve(JSON.parse(readFileSync(new URL('core-schemas.json', import.meta.url), 'utf8')) as CoreSchemas);
  return known;
}

function resolve({ kinds, definitions }: CoreSchemas): ReadonlyMap<string, Schema> {
  const resolved = new Map<string, Record<string, unknown>>();
  const unfinished: { readonly schema: Record<string, unknown>; readonly target: string; readonly extra: Raw }[] = [];
  for (const name of Object.keys(definitions)) resolved.set(name, { title: name.split('.').slice(-2).join('.') });

  function convert(raw: Raw): Record<string, unknown> {
    const { $ref: target, ...extra } = raw;
    if (typeof target === 'string') {
      const found = resolved.get(target);
      if (found === undefined)
        throw new Error(`core-schemas.json speaks of ${target} but does not define it. Generate it anew.`);
      if (Object.keys(extra).length === 0) return found;
      // Finished later, when every definition is filled in.
      const schema: Record<string, unknown> = {};
      unfinished.push({ schema, target, extra });
      return schema;
    }
    const schema: Record<string, unknown> = { ...raw };
    if (isRaw(raw['properties'])) {
      const fields = Object.entries(raw['properties']).map(([key, field]) => [key, convert(field as Raw)]);
      schema['properties'] = Object.fromEntries(fields);
    }
    for (const key of ['items', 'additionalProperties']) if (isRaw(raw[key])) schema[key] = convert(raw[key]);
    return schema;
  }

  for (const [name, raw] of Object.entries(definitions)) Object.assign(resolved.get(name) ?? {}, convert(raw));
  for (const { schema, target, extra } of unfinished) Object.assign(schema, resolved.get(target), extra);
  return new Map(Object.entries(kinds).map(([kind, name]) => [kind, resolved.get(name) as Schema]));
}

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null;
}
