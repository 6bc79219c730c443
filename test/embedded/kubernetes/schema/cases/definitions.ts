type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string', maxLength: 10 };

interface Changes {
  readonly spec?: Json;
  readonly version?: Json;
  readonly root?: Json;
}

function definition(schema: Json, { spec = {}, version = {}, root = {} }: Changes = {}): Json {
  const openAPIV3Schema = { type: 'object', properties: { spec: schema }, ...root };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cs.try.example.com' },
    spec: {
      group: 'try.example.com',
      names: { kind: 'C', plural: 'cs', singular: 'c', listKind: 'CList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  };
}

function object(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

function field(schema: Json): Json {
  return definition(object({ a: schema }));
}

function list(type: string | undefined, keys: readonly string[] | undefined, items: Json, more: Json = {}): Json {
  return field({
    ...{ type: 'array', items, ...more },
    ...(type === undefined ? {} : { 'x-kubernetes-list-type': type }),
    ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys }),
  });
}

function rule(given: Json | string, schema: Json = text): Json {
  return field({ ...schema, 'x-kubernetes-validations': [typeof given === 'string' ? { rule: given } : given] });
}

const keyed = object({ k: text }, { required: ['k'] });
const parts = object({
  ...{
    a: text,
    n: { type: 'integer' },
    b: { type: 'boolean' },
    t: { type: 'string', format: 'date-time' },
    namespace: text,
  },
  l: { type: 'array', maxItems: 3, items: object({ x: text }) },
  m: { type: 'object', maxProperties: 3, additionalProperties: text },
});

const expressions = [
  ...['self.zzz == 1', 'has(self.zzz)', 'self.a == 1', 'self.a + self.n', 'self.n', 'foo(1)', 'self.a.foo()', 'self.'],
  ...['self.a ==', 'xyz == 1', 'self.l.all(x, x.q == 1)', 'self.l.all(x, has(x.q))', 'self.a.startsWith(1)', '(self.a'],
  ...[
    'size(self.n) > 1',
    "self.a.matches('[')",
    'self.namespace == "x"',
    '!self.a',
    'self.l[0].x == 1',
    'self == oldSelf',
  ],
  ...[
    'self.m["a"] == 1',
    'self.\n  zzz == 1',
    'oldSelf.zzz == 1',
    'self.t == "x"',
    'self.n.all(x, true)',
    'self.a == null',
  ],
  ...['self.l.map(x, x.x).exists(y, y == 1)', 'optional.none().hasValue()', 'self.b ? self.n > 1 : self.a.size() > 1'],
];

/** Definitions, most of them wrong, by what is special about them. */
export const definitions: Readonly<Record<string, Json>> = {
  'a field without a type': field({}),
  'a list without items': field({ type: 'array' }),
  'items without a type': field({ type: 'array', items: {} }),
  'an unknown type': field({ type: 'foo' }),
  'fields and other fields': definition(object({ a: text }, { additionalProperties: text })),
  'fields and no other fields': definition(object({ a: text }, { additionalProperties: false })),
  'unique items': field({ type: 'array', items: text, uniqueItems: true }),
  'a default of the wrong type': field({ ...text, default: 3 }),
  'a default with an unknown field': field(object({ b: text }, { default: { c: 1 } })),
  'a default that is too long': field({ ...text, default: 'waytoolongvalue' }),
  'a default that is no choice': field({ type: 'string', enum: ['a'], default: 'b' }),
  'a default that breaks a rule': rule({ rule: "self == 'x'", message: 'must be x' }, { ...text, default: 'b' }),
  'a map without keys': list('map', undefined, object({ k: text })),
  'a key that is neither required nor has a default': list('map', ['k'], object({ k: text })),
  'a key that is no field': list('map', ['z'], object({ k: text })),
  'a key given twice': list('map', ['k', 'k'], keyed),
  'keys of texts': list('map', ['k'], text),
  'keys without a map': list(undefined, ['k'], keyed),
  'keys of a set': list('set', ['k'], keyed),
  'an unknown kind of list': list('foo', undefined, text),
  'a kind of list for a text': field({ type: 'string', 'x-kubernetes-list-type': 'set' }),
  'a nullable key in a nullable item': list(
    'map',
    ['k'],
    object({ k: { ...text, nullable: true } }, { required: ['k'], nullable: true }),
  ),
  'a key that is an object': list('map', ['k'], object({ k: object({}) }, { required: ['k'] })),
  'an unknown kind of map': field({ type: 'object', 'x-kubernetes-map-type': 'foo' }),
  'a type in an alternative': field({ type: 'string', anyOf: [{ type: 'string' }] }),
  'an alternative about an unknown field': field(
    object({ x: text }, { anyOf: [{ required: ['x'] }, { properties: { y: { pattern: '^a' } } }] }),
  ),
  'more than restrictions in an alternative': field({
    type: 'string',
    allOf: [{ description: 'x', default: 'y', nullable: true }],
  }),
  'a number or a text': field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  'a number or a text that preserves fields': field({
    'x-kubernetes-int-or-string': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'fields that are not preserved': field({ 'x-kubernetes-preserve-unknown-fields': false }),
  'an empty resource': field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  'labels in the metadata': definition(object({}), {
    root: { properties: { metadata: object({ labels: { type: 'object' } }) } },
  }),
  'a name in the metadata': definition(object({}), { root: { properties: { metadata: object({ name: text }) } } }),
  'a kind that is a number': definition(object({}), { root: { properties: { kind: { type: 'integer' } } } }),
  'a root that is a text': definition(object({}), { root: { type: 'string' } }),
  'a root that may be null': definition(object({}), { root: { nullable: true } }),
  'a default for the version': definition(object({}), {
    root: { properties: { apiVersion: { type: 'string', default: 'x' } } },
  }),
  'an unknown scope': definition(object({}), { spec: { scope: 'Foo' } }),
  'a group in capitals': definition(object({}), { spec: { group: 'Foo.bar' } }),
  'a group of one word': definition(object({}), { spec: { group: 'foo' } }),
  'wrong names': definition(object({}), {
    spec: { names: { kind: 'C_x', plural: 'Cs', singular: 'c', listKind: 'C_x', shortNames: ['A'] } },
  }),
  'a version in capitals': definition(object({}), { version: { name: 'V1' } }),
  'no version that is stored': definition(object({}), { version: { storage: false } }),
  'no schema': definition(object({}), { version: { schema: {} } }),
  'wrong columns': definition(object({}), {
    version: {
      additionalPrinterColumns: [
        { name: 'a', type: 'foo', jsonPath: '.x' },
        { name: 'b', type: 'string', jsonPath: 'x' },
      ],
    },
  }),
  'a scale outside of the spec': definition(object({}), {
    version: { subresources: { scale: { specReplicasPath: '.foo', statusReplicasPath: '.status.x' } } },
  }),
  'an empty rule': rule(' '),
  'a message of two lines': rule({ rule: "self == 'x'", message: 'a\nb' }),
  'a rule of two lines without a message': rule("self\n == 'x'"),
  'an unknown reason': rule({ rule: "self == 'x'", reason: 'Foo' }),
  'a path to nowhere': rule({ rule: "self == 'x'", fieldPath: '.foo' }),
  'a message that is a number': rule({ rule: "self == 'x'", messageExpression: '1' }),
  'a message from an unknown field': rule(
    { rule: "self.a == 'x'", message: 'a<b', messageExpression: 'self.zzz' },
    parts,
  ),
  'an old value that is not used': rule({ rule: "self == 'x'", optionalOldSelf: true }),
  'an old value that cannot be found': field({
    type: 'array',
    maxItems: 3,
    items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
  }),
  'a rule about what has no type': rule('true', { 'x-kubernetes-preserve-unknown-fields': true }),
  ...Object.fromEntries(expressions.map((each) => [`the rule ${each}`, rule({ rule: each, message: 'm' }, parts)])),
};
