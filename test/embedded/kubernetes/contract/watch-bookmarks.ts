import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describeWatchBookmarks(world: () => ApiWorld): void {
  // Side by side with others: the real server sends a bookmark each minute and shortly before the end, not sooner.
  describe.concurrent('a bookmark', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('comes before a long watch ends, has a version and nothing else, and is a place to go on from', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      const path = widgets.path(namespace);
      const { resourceVersion } = (await client.list(path)).body.metadata;

      const watch = await client.watch(path, { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 12 });
      await client.create(configMaps, { metadata: { name: 'moves-the-version-on' } });
      const events = await watch.rest();
      const bookmark = events.at(-1)?.object;
      const created = await client.create(path, widgets.object('after'));
      const next = await client.watch(path, { resourceVersion: bookmark?.metadata.resourceVersion });
      const [first] = await next.take(1);
      next.close();

      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['BOOKMARK']));
      expect(bookmark).toEqual({
        kind: 'Widget',
        apiVersion: widgets.apiVersion,
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      });
      expect(Number(bookmark?.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
      expect(first).toEqual({ type: 'ADDED', object: created.body });
    });

    it('does not come to who did not ask for it', async () => {
      const { client, namespace } = await freshPlace(world());

      const watch = await client.watch(widgets.path(namespace), { timeoutSeconds: 12 });
      const events = await watch.rest();

      expect(events).toEqual([]);
    });
  });
}
