import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string', maxLength: 20 };
const integer = { type: 'integer' };

function ruled(schema: Fields, ...rules: Fields[]): Fields {
  return { ...schema, 'x-kubernetes-validations': rules };
}

const item = {
  type: 'object',
  properties: { name: text, size: integer },
  required: ['name'],
  'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'size may only grow' }],
};

const schema = {
  type: 'object',
  properties: {
    spec: ruled(
      {
        type: 'object',
        properties: {
          fixed: ruled(text, { rule: 'self == oldSelf', message: 'fixed cannot be changed' }),
          grown: ruled(integer, {
            rule: '!oldSelf.hasValue() || self >= oldSelf.value()',
            optionalOldSelf: true,
            message: 'may only grow',
          }),
          first: ruled(integer, {
            rule: 'oldSelf.hasValue() || self == 1',
            optionalOldSelf: true,
            message: 'starts at 1',
          }),
          sealed: integer,
          byName: {
            type: 'array',
            maxItems: 10,
            items: item,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
          },
          map: {
            type: 'object',
            maxProperties: 10,
            additionalProperties: ruled(integer, { rule: 'self >= oldSelf', message: 'may only grow' }),
          },
        },
      },
      { rule: 'has(oldSelf.sealed) == has(self.sealed)', message: 'sealed cannot come or go', fieldPath: '.sealed' },
    ),
    status: {
      type: 'object',
      properties: { phase: ruled(text, { rule: "oldSelf != 'Done' || self == 'Done'", message: 'Done is the end' }) },
    },
  },
};

export function describeCelTransitions(world: () => ApiWorld): void {
  let crd: InstalledCrd;
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
    crd = await world().install({ kind: 'Changing', schema, status: true });
  });

  describe('a rule about the old value', () => {
    /** What the update of an object from one spec to another answers. */
    async function changed(from: Fields, to: Fields): Promise<string> {
      const admin = world().client();
      const name = freshName('one');
      const created = await admin.create(crd.path(namespace), crd.object(name, { spec: from }));
      expect(created.code).toBe(201);

      const { code, body } = await admin.update(crd.path(namespace, name), { ...created.body, spec: to });

      return code === 200 ? 'OK' : body.message.replace(`Changing.${crd.group} "${name}" is invalid: `, '');
    }

    it.each([
      ['stays', { fixed: 'a' }, { fixed: 'a', grown: 1 }],
      ['is new', {}, { fixed: 'a' }],
      ['goes', { fixed: 'a' }, {}],
      ['is new, and the rule knows that', {}, { grown: 3 }],
      ['is larger', { grown: 3 }, { grown: 4 }],
      [
        'of an item stays, wherever the item stands',
        {
          byName: [
            { name: 'a', size: 3 },
            { name: 'b', size: 1 },
          ],
        },
        {
          byName: [
            { name: 'c', size: 0 },
            { name: 'b', size: 1 },
            { name: 'a', size: 3 },
          ],
        },
      ],
    ])('is content where the value %s', async (_what, from, to) => {
      expect(await changed(from, to)).toBe('OK');
    });

    it.each([
      ['changes', { fixed: 'a' }, { fixed: 'b' }, 'spec.fixed: Invalid value: "b": fixed cannot be changed'],
      ['is smaller', { grown: 3 }, { grown: 2 }, 'spec.grown: Invalid value: 2: may only grow'],
      ['comes late', {}, { sealed: 1 }, 'spec.sealed: Invalid value: sealed cannot come or go'],
      ['goes', { sealed: 1 }, {}, 'spec.sealed: Invalid value: sealed cannot come or go'],
      [
        'of an item changes, wherever the item stands',
        {
          byName: [
            { name: 'a', size: 3 },
            { name: 'b', size: 3 },
          ],
        },
        {
          byName: [
            { name: 'b', size: 2 },
            { name: 'a', size: 4 },
          ],
        },
        'spec.byName[0]: Invalid value: size may only grow',
      ],
      [
        'of a map shrinks',
        { map: { a: 2, b: 2 } },
        { map: { a: 1, b: 2 } },
        'spec.map[a]: Invalid value: 1: may only grow',
      ],
    ])('refuses where the value %s', async (_what, from, to, message) => {
      expect(await changed(from, to)).toBe(message);
    });

    it('that also stands for a create is asked then', async () => {
      const object = crd.object('first', { spec: { first: 2 } });

      const { code, body } = await world().client().create(crd.path(namespace), object);

      expect(code).toBe(422);
      expect(body.message).toBe(`Changing.${crd.group} "first" is invalid: spec.first: Invalid value: 2: starts at 1`);
    });

    it('is asked for a patch and for a server-side apply as well', async () => {
      const admin = world().client();
      const name = freshName('one');
      await admin.create(crd.path(namespace), crd.object(name, { spec: { fixed: 'a' } }));

      const patched = await admin.patch(crd.path(namespace, name), 'merge', { spec: { fixed: 'b' } });
      const applied = await admin.patch(
        crd.path(namespace, name),
        'apply',
        crd.object(name, { spec: { fixed: 'b' } }),
        { fieldManager: 'contract', force: true },
      );

      const message = `Changing.${crd.group} "${name}" is invalid: spec.fixed: Invalid value: "b": fixed cannot be changed`;
      expect([patched.code, patched.body.message]).toEqual([422, message]);
      expect([applied.code, applied.body.message]).toEqual([422, message]);
    });

    it('is asked for the status', async () => {
      const admin = world().client();
      const name = freshName('one');
      const path = crd.path(namespace, name, 'status');
      await admin.create(crd.path(namespace), crd.object(name, { spec: {} }));

      const done = await admin.patch(path, 'merge', { status: { phase: 'Done' } });
      const undone = await admin.patch(path, 'merge', { status: { phase: 'New' } });

      expect(done.code).toBe(200);
      expect([undone.code, undone.body.message]).toEqual([
        422,
        `Changing.${crd.group} "${name}" is invalid: status.phase: Invalid value: "New": Done is the end`,
      ]);
    });
  });
}
