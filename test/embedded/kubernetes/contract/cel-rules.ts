import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string', maxLength: 20 };
const integer = { type: 'integer' };

function ruled(schema: Fields, ...rules: Fields[]): Fields {
  return { ...schema, 'x-kubernetes-validations': rules };
}

const objectOf = (properties: Fields, more: Fields = {}) => ({ type: 'object', properties, ...more });

const properties = {
  low: integer,
  high: integer,
  bare: ruled(integer, { rule: 'self < 5' }),
  said: ruled(integer, { rule: 'self < 5', message: 'must be small' }),
  computed: ruled(text, {
    rule: 'self.size() < 3',
    message: 'too long',
    messageExpression: "'got ' + self + ', which is too long'",
  }),
  failing: ruled(objectOf({ o: text }), {
    rule: 'has(self.o)',
    message: 'o is missing',
    messageExpression: "'o is ' + self.o",
  }),
  forbidden: ruled(integer, { rule: 'self < 5', message: 'not that much', reason: 'FieldValueForbidden' }),
  needed: ruled(objectOf({ o: text }), {
    rule: 'has(self.o)',
    message: 'o is needed here',
    reason: 'FieldValueRequired',
    fieldPath: '.o',
  }),
  doubled: ruled(integer, { rule: 'self < 5', message: 'seen before', reason: 'FieldValueDuplicate' }),
  pointed: ruled(objectOf({ x: objectOf({ y: integer }) }), {
    rule: '!has(self.x) || self.x.y < 5',
    message: 'y is too large',
    fieldPath: '.x.y',
  }),
  list: {
    type: 'array',
    maxItems: 10,
    items: ruled(objectOf({ v: integer }), { rule: 'self.v < 5', message: 'v is too large' }),
  },
  map: {
    type: 'object',
    maxProperties: 10,
    additionalProperties: ruled(integer, { rule: 'self < 5', message: 'too large' }),
  },
  quantity: ruled(
    { 'x-kubernetes-int-or-string': true },
    { rule: "quantity(string(self)).compareTo(quantity('1Gi')) <= 0", message: 'at most 1Gi' },
  ),
  words: ruled(
    { type: 'array', maxItems: 5, items: text },
    { rule: "self.all(x, x.startsWith('a'))", message: 'every word starts with a' },
    { rule: 'self.exists(x, x.size() > 2)', message: 'one word is long' },
  ),
  divided: ruled(objectOf({ x: integer, y: integer }), { rule: 'self.x / self.y > 1', message: 'x is more than y' }),
  missing: ruled(objectOf({ x: integer, y: integer }), { rule: 'self.x < self.y', message: 'x is less than y' }),
  duration: ruled(text, { rule: "duration(self) < duration('1h')", message: 'less than an hour' }),
  time: ruled(
    { type: 'string', format: 'date-time' },
    { rule: "self > timestamp('2020-01-01T00:00:00Z')", message: 'after 2020' },
  ),
  url: ruled(text, { rule: "isURL(self) && url(self).getScheme() == 'https'", message: 'https only' }),
  matched: ruled(text, { rule: "self.matches('^[a-z]+[0-9]$')", message: 'letters and a digit' }),
  'dashed-name': integer,
  dashed: ruled(objectOf({ 'a-b': integer, namespace: integer }), {
    rule: '!has(self.a__dash__b) || self.a__dash__b < self.__namespace__',
    message: 'a-b is less than namespace',
  }),
  folded: ruled(
    { type: 'array', maxItems: 5, items: integer },
    { rule: 'self.map(x, x * 2).filter(x, x > 4).size() <= 1', message: 'one large number at most' },
  ),
  keyed: ruled(
    { type: 'object', maxProperties: 5, additionalProperties: text },
    { rule: "self.all(k, k.startsWith('x') && self[k] != '')", message: 'keys start with x' },
  ),
  optional: ruled(objectOf({ o: objectOf({ p: integer }) }), {
    rule: 'self.?o.?p.orValue(0) < 5',
    message: 'p is less than 5',
  }),
};

const schema = ruled(
  objectOf({
    spec: ruled(objectOf(properties), {
      rule: '!has(self.low) || !has(self.high) || self.low < self.high',
      message: 'low must be less than high',
    }),
  }),
  { rule: "!self.metadata.name.startsWith('bad')", message: 'the name may not be bad' },
);

