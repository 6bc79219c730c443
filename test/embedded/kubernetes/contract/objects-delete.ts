import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const hold = 'example.com/hold';

export function describeObjectsDelete(world: () => ApiWorld): void {
  describe('deleting an object', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('answers success with what it was, and it is gone', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      const configMap = await client.create(configMaps, { metadata: { name: 'a' } });
      const widget = await client.create(widgets.path(namespace), widgets.object('a'));

      const deletedConfigMap = await client.delete(`${configMaps}/a`);
      const deletedWidget = await client.delete(widgets.path(namespace, 'a'));

      expect(deletedConfigMap.code).toBe(200);
      expect(deletedConfigMap.body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: configMap.body.metadata.uid },
      });
      expect(deletedWidget.body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name: 'a', group: widgets.group, kind: 'widgets', uid: widget.body.metadata.uid },
      });
      expect((await client.get(`${configMaps}/a`)).code).toBe(404);
      expect((await client.get(widgets.path(namespace, 'a'))).code).toBe(404);
    });

    it('is refused for an object that is not there', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.delete(`${configMaps}/a`);

      expect([code, body.reason, body.message]).toEqual([404, 'NotFound', 'configmaps "a" not found']);
    });

    it('is refused when the uid is not the expected one', async () => {
      const { client, namespace } = await freshPlace(world());
      const { body: widget } = await client.create(widgets.path(namespace), widgets.object('a'));

      const refused = await client.delete(widgets.path(namespace, 'a'), { preconditions: { uid: 'other' } });
      const right = await client.delete(widgets.path(namespace, 'a'), { preconditions: { uid: widget.metadata.uid } });

      expect(refused.code).toBe(409);
      expect(refused.body.reason).toBe('Conflict');
      expect(refused.body.message).toContain(
        `the UID in the precondition (other) does not match the UID in record (${widget.metadata.uid}). The object might have been deleted and then recreated`,
      );
      expect(right.code).toBe(200);
    });

    it('is refused when the version is not the expected one', async () => {
      const { client, configMaps } = await freshPlace(world());
      const { body: before } = await client.create(configMaps, { metadata: { name: 'a' } });
      const { body: now } = await client.patch(`${configMaps}/a`, 'merge', { data: { a: '1' } });

      const old = { preconditions: { resourceVersion: before.metadata.resourceVersion } };
      const { code, body } = await client.delete(`${configMaps}/a`, old);

      expect(code).toBe(409);
      expect(body.message).toBe(
        `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (${before.metadata.resourceVersion}) does not match the ResourceVersion in record (${now.metadata.resourceVersion}). The object might have been modified`,
      );
    });

    it('understands how its dependents are to be treated, and says what it does not understand', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' } });

      const unknown = await client.delete(`${configMaps}/a`, { propagationPolicy: 'Nope' });
      const both = await client.delete(`${configMaps}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
      const background = await client.delete(`${configMaps}/a`, undefined, { propagationPolicy: 'Background' });

      expect(unknown.code).toBe(422);
      expect(unknown.body.message).toBe(
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Nope": supported values: "Foreground", "Background", "Orphan", "nil"',
      );
      expect(both.code).toBe(422);
      expect(background.body).toMatchObject({ kind: 'Status', status: 'Success' });
    });

    it('that has a finalizer only marks it', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace, 'a');
      const { body: before } = await client.create(
        widgets.path(namespace),
        widgets.object('a', { metadata: { finalizers: [hold] }, spec: { size: 1 } }),
      );

      const marked = await client.delete(path);
      const again = await client.delete(path);

      expect(marked.code).toBe(200);
      expect(marked.body).toMatchObject({
        kind: 'Widget',
        spec: { size: 1 },
        metadata: { name: 'a', finalizers: [hold] },
      });
      expect(marked.body.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(marked.body.metadata.deletionGracePeriodSeconds).toBe(0);
      expect(marked.body.metadata.generation).toBe(2);
      expect(marked.body.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
      expect(again.body).toEqual(marked.body);
      expect((await client.get(path)).body).toEqual(marked.body);
    });

    it('lets a marked object be changed, but not be given another finalizer', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a', finalizers: [hold] } });
      await client.delete(`${configMaps}/a`);

      const changed = await client.patch(`${configMaps}/a`, 'merge', { data: { a: '1' } });
      const unmarked = await client.patch(`${configMaps}/a`, 'merge', { metadata: { deletionTimestamp: null } });
      const added = await client.patch(`${configMaps}/a`, 'merge', {
        metadata: { finalizers: [hold, 'example.com/more'] },
      });

      expect(changed.code).toBe(200);
      expect(changed.body.data).toEqual({ a: '1' });
      expect(unmarked.body.metadata.deletionTimestamp).toBe(changed.body.metadata.deletionTimestamp);
      expect(added.code).toBe(422);
      expect(added.body.message).toBe(
        'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
      );
    });

    it('is finished by the removal of the last finalizer', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a', finalizers: [hold, 'example.com/more'] } });
      await client.delete(`${configMaps}/a`);

      const one = await client.patch(`${configMaps}/a`, 'merge', { metadata: { finalizers: [hold] } });
      const still = await client.get(`${configMaps}/a`);
      const none = await client.patch(`${configMaps}/a`, 'merge', { metadata: { finalizers: null } });

      expect([one.code, still.code, none.code]).toEqual([200, 200, 200]);
      expect(none.body.metadata.finalizers).toBeUndefined();
      expect((await client.get(`${configMaps}/a`)).code).toBe(404);
    });

    it('keeps the name until it is finished', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a', finalizers: [hold] } });
      await client.delete(`${configMaps}/a`);

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a' } });

      expect([code, body.reason, body.message]).toEqual([
        409,
        'AlreadyExists',
        'object is being deleted: configmaps "a" already exists',
      ]);
    });
  });
}
