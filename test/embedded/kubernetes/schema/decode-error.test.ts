import { describe, expect, it } from 'vitest';
import { loadCoreSchemas } from '../../../../infra/embedded/kubernetes/kinds/load-core-schemas.ts';
import { decodeError } from '../../../../infra/embedded/kubernetes/schema/decode-error.ts';
import { objectMetaSchema } from '../../../../infra/embedded/kubernetes/schema/object-meta-schema.ts';
import { decoding } from './cases/decoding.ts';
import { readAnswers } from './read-answers.ts';

const { decoded } = readAnswers();
const schemas = loadCoreSchemas();

describe('a body of a built-in kind is read as kube-apiserver 1.36.3 read it', () => {
  it.each(decoding.map((body, index) => [JSON.stringify(body.object), body, decoded[index]] as const))(
    '%s',
    (_, { kind, object }, answer) => {
      const schema = schemas.get(kind) ?? {};

      expect(decodeError(schema, object) ?? 'can be read').toBe(answer);
    },
  );
});

describe('the metadata of a custom resource', () => {
  it('are read by themselves, so that the path begins there', () => {
    const text = decodeError(objectMetaSchema, { name: 'x', labels: { a: 1 } });

    expect(text).toBe('json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string');
  });

  it('must be an object', () => {
    expect(decodeError(objectMetaSchema, 'x')).toBe(
      'json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    );
  });
});
