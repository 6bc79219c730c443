import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describePatchApply(world: () => ApiWorld): void {
  describe('applying', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function appliers() {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace, 'a');
      function apply(
        fieldManager: string,
        spec: Readonly<Record<string, unknown>>,
        query: Record<string, unknown> = {},
      ) {
        return client.patch(path, 'apply', widgets.object('a', { spec }), { fieldManager, ...query });
      }
      return { client, path, apply };
    }

    it('creates an object that is not there', async () => {
      const { client, path, apply } = await appliers();

      const { code, body } = await apply('one', { size: 1 });

      expect(code).toBe(201);
      expect(body).toMatchObject({ kind: 'Widget', metadata: { name: 'a', generation: 1 }, spec: { size: 1 } });
      expect((await client.get(path)).body).toEqual(body);
    });

    it('the same again makes no new version', async () => {
      const { apply } = await appliers();
      const first = await apply('one', { size: 1, parts: [{ name: 'x' }] });

      const second = await apply('one', { size: 1, parts: [{ name: 'x' }] });

      expect(second.code).toBe(200);
      expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    });

    it('remembers who applied which fields', async () => {
      const { apply } = await appliers();

      const { body } = await apply('one', { size: 1, parts: [{ name: 'x', value: '1' }], tags: ['t'], steps: ['s'] });

      expect(body.metadata.managedFields).toEqual([
        {
          manager: 'one',
          operation: 'Apply',
          apiVersion: widgets.apiVersion,
          time: expect.stringMatching(/Z$/),
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:spec': {
              'f:size': {},
              'f:parts': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
              'f:tags': { 'v:"t"': {} },
              'f:steps': {},
            },
          },
        },
      ]);
    });

    it('removes what the same manager no longer applies', async () => {
      const { apply } = await appliers();
      await apply('one', { size: 1, color: 'red', parts: [{ name: 'x' }, { name: 'y' }], tags: ['t', 'u'] });

      const { body } = await apply('one', { size: 1, parts: [{ name: 'y' }], tags: ['u'] });

      expect(body.spec).toEqual({ size: 1, parts: [{ name: 'y' }], tags: ['u'] });
    });

    it('leaves what others own', async () => {
      const { apply } = await appliers();
      await apply('one', { color: 'red', parts: [{ name: 'x' }], tags: ['t'] });
      await apply('two', { size: 1, parts: [{ name: 'y' }], tags: ['u'] });

      const { body } = await apply('one', {});

      expect(body.spec).toEqual({ size: 1, parts: [{ name: 'y' }], tags: ['u'] });
    });

    it('merges lists by key and sets by value', async () => {
      const { apply } = await appliers();
      await apply('one', { parts: [{ name: 'x', value: '1' }], tags: ['t'] });

      const { body } = await apply('two', { parts: [{ name: 'y', value: '2' }], tags: ['u'] });

      expect(body.spec).toEqual({
        parts: [
          { name: 'x', value: '1' },
          { name: 'y', value: '2' },
        ],
        tags: ['t', 'u'],
      });
    });

    it('is refused where another manager owns a field with another value', async () => {
      const { client, path, apply } = await appliers();
      const before = await apply('one', { size: 1 });

      const { code, body } = await apply('two', { size: 2 });

      expect(code).toBe(409);
      expect(body).toMatchObject({
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
        details: {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.size' }],
        },
      });
      expect((await client.get(path)).body).toEqual(before.body);
    });

    it('says every conflict', async () => {
      const { apply } = await appliers();
      await apply('one', { size: 1, color: 'red', parts: [{ name: 'x', value: '1' }] });

      const { code, body } = await apply('two', { size: 2, color: 'blue', parts: [{ name: 'x', value: '2' }] });

      expect(code).toBe(409);
      expect(body.message).toBe(
        'Apply failed with 3 conflicts: conflicts with "one":\n- .spec.color\n- .spec.size\n- .spec.parts[name="x"].value',
      );
      expect(body.details.causes?.map(({ field }) => field)).toEqual([
        '.spec.color',
        '.spec.size',
        '.spec.parts[name="x"].value',
      ]);
    });

    it('says with which version somebody else has updated the field', async () => {
      const { client, path, apply } = await appliers();
      await apply('one', { color: 'red' });
      await client.patch(path, 'merge', { spec: { color: 'green' } }, { fieldManager: 'editor' });

      const { code, body } = await apply('one', { color: 'red' });

      expect(code).toBe(409);
      expect(body.message).toBe(
        `Apply failed with 1 conflict: conflict with "editor" using ${widgets.apiVersion}: .spec.color`,
      );
    });

    it('with force takes the field over', async () => {
      const { apply } = await appliers();
      await apply('one', { size: 1, color: 'red' });

      const forced = await apply('two', { size: 2 }, { force: true });
      const after = await apply('one', { color: 'red' });

      expect([forced.code, forced.body.spec]).toEqual([200, { size: 2, color: 'red' }]);
      const owned = Object.fromEntries(
        (after.body.metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
      );
      expect(owned).toEqual({ one: { 'f:spec': { 'f:color': {} } }, two: { 'f:spec': { 'f:size': {} } } });
      expect(after.body.spec).toEqual({ size: 2, color: 'red' });
    });

    it('what another manager applies too is no conflict and belongs to both', async () => {
      const { apply } = await appliers();
      await apply('one', { size: 1 });

      const shared = await apply('two', { size: 1 });
      const left = await apply('one', {});

      expect(shared.body.metadata.managedFields?.map(({ manager }) => manager).sort()).toEqual(['one', 'two']);
      expect(left.body.spec).toEqual({ size: 1 });
    });
  });
}
