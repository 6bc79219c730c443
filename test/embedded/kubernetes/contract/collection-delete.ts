import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiBody } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

function namesOf(list: ApiBody): string[] {
  return list.items.map(({ metadata }) => metadata.name);
}

export function describeCollectionDelete(world: () => ApiWorld): void {
  describe('deleting a collection', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function threeWidgets() {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      for (const [name, mark] of [
        ['a', 'yes'],
        ['b', 'no'],
        ['c', 'yes'],
      ])
        await client.create(path, widgets.object(String(name), { metadata: { labels: { mark } } }));
      return { client, path };
    }

    it('deletes what the selector selects, says what that was, and leaves the rest', async () => {
      const { client, path } = await threeWidgets();

      const { code, body } = await client.delete(path, undefined, { labelSelector: 'mark=yes' });

      expect([code, body.kind, namesOf(body)]).toEqual([200, 'WidgetList', ['a', 'c']]);
      expect(namesOf((await client.list(path)).body)).toEqual(['b']);
    });

    it('deletes everything of one namespace and nothing of another', async () => {
      const one = await threeWidgets();
      const other = await threeWidgets();

      await one.client.delete(one.path);

      expect(namesOf((await one.client.list(one.path)).body)).toEqual([]);
      expect(namesOf((await other.client.list(other.path)).body)).toEqual(['a', 'b', 'c']);
    });

    it('only marks what has a finalizer', async () => {
      const { client, path } = await threeWidgets();
      await client.patch(`${path}/b`, 'merge', { metadata: { finalizers: ['example.com/hold'] } });

      await client.delete(path);

      const { items } = (await client.list(path)).body;
      expect(items.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp !== undefined])).toEqual([
        ['b', true],
      ]);
    });

    it('deletes nothing in a dry run', async () => {
      const { client, path } = await threeWidgets();

      const { code } = await client.delete(path, undefined, { dryRun: 'All' });

      expect(code).toBe(200);
      expect(namesOf((await client.list(path)).body)).toEqual(['a', 'b', 'c']);
    });

    it('deletes nothing where it does not understand the selector', async () => {
      const { client, path } = await threeWidgets();

      const labels = await client.delete(path, undefined, { labelSelector: 'a b' });
      const fields = await client.delete(path, undefined, { fieldSelector: 'zap=1' });

      expect([labels.code, fields.code]).toEqual([400, 400]);
      expect(namesOf((await client.list(path)).body)).toEqual(['a', 'b', 'c']);
    });
  });
}
