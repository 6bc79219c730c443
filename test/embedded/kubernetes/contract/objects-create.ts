import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, subdomainRule, widgetSketch } from './sample-objects.ts';

const aUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const aTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function describeObjectsCreate(world: () => ApiWorld): void {
  describe('creating an object', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('answers 201 with the object, its identity and its version', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'settings' }, data: { a: '1' } });

      expect(code).toBe(201);
      expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace } });
      expect(body.metadata.uid).toMatch(aUuid);
      expect(body.metadata.creationTimestamp).toMatch(aTime);
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
      expect(body.data).toEqual({ a: '1' });
    });

    it('can be read back as it was answered', async () => {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(widgets.path(namespace), widgets.object('first', { spec: { size: 1 } }));

      const read = await client.get(widgets.path(namespace, 'first'));

      expect(read.code).toBe(200);
      expect(read.body).toEqual(created.body);
      expect(read.body).toMatchObject({ apiVersion: widgets.apiVersion, kind: 'Widget', spec: { size: 1 } });
    });

    it('gives a custom resource generation 1 and a ConfigMap none', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const widget = await client.create(widgets.path(namespace), widgets.object('a', { metadata: { generation: 7 } }));
      const configMap = await client.create(configMaps, { metadata: { name: 'a' } });

      expect(widget.body.metadata.generation).toBe(1);
      expect(configMap.body.metadata.generation).toBeUndefined();
    });

    it('accepts YAML', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.request({
        method: 'POST',
        path: configMaps,
        headers: { 'content-type': 'application/yaml' },
        body: 'metadata:\n  name: from-yaml\ndata:\n  a: "1"\n',
      });

      expect(code).toBe(201);
      expect(body).toMatchObject({ metadata: { name: 'from-yaml' }, data: { a: '1' } });
    });

    it('refuses a second object of the same name', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'twice' } });
      await client.create(widgets.path(namespace), widgets.object('twice'));

      const configMap = await client.create(configMaps, { metadata: { name: 'twice' } });
      const widget = await client.create(widgets.path(namespace), widgets.object('twice'));

      expect(configMap.code).toBe(409);
      expect(configMap.body).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'AlreadyExists',
        message: 'configmaps "twice" already exists',
        details: { name: 'twice', kind: 'configmaps' },
        code: 409,
      });
      expect(widget.body.message).toBe(`widgets.${widgets.group} "twice" already exists`);
      expect(widget.body.details).toEqual({ name: 'twice', group: widgets.group, kind: 'widgets' });
    });

    it('makes a name of generateName and five letters or digits', async () => {
      const { client, configMaps } = await freshPlace(world());

      const one = await client.create(configMaps, { metadata: { generateName: 'run-' } });
      const two = await client.create(configMaps, { metadata: { generateName: 'run-' } });

      expect(one.body.metadata.name).toMatch(/^run-[a-z0-9]{5}$/);
      expect(one.body.metadata.generateName).toBe('run-');
      expect(two.body.metadata.name).not.toBe(one.body.metadata.name);
    });

    it('refuses an object without any name', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.create(configMaps, { metadata: {} });
      const widget = await client.create(widgets.path(namespace), { apiVersion: widgets.apiVersion, kind: 'Widget' });

      const problem = 'metadata.name: Required value: name or generateName is required';
      expect(configMap.code).toBe(422);
      expect(configMap.body).toMatchObject({
        reason: 'Invalid',
        message: `ConfigMap "" is invalid: ${problem}`,
        details: {
          kind: 'ConfigMap',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: name or generateName is required',
              field: 'metadata.name',
            },
          ],
        },
      });
      expect(widget.body.message).toBe(`Widget.${widgets.group} "" is invalid: ${problem}`);
    });

    it.each(['Bad_Name', 'a/b', '..', '-a', 'a-'])('refuses the name %s and says the rule', async (name) => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.create(configMaps, { metadata: { name } });
      const widget = await client.create(widgets.path(namespace), widgets.object(name));

      const problem = `"${name}" is invalid: metadata.name: Invalid value: "${name}": ${subdomainRule}`;
      expect(configMap.code).toBe(422);
      expect(configMap.body.message).toBe(`ConfigMap ${problem}`);
      expect(widget.code).toBe(422);
      expect(widget.body.message).toBe(`Widget.${widgets.group} ${problem}`);
    });

    it('refuses a name of more than 253 characters', async () => {
      const { client, configMaps } = await freshPlace(world());

      const longest = await client.create(configMaps, { metadata: { name: 'a'.repeat(253) } });
      const tooLong = await client.create(configMaps, { metadata: { name: 'a'.repeat(254) } });

      expect(longest.code).toBe(201);
      expect(tooLong.code).toBe(422);
      expect(tooLong.body.details.causes?.[0]?.message).toMatch(/: must be no more than 253 characters$/);
    });

    it('refuses an object whose namespace is not that of the request', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, { metadata: { name: 'a', namespace: 'elsewhere' } });

      expect(code).toBe(400);
      expect(body).toMatchObject({
        reason: 'BadRequest',
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      });
    });

    it('refuses a resourceVersion', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.create(configMaps, { metadata: { name: 'a', resourceVersion: '1' } });
      const widget = await client.create(
        widgets.path(namespace),
        widgets.object('a', { metadata: { resourceVersion: '1' } }),
      );

      for (const { code, body } of [configMap, widget]) {
        expect(code).toBe(500);
        expect(body.message).toBe('resourceVersion should not be set on objects to be created');
      }
    });

    it('gives uid and times itself, whatever the client says', async () => {
      const { client, namespace } = await freshPlace(world());
      const then = '2020-01-01T00:00:00Z';

      const { code, body } = await client.create(
        widgets.path(namespace),
        widgets.object('a', { metadata: { uid: 'mine', creationTimestamp: then, deletionTimestamp: then } }),
      );

      expect(code).toBe(201);
      expect(body.metadata.uid).toMatch(aUuid);
      expect(body.metadata.creationTimestamp).not.toBe(then);
      expect(body.metadata.deletionTimestamp).toBeUndefined();
    });

    it('refuses to create in a namespace that does not exist', async () => {
      const { client } = await freshPlace(world());
      const missing = freshName('missing');

      const configMap = await client.create(`/api/v1/namespaces/${missing}/configmaps`, { metadata: { name: 'a' } });
      const widget = await client.create(widgets.path(missing), widgets.object('a'));

      for (const { code, body } of [configMap, widget]) {
        expect(code).toBe(404);
        expect(body).toMatchObject({
          reason: 'NotFound',
          message: `namespaces "${missing}" not found`,
          details: { name: missing, kind: 'namespaces' },
        });
      }
    });
  });
}
