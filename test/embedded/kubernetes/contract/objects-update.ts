import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

export function describeObjectsUpdate(world: () => ApiWorld): void {
  describe('updating an object', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('replaces it and gives it a newer version', async () => {
      const { client, configMaps } = await freshPlace(world());
      const created = await client.create(configMaps, {
        metadata: { name: 'a', labels: { x: 'y' } },
        data: { a: '1' },
      });

      const updated = await client.update(`${configMaps}/a`, { ...created.body, data: { b: '2' } });

      expect(updated.code).toBe(200);
      expect(updated.body.data).toEqual({ b: '2' });
      expect(updated.body.metadata).toMatchObject({ uid: created.body.metadata.uid, labels: { x: 'y' } });
      expect(Number(updated.body.metadata.resourceVersion)).toBeGreaterThan(
        Number(created.body.metadata.resourceVersion),
      );
    });

    it('is refused when somebody else wrote in between', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      const configMap = await client.create(configMaps, { metadata: { name: 'a' }, data: { a: '1' } });
      const widget = await client.create(widgets.path(namespace), widgets.object('a', { spec: { size: 1 } }));
      await client.update(`${configMaps}/a`, { ...configMap.body, data: { a: '2' } });
      await client.update(widgets.path(namespace, 'a'), { ...widget.body, spec: { size: 2 } });

      const staleConfigMap = await client.update(`${configMaps}/a`, { ...configMap.body, data: { a: '3' } });
      const staleWidget = await client.update(widgets.path(namespace, 'a'), { ...widget.body, spec: { size: 3 } });

      expect(staleConfigMap.code).toBe(409);
      expect(staleConfigMap.body).toMatchObject({
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on configmaps "a": ${modified}`,
        details: { name: 'a', kind: 'configmaps' },
      });
      expect(staleWidget.code).toBe(409);
      expect(staleWidget.body).toMatchObject({
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on widgets.${widgets.group} "a": ${modified}`,
        details: { name: 'a', group: widgets.group, kind: 'widgets' },
      });
      expect((await client.get(widgets.path(namespace, 'a'))).body.spec).toEqual({ size: 2 });
    });

    it('lets exactly one of many writers of the same version win', async () => {
      const { client, configMaps } = await freshPlace(world());
      const { body } = await client.create(configMaps, { metadata: { name: 'a' }, data: {} });

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, writer) =>
          client.update(`${configMaps}/a`, { ...body, data: { writer: String(writer) } }),
        ),
      );

      expect(answers.map(({ code }) => code).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
      const winner = answers.find(({ code }) => code === 200);
      expect((await client.get(`${configMaps}/a`)).body).toEqual(winner?.body);
    });

    it('needs no version for a ConfigMap and needs one for a custom resource', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' }, data: { a: '1' } });
      await client.create(widgets.path(namespace), widgets.object('a', { spec: { size: 1 } }));

      const configMap = await client.update(`${configMaps}/a`, { metadata: { name: 'a' }, data: { a: '2' } });
      const widget = await client.update(widgets.path(namespace, 'a'), widgets.object('a', { spec: { size: 2 } }));

      expect(configMap.code).toBe(200);
      expect(configMap.body.data).toEqual({ a: '2' });
      expect(widget.code).toBe(422);
      expect(widget.body).toMatchObject({
        reason: 'Invalid',
        message: `widgets.${widgets.group} "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      });
    });

    it('that changes nothing makes no new version', async () => {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(widgets.path(namespace), widgets.object('a', { spec: { size: 1 } }));

      const updated = await client.update(widgets.path(namespace, 'a'), created.body);

      expect(updated.code).toBe(200);
      expect(updated.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
    });

    it('is refused for an object that is not there', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.update(`${configMaps}/a`, { metadata: { name: 'a' } });
      const widget = await client.update(
        widgets.path(namespace, 'a'),
        widgets.object('a', { metadata: { resourceVersion: '1' } }),
      );

      expect([configMap.code, configMap.body.message]).toEqual([404, 'configmaps "a" not found']);
      expect([widget.code, widget.body.message]).toEqual([404, `widgets.${widgets.group} "a" not found`]);
    });

    it('is refused for another name or namespace than that of the request', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' } });

      const otherName = await client.update(`${configMaps}/a`, { metadata: { name: 'b' } });
      const noName = await client.update(`${configMaps}/a`, { data: {} });
      const otherNamespace = await client.update(`${configMaps}/a`, { metadata: { name: 'a', namespace: 'other' } });

      expect([otherName.code, otherName.body.message]).toEqual([
        400,
        'the name of the object (b) does not match the name on the URL (a)',
      ]);
      expect([noName.code, noName.body.message]).toEqual([
        400,
        'the name of the object (a based on URL) was undeterminable: name must be provided',
      ]);
      expect([otherNamespace.code, otherNamespace.body.message]).toEqual([
        400,
        'the namespace of the provided object does not match the namespace sent on the request',
      ]);
    });

    it('is refused for the uid of an object that was there before', async () => {
      const { client, configMaps } = await freshPlace(world());
      const before = await client.create(configMaps, { metadata: { name: 'a' } });
      await client.delete(`${configMaps}/a`);
      const now = await client.create(configMaps, { metadata: { name: 'a' } });

      const { code, body } = await client.update(`${configMaps}/a`, {
        metadata: { name: 'a', uid: before.body.metadata.uid },
        data: { a: '1' },
      });

      expect(code).toBe(409);
      expect(body.reason).toBe('Conflict');
      expect(body.message).toContain(
        `Precondition failed: UID in precondition: ${before.body.metadata.uid}, UID in object meta: ${now.body.metadata.uid}`,
      );
    });
  });
}