const refused: readonly (readonly [string, Fields, ...string[]])[] = [
  ['no message names the rule', { bare: 9 }, 'spec.bare: Invalid value: 9: failed rule: self < 5'],
  ['a message says it', { said: 9 }, 'spec.said: Invalid value: 9: must be small'],
  ['a message is computed', { computed: 'long' }, 'spec.computed: Invalid value: "long": got long, which is too long'],
  [
    'a message cannot be computed, and the fixed one stands in',
    { failing: {} },
    'spec.failing: Invalid value: o is missing',
  ],
  ['the reason is forbidden', { forbidden: 9 }, 'spec.forbidden: Forbidden: not that much'],
  ['the reason is required, at a path', { needed: {} }, 'spec.needed.o: Required value: o is needed here'],
  ['the reason is duplicate', { doubled: 9 }, 'spec.doubled: Duplicate value: 9'],
  ['the path is deeper', { pointed: { x: { y: 9 } } }, 'spec.pointed.x.y: Invalid value: y is too large'],
  [
    'items of a list break it',
    { list: [{ v: 1 }, { v: 9 }, { v: 8 }] },
    'spec.list[1]: Invalid value: v is too large',
    'spec.list[2]: Invalid value: v is too large',
  ],
  [
    'values of a map break it',
    { map: { ok: 1, k: 9, 'm/n': 8 } },
    'spec.map[k]: Invalid value: 9: too large',
    'spec.map[m/n]: Invalid value: 8: too large',
  ],
  ['a quantity is too large', { quantity: '2Gi' }, 'spec.quantity: Invalid value: "2Gi": at most 1Gi'],
  [
    'two rules of one field are broken',
    { words: ['b'] },
    'spec.words: Invalid value: every word starts with a',
    'spec.words: Invalid value: one word is long',
  ],
  [
    'it cannot be evaluated',
    { divided: { x: 1, y: 0 } },
    'spec.divided: Invalid value: "object": division by zero evaluating rule: x is more than y',
  ],
  [
    'it needs a field that is missing',
    { missing: { x: 1 } },
    'spec.missing: Invalid value: "object": no such key: y evaluating rule: x is less than y',
  ],
  ['a duration is too long', { duration: '2h' }, 'spec.duration: Invalid value: "2h": less than an hour'],
  [
    'a time is too early',
    { time: '2019-01-01T00:00:00Z' },
    'spec.time: Invalid value: "2019-01-01T00:00:00Z": after 2020',
  ],
  ['a URL has another scheme', { url: 'http://x' }, 'spec.url: Invalid value: "http://x": https only'],
  ['a pattern does not match', { matched: 'abc' }, 'spec.matched: Invalid value: "abc": letters and a digit'],
  [
    'fields have strange names',
    { dashed: { 'a-b': 2, namespace: 1 } },
    'spec.dashed: Invalid value: a-b is less than namespace',
  ],
  ['it maps and filters', { folded: [3, 4] }, 'spec.folded: Invalid value: one large number at most'],
  ['it looks at the keys of a map', { keyed: { y: '1' } }, 'spec.keyed: Invalid value: keys start with x'],
  ['it looks at an optional field', { optional: { o: { p: 9 } } }, 'spec.optional: Invalid value: p is less than 5'],
  ['it compares two fields', { low: 2, high: 1 }, 'spec: Invalid value: low must be less than high'],
];

const allowed: readonly (readonly [string, Fields])[] = [
  ['optional fields are missing', { low: 2, optional: {}, pointed: {}, dashed: {} }],
  ['a quantity is a number', { quantity: 5 }],
  ['a quantity is written in another unit', { quantity: '1024Mi' }],
  [
    'all is as it should be',
    {
      low: 1,
      high: 2,
      words: ['abc'],
      time: '2026-01-01T00:00:00Z',
      url: 'https://x',
      matched: 'a1',
      duration: '59m',
      keyed: { x: '1' },
      folded: [1, 9],
    },
  ],
];

export function describeCelRules(world: () => ApiWorld): void {
  let crd: InstalledCrd;
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
    crd = await world().install({ kind: 'Ruled', schema });
  });

  describe('a validation rule', () => {
    async function tried(spec: Fields, name = 'one') {
      const { code, body } = await world()
        .client()
        .create(crd.path(namespace), crd.object(name, { spec }), { dryRun: 'All' });
      const causes = (body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
      const all = causes.length === 1 ? causes[0] : `[${causes.join(', ')}]`;
      if (code === 422) expect(body.message).toBe(`Ruled.${crd.group} "${name}" is invalid: ${all}`);
      return [code, ...causes.sort()];
    }

    const broken = refused.map(([what, spec, ...errors]) => ({ what, spec, errors }));

    it.each(broken)('that is broken is told where $what', async ({ spec, errors }) => {
      expect(await tried(spec)).toEqual([422, ...errors]);
    });

    it.each(allowed)('that holds lets the object in where %s', async (_what, spec) => {
      expect(await tried(spec)).toEqual([201]);
    });

    it('may look at the name', async () => {
      expect(await tried({}, 'bad-one')).toEqual([422, '<nil>: Invalid value: the name may not be bad']);
    });

    it('is told with those of other depths', async () => {
      expect(await tried({ low: 2, high: 1, said: 9 }, 'bad-one')).toEqual([
        422,
        '<nil>: Invalid value: the name may not be bad',
        'spec.said: Invalid value: 9: must be small',
        'spec: Invalid value: low must be less than high',
      ]);
    });

    it('is not looked at where the schema is broken, and that is said', async () => {
      expect(await tried({ low: 2, high: 1, said: 'x' })).toEqual([
        422,
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        'spec.said: Invalid value: "string": spec.said in body must be of type integer: "string"',
      ]);
    });
  });
}
