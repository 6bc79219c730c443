import type { Json, JsonObject, Schema } from '../schema/schema.ts';

const known = new WeakMap<Schema, JsonObject>();

/**
 * What a new object is compared with. A built-in kind is a struct on the real server, whose required parts are there
 * before anybody wrote them, so nobody becomes the owner of `spec` itself; of a custom resource nothing is there.
 */
export function emptyObject(schema: Schema | undefined, builtIn: boolean, kind: string): JsonObject {
  if (!builtIn || schema === undefined) return {};
  const made = known.get(schema) ?? { ...zeroOf(schema, new Set()), ...unlisted.get(kind) };
  known.set(schema, made);
  return made;
}

/** Members that are always written and that the schema nevertheless calls optional. */
const unlisted: ReadonlyMap<string, JsonObject> = new Map([
  [
    'Event',
    { eventTime: null, firstTimestamp: null, lastTimestamp: null, reportingComponent: '', reportingInstance: '' },
  ],
]);

function shapeOf(schema: Schema): Schema {
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  return schema.properties === undefined && only !== undefined ? only : schema;
}

function zeroOf(schema: Schema, above: Set<Schema>): JsonObject {
  const shape = shapeOf(schema);
  const zero: Record<string, Json> = {};
  if (above.has(shape)) return zero;
  above.add(shape);
  const required = new Set(shape.required ?? []);
  for (const [name, part] of Object.entries(shape.properties ?? {})) {
    const value = zeroOfField(part, required.has(name), above);
    if (value !== undefined) zero[name] = value;
  }
  above.delete(shape);
  return zero;
}

/** The published schemas give a default of `{}` to struct members and a zero to required scalars. */
function zeroOfField(schema: Schema, required: boolean, above: Set<Schema>): Json | undefined {
  const fallback = schema.default;
  if (fallback === undefined) return required ? null : undefined;
  if (fallback !== null && typeof fallback === 'object' && !Array.isArray(fallback)) return zeroOf(schema, above);
  return required ? fallback : undefined;
}
