import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describePatchApplyRequests(world: () => ApiWorld): void {
  describe('a request to apply', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('names its manager', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'apply', widgets.object('a'));

      expect(code).toBe(422);
      expect(body).toMatchObject({
        reason: 'Invalid',
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      });
    });

    it('may be YAML', async () => {
      const { client, namespace } = await freshPlace(world());
      const yaml = `apiVersion: ${widgets.apiVersion}\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n`;

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'apply', yaml, { fieldManager: 'one' });

      expect([code, body.spec]).toEqual([201, { size: 3 }]);
    });

    it('carries no managedFields', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace, 'a');
      await client.create(widgets.path(namespace), widgets.object('a'));

      const { code, body } = await client.patch(
        path,
        'apply',
        widgets.object('a', { metadata: { managedFields: [{ manager: 'x' }] } }),
        { fieldManager: 'one' },
      );

      expect([code, body.message]).toEqual([400, 'metadata.managedFields must be nil']);
    });

    it('is for the object of the path', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'apply', widgets.object('b'), {
        fieldManager: 'one',
      });

      expect([code, body.message]).toEqual([400, 'the name of the object (b) does not match the name on the URL (a)']);
    });

    it('is refused where the version in it is no longer the newest', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(widgets.path(namespace), widgets.object('a'));

      const { code, body } = await client.patch(
        widgets.path(namespace, 'a'),
        'apply',
        widgets.object('a', { metadata: { resourceVersion: '1' }, spec: { size: 1 } }),
        { fieldManager: 'one' },
      );

      expect([code, body.reason]).toEqual([409, 'Conflict']);
      expect(body.message).toContain('the object has been modified');
    });

    it('says which field the schema does not know', async () => {
      const { client, namespace } = await freshPlace(world());
      const object = widgets.object('a', { spec: { nope: 1 } });

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'apply', object, { fieldManager: 'one' });

      expect(code).toBe(500);
      expect(body.message).toBe(
        `failed to create typed patch object (/a; ${widgets.apiVersion}, Kind=Widget): .spec.nope: field not declared in schema`,
      );
    });

    it('says which entry of a list is there twice', async () => {
      const { client, namespace } = await freshPlace(world());
      const object = widgets.object('a', { spec: { parts: [{ name: 'x' }, { name: 'x' }] } });

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'apply', object, { fieldManager: 'one' });

      expect(code).toBe(500);
      expect(body.message).toMatch(/: \.spec\.parts: duplicate entries for key \[name="x"\]$/);
    });

    it('forces only when it applies', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'merge', {}, { force: true });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      );
    });

    it('needs an existing namespace', async () => {
      const { client } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path('not-there', 'a'), 'apply', widgets.object('a'), {
        fieldManager: 'one',
      });

      expect([code, body.message]).toEqual([404, 'namespaces "not-there" not found']);
    });

    it('for the status owns only the status, and creates nothing', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(widgets.path(namespace), widgets.object('a', { spec: { size: 1 } }));
      const status = (name: string) => widgets.object(name, { spec: { size: 9 }, status: { phase: 'Ready' } });

      const applied = await client.patch(widgets.path(namespace, 'a', 'status'), 'apply', status('a'), {
        fieldManager: 'reporter',
      });
      const missing = await client.patch(widgets.path(namespace, 'b', 'status'), 'apply', status('b'), {
        fieldManager: 'reporter',
      });

      expect(applied.body).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
      expect(applied.body.metadata.managedFields?.find(({ manager }) => manager === 'reporter')).toMatchObject({
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
      });
      expect([missing.code, missing.body.message]).toEqual([404, `widgets.${widgets.group} "b" not found`]);
    });

    it('works for built-in kinds', async () => {
      const { client, configMaps } = await freshPlace(world());
      const object = (data: Record<string, string>) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data,
      });
      const path = `${configMaps}/a`;

      const created = await client.patch(path, 'apply', object({ a: '1', b: '2' }), { fieldManager: 'one' });
      const reduced = await client.patch(path, 'apply', object({ a: '1' }), { fieldManager: 'one' });
      const refused = await client.patch(path, 'apply', object({ a: '2' }), { fieldManager: 'two' });

      expect([created.code, created.body.data]).toEqual([201, { a: '1', b: '2' }]);
      expect(reduced.body.data).toEqual({ a: '1' });
      expect([refused.code, refused.body.message]).toEqual([
        409,
        'Apply failed with 1 conflict: conflict with "one": .data.a',
      ]);
    });
  });

  describe('the manager of a plain write', () => {
    it('is the client that it says it is, or its fieldManager', async () => {
      const { client, configMaps } = await freshPlace(world());
      const headers = { 'user-agent': 'my-tool/1.2 (linux)' };

      const agent = await client.request({
        method: 'POST',
        path: configMaps,
        headers,
        body: { metadata: { name: 'a' }, data: { a: '1' } },
      });
      const named = await client.request({
        method: 'POST',
        path: configMaps,
        headers,
        query: { fieldManager: 'me' },
        body: { metadata: { name: 'b' }, data: { a: '1' } },
      });

      const managers = [agent, named].map(({ body }) => body.metadata.managedFields);
      expect(managers).toEqual([
        [expect.objectContaining({ manager: 'my-tool', operation: 'Update' })],
        [expect.objectContaining({ manager: 'me', operation: 'Update' })],
      ]);
      expect(agent.body.metadata.managedFields?.[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:a': {} } });
    });
  });
}
