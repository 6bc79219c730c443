import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const dryRun = { dryRun: 'All' };

export function describeObjectsDryRun(world: () => ApiWorld): void {
  describe('a dry run', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('of a creation answers with the object and creates nothing', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a' }, data: { a: '1' } }, dryRun);

      expect(code).toBe(201);
      expect(body).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } });
      expect(body.metadata.uid).toBeDefined();
      expect(body.metadata.resourceVersion).toBeUndefined();
      expect((await client.get(`${configMaps}/a`)).code).toBe(404);
    });

    it('of a creation refuses what the creation would refuse', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(widgets.path(namespace), widgets.object('a'));

      const taken = await client.create(widgets.path(namespace), widgets.object('a'), dryRun);
      const invalid = await client.create(
        widgets.path(namespace),
        widgets.object('b', { spec: { size: 'x' } }),
        dryRun,
      );

      expect([taken.code, taken.body.reason]).toEqual([409, 'AlreadyExists']);
      expect([invalid.code, invalid.body.reason]).toEqual([422, 'Invalid']);
    });

    it('of an update, a patch, an apply and a deletion changes nothing', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace, 'a');
      const { body: before } = await client.create(widgets.path(namespace), widgets.object('a', { spec: { size: 1 } }));

      const updated = await client.update(path, { ...before, spec: { size: 2 } }, dryRun);
      const patched = await client.patch(path, 'merge', { spec: { size: 3 } }, dryRun);
      const applied = await client.patch(path, 'apply', widgets.object('a', { spec: { color: 'red' } }), {
        ...dryRun,
        fieldManager: 'test',
      });
      const deleted = await client.delete(path, undefined, dryRun);

      expect([updated.body.spec, patched.body.spec]).toEqual([{ size: 2 }, { size: 3 }]);
      expect(applied.body.spec).toEqual({ size: 1, color: 'red' });
      expect(updated.body.metadata.generation).toBe(2);
      expect([updated.code, patched.code, applied.code, deleted.code]).toEqual([200, 200, 200, 200]);
      expect((await client.get(path)).body).toEqual(before);
    });

    it('of part of a request does not exist', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a' } }, { dryRun: 'Some' });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
      );
    });
  });

  describe('fields that the schema does not know', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('are dropped with a warning unless told otherwise', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const widget = await client.create(widgets.path(namespace), widgets.object('a', { spec: { nope: 1 }, extra: 2 }));
      const configMap = await client.create(configMaps, {
        metadata: { name: 'a', nope: 1 },
        data: { a: '1' },
        extra: 2,
      });

      expect(widget.code).toBe(201);
      expect(widget.body.spec).toEqual({});
      expect(widget.body['extra']).toBeUndefined();
      expect([...widget.warnings].sort()).toEqual(['unknown field "extra"', 'unknown field "spec.nope"']);
      expect(configMap.code).toBe(201);
      expect([...configMap.warnings].sort()).toEqual(['unknown field "extra"', 'unknown field "metadata.nope"']);
    });

    it('are dropped in silence with Ignore', async () => {
      const { client, namespace } = await freshPlace(world());
      const object = widgets.object('a', { spec: { nope: 1 } });

      const { code, body, warnings } = await client.create(widgets.path(namespace), object, {
        fieldValidation: 'Ignore',
      });

      expect([code, body.spec, warnings]).toEqual([201, {}, []]);
    });

    it('are refused with Strict', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      const strict = { fieldValidation: 'Strict' };

      const widget = await client.create(widgets.path(namespace), widgets.object('a', { spec: { nope: 1 } }), strict);
      const configMap = await client.create(configMaps, { metadata: { name: 'a' }, extra: 1 }, strict);

      expect([widget.code, widget.body.reason]).toEqual([400, 'BadRequest']);
      expect(widget.body.message).toBe(
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.nope"',
      );
      expect(configMap.code).toBe(400);
      expect(configMap.body.message).toBe(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "extra"',
      );
    });

    it('are refused with Strict in a patch', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(widgets.path(namespace), widgets.object('a'));

      const { code, body } = await client.patch(
        widgets.path(namespace, 'a'),
        'merge',
        { spec: { nope: 1 } },
        { fieldValidation: 'Strict' },
      );

      expect([code, body.reason]).toEqual([422, 'Invalid']);
      expect(body.message).toMatch(/strict decoding error: unknown field "spec\.nope"$/);
    });

    it('may not be validated in a way that does not exist', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.create(widgets.path(namespace), widgets.object('a'), {
        fieldValidation: 'Zap',
      });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Zap": supported values: "", "Ignore", "Strict", "Warn"',
      );
    });

    it('may not hide behind a field that is given twice', async () => {
      const { client, namespace } = await freshPlace(world());
      const text = `{"apiVersion":"${widgets.apiVersion}","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}`;
      const path = widgets.path(namespace);

      const strict = await client.request({ method: 'POST', path, body: text, query: { fieldValidation: 'Strict' } });
      const warned = await client.request({ method: 'POST', path, body: text });

      expect([strict.code, strict.body.message]).toEqual([
        400,
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size"',
      ]);
      expect([warned.code, warned.body.spec, warned.warnings]).toEqual([
        201,
        { size: 2 },
        ['duplicate field "spec.size"'],
      ]);
    });
  });
}
