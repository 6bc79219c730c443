import type { Schema } from './schema.ts';

/** What pruning and defaulting need to know of a schema, ready to be walked. A shape may contain itself. */
export interface Shape {
  readonly fields: ReadonlyMap<string, Shape>;
  /** Any other key is allowed. */
  readonly isOpen: boolean;
  /** The shape of those other keys, where one is given. */
  readonly others: Shape | undefined;
  readonly items: Shape | undefined;
  readonly preserves: boolean;
  readonly isResource: boolean;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly default: unknown;
  /** The fields that have a default of their own. */
  readonly defaulted: readonly string[];
}

type Unfinished = { -readonly [Key in keyof Shape]: Shape[Key] };

const known = new WeakMap<Schema, Shape>();

export function shapeOf(schema: Schema): Shape {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const fields = new Map<string, Shape>();
  const extra = schema.additionalProperties;
  const shape: Unfinished = {
    fields,
    isOpen: extra !== undefined && extra !== false,
    others: undefined,
    items: undefined,
    preserves: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isResource: schema['x-kubernetes-embedded-resource'] === true,
    isNullable: schema.nullable === true,
    hasDefault: schema.default !== undefined && schema.default !== null,
    default: schema.default,
    defaulted: Object.entries(schema.properties ?? {})
      .filter(([, field]) => field.default !== undefined && field.default !== null)
      .map(([name]) => name),
  };
  // Known before its parts are: a schema may contain itself.
  known.set(schema, shape);
  for (const [name, field] of Object.entries(schema.properties ?? {})) fields.set(name, shapeOf(field));
  if (typeof extra === 'object') shape.others = shapeOf(extra);
  if (schema.items !== undefined) shape.items = shapeOf(schema.items);
  return shape;
}
