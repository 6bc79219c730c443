import { stringify } from 'yaml';
import { z } from 'zod';
import { ourKinds, spaceRequestKind } from '../../shared/contracts/kubernetes/catalogue.ts';
import type { Kind } from '../../shared/contracts/kubernetes/kind.ts';
import type { ResourceSchema } from '../../shared/contracts/kubernetes/parts/resource.ts';

type Json = Readonly<Record<string, unknown>>;

const firstLine = '# Generated from shared/contracts/kubernetes by `npm run generate`. Do not edit.\n';

/** The CustomResourceDefinitions, file by file. The same contracts always give the same bytes. */
export function renderCrds(): Map<string, string> {
  return new Map(
    [...ourKinds, spaceRequestKind].map((kind) => [
      `${kind.group}_${kind.plural}.yaml`,
      firstLine + stringify(crdOf(kind), { aliasDuplicateObjects: false, lineWidth: 0 }),
    ]),
  );
}

function crdOf({ group, version, kind, plural, singular, shortNames, scope, ...rest }: Kind<ResourceSchema>): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular, ...(shortNames.length > 0 && { shortNames }) },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          ...(rest.printerColumns.length > 0 && { additionalPrinterColumns: rest.printerColumns }),
          schema: { openAPIV3Schema: rootSchema(rest) },
        },
      ],
    },
  };
}

function rootSchema({ Schema, validations }: Pick<Kind<ResourceSchema>, 'Schema' | 'validations'>): Json {
  const { spec, status } = Schema.shape;
  return {
    description: Schema.description,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'The version of the API that the object is written in.', type: 'string' },
      kind: { description: 'What the object is.', type: 'string' },
      // Of the metadata a CRD may only say something about the name; a rule needs that to point at it.
      metadata: { type: 'object', properties: { name: { type: 'string' } } },
      spec: schemaOf(spec),
      status: schemaOf(status),
    },
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
  };
}

/** A contract describes what we read; a CRD is about what others write, hence the input side. */
function schemaOf(contract: z.ZodType): Json {
  return structural(z.toJSONSchema(contract, { io: 'input', target: 'openapi-3.0', unrepresentable: 'throw' }) as Json);
}

/** Keywords that stand in a CRD as zod writes them. Another one is a defect of this file, not something to lose silently. */
const kept = [
  'description',
  'type',
  'format',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
] as const;
const translated = [
  'properties',
  'items',
  'additionalProperties',
  'propertyNames',
  'anyOf',
  'x-kubernetes-int-or-string',
];

/**
 * Turns a JSON schema of zod into a structural one: a type at every node, nothing closed, every list says how it is
 * merged. What is free in the contract keeps its unknown fields; everything else is pruned by the API server.
 */
function structural(schema: Json): Json {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema);
  const unknown = Object.keys(schema).filter(
    (word) => !translated.includes(word) && !kept.some((known) => known === word),
  );
  if (unknown.length > 0 || schema['anyOf'] !== undefined) {
    throw new Error(`A CRD cannot say ${JSON.stringify(schema)}: teach ${import.meta.filename} how to translate it.`);
  }
  return {
    ...Object.fromEntries(kept.filter((word) => isSaid(schema[word])).map((word) => [word, schema[word]])),
    ...properties(schema),
    ...items(schema),
    ...freedom(schema),
  };
}

/** zod bounds whole numbers by what JavaScript can count to; a CRD has formats for that. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== Number.MIN_SAFE_INTEGER && value !== Number.MAX_SAFE_INTEGER;
}

function properties({ properties }: Json): Json {
  const parts = Object.entries((properties ?? {}) as Json);
  if (parts.length === 0) return {};
  return { properties: Object.fromEntries(parts.map(([name, part]) => [name, structural(part as Json)])) };
}

function items(schema: Json): Json {
  if (schema['items'] === undefined) return {};
  return {
    'x-kubernetes-list-type': schema['x-kubernetes-list-type'] ?? 'atomic',
    items: structural(schema['items'] as Json),
  };
}

function freedom({ type, additionalProperties }: Json): Json {
  if (type === undefined) return { 'x-kubernetes-preserve-unknown-fields': true };
  if (additionalProperties === undefined || additionalProperties === false) return {};
  if (Object.keys(additionalProperties as Json).length === 0) return { 'x-kubernetes-preserve-unknown-fields': true };
  return { additionalProperties: structural(additionalProperties as Json) };
}

/** The one union that a structural schema knows, in the one form in which it knows it. */
function intOrString(schema: Json): Json {
  const pattern = (schema['anyOf'] as readonly Json[]).find(({ type }) => type === 'string')?.['pattern'];
  return {
    ...(schema['description'] !== undefined && { description: schema['description'] }),
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    ...(pattern !== undefined && { pattern }),
    'x-kubernetes-int-or-string': true,
  };
}
