import { describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import { sketchCrd } from '../../../support/install-crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const root = 'spec.validation.openAPIV3Schema';

type Fields = Readonly<Record<string, unknown>>;

function withSpec(properties: Fields, more: Fields = {}): Fields {
  return { type: 'object', properties: { spec: { type: 'object', properties, ...more } } };
}

function withRule(rule: Fields): Fields {
  return withSpec({ a: text }, { 'x-kubernetes-validations': [rule] });
}

function version(name: string, more: Fields = {}): Fields {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: withSpec({ a: text }) }, ...more };
}

/** Schemas that are refused, with what the refusal says after `<path>: `. */
const schemas: readonly (readonly [string, Fields, string, string])[] = [
  [
    'a field without a type',
    withSpec({ a: {} }),
    `${root}.properties[spec].properties[a].type`,
    'Required value: must not be empty for specified object fields',
  ],
  [
    'a root that is no object',
    { type: 'string' },
    `${root}.type`,
    'Invalid value: "string": must be object at the root',
  ],
  [
    'properties beside additionalProperties',
    withSpec({ a: text }, { additionalProperties: text }),
    `${root}.properties[spec].additionalProperties`,
    'Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  [
    'an array without items',
    withSpec({ a: { type: 'array' } }),
    `${root}.properties[spec].properties[a].items`,
    'Required value: must be specified',
  ],
  [
    'a default of the wrong type',
    withSpec({ a: { type: 'string', default: 3 } }),
    `${root}.properties[spec].properties[a].default`,
    'Invalid value: "integer":  in body must be of type string: "integer"',
  ],
  [
    'uniqueItems',
    withSpec({ a: { type: 'array', items: text, uniqueItems: true } }),
    `${root}.properties[spec].properties[a].uniqueItems`,
    'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
  [
    'a list map whose key may be missing',
    withSpec({
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: text } },
      },
    }),
    `${root}.properties[spec].properties[a].items.properties[name].default`,
    'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
  ],
  [
    'labels in metadata',
    { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    `${root}.properties[metadata]`,
    'Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
  ],
  [
    'an embedded resource that is described nowhere',
    withSpec({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
    `${root}.properties[spec].properties[a].properties`,
    'Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
  ],
  [
    'a rule that gives no boolean',
    withRule({ rule: 'self.a' }),
    `${root}.properties[spec].x-kubernetes-validations[0].rule`,
    'Invalid value: {"Rule":"self.a","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
  ],
  [
    'a message of two lines',
    withRule({ rule: 'true', message: 'a\nb' }),
    `${root}.properties[spec].x-kubernetes-validations[0].message`,
    'Invalid value: "a\\nb": must not contain line breaks',
  ],
  [
    'a rule of two lines without a message',
    withRule({ rule: 'true\n|| false' }),
    `${root}.properties[spec].x-kubernetes-validations[0].message`,
    'Required value: message must be specified if rule contains line breaks',
  ],
  [
    'a fieldPath to nowhere',
    withRule({ rule: 'true', fieldPath: '.zz' }),
    `${root}.properties[spec].x-kubernetes-validations[0].fieldPath`,
    'Invalid value: ".zz": must be a valid path',
  ],
  [
    'a reason that does not exist',
    withRule({ rule: 'true', reason: 'Nope' }),
    `${root}.properties[spec].x-kubernetes-validations[0].reason`,
    'Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
];

/** Changes of the spec that are refused. */
const specs: readonly (readonly [string, Fields, string, string])[] = [
  [
    'no schema',
    { versions: [version('v1', { schema: undefined })] },
    'spec.versions[0].schema.openAPIV3Schema',
    'Required value',
  ],
  ['no scope', { scope: undefined }, 'spec.scope', 'Required value'],
  [
    'an unknown scope',
    { scope: 'World' },
    'spec.scope',
    'Unsupported value: "World": supported values: "Cluster", "Namespaced"',
  ],
  [
    'preserveUnknownFields',
    { preserveUnknownFields: true },
    'spec.preserveUnknownFields',
    'Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
];

export function describeCrdRefused(world: () => ApiWorld): void {
  async function refusal(manifest: Fields): Promise<string> {
    const answer = await world().client().create(crds, manifest);

    expect([answer.code, answer.body.reason]).toEqual([422, 'Invalid']);
    return answer.body.message;
  }

  describe('a CustomResourceDefinition is refused for', () => {
    it.each(schemas)('%s', async (_what, schema, field, problem) => {
      const { manifest, installed } = sketchCrd({ kind: 'Refused', schema });

      const message = await refusal(manifest);

      expect(message).toBe(
        `CustomResourceDefinition.apiextensions.k8s.io "${installed.name}" is invalid: ${field}: ${problem}`,
      );
    });

    it.each(specs)('%s', async (_what, spec, field, problem) => {
      const { manifest, installed } = sketchCrd({ kind: 'Refused', spec });

      const message = await refusal(manifest);

      expect(message).toBe(
        `CustomResourceDefinition.apiextensions.k8s.io "${installed.name}" is invalid: ${field}: ${problem}`,
      );
    });

    it('a name that is not plural and group', async () => {
      const { manifest, installed } = sketchCrd({ kind: 'Refused' });
      const name = `other.${installed.group}`;

      const message = await refusal({ ...manifest, metadata: { name } });

      expect(message).toBe(
        `CustomResourceDefinition.apiextensions.k8s.io "${name}" is invalid: metadata.name: Invalid value: "${name}": must be spec.names.plural+"."+spec.group`,
      );
    });

    it('a kind that is no name', async () => {
      const { manifest, installed } = sketchCrd({ kind: 'Refused' });
      const spec = manifest['spec'] as { names: Fields };

      const message = await refusal({ ...manifest, spec: { ...spec, names: { ...spec.names, kind: 'two words' } } });

      expect(message).toBe(
        `CustomResourceDefinition.apiextensions.k8s.io "${installed.name}" is invalid: spec.names.kind: Invalid value: "two words": may have mixed case, but should otherwise match: ${label}`,
      );
    });

    it.each([
      ['two versions that are both stored', [version('v1'), version('v2')]],
      ['no version that is stored', [version('v1', { storage: false })]],
    ])('%s', async (_what, versions) => {
      const { manifest } = sketchCrd({ kind: 'Refused', versions });

      expect(await refusal(manifest)).toContain('must have exactly one version marked as storage version');
    });

    it.each([
      ['a field that the schema does not have', 'self.absent == 1'],
      ['a syntax error', 'self.a =='],
      ['two types that cannot be compared', 'self.a == 1'],
    ])('a rule with %s, which it names', async (_what, rule) => {
      const { manifest } = sketchCrd({ kind: 'Refused', schema: withRule({ rule }) });

      const message = await refusal(manifest);

      expect(message).toContain(`${root}.properties[spec].x-kubernetes-validations[0].rule: Invalid value`);
      expect(message).toContain(`"Rule":"${rule}"`);
      expect(message).toContain('compilation failed');
    });

    it('a rule that looks at the old value where it cannot be found again', async () => {
      const items = { type: 'string', maxLength: 3, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
      const { manifest } = sketchCrd({
        kind: 'Refused',
        schema: withSpec({ l: { type: 'array', maxItems: 3, items } }),
      });

      expect(await refusal(manifest)).toContain('oldSelf cannot be used on the uncorrelatable portion of the schema');
    });
  });
}
