import { beforeAll, describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../../support/api-watch.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const initialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };

function inShort({ type, object }: WatchEvent): string {
  return `${type} ${object.metadata.name}`;
}

export function describeWatchStart(world: () => ApiWorld): void {
  describe.concurrent('a watch begins', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function twoWidgets() {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      for (const name of ['a', 'b']) await client.create(path, widgets.object(name));
      return { client, path };
    }

    it.each([
      ['without a version', {}],
      ['with version 0', { resourceVersion: '0' }],
    ])('%s with what is there, and goes on', async (_how, query) => {
      const { client, path } = await twoWidgets();

      const watch = await client.watch(path, query);
      const present = await watch.take(2);
      await client.create(path, widgets.object('c'));
      const [next] = await watch.take(1);
      watch.close();

      expect(present.map(inShort).sort()).toEqual(['ADDED a', 'ADDED b']);
      expect(next && inShort(next)).toBe('ADDED c');
    });

    it('with a bookmark after what is there, when asked for initial events', async () => {
      const { client, path } = await twoWidgets();
      const { resourceVersion } = (await client.list(path)).body.metadata;

      const watch = await client.watch(path, initialEvents);
      const events = await watch.until(({ type }) => type === 'BOOKMARK');
      await client.create(path, widgets.object('c'));
      const [next] = await watch.take(1);
      watch.close();

      expect(events.slice(0, -1).map(inShort).sort()).toEqual(['ADDED a', 'ADDED b']);
      const bookmark = events.at(-1)?.object;
      expect(bookmark).toMatchObject({ kind: 'Widget', apiVersion: widgets.apiVersion });
      expect(bookmark?.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
      expect(Number(bookmark?.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
      expect(next && inShort(next)).toBe('ADDED c');
    });

    it('with a bookmark alone where there is nothing', async () => {
      const { client, namespace } = await freshPlace(world());

      const watch = await client.watch(widgets.path(namespace), { ...initialEvents, resourceVersion: '0' });
      const [only] = await watch.take(1);
      watch.close();

      expect(only).toMatchObject({
        type: 'BOOKMARK',
        object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      });
    });

    it('at the bookmark again without a gap', async () => {
      const { client, path } = await twoWidgets();
      const first = await client.watch(path, initialEvents);
      const bookmark = (await first.until(({ type }) => type === 'BOOKMARK')).at(-1);
      first.close();
      await client.create(path, widgets.object('c'));

      const second = await client.watch(path, { resourceVersion: bookmark?.object.metadata.resourceVersion });
      const [next] = await second.take(1);
      second.close();

      expect(next && inShort(next)).toBe('ADDED c');
    });

    it('and ends with one error where its version is too old', async () => {
      const { client, namespace } = await freshPlace(world());
      // No server remembers what happened to a kind before the kind was there.
      const younger = await world().install({ kind: 'Younger' });

      const watch = await client.watch(younger.path(namespace), { resourceVersion: '1' });
      const events = await watch.rest();

      expect(watch.code).toBe(200);
      expect(events).toEqual([
        {
          type: 'ERROR',
          object: {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            reason: 'Expired',
            message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
            code: 410,
          },
        },
      ]);
    });

    it('and waits in silence where its version is still to come', async () => {
      const { client, path } = await twoWidgets();

      const watch = await client.watch(path, { resourceVersion: '999999999', timeoutSeconds: 1 });
      const events = await watch.rest();

      expect([watch.code, events]).toEqual([200, []]);
    });

    it('and ends after timeoutSeconds', async () => {
      const { client, path } = await twoWidgets();
      const begun = Date.now();

      const watch = await client.watch(path, { timeoutSeconds: 1 });
      const events = await watch.rest();

      expect(events.map(inShort).sort()).toEqual(['ADDED a', 'ADDED b']);
      // Ended by the server: the client's own deadline would have thrown.
      expect(Date.now() - begun).toBeGreaterThan(900);
    });

    it('with the metadata only, when asked so', async () => {
      const { client, path } = await twoWidgets();

      const watch = await client.watch(
        path,
        {},
        { headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } },
      );
      const events = await watch.take(2);
      watch.close();

      for (const { object } of events) {
        expect(object.kind).toBe('PartialObjectMetadata');
        expect(Object.keys(object).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      }
    });

    it.each([
      [{ labelSelector: 'a b' }, 400, /^unable to parse requirement: found 'b', expected: /],
      [{ fieldSelector: 'zap=1' }, 400, /^field label not supported: zap$/],
      [{ timeoutSeconds: 'x' }, 400, /^strconv\.ParseInt: parsing "x": invalid syntax$/],
      [{ sendInitialEvents: true }, 422, /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan$/],
      [
        { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
        422,
        /resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided$/,
      ],
    ])('not at all with %j', async (query, code, message) => {
      const { client, path } = await twoWidgets();

      const watch = await client.watch(path, query);

      expect(watch.code).toBe(code);
      expect(watch.refusal?.message).toMatch(message);
    });
  });
}
