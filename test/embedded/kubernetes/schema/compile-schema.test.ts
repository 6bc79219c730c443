import { describe, expect, it } from 'vitest';
import { loadCoreSchemas } from '../../../../infra/embedded/kubernetes/kinds/load-core-schemas.ts';
import { compileSchema } from '../../../../infra/embedded/kubernetes/schema/compile-schema.ts';
import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';

const text: Schema = { type: 'string' };
const root: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { ...text, default: 'x' },
        list: { type: 'array', items: { type: 'object', properties: { k: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { k: text } } },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const kind = { apiVersion: 'try.example.com/v1', kind: 'Try', metadata: { name: 'x' } };

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

describe('strict validation', () => {
  it('names unknown fields where they are: first in the metadata, then in the object, then in metadata inside it', () => {
    const compiled = compileSchema(root, { isRoot: true });

    const unknown = compiled.unknownFields({
      ...kind,
      metadata: { name: 'x', zone: 1, ownerReferences: [{ name: 'y', colour: 1 }] },
      other: 1,
      spec: { list: [{ k: 'a' }, { q: 1 }], map: { 'a.b': { q: 1 } }, inner: { metadata: { zone: 1 }, free: 1 } },
    });

    expect(unknown).toEqual([
      'metadata.ownerReferences[0].colour',
      'metadata.zone',
      'other',
      'spec.list[1].q',
      'spec.map.a.b.q',
      'spec.inner.metadata.zone',
    ]);
  });

  it('knows the fields of built-in kinds, however deep', () => {
    const compiled = compileSchema(loadCoreSchemas().get('apps/v1/Deployment') ?? {}, { isRoot: true });
    const containers = [{ name: 'a', img: 'x', resources: { limits: { cpu: 1 } } }];

    const unknown = compiled.unknownFields({ ...kind, spec: { replica: 1, template: { spec: { containers } } } });

    expect(unknown).toEqual(['spec.replica', 'spec.template.spec.containers[0].img']);
  });

  it('knows schemas inside schemas', () => {
    const schema = loadCoreSchemas().get('apiextensions.k8s.io/v1/CustomResourceDefinition') ?? {};
    const compiled = compileSchema(schema, { isRoot: true });
    const openAPIV3Schema = { type: 'object', properties: { a: { items: { typ: 'x', additionalProperties: true } } } };

    const unknown = compiled.unknownFields({ spec: { versions: [{ schema: { openAPIV3Schema } }] } });

    expect(unknown).toEqual(['spec.versions[0].schema.openAPIV3Schema.properties.a.items.typ']);
  });
});

describe('a value that is given', () => {
  const given = deepFreeze({
    ...kind,
    spec: { list: [{ k: 'a' }, { k: 'b', q: 1 }], map: { m: { k: 'c' } }, gone: 1 },
  });

  it('is never changed, and what stays as it is is shared', () => {
    const compiled = compileSchema(root, { isRoot: true });

    const pruned = compiled.prune(given);
    const filled = compiled.applyDefaults(pruned);

    expect(filled.spec).toEqual({ a: 'x', list: [{ k: 'a' }, { k: 'b' }], map: { m: { k: 'c' } } });
    expect(filled.metadata).toBe(given.metadata);
    expect(filled.spec.list[0]).toBe(given.spec.list[0]);
    expect(filled.spec.map).toBe(given.spec.map);
  });

  it('is given back itself where nothing is to be done', () => {
    const compiled = compileSchema(root, { isRoot: true });
    const right = deepFreeze({ ...kind, spec: { a: 'y', list: [{ k: 'a' }] } });

    expect(compiled.prune(right)).toBe(right);
    expect(compiled.applyDefaults(right)).toBe(right);
  });

  it('may have fields with names that every object has', () => {
    const compiled = compileSchema(root, { isRoot: true });
    const odd = { ...kind, spec: { constructor: 1, toString: 'x', map: { constructor: { k: 'a' } } } };

    expect(compiled.unknownFields(odd)).toEqual(['spec.constructor', 'spec.toString']);
    expect(compiled.validate(compiled.prune(odd))).toEqual([]);
  });
});

describe('errors that were found before', () => {
  it('come first, and keep the rules from being asked', () => {
    const ruled = { ...root, 'x-kubernetes-validations': [{ rule: 'false' }] };
    const earlier = [{ reason: 'FieldValueRequired', field: 'metadata.name', message: 'Required value' }] as const;

    const fields = compileSchema(ruled, { isRoot: true })
      .validate(kind, undefined, earlier)
      .map(({ field }) => field);

    expect(fields).toEqual(['metadata.name', '<nil>']);
  });
});
