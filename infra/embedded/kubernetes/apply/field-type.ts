import { objectMetaSchema } from '../schema/object-meta-schema.ts';
import type { Json, Schema } from '../schema/schema.ts';

/** How a place of an object is owned and merged. A place that may hold several forms has more than one of the three. */
export interface FieldType {
  scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  list?: ListType;
  map?: MapType;
}

export interface ListType {
  readonly relation: 'atomic' | 'set' | 'map';
  /** In the order of their names, which is the order of the wire. */
  readonly keys: readonly string[];
  readonly keyDefaults: ReadonlyMap<string, Json>;
  readonly items: FieldType;
}

export interface MapType {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of keys that are not named; undefined when there can be none. */
  readonly elements: FieldType | undefined;
}

export type Form = 'map' | 'list' | 'scalar';

const atomicType: FieldType = { scalar: 'untyped' };
atomicType.list = { relation: 'atomic', keys: [], keyDefaults: new Map(), items: atomicType };
atomicType.map = { atomic: true, fields: new Map(), elements: atomicType };

/** What is known of a place without a schema: lists are owned as a whole, maps field by field. */
const deducedType: FieldType = { scalar: 'untyped', list: atomicType.list };
deducedType.map = { atomic: false, fields: new Map(), elements: deducedType };

const compiled = { strict: new WeakMap<Schema, FieldType>(), open: new WeakMap<Schema, FieldType>() };
const roots = new WeakMap<Schema, FieldType>();

/** The type of a whole object: its metadata is the same for every kind. */
export function fieldTypeOf(schema: Schema | undefined): FieldType {
  if (schema === undefined) return deducedType;
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const type = { ...compile(schema, false) };
  if (type.map !== undefined) type.map = { ...type.map, fields: withMetadata(type.map.fields) };
  roots.set(schema, type);
  return type;
}

function withMetadata(fields: ReadonlyMap<string, FieldType>): ReadonlyMap<string, FieldType> {
  const text: FieldType = { scalar: 'string' };
  return new Map([['apiVersion', text], ['kind', text], ...fields, ['metadata', compile(objectMetaSchema, false)]]);
}

function compile(schema: Schema, keepsUnknown: boolean): FieldType {
  const open = keepsUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const cache = open ? compiled.open : compiled.strict;
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  const wraps = schema.type === undefined && schema.properties === undefined && only !== undefined;
  if (wraps && schema['x-kubernetes-map-type'] === undefined) return compile(only, open);
  const type: FieldType = {};
  // A schema may contain itself, so the type is known before it is complete.
  cache.set(schema, type);
  Object.assign(type, parts(schema, open));
  return type;
}

function parts(schema: Schema, open: boolean): FieldType {
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  if (schema.type === undefined && schema.properties === undefined && only !== undefined) {
    const { map, ...others } = compile(only, open);
    return map === undefined
      ? others
      : { ...others, map: { ...map, atomic: schema['x-kubernetes-map-type'] === 'atomic' } };
  }
  switch (schema.type) {
    case 'object':
      // Inside a CRD a schema may also be said as `true`, or as a list of schemas.
      if (schema.title === 'v1.JSONSchemaProps') return { ...atomicType, map: mapPart(schema, open) };
      return { map: mapPart(schema, open) };
    case 'array':
      return { list: listPart(schema, open) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listPart(schema, open), map: mapPart(schema, open) };
  }
}

function mapPart(schema: Schema, open: boolean): MapType {
  const named = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, compile(part, open)] as const);
  const fields = new Map(named);
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields: embedded ? withMetadata(fields) : fields,
    elements: elementsOf(schema, open, fields.size > 0),
  };
}

function elementsOf(schema: Schema, open: boolean, hasFields: boolean): FieldType | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') return compile(additional, open);
  if (additional === undefined) return open || !hasFields ? deducedType : undefined;
  return additional ? deducedType : undefined;
}

function listPart(schema: Schema, open: boolean): ListType {
  const { relation, keys } = relationOf(schema);
  const items = schema.items === undefined ? atomicType : compile(schema.items, open);
  const properties = schema.items === undefined ? {} : propertiesOf(schema.items);
  const keyDefaults = new Map<string, Json>();
  for (const key of keys) {
    const fallback = properties[key]?.default;
    if (fallback !== undefined && fallback !== null) keyDefaults.set(key, fallback);
  }
  return { relation, keys: keys.toSorted(), keyDefaults, items };
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (schema.properties !== undefined) return schema.properties;
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  return only?.properties ?? {};
}

function relationOf(schema: Schema): { readonly relation: ListType['relation']; readonly keys: readonly string[] } {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'map') return { relation: 'map', keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  if (listType !== undefined) return { relation: listType, keys: [] };
  // Built-in lists without a list type follow their strategy for strategic merge patches.
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { relation: 'atomic', keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return key === undefined ? { relation: 'set', keys: [] } : { relation: 'map', keys: [key] };
}

/** Which of its forms a place has for this value; a form that fits nothing falls back to what the type knows. */
export function formOf(type: FieldType, value: Json): Form {
  const fits: Form = value !== null && typeof value === 'object' ? (Array.isArray(value) ? 'list' : 'map') : 'scalar';
  if (value !== null && type[fits] !== undefined) return fits;
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? 'scalar' : 'list';
}

export function memberType(type: MapType, name: string): FieldType {
  return type.fields.get(name) ?? type.elements ?? deducedType;
}
