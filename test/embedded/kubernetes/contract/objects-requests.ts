import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describeObjectsRequests(world: () => ApiWorld): void {
  describe('a request that cannot be served', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it.each([
      [
        'that is cut off',
        '{"a":',
        'couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"a":)',
      ],
      ['that is empty', '', "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
    ])('is answered 400 for a body %s', async (_what, text, problem) => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.request({ method: 'POST', path: configMaps, body: text });
      const widget = await client.request({ method: 'POST', path: widgets.path(namespace), body: text });

      expect(configMap.code).toBe(400);
      expect(configMap.body).toMatchObject({
        reason: 'BadRequest',
        message: `the object provided is unrecognized (must be of type ConfigMap): ${problem}`,
      });
      expect(widget.body.message).toBe(`the object provided is unrecognized (must be of type Widget): ${problem}`);
    });

    it('is answered 415 for a body of an unknown type', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.request({
        method: 'POST',
        path: configMaps,
        headers: { 'content-type': 'text/plain' },
        body: 'hello',
      });

      expect(code).toBe(415);
      expect(body.reason).toBe('UnsupportedMediaType');
      expect(body.message).toMatch(
        /^the body of the request was in an unknown format - accepted media types include: application\/json, application\/yaml/,
      );
    });

    it('is answered 415 for a patch of an unknown type', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' } });
      await client.create(widgets.path(namespace), widgets.object('a'));
      const plain = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{}' } as const;

      const configMap = await client.request({ ...plain, path: `${configMaps}/a` });
      const widget = await client.request({ ...plain, path: widgets.path(namespace, 'a') });
      const strategic = await client.patch(widgets.path(namespace, 'a'), 'strategic', {});

      expect([configMap.code, widget.code, strategic.code]).toEqual([415, 415, 415]);
      expect(strategic.body).toMatchObject({
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      });
    });

    it('is answered 406 when the client accepts nothing that the server has', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.get(configMaps, {}, { accept: 'text/html' });

      expect(code).toBe(406);
      expect(body.reason).toBe('NotAcceptable');
    });

    it('is answered 413 for a body of more than 3 MiB', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.create(configMaps, {
        metadata: { name: 'big' },
        data: { x: 'x'.repeat(3 * 1024 * 1024) },
      });

      expect(code).toBe(413);
      expect(body).toMatchObject({
        reason: 'RequestEntityTooLarge',
        message: 'Request entity too large: limit is 3145728',
      });
    });

    it('is answered 404 for an object that is not there', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());

      const configMap = await client.get(`${configMaps}/missing`);
      const widget = await client.get(widgets.path(namespace, 'missing'));

      expect(configMap.code).toBe(404);
      expect(configMap.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "missing" not found',
        reason: 'NotFound',
        details: { name: 'missing', kind: 'configmaps' },
        code: 404,
      });
      expect(widget.body.message).toBe(`widgets.${widgets.group} "missing" not found`);
      expect(widget.body.details).toEqual({ name: 'missing', group: widgets.group, kind: 'widgets' });
    });

    it('is answered 404 for a resource that a known group does not have', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' } });

      const read = await client.get(pathOf('v1', 'nonsense', namespace));
      const write = await client.create(pathOf('v1', 'nonsense', namespace), {});
      const subresource = await client.get(`${configMaps}/a/status`);

      for (const { code, body } of [read, write, subresource]) {
        expect(code).toBe(404);
        expect(body).toMatchObject({
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
          details: {},
        });
      }
    });

    it('is answered 404 for a group or a path that nobody knows', async () => {
      const { client } = await freshPlace(world());

      const answers = await Promise.all(
        [
          `/apis/${freshName('nobody')}.example.com/v1/things`,
          `/apis/${freshName('nobody')}.example.com`,
          '/nowhere',
        ].map((path) => client.get(path)),
      );

      for (const { code, text } of answers) expect([code, text]).toEqual([404, '404 page not found\n']);
    });

    it('is answered 405 for a verb that a resource does not have', async () => {
      const { client, configMaps } = await freshPlace(world());

      const answers = [
        await client.update(configMaps, {}),
        await client.create(`${configMaps}/a`, {}),
        await client.patch(configMaps, 'merge', {}),
        await client.create('/api/v1/configmaps', {}),
        await client.delete('/api/v1/namespaces'),
      ];

      for (const { code, body } of answers) {
        expect(code).toBe(405);
        expect(body).toMatchObject({
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
          details: {},
        });
      }
    });

    it('is answered 405 for a verb that a subresource does not have', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(widgets.path(namespace), widgets.object('a'));

      const { code, body } = await client.delete(widgets.path(namespace, 'a', 'status'));

      expect([code, body.reason]).toEqual([405, 'MethodNotAllowed']);
      expect(body.message).toBe(`delete is not supported on resources of kind "widgets.${widgets.group}"`);
    });

    it('is told which kind and which version the path is for', async () => {
      const { client, namespace } = await freshPlace(world());
      const { apiVersion, group } = widgets;
      const metadata = { name: 'a' };
      const path = widgets.path(namespace);

      const noKind = await client.create(path, { apiVersion, metadata });
      const otherKind = await client.create(path, { apiVersion, kind: 'Gadget', metadata });
      const otherVersion = await client.create(path, { apiVersion: `${group}/v2`, kind: 'Widget', metadata });

      expect(noKind.code).toBe(400);
      expect(noKind.body.message).toMatch(
        /^the object provided is unrecognized \(must be of type Widget\): Object 'Kind' is missing in '/,
      );
      expect(otherKind.code).toBe(422);
      expect(otherKind.body.message).toBe(
        `Gadget.${group} "a" is invalid: kind: Invalid value: "Gadget": must be Widget`,
      );
      expect(otherVersion.code).toBe(400);
      expect(otherVersion.body.message).toBe(
        `the API version in the data (${group}/v2) does not match the expected API version (${apiVersion})`,
      );
    });
  });
}
