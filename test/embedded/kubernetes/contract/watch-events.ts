import { beforeAll, describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../../support/api-watch.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

function inShort({ type, object }: WatchEvent): string {
  return `${type} ${object.metadata.name}`;
}

function versionOf({ object }: WatchEvent): number {
  return Number(object.metadata.resourceVersion);
}

export function describeWatchEvents(world: () => ApiWorld): void {
  describe('a watch from a version', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function place() {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      await client.create(path, widgets.object('before'));
      const { resourceVersion } = (await client.list(path)).body.metadata;
      return { client, namespace, path, resourceVersion };
    }

    it('tells everything that came after it, in order', async () => {
      const { client, path, resourceVersion } = await place();
      await client.create(path, widgets.object('a', { spec: { size: 1 } }));
      await client.patch(`${path}/a`, 'merge', { spec: { size: 2 } });
      await client.create(path, widgets.object('b'));
      await client.delete(`${path}/a`);

      const watch = await client.watch(path, { resourceVersion });
      const events = await watch.take(4);
      watch.close();

      expect(watch.code).toBe(200);
      expect(events.map(inShort)).toEqual(['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
      expect(events.map(({ object }) => object.spec?.['size'])).toEqual([1, 2, undefined, 2]);
      const versions = events.map(versionOf);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
      expect(versions[0]).toBeGreaterThan(Number(resourceVersion));
    });

    it('tells what comes while it lasts', async () => {
      const { client, path, resourceVersion } = await place();
      const watch = await client.watch(path, { resourceVersion });

      const created = await client.create(path, widgets.object('a'));
      const [added] = await watch.take(1);
      const patched = await client.patch(`${path}/a/status`, 'merge', { status: { phase: 'Ready' } });
      const [modified] = await watch.take(1);
      watch.close();

      expect(added).toEqual({ type: 'ADDED', object: created.body });
      expect(modified).toEqual({ type: 'MODIFIED', object: patched.body });
    });

    it('goes on where another one ended, without a gap and without a repetition', async () => {
      const { client, path, resourceVersion } = await place();
      const first = await client.watch(path, { resourceVersion });
      await client.create(path, widgets.object('a'));
      const [seen] = await first.take(1);
      first.close();
      await client.create(path, widgets.object('b'));

      const second = await client.watch(path, { resourceVersion: seen?.object.metadata.resourceVersion });
      await client.create(path, widgets.object('c'));
      const events = await second.take(2);
      second.close();

      expect(events.map(inShort)).toEqual(['ADDED b', 'ADDED c']);
    });

    it('tells of a deletion with the last state and a newer version', async () => {
      const { client, path, resourceVersion } = await place();
      const created = await client.create(path, widgets.object('a', { spec: { size: 1 } }));
      await client.delete(`${path}/a`);

      const watch = await client.watch(path, { resourceVersion });
      const [, deleted] = await watch.take(2);
      watch.close();

      expect(deleted?.type).toBe('DELETED');
      expect(deleted?.object).toMatchObject({ spec: { size: 1 }, metadata: { uid: created.body.metadata.uid } });
      expect(Number(deleted?.object.metadata.resourceVersion)).toBeGreaterThan(
        Number(created.body.metadata.resourceVersion),
      );
    });

    it('tells of a deletion that waits for a finalizer as a change first', async () => {
      const { client, path, resourceVersion } = await place();
      const metadata = { finalizers: ['example.com/hold'] };
      await client.create(path, widgets.object('a', { metadata }));
      await client.delete(`${path}/a`);
      await client.patch(`${path}/a`, 'merge', { metadata: { finalizers: null } });

      const watch = await client.watch(path, { resourceVersion });
      const events = await watch.take(3);
      watch.close();

      expect(events.map(inShort)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
      expect(events.map(({ object }) => object.metadata.deletionTimestamp !== undefined)).toEqual([false, true, true]);
    });

    it('says nothing of a write that changes nothing', async () => {
      const { client, path, resourceVersion } = await place();
      const watch = await client.watch(path, { resourceVersion });

      await client.patch(`${path}/before`, 'merge', { metadata: { labels: null } });
      await client.create(path, widgets.object('a'));
      const [first] = await watch.take(1);
      watch.close();

      expect(first && inShort(first)).toBe('ADDED a');
    });

    it('with a label selector sees objects come into the selection, change and leave it', async () => {
      const { client, path, resourceVersion } = await place();
      const labels = (mark: string) => ({ metadata: { labels: { mark } } });
      await client.create(path, widgets.object('a', labels('no')));
      await client.patch(`${path}/a`, 'merge', labels('yes'));
      await client.patch(`${path}/a`, 'merge', { spec: { size: 1 } });
      const left = await client.patch(`${path}/a`, 'merge', labels('no'));
      await client.delete(`${path}/a`);
      await client.create(path, widgets.object('b', labels('yes')));

      const watch = await client.watch(path, { resourceVersion, labelSelector: 'mark=yes' });
      const events = await watch.take(4);
      watch.close();

      expect(events.map(inShort)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
      expect(events[2]?.object.metadata.labels).toEqual({ mark: 'yes' });
      expect(events[2]?.object.metadata.resourceVersion).toBe(left.body.metadata.resourceVersion);
    });

    it('of one object sees only that one', async () => {
      const { client, path, resourceVersion } = await place();
      for (const name of ['a', 'b']) await client.create(path, widgets.object(name));
      await client.delete(`${path}/a`);
      await client.delete(`${path}/b`);

      const watch = await client.watch(path, { resourceVersion, fieldSelector: 'metadata.name=b' });
      const events = await watch.take(2);
      watch.close();

      expect(events.map(inShort)).toEqual(['ADDED b', 'DELETED b']);
    });

    it('of all namespaces sees every one of them', async () => {
      const { client, namespace, path, resourceVersion } = await place();
      const other = await world().namespace();
      const labels = { across: namespace };
      await client.create(path, widgets.object('a', { metadata: { labels } }));
      await client.create(widgets.path(other), widgets.object('a', { metadata: { labels } }));

      const watch = await client.watch(widgets.path(), { resourceVersion, labelSelector: `across=${namespace}` });
      const events = await watch.take(2);
      watch.close();

      expect(events.map(({ object }) => object.metadata.namespace)).toEqual([namespace, other]);
    });

    it('shows every write of many writers exactly once', async () => {
      const { client, path, resourceVersion } = await place();
      const names = Array.from({ length: 30 }, (_, at) => `many-${at}`);
      const watch = await client.watch(path, { resourceVersion });

      await Promise.all(names.map((name) => client.create(path, widgets.object(name))));
      const events = await watch.take(names.length);
      watch.close();

      expect(events.map(({ object }) => object.metadata.name).sort()).toEqual([...names].sort());
      const versions = events.map(versionOf);
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
    });
  });
}
