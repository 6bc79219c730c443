import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts';
import type { Schema } from '../schema/schema.ts';

const known = new WeakMap<Schema, CompiledSchema>();

/** A schema made ready for work, once. */
export function compiled(schema: Schema): CompiledSchema {
  let found = known.get(schema);
  if (found === undefined) {
    found = compileSchema(schema, { isRoot: true });
    known.set(schema, found);
  }
  return found;
}
