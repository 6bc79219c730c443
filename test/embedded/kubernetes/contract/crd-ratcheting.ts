import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';

const text = { type: 'string' };

function schemaOf(color: Record<string, unknown>) {
  const item = { type: 'object', properties: { name: text, color }, required: ['name'] };
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          color,
          other: text,
          list: { type: 'array', items: item },
          byName: {
            type: 'array',
            items: item,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
          },
          level: { type: 'integer', ...(color['enum'] ? { 'x-kubernetes-validations': [small] } : {}) },
        },
      },
    },
  };
}

const small = { rule: 'self < 5', message: 'must be small' };

export function describeCrdRatcheting(world: () => ApiWorld): void {
  const admin = () => world().client();

  describe('an object that a new schema would refuse', () => {
    let crd: InstalledCrd;
    let path: string;

    beforeAll(async () => {
      const namespace = await world().namespace();
      crd = await world().install({ kind: 'Ratcheted', schema: schemaOf(text) });
      path = crd.path(namespace, 'old');
      const blue = { name: 'a', color: 'blue' };
      const spec = { color: 'blue', list: [blue], byName: [blue], level: 9 };
      await admin().create(crd.path(namespace), crd.object('old', { spec }));
      await admin().patch(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.name}`, 'json', [
        {
          op: 'replace',
          path: '/spec/versions/0/schema/openAPIV3Schema',
          value: schemaOf({ ...text, enum: ['red', 'green'] }),
        },
      ]);
      await until('the new schema to be in force', async () => {
        const object = crd.object('new', { spec: { color: 'blue' } });
        return (await admin().create(crd.path(namespace), object, { dryRun: 'All' })).code === 422;
      });
    });

    const patched = (spec: unknown) => admin().patch(path, 'merge', { spec }, { dryRun: 'All' });

    it.each([
      ['another field', { other: 'x' }],
      ['the wrong field to a right one', { color: 'red' }],
      [
        'another item of a list with keys',
        {
          byName: [
            { name: 'b', color: 'red' },
            { name: 'a', color: 'blue' },
          ],
        },
      ],
    ])('may be changed in %s', async (_what, spec) => {
      expect((await patched(spec)).code).toBe(200);
    });

    it('may be labelled', async () => {
      const { code } = await admin().patch(path, 'merge', { metadata: { labels: { a: 'b' } } }, { dryRun: 'All' });

      expect(code).toBe(200);
    });

    it.each([
      ['from one wrong value to another', { color: 'pink' }, 'spec.color', 'pink'],
      ['in a list without keys', { list: [{ name: 'a', color: 'blue' }, { name: 'b' }] }, 'spec.list[0].color', 'blue'],
      [
        'by another wrong item',
        {
          byName: [
            { name: 'a', color: 'blue' },
            { name: 'b', color: 'blue' },
          ],
        },
        'spec.byName[1].color',
        'blue',
      ],
    ])('may not be changed %s', async (_what, spec, field, value) => {
      const { code, body } = await patched(spec);

      expect(code).toBe(422);
      expect(body.message).toContain(`${field}: Unsupported value: "${value}": supported values: "red", "green"`);
    });

    it('may break a rule for as long as the value stays', async () => {
      const kept = await patched({ other: 'y' });
      const changed = await patched({ level: 8 });

      expect(kept.code).toBe(200);
      expect([changed.code, changed.body.message]).toEqual([
        422,
        `Ratcheted.${crd.group} "old" is invalid: spec.level: Invalid value: 8: must be small`,
      ]);
    });
  });
}
