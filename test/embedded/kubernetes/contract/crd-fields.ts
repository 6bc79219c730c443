import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';

const text = { type: 'string' };
const objectOf = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const schema = objectOf({
  metadata: objectOf({ name: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 } }),
  spec: objectOf({
    mode: { ...text, default: 'fast' },
    count: { type: 'integer', default: 0 },
    on: { type: 'boolean', default: false },
    nested: objectOf({ level: { type: 'integer', default: 1 } }),
    filled: objectOf({ level: { type: 'integer', default: 1 }, more: text }, { default: {} }),
    list: { type: 'array', items: objectOf({ name: text, port: { type: 'integer', default: 80 } }) },
    map: { type: 'object', additionalProperties: objectOf({ weight: { type: 'integer', default: 5 } }) },
    names: { type: 'array', items: text, default: ['a'] },
    nullable: { ...text, nullable: true, default: 'given' },
    whole: objectOf({ known: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
    inner: objectOf({ strict: objectOf({ known: text }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  }),
  status: objectOf({ phase: { ...text, default: 'New' } }),
});

export function describeCrdFields(world: () => ApiWorld): void {
  let crd: InstalledCrd;
  let namespace: string;
  const admin = () => world().client();
  /** Nothing is stored, so that every case may use the same name. */
  const tried = (spec: unknown, query: Query = {}) =>
    admin().create(crd.path(namespace), crd.object('one', { spec }), { dryRun: 'All', ...query });
  const always = { mode: 'fast', count: 0, on: false, filled: { level: 1 }, names: ['a'], nullable: 'given' };

  beforeAll(async () => {
    namespace = await world().namespace();
    crd = await world().install({ kind: 'Field', schema, status: true });
  });

  describe('the fields of a custom object', () => {
    it.each([
      ['nothing is said', {}, {}],
      ['a value that is like nothing is said', { mode: '', count: 0, names: [] }, { mode: '', names: [] }],
      ['an object is given without its field', { nested: {} }, { nested: { level: 1 } }],
      ['an object with a default of its own is given', { filled: { more: 'x' } }, { filled: { level: 1, more: 'x' } }],
      [
        'the items of a list are given',
        { list: [{ name: 'x' }, { port: 1 }] },
        { list: [{ name: 'x', port: 80 }, { port: 1 }] },
      ],
      [
        'the values of a map are given',
        { map: { x: {}, y: { weight: 1 } } },
        { map: { x: { weight: 5 }, y: { weight: 1 } } },
      ],
      ['null is said', { mode: null, filled: null }, {}],
      ['null is said where it is allowed', { nullable: null }, { nullable: null }],
    ])('are given their defaults where %s', async (_what, given, expected) => {
      const { code, body } = await tried(given);

      expect(code).toBe(201);
      expect(body.spec).toEqual({ ...always, ...expected });
    });

    it('are not defaulted below an object that is missing', async () => {
      const { body } = await admin().create(crd.path(namespace), crd.object('one'), { dryRun: 'All' });

      expect(body.spec).toBeUndefined();
      expect(body.status).toBeUndefined();
    });

    it('lose null where it is not allowed', async () => {
      const { body } = await tried({ nested: { level: null }, list: [{ name: null }] });

      expect(body.spec).toEqual({ ...always, nested: { level: 1 }, list: [{ port: 80 }] });
    });

    it('are pruned where the schema does not know them, at any depth', async () => {
      const { body } = await tried({ nested: { x: 1 }, list: [{ y: 1 }], map: { k: { z: 1 } }, unknown: { deep: 1 } });

      expect(body.spec).toEqual({ ...always, nested: { level: 1 }, list: [{ port: 80 }], map: { k: { weight: 5 } } });
    });

    it('are all kept where the schema says so, and pruned again below what it does describe', async () => {
      const { body } = await tried({
        whole: { known: 'k', x: { y: [1] } },
        inner: { x: 1, strict: { known: 'k', y: 2 } },
      });

      expect(body.spec).toMatchObject({ whole: { known: 'k', x: { y: [1] } } });
      expect(body.spec['inner']).toEqual({ x: 1, strict: { known: 'k' } });
    });

    it('that are unknown are warned of', async () => {
      const asked = await tried({ nested: { x: 1 }, unknown: 1 }, { fieldValidation: 'Warn' });
      const unasked = await tried({ unknown: 1 });

      expect(asked.code).toBe(201);
      expect([...asked.warnings].sort()).toEqual(['unknown field "spec.nested.x"', 'unknown field "spec.unknown"']);
      expect(unasked.warnings).toEqual(['unknown field "spec.unknown"']);
    });

    it('that are unknown are refused by the strict, and not spoken of by the lenient', async () => {
      const strict = await tried({ list: [{ x: 1 }], unknown: 1 }, { fieldValidation: 'Strict' });
      const lenient = await tried({ unknown: 1 }, { fieldValidation: 'Ignore' });

      expect([strict.code, strict.body.reason, strict.body.message]).toEqual([
        400,
        'BadRequest',
        'Field in version "v1" cannot be handled as a Field: strict decoding error: unknown field "spec.list[0].x", unknown field "spec.unknown"',
      ]);
      expect([lenient.code, lenient.warnings]).toEqual([201, []]);
    });

    it('that are unknown are refused by the strict in every kind of change', async () => {
      const path = crd.path(namespace, 'strict');
      const { body } = await admin().create(crd.path(namespace), crd.object('strict', { spec: {} }));
      const strict = { fieldValidation: 'Strict' };

      const updated = await admin().update(path, { ...body, spec: { unknown: 1 } }, strict);
      const merged = await admin().patch(path, 'merge', { spec: { unknown: 1 } }, strict);
      const patched = await admin().patch(path, 'json', [{ op: 'add', path: '/spec/unknown', value: 1 }], strict);

      const refusal = 'strict decoding error: unknown field "spec.unknown"';
      expect([updated.code, updated.body.message]).toEqual([
        400,
        `Field in version "v1" cannot be handled as a Field: ${refusal}`,
      ]);
      for (const answer of [merged, patched]) {
        // The whole object stands between the two.
        expect(answer.code).toBe(422);
        expect(answer.body.message.startsWith(' "" is invalid: patch: Invalid value: ')).toBe(true);
        expect(answer.body.message.endsWith(refusal)).toBe(true);
      }
    });

    it('that are unknown are refused in every apply', async () => {
      const object = crd.object('applied', { metadata: { namespace }, spec: { unknown: 1 } });
      const query = { fieldManager: 'contract', fieldValidation: 'Ignore' };

      const { code, body } = await admin().patch(crd.path(namespace, 'applied'), 'apply', object, query);

      expect(code).toBe(500);
      expect(body.message).toBe(
        `failed to create typed patch object (${namespace}/applied; ${crd.apiVersion}, Kind=Field): .spec.unknown: field not declared in schema`,
      );
    });

    it('that are said twice are refused by the strict', async () => {
      const { code, body } = await admin().request({
        method: 'POST',
        path: crd.path(namespace),
        query: { dryRun: 'All', fieldValidation: 'Strict' },
        body: `{"apiVersion":"${crd.apiVersion}","kind":"Field","metadata":{"name":"one"},"spec":{"mode":"a","mode":"b"}}`,
      });

      expect(code).toBe(400);
      expect(body.message).toBe(
        'Field in version "v1" cannot be handled as a Field: strict decoding error: duplicate field "spec.mode"',
      );
    });

    it('that are unknown in metadata are refused by the strict too', async () => {
      const object = crd.object('one', { metadata: { nickname: 'x' } });

      const { code, body } = await admin().create(crd.path(namespace), object, {
        dryRun: 'All',
        fieldValidation: 'Strict',
      });

      expect(code).toBe(400);
      expect(body.message).toBe(
        'Field in version "v1" cannot be handled as a Field: strict decoding error: unknown field "metadata.nickname"',
      );
    });

    it('know no other way of being validated', async () => {
      const { code, body } = await tried({}, { fieldValidation: 'Loud' });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loud": supported values: "", "Ignore", "Strict", "Warn"',
      );
    });

    it.each([
      ['lettersonly', 'metadata.name: Too long: may not be more than 8 bytes'],
      ['a-dash', 'metadata.name: Invalid value: "a-dash": metadata.name in body should match \'^[a-z]+$\''],
      // Of one value only the first broken keyword is told.
      ['too-long-and-dashed', 'metadata.name: Too long: may not be more than 8 bytes'],
    ])('may narrow the name, here %s', async (name, problem) => {
      const { code, body } = await admin().create(crd.path(namespace), crd.object(name), { dryRun: 'All' });

      expect([code, body.message]).toEqual([422, `Field.${crd.group} "${name}" is invalid: ${problem}`]);
    });

    it('may be a whole resource, which must have a kind and a version', async () => {
      const whole = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', labels: { a: 'b' } },
        data: { k: 'v' },
      };

      const kept = await tried({ template: whole });
      const refused = await tried({ template: { data: {} } });

      expect(kept.body.spec['template']).toEqual(whole);
      expect(refused.code).toBe(422);
      expect((refused.body.details.causes ?? []).map(({ field, message }) => `${field}: ${message}`).sort()).toEqual([
        'spec.template.apiVersion: Required value',
        'spec.template.kind: Required value',
      ]);
    });

    it('are defaulted again when the object is read after the schema has grown', async () => {
      await admin().create(crd.path(namespace), crd.object('grown', { spec: {} }));

      await admin().patch(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.name}`, 'json', [
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/late',
          value: { type: 'string', default: 'added' },
        },
      ]);

      await expect
        .poll(async () => (await admin().get(crd.path(namespace, 'grown'))).body.spec, { timeout: 10_000 })
        .toEqual({ ...always, late: 'added' });
    });
  });
}
