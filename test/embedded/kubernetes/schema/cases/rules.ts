import type { Schema, ValidationRule } from '../../../../../infra/embedded/kubernetes/schema/schema.ts';
import type { Scenario } from '../play-scenario.ts';
import { fieldWith } from './types-and-limits.ts';

const text: Schema = { type: 'string', maxLength: 100 };
const whole: Schema = { type: 'integer' };
const list: Schema = { type: 'array', maxItems: 5, items: text };
const either: Schema = { 'x-kubernetes-int-or-string': true };

export function ruled(schema: Schema, ...rules: readonly (string | ValidationRule)[]): Schema {
  const all = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return { ...schema, 'x-kubernetes-validations': all };
}

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

type Row = readonly [schema: Schema, rules: readonly (string | ValidationRule)[], values: readonly unknown[]];

const rows: Readonly<Record<string, Row>> = {
  'a rule without a message': [text, ["self.startsWith('a')"], ['ab', 'b']],
  'a rule with a message': [text, [{ rule: "self == 'x'", message: ' must be x ' }], ['x', 'y']],
  'a rule with a message of its own making': [
    text,
    [
      {
        rule: "self == 'x'",
        message: 'plain',
        messageExpression: "self == 'e' ? [self][3] : self == 'b' ? '' : 'got ' + self",
      },
    ],
    ['x', 'y"z', 'e', 'b'],
  ],
  'whole numbers': [whole, ['self > 3', 'self + 1 < 10', '-self < 0'], [4, 3, 9, -1]],
  numbers: [{ type: 'number' }, ['self > 1.5'], [2, 1, 1.5]],
  'yes or no': [{ type: 'boolean' }, ['self'], [true, false]],
  lists: [
    list,
    [
      'self.all(x, x.size() < 3)',
      "self.exists_one(x, x == 'a')",
      "self.map(x, x + 'z').size() < 4",
      'self[0] != self[1]',
    ],
    [['a', 'b'], ['abc', 'a'], ['a', 'a'], ['a'], [], ['a', 'b', 'c', 'd']],
  ],
  'fields and their spelling': [
    object({ a: text, b: whole, namespace: text, 'a-b': text, 'c.d': text }),
    [
      ...['has(self.a) || has(self.b)', "self.a == 'q'", "!has(self.__namespace__) || self.namespace == 'ns'"],
      ...["!has(self.a__dash__b) || self.a__dash__b == 'ab'", "!has(self.c__dot__d) || self.c__dot__d == 'cd'"],
    ],
    [
      ...[{}, { a: 'q' }, { a: 'r' }, { b: 1 }, { a: 'q', namespace: 'x' }, { a: 'q', 'a-b': 'x', 'c.d': 'x' }],
      { a: 'q', namespace: 'ns', 'a-b': 'ab', 'c.d': 'cd' },
    ],
  ],
  'reasons and paths': [
    object({ a: text, m: { type: 'object', maxProperties: 3, additionalProperties: text }, 'x.y': text }),
    [
      { rule: 'has(self.a)', reason: 'FieldValueRequired', fieldPath: '.a', message: 'need a' },
      { rule: '!has(self.a)', reason: 'FieldValueForbidden', fieldPath: '.a', message: 'no a' },
      { rule: '!has(self.a)', reason: 'FieldValueDuplicate', message: 'twice' },
      { rule: '!has(self.a)', reason: 'FieldValueInvalid', fieldPath: ".m['k.l']", message: 'no' },
      { rule: '!has(self.a)', fieldPath: "['x.y']", message: 'no' },
    ],
    [{}, { a: '1' }],
  ],
  'a duplicate that is shown': [text, [{ rule: "self == ''", reason: 'FieldValueDuplicate' }], ['x']],
  'quantities that are greater': [text, ["quantity(self).isGreaterThan(quantity('1Gi'))"], ['2Gi', '1Gi', '1G', 'x']],
  'what a quantity is': [
    text,
    ['isQuantity(self)'],
    ['1', '200K', '1.5G', '', '1e3', '-3m', '5mi', '1E', '.5', '5.', '1Ki', '+2'],
  ],
  'sums of quantities': [
    text,
    ["quantity(self).add(quantity('1k')).compareTo(quantity('2k')) == 0", 'quantity(self).sub(500).asInteger() == 500'],
    ['1k', '1000', '2k', '5m'],
  ],
  'a number or a text': [
    either,
    ["type(self) == int ? self < 5 : self.endsWith('%')", "string(self) != '4'"],
    [3, 7, '5%', 'x', 4],
  ],
  'a number or a text, used as a number': [either, ['self + 1 > 3'], [3, 1, 'x']],
  times: [
    { type: 'string', format: 'date-time' },
    ["self > timestamp('2020-01-01T00:00:00Z')"],
    ['2021-01-01T00:00:00Z', '2019-01-01T00:00:00Z'],
  ],
  durations: [
    { type: 'string', format: 'duration' },
    ["self > duration('1m')", 'self.getHours() < 5'],
    ['2m', '30s', '6h'],
  ],
  bytes: [{ type: 'string', format: 'byte' }, ['self.size() == 2'], ['aGk=', 'aGlp']],
  'functions for texts': [
    text,
    [
      ...[
        "self.lowerAscii() == 'a,b'",
        "self.split(',').size() == 2",
        "self.replace('A', 'c') == 'c,B'",
        "self.trim() == 'A,B'",
      ],
      ...[
        "self.substring(0, 2) == 'A,'",
        "self.indexOf('B') == 2",
        "self.find('[A-Z]') == 'A'",
        "self.charAt(1) == ','",
      ],
      ...[
        "self.findAll('[A-Z]').size() == 2",
        "'%s-%d'.format([self, 3]) == 'A,B-3'",
        "self.matches('^(?i)a,B$') || self.matches(r'^\\d+$')",
      ],
    ],
    ['A,B', 'x', '', '12'],
  ],
  'functions for lists': [
    list,
    [
      ...[
        'self.isSorted()',
        "self.indexOf('b') == 1",
        "sets.contains(self, ['a'])",
        "self.join('-') == 'a-b'",
        "'a' in self",
      ],
      ...["self.filter(x, x.startsWith('a')).size() > 0", "self[1] == 'b'"],
    ],
    [['a', 'b'], ['b', 'a'], ['b'], []],
  ],
  'functions for numbers in lists': [
    { type: 'array', maxItems: 5, items: whole },
    ['self.sum() == 6', 'self.min() > 0', 'self.max() < 4'],
    [[1, 2, 3], [4, 2], [-1, 7], []],
  ],
  addresses: [
    text,
    [
      ...[
        "isURL(self) && url(self).getScheme() == 'https'",
        "url(self).getHost() == 'h:8'",
        "url(self).getPort() == '8'",
      ],
      ...["url(self).getHostname() == 'h'", "url(self).getEscapedPath() == '/p'"],
    ],
    ['https://h:8/p', 'http://h:8/p', 'x', 'https://h/p'],
  ],
  maps: [
    { type: 'object', maxProperties: 5, additionalProperties: whole },
    ['self.all(k, self[k] > 0)', "'a' in self", "self['a'] == 1", 'self.a == 1', "self.exists(k, k.startsWith('a'))"],
    [{ a: 1 }, { a: 0 }, { b: 1 }, {}],
  ],
  'fields that may be absent': [
    object({ a: object({ b: text }), n: whole }),
    ["self.?a.?b.orValue('none') == 'x'", 'self.?n.orValue(7) == 7', 'self.a.?b.hasValue()'],
    [{}, { a: { b: 'x' } }, { a: {}, n: 7 }, { n: 8, a: { b: 'y' } }],
  ],
  'what cannot be decided': [
    object({ a: text, n: whole }),
    ["self.a == 'x' || true", "true || self.a == 'x'", "self.a == 'x' && false", '10 / self.n > 1', '10 % self.n >= 0'],
    [{}, { a: 'x', n: 0 }, { a: 'y', n: 1 }],
  ],
  'numbers of two kinds': [
    object({ a: whole, d: { type: 'number' } }),
    ['dyn(self.a) == dyn(self.d)', 'double(self.a) < self.d + 0.5', 'int(self.d) == self.a'],
    [
      { a: 1, d: 1 },
      { a: 1, d: 1.5 },
      { a: 1, d: 3 },
    ],
  ],
  'rules wait until the types are right': [
    object({ a: ruled(text, "self == 'x'"), n: whole }),
    [],
    [
      { a: 'y', n: 'z' },
      { a: 'y', n: 1 },
    ],
  ],
};

export const rules: readonly Scenario[] = [
  ...Object.entries(rows).map(([title, [schema, all, values]]) =>
    fieldWith(`rules: ${title}`, ruled(schema, ...all), values),
  ),
];
