import type { Schema } from '../../../../../infra/embedded/kubernetes/schema/schema.ts';
import { objectWith, type Scenario } from '../play-scenario.ts';

const text: Schema = { type: 'string', maxLength: 100 };
const good: Schema = { type: 'string', enum: ['ok', 'fine'] };

function keyed(value: Schema): Schema {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: text, v: value } },
  };
}

function listOf(items: Schema): Schema {
  return { type: 'array', items, maxItems: 5 };
}

function fieldsOf(value: Schema, isStrict: boolean): Schema {
  const pair: Schema = { type: 'object', properties: { a: text, b: text } };
  return {
    type: 'object',
    properties: {
      e: value,
      n: isStrict ? { type: 'integer', maximum: 10 } : { type: 'integer' },
      l: listOf(value),
      m: keyed(value),
      o: { ...pair, properties: { a: value, b: text }, ...(isStrict ? { required: ['b'] } : {}) },
      x: text,
      at: listOf({ type: 'object', properties: { a: value } }),
      set: isStrict ? { ...listOf(text), 'x-kubernetes-list-type': 'set' } : listOf(text),
      mm: { type: 'object', additionalProperties: value },
      of: isStrict ? { ...pair, oneOf: [{ required: ['a'] }, { required: ['b'] }] } : pair,
      pre: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { s: value },
        ...(isStrict ? { required: ['t'] } : {}),
      },
    },
  };
}

const before = {
  ...{ e: 'bad', n: 100, l: ['bad', 'ok'], o: { a: 'bad' }, x: '1', at: [{ a: 'bad' }, { a: 'ok' }], set: ['a', 'a'] },
  m: [
    { k: 'a', v: 'bad' },
    { k: 'b', v: 'ok' },
  ],
  ...{ mm: { q: 'bad', w: 'ok' }, of: { a: 'x', b: 'y' }, pre: { s: 'bad', z: 1 } },
};

const updates: readonly Readonly<Record<string, unknown>>[] = [
  ...[{ x: '2' }, { pre: { s: 'ok', t: 1 } }, { x: '3' }, { e: 'worse' }, { n: 101 }, { l: ['bad', 'fine'] }],
  {
    m: [
      { k: 'a', v: 'bad' },
      { k: 'b', v: 'fine' },
    ],
  },
  {
    m: [
      { k: 'b', v: 'ok' },
      { k: 'a', v: 'bad' },
    ],
  },
  {
    m: [
      { k: 'a', v: 'worse' },
      { k: 'b', v: 'ok' },
    ],
  },
  { m: [{ k: 'c', v: 'bad' }] },
  ...[{ o: { a: 'bad', b: 'x' } }, { o: { a: 'ok' } }, { at: [{ a: 'bad' }, { a: 'fine' }] }, { at: [{ a: 'bad' }] }],
  ...[{ set: ['a', 'a', 'b', 'b'] }, { set: ['a'] }, { set: ['b', 'b'] }, { mm: { q: 'bad', w: 'fine' } }],
  ...[{ mm: { q: 'bad', w: 'bad' } }, { of: { a: 'x', b: 'z' } }, { pre: { s: 'bad', z: 1 } }, { e: 'ok' }],
];

const notBad: Schema = { ...text, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] };
const ruled = (value: Schema, pair: Schema): Schema => ({
  type: 'object',
  properties: { a: value, l: listOf(value), o: pair, z: text },
});
const pair: Schema = { type: 'object', properties: { x: text, y: text } };

export const changes: readonly Scenario[] = [
  {
    name: 'what was wrong before the schema grew stricter is tolerated until it changes',
    schema: objectWith(fieldsOf({ type: 'string' }, false)),
    steps: [{ create: before }, { schema: fieldsOf(good, true) }, ...updates.map((update) => ({ update }))],
  },
  {
    name: 'what broke a rule before there was one is tolerated until it changes',
    schema: objectWith(ruled(text, pair)),
    steps: [
      { create: { a: 'bad', l: ['bad', 'ok'], o: { x: 'bad', y: '1' }, z: '1' } },
      { schema: ruled(notBad, { ...pair, 'x-kubernetes-validations': [{ rule: "self.x != 'bad'" }] }) },
      ...[{ z: '2' }, { a: 'bad', z: '3' }, { l: ['bad', 'fine'] }, { o: { x: 'bad', y: '2' } }].map((update) => ({
        update,
      })),
      ...[{ o: { x: 'ok', y: '2' } }, { a: 'ok' }, { a: 'bad' }].map((update) => ({ update })),
    ],
  },
  {
    name: 'the status is checked by itself, and the rules of the whole object as well',
    schema: objectWith(
      { type: 'object', properties: { a: text } },
      {
        type: 'object',
        properties: {
          phase: { type: 'string', enum: ['A', 'B'] },
          n: { type: 'integer', minimum: 0 },
          i: { type: 'integer', format: 'int32' },
          t: { type: 'string', format: 'date-time' },
          conditions: keyed(good),
        },
        'x-kubernetes-validations': [
          { rule: "!has(self.phase) || self.phase != 'B' || has(self.n)", message: 'B needs n' },
        ],
      },
      {
        'x-kubernetes-validations': [
          { rule: '!has(self.status) || !has(self.status.n) || self.status.n < 100', message: 'too much' },
        ],
      },
    ),
    steps: [
      { create: { a: 'x' } },
      ...[{ phase: 'A' }, { phase: 'C' }, { n: -1 }, { n: 'x' }, { t: 'x' }, { i: 4e9 }, 'x', { phase: 'B' }].map(
        (status) => ({ status }),
      ),
      ...[{ phase: 'B', n: 3 }, { n: 200 }, { zzz: 1 }].map((status) => ({ status })),
      ...[[{ v: 'ok' }], [{ k: 'a', v: 'no' }], [{ k: 'a' }, { k: 'a' }]].map((conditions) => ({
        status: { conditions },
      })),
    ],
  },
];
