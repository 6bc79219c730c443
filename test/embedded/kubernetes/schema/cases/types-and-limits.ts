import type { Schema } from '../../../../../infra/embedded/kubernetes/schema/schema.ts';
import { objectWith, type Scenario } from '../play-scenario.ts';

/** One field with each of some values. */
export function fieldWith(title: string, schema: Schema, values: readonly unknown[]): Scenario {
  return {
    name: title,
    schema: objectWith({ type: 'object', properties: { field: schema } }),
    steps: values.map((field) => ({ create: { field } })),
  };
}

const text: Schema = { type: 'string' };
const anything = ['x', '', 3, 1.5, true, null, [], ['x'], {}, { x: 'y' }];

export const typesAndLimits: readonly Scenario[] = [
  fieldWith('a text is a text', text, anything),
  fieldWith('a nullable text may be null', { ...text, nullable: true }, anything),
  fieldWith('a whole number within limits', { type: 'integer', minimum: 1, maximum: 5 }, [
    0,
    6,
    3,
    -1,
    1e20,
    ...anything,
  ]),
  fieldWith('a whole number of 32 bits', { type: 'integer', format: 'int32' }, [
    3e9,
    2147483647,
    -2147483648,
    ...anything,
  ]),
  fieldWith(
    'a number above a limit and in steps',
    { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
    [0, 0.3, 0.5, 2, -1, 1e30, ...anything],
  ),
  fieldWith('a number of single precision', { type: 'number', format: 'float' }, [1e39, 1.5]),
  fieldWith('yes or no', { type: 'boolean' }, [false, 'true', ...anything]),
  fieldWith('one of some texts', { ...text, enum: ['a', 'b'] }, ['a', 'c', 'say "hi" <b>\n', ...anything]),
  fieldWith('one of some texts, or null by type only', { ...text, nullable: true, enum: ['a'] }, ['a', 'b', null]),
  fieldWith('one of some numbers', { type: 'integer', enum: [1, 2] }, [1, 3, '1']),
  fieldWith('a text of a pattern', { ...text, pattern: '^[a-z]+$' }, ['abc', 'A1', '', 'ü']),
  fieldWith('a text of some length', { ...text, minLength: 2, maxLength: 4 }, [
    '',
    'a',
    'ab',
    'abcde',
    'üüüü',
    'üüüüü',
    '😀',
  ]),
  fieldWith('at most one character', { ...text, maxLength: 1 }, ['a', 'ab']),
  fieldWith('a list of texts', { type: 'array', items: text, minItems: 1, maxItems: 2 }, [
    ['a'],
    [1],
    [null],
    ['a', 'b', 'c'],
    ...anything,
  ]),
  fieldWith(
    'a map of numbers',
    { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
    [{ a: 1 }, { a: 'x' }, { 'a.b/c': 'x' }, { a: null }, { a: 1, b: 2, c: 3 }, ...anything],
  ),
  fieldWith('a set', { type: 'array', 'x-kubernetes-list-type': 'set', items: text }, [
    ['a', 'b'],
    ['a', 'a'],
    ['a', 'a', 'a', 'b', 'b'],
  ]),
  fieldWith(
    'a list with a key',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: text, v: { type: 'integer' } } },
    },
    [
      [{ k: 'a' }, { k: 'b' }],
      [{ k: 'a' }, { k: 'a', v: 1 }],
      [{ k: 'a' }, {}],
      [{ v: 1 }, { v: 2 }],
      [{ k: 'a', v: 'x' }],
      ['x'],
      [null, null],
    ],
  ),
  fieldWith(
    'a list with two keys, of which one has a default',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
      items: { type: 'object', required: ['k'], properties: { k: text, p: { ...text, default: 'TCP' } } },
    },
    [
      [{ k: 'a' }, { k: 'a', p: 'TCP' }],
      [{ k: 'a' }, { k: 'a', p: 'UDP' }],
    ],
  ),
  fieldWith(
    'sets in a map',
    { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
    [{ a: ['x', 'x'] }, { a: ['x'], b: ['x'] }],
  ),
  fieldWith('a number or a text', { 'x-kubernetes-int-or-string': true }, anything),
  fieldWith(
    'a number or a percentage',
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[0-9]+%$' },
    [1, '5%', 'x', true],
  ),
  fieldWith(
    'exactly one of two fields',
    { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{}, { a: 'x' }, { a: 'x', b: 'y' }, { a: 1, b: 2 }],
  ),
  fieldWith(
    'one of two shapes',
    {
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ required: ['a'], properties: { a: { minLength: 3 } } }, { required: ['b'] }],
    },
    [{}, { a: 'x' }, { a: 'xxx' }, { b: 'y' }, { a: 'x', b: 1 }],
  ),
  fieldWith('all of two', { ...text, allOf: [{ minLength: 3 }, { pattern: '^a' }] }, ['abc', 'a', 'b', 'bcd']),
  fieldWith('not one', { ...text, not: { enum: ['bad'] } }, ['bad', 'good']),
];
