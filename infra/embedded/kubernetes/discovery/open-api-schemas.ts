import type { ServedKind } from '../kinds/served-kind.ts';
import { objectMetaSchema } from '../schema/object-meta-schema.ts';
import type { Schema } from '../schema/schema.ts';

type Document = Record<string, unknown>;

const metaName = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The name a kind's schema has in the documents, made from the group read backwards. */
export function componentName({ group, version, kind, isCustom }: ServedKind): string {
  if (isCustom) return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  if (group === 'apiextensions.k8s.io') {
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
  }
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? group)}.${version}.${kind}`;
}

/**
 * Writes schemas into a document. Schemas that have a name of their own (built-in kinds give it as their title), and
 * those that contain themselves, stand once under their name and are referred to.
 */
export class ComponentWriter {
  readonly components: Document = {};
  private readonly prefix: string;
  /** By the fields of a schema, which copies of one definition share. */
  private readonly names = new Map<unknown, string>();
  private readonly open = new Set<Schema>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  addKind(kind: ServedKind): void {
    const name = componentName(kind);
    const gvk = { group: kind.group, kind: kind.kind, version: kind.version };
    if (kind.schema.properties !== undefined) this.names.set(kind.schema.properties, name);
    const { properties = {}, ...rest } = kind.schema;
    const identity = { apiVersion: { type: 'string' }, kind: { type: 'string' } } as const;
    const schema: Schema = { type: 'object', ...rest, properties: { ...identity, ...properties } };
    const written = this.body(schema);
    if (kind.isCustom) {
      // Whatever a definition says of the metadata, it is that of every object.
      const fields = written['properties'] as Document;
      fields['metadata'] = this.reference(`${metaName}.ObjectMeta`, objectMetaSchema);
    }
    this.components[name] = { ...written, 'x-kubernetes-group-version-kind': [gvk] };
    const items = { type: 'array', items: { $ref: `${this.prefix}${name}` } };
    const listMeta = this.reference(`${metaName}.ListMeta`, listMetaSchema);
    this.components[name.replace(/[^.]+$/, kind.listKind)] = {
      type: 'object',
      required: ['items'],
      properties: { ...identity, items, metadata: listMeta },
      'x-kubernetes-group-version-kind': [{ ...gvk, kind: kind.listKind }],
    };
  }

  private reference(name: string, schema: Schema): Document {
    if (this.components[name] === undefined) {
      this.components[name] = {};
      this.components[name] = this.body(schema);
    }
    return { $ref: `${this.prefix}${name}` };
  }

  private write(schema: Schema): Document {
    const name = this.names.get(schema.properties);
    if (name !== undefined && schema.properties !== undefined) return this.pointer(name, schema);
    if (isNamed(schema)) {
      const given = this.freeName(schema.title);
      this.names.set(schema.properties, given);
      this.reference(given, schema);
      return this.pointer(given, schema);
    }
    const scalar = scalars[schema.title ?? ''];
    if (scalar !== undefined) return this.reference(scalar.name, scalar.schema);
    if (this.open.has(schema)) {
      // Nobody gave this one a name, and it contains itself: anything goes below here.
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    }
    return this.body(schema);
  }

  /** A reference, with what the place that refers adds to it. */
  private pointer(name: string, schema: Schema): Document {
    const $ref = `${this.prefix}${name}`;
    const added = Object.entries(schema).filter(([key]) => addedByPlace.has(key));
    return added.length === 0 ? { $ref } : { allOf: [{ $ref }], ...Object.fromEntries(added) };
  }

  /** Two groups may use one name for different things. */
  private freeName(title: string): string {
    let name = `io.k8s.api.${title}`;
    while (this.components[name] !== undefined) name += '_';
    return name;
  }

  private body(schema: Schema): Document {
    this.open.add(schema);
    const { title: _title, properties, items, additionalProperties, allOf, anyOf, oneOf, not, ...plain } = schema;
    const written: Document = { ...plain };
    if (properties !== undefined) written['properties'] = this.each(properties);
    if (items !== undefined) written['items'] = this.write(items);
    if (additionalProperties !== undefined) {
      const isOpen = typeof additionalProperties === 'boolean';
      written['additionalProperties'] = isOpen ? additionalProperties : this.write(additionalProperties);
    }
    if (allOf !== undefined) written['allOf'] = allOf.map((one) => this.write(one));
    if (anyOf !== undefined) written['anyOf'] = anyOf.map((one) => this.write(one));
    if (oneOf !== undefined) written['oneOf'] = oneOf.map((one) => this.write(one));
    if (not !== undefined) written['not'] = this.write(not);
    this.open.delete(schema);
    return written;
  }

  private each(properties: Readonly<Record<string, Schema>>): Document {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.write(schema)]));
  }
}

/** Built-in types that are neither a plain text nor a plain number; `kubectl explain` shows them by name. */
const scalars: Readonly<Record<string, { readonly name: string; readonly schema: Schema }>> = {
  'resource.Quantity': {
    name: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
    schema: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  'v1.FieldsV1': { name: `${metaName}.FieldsV1`, schema: { type: 'object' } },
  'intstr.IntOrString': {
    name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    schema: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
};

const addedByPlace = new Set(['default', 'x-kubernetes-patch-strategy', 'x-kubernetes-patch-merge-key']);

/** The loader of built-in schemas leaves their names as titles, such as `v1.PodSpec`. */
function isNamed(schema: Schema): schema is Schema & { readonly title: string } {
  return schema.properties !== undefined && /^v\d\w*\.[A-Z]\w*$/.test(schema.title ?? '');
}

const listMetaSchema: Schema = {
  type: 'object',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer', format: 'int64' },
    resourceVersion: { type: 'string' },
    selfLink: { type: 'string' },
  },
};
