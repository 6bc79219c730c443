import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const list = { type: 'array', items: text };
const pair = { type: 'object', properties: { a: text, b: text } };
const [a, b] = [{ required: ['a'] }, { required: ['b'] }];
const ports = { type: 'object', properties: { name: text, port: integer }, required: ['name', 'port'] };

const properties = {
  string: text,
  number: { type: 'number' },
  integer,
  boolean: { type: 'boolean' },
  list,
  object: pair,
  map: { type: 'object', additionalProperties: integer },
  enum: { ...text, enum: ['red', 'green'] },
  pattern: { ...text, pattern: '^[a-z]+$' },
  minLength: { ...text, minLength: 3 },
  maxLength: { ...text, maxLength: 3 },
  minimum: { ...integer, minimum: 1 },
  maximum: { ...integer, maximum: 10 },
  above: { ...integer, minimum: 1, exclusiveMinimum: true },
  below: { ...integer, maximum: 10, exclusiveMaximum: true },
  multipleOf: { ...integer, multipleOf: 5 },
  minItems: { ...list, minItems: 2 },
  maxItems: { ...list, maxItems: 1 },
  minProperties: { type: 'object', minProperties: 1, additionalProperties: text },
  maxProperties: { type: 'object', maxProperties: 1, additionalProperties: text },
  required: { ...pair, ...a },
  set: { ...list, 'x-kubernetes-list-type': 'set' },
  byName: {
    type: 'array',
    items: { ...ports, required: ['name'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  byBoth: {
    type: 'array',
    items: ports,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'port'],
  },
  time: { ...text, format: 'date-time' },
  day: { ...text, format: 'date' },
  bytes: { ...text, format: 'byte' },
  small: { ...integer, format: 'int32' },
  uuid: { ...text, format: 'uuid' },
  either: { 'x-kubernetes-int-or-string': true },
  oneOf: { ...pair, oneOf: [a, b] },
  anyOf: { ...pair, anyOf: [a, b] },
  allOf: { ...pair, allOf: [a, b] },
  not: { ...pair, not: { required: ['a', 'b'] } },
  nullable: { ...text, nullable: true },
};

/** A field, its value, and everything the refusal says. */
const refused: readonly (readonly [string, unknown, ...string[]])[] = [
  ['string', 1, 'spec.string: Invalid value: "integer": spec.string in body must be of type string: "integer"'],
  ['number', 'x', 'spec.number: Invalid value: "string": spec.number in body must be of type number: "string"'],
  ['integer', 'x', 'spec.integer: Invalid value: "string": spec.integer in body must be of type integer: "string"'],
  ['boolean', 'x', 'spec.boolean: Invalid value: "string": spec.boolean in body must be of type boolean: "string"'],
  ['list', 'x', 'spec.list: Invalid value: "string": spec.list in body must be of type array: "string"'],
  ['list', ['x', 1], 'spec.list[1]: Invalid value: "integer": spec.list[1] in body must be of type string: "integer"'],
  ['object', [], 'spec.object: Invalid value: "array": spec.object in body must be of type object: "array"'],
  ['map', { k: 'x' }, 'spec.map.k: Invalid value: "string": spec.map.k in body must be of type integer: "string"'],
  ['enum', 'blue', 'spec.enum: Unsupported value: "blue": supported values: "red", "green"'],
  ['pattern', 'A1', 'spec.pattern: Invalid value: "A1": spec.pattern in body should match \'^[a-z]+$\''],
  ['minLength', 'ab', 'spec.minLength: Invalid value: "ab": spec.minLength in body should be at least 3 chars long'],
  ['maxLength', 'abcd', 'spec.maxLength: Too long: may not be more than 3 bytes'],
  ['minimum', 0, 'spec.minimum: Invalid value: 0: spec.minimum in body should be greater than or equal to 1'],
  ['maximum', 11, 'spec.maximum: Invalid value: 11: spec.maximum in body should be less than or equal to 10'],
  ['above', 1, 'spec.above: Invalid value: 1: spec.above in body should be greater than 1'],
  ['below', 10, 'spec.below: Invalid value: 10: spec.below in body should be less than 10'],
  ['multipleOf', 7, 'spec.multipleOf: Invalid value: 7: spec.multipleOf in body should be a multiple of 5'],
  ['minItems', ['x'], 'spec.minItems: Invalid value: 1: spec.minItems in body should have at least 2 items'],
  ['maxItems', ['x', 'y'], 'spec.maxItems: Too many: 2: must have at most 1 item'],
  [
    'minProperties',
    {},
    'spec.minProperties: Invalid value: 0: spec.minProperties in body should have at least 1 properties',
  ],
  ['maxProperties', { x: '1', y: '2' }, 'spec.maxProperties: Too many: 2: must have at most 1 item'],
  ['required', {}, 'spec.required.a: Required value'],
  ['set', ['x', 'y', 'x'], 'spec.set[2]: Duplicate value: "x"'],
  ['byName', [{ name: 'x' }, { name: 'x' }], 'spec.byName[1]: Duplicate value: {"name":"x"}'],
  [
    'byBoth',
    [
      { name: 'x', port: 1 },
      { name: 'x', port: 1 },
    ],
    'spec.byBoth[1]: Duplicate value: {"name":"x","port":1}',
  ],
  ['time', 'today', 'spec.time: Invalid value: "today": spec.time in body must be of type date-time: "today"'],
  ['day', 'today', 'spec.day: Invalid value: "today": spec.day in body must be of type date: "today"'],
  ['bytes', '%%', 'spec.bytes: Invalid value: "%%": spec.bytes in body must be of type byte: "%%"'],
  ['small', 3e9, '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.small'],
  ['uuid', 'x', 'spec.uuid: Invalid value: "x": spec.uuid in body must be of type uuid: "x"'],
  [
    'either',
    true,
    'spec.either: Invalid value: "boolean": spec.either in body must be of type integer,string: "boolean"',
  ],
  [
    'oneOf',
    { a: '1', b: '2' },
    '<nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ],
  [
    'oneOf',
    {},
    '<nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found none valid',
    'spec.oneOf.a: Required value',
  ],
  [
    'anyOf',
    {},
    '<nil>: Invalid value: "": "spec.anyOf" must validate at least one schema (anyOf)',
    'spec.anyOf.a: Required value',
  ],
  [
    'allOf',
    { a: '1' },
    '<nil>: Invalid value: "": "spec.allOf" must validate all the schemas (allOf)',
    'spec.allOf.b: Required value',
  ],
  ['not', { a: '1', b: '2' }, '<nil>: Invalid value: "": "spec.not" must not validate the schema (not)'],
];

const good = {
  string: '',
  number: 1.5,
  integer: -7,
  boolean: false,
  list: [],
  object: {},
  map: { k: 1 },
  enum: 'red',
  pattern: 'abc',
  minLength: 'äöü',
  maxLength: 'äöü',
  minimum: 1,
  maximum: 10,
  above: 2,
  below: 9,
  multipleOf: 10,
  minItems: ['x', 'x'],
  maxItems: ['x'],
  minProperties: { x: '1' },
  maxProperties: { x: '1' },
  required: { a: '' },
  set: ['x', 'y'],
  byName: [
    { name: 'x', port: 1 },
    { name: 'y', port: 1 },
  ],
  byBoth: [
    { name: 'x', port: 1 },
    { name: 'x', port: 2 },
  ],
  time: '2026-11-16T10:00:00.5+01:00',
  day: '2026-11-16',
  bytes: 'aGVsbG8=',
  small: 2147483647,
  uuid: '966e35f5-1b89-4a89-b07d-0fc37fb6c998',
  either: '25%',
  oneOf: { b: '' },
  anyOf: { a: '1', b: '2' },
  allOf: { a: '1', b: '2' },
  not: { a: '1' },
  nullable: null,
};

export function describeCrdValues(world: () => ApiWorld): void {
  let crd: InstalledCrd;
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
    const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
    crd = await world().install({ kind: 'Valued', schema });
  });

  describe('a value of a custom object', () => {
    async function errorsOf(spec: unknown): Promise<string[]> {
      const { code, body } = await world().client().create(crd.path(namespace), crd.object('one', { spec }));

      expect([code, body.reason]).toEqual([422, 'Invalid']);
      const causes = (body.details.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
      const all = causes.length === 1 ? String(causes[0]) : `[${causes.join(', ')}]`;
      expect(body.message).toBe(`Valued.${crd.group} "one" is invalid: ${all}`);
      return causes.sort();
    }

    const wrong = refused.map(([field, value, ...errors]) => ({ field, value, errors }));

    it.each(wrong)('that breaks $field is refused: $value', async ({ field, value, errors }) => {
      expect(await errorsOf({ [field]: value })).toEqual(errors);
    });

    it('that fits every keyword is stored as it is', async () => {
      const { code, body } = await world()
        .client()
        .create(crd.path(namespace), crd.object('good', { spec: good }));

      expect(code).toBe(201);
      expect(body.spec).toEqual(good);
    });

    it('is named with every other that is wrong', async () => {
      expect(await errorsOf({ string: 1, enum: 'blue', minimum: 0, required: {} })).toEqual([
        'spec.enum: Unsupported value: "blue": supported values: "red", "green"',
        'spec.minimum: Invalid value: 0: spec.minimum in body should be greater than or equal to 1',
        'spec.required.a: Required value',
        'spec.string: Invalid value: "integer": spec.string in body must be of type string: "integer"',
      ]);
    });
  });
}
