import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describePatchJsonMerge(world: () => ApiWorld): void {
  let widgets: InstalledCrd;

  async function aWidget(spec: Readonly<Record<string, unknown>>) {
    const { client, namespace } = await freshPlace(world());
    await client.create(widgets.path(namespace), widgets.object('a', { metadata: { labels: { x: 'y' } }, spec }));
    return { client, path: widgets.path(namespace, 'a') };
  }

  describe('a merge patch', () => {
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('changes what it names, removes what it names null and keeps the rest', async () => {
      const { client, path } = await aWidget({ size: 1, color: 'red', steps: ['a', 'b'] });

      const { code, body } = await client.patch(path, 'merge', {
        metadata: { labels: { z: '1' } },
        spec: { size: 2, color: null, steps: ['c'] },
      });

      expect(code).toBe(200);
      expect(body.spec).toEqual({ size: 2, steps: ['c'] });
      expect(body.metadata.labels).toEqual({ x: 'y', z: '1' });
    });

    it('is refused where the version in it is no longer the newest', async () => {
      const { client, path } = await aWidget({ size: 1 });
      const { metadata } = (await client.get(path)).body;
      await client.patch(path, 'merge', { spec: { size: 2 } });

      const stale = await client.patch(path, 'merge', {
        metadata: { resourceVersion: metadata.resourceVersion },
        spec: { size: 3 },
      });

      expect([stale.code, stale.body.reason]).toEqual([409, 'Conflict']);
      expect(stale.body.message).toBe(
        `Operation cannot be fulfilled on widgets.${widgets.group} "a": the object has been modified; please apply your changes to the latest version and try again`,
      );
      expect((await client.get(path)).body.spec).toEqual({ size: 2 });
    });

    it('is refused where its result is not valid', async () => {
      const { client, path } = await aWidget({ size: 1 });

      const { code, body } = await client.patch(path, 'merge', { spec: { size: 'big' } });

      expect(code).toBe(422);
      expect(body.message).toBe(
        `Widget.${widgets.group} "a" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`,
      );
    });

    it('is refused for an object that is not there', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path(namespace, 'a'), 'merge', { spec: { size: 1 } });

      expect([code, body.message]).toEqual([404, `widgets.${widgets.group} "a" not found`]);
    });

    it('may not rename the object', async () => {
      const { client, path } = await aWidget({ size: 1 });

      const { code, body } = await client.patch(path, 'merge', { metadata: { name: 'b' } });

      expect([code, body.message]).toEqual([400, 'the name of the object (b) does not match the name on the URL (a)']);
    });

    it.each([
      ['cut off', '{"spec":', 'error decoding patch: unexpected end of JSON input'],
      [
        'a list',
        '[]',
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ])('that is %s is answered 400', async (_what, text, problem) => {
      const { client, path } = await aWidget({ size: 1 });

      const { code, body } = await client.patch(path, 'merge', text);

      expect([code, body.reason, body.message]).toEqual([400, 'BadRequest', problem]);
    });

    it('that changes nothing makes no new version', async () => {
      const { client, path } = await aWidget({ size: 1 });
      const before = await client.get(path);

      const { code, body } = await client.patch(path, 'merge', { spec: { size: 1 } });

      expect([code, body]).toEqual([200, before.body]);
    });

    it('from many at once loses nothing', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' }, data: {} });
      const keys = Array.from({ length: 10 }, (_, at) => `key-${at}`);

      const answers = await Promise.all(
        keys.map((key) => client.patch(`${configMaps}/a`, 'merge', { data: { [key]: 'x' } })),
      );

      expect(answers.map(({ code }) => code)).toEqual(keys.map(() => 200));
      expect(Object.keys((await client.get(`${configMaps}/a`)).body.data).sort()).toEqual(keys);
    });
  });

  describe('a JSON patch', () => {
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('does its operations in order', async () => {
      const { client, path } = await aWidget({ size: 1, color: 'red' });

      const { code, body } = await client.patch(path, 'json', [
        { op: 'test', path: '/spec/size', value: 1 },
        { op: 'replace', path: '/spec/size', value: 2 },
        { op: 'add', path: '/spec/steps', value: ['b'] },
        { op: 'add', path: '/spec/steps/0', value: 'a' },
        { op: 'add', path: '/spec/steps/-', value: 'c' },
        { op: 'copy', from: '/spec/color', path: '/metadata/labels/example.com~1color' },
        { op: 'move', from: '/spec/steps/2', path: '/spec/color' },
        { op: 'remove', path: '/metadata/labels/x' },
      ]);

      expect(code).toBe(200);
      expect(body.spec).toEqual({ size: 2, color: 'c', steps: ['a', 'b'] });
      expect(body.metadata.labels).toEqual({ 'example.com/color': 'red' });
    });

    it.each([
      ['a test fails', { op: 'test', path: '/spec/size', value: 7 }],
      ['there is nothing to remove', { op: 'remove', path: '/spec/nope' }],
      ['there is nothing to replace', { op: 'replace', path: '/spec/nope/deeper', value: 1 }],
      ['an operation is unknown', { op: 'zap', path: '/spec/size' }],
    ])('changes nothing where %s', async (_what, operation) => {
      const { client, path } = await aWidget({ size: 1 });
      const before = await client.get(path);

      const { code, body } = await client.patch(path, 'json', [
        { op: 'add', path: '/spec/color', value: 'red' },
        operation,
      ]);

      expect([code, body.reason]).toEqual([422, 'Invalid']);
      expect(body.message).toBe('the server rejected our request due to an error in our request');
      expect((await client.get(path)).body).toEqual(before.body);
    });

    it('that is not a list is answered 400', async () => {
      const { client, path } = await aWidget({ size: 1 });

      const { code, body } = await client.patch(path, 'json', {});

      expect([code, body.reason]).toEqual([400, 'BadRequest']);
      expect(body.message).toMatch(/^error decoding patch: json: cannot unmarshal object into Go value of type /);
    });
  });
}
