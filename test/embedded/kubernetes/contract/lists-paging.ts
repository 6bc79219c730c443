import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiBody, ApiClient } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

function namesOf(list: ApiBody): string[] {
  return list.items.map(({ metadata }) => metadata.name);
}

export function describeListsPaging(world: () => ApiWorld): void {
  describe('a list in pages', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function threeWidgets(): Promise<{ client: ApiClient; path: string }> {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      for (const name of ['a', 'b', 'c'])
        await client.create(path, widgets.object(name, { metadata: { labels: { all: 'yes' } } }));
      return { client, path };
    }

    it('says how to go on and how much is left', async () => {
      const { client, path } = await threeWidgets();

      const first = await client.list(path, { limit: 2 });
      const second = await client.list(path, { limit: 2, continue: first.body.metadata.continue });

      expect(namesOf(first.body)).toEqual(['a', 'b']);
      expect(first.body.metadata.remainingItemCount).toBe(1);
      expect(first.body.metadata.continue).toMatch(/./);
      expect(namesOf(second.body)).toEqual(['c']);
      expect(second.body.metadata.continue ?? '').toBe('');
      expect(second.body.metadata.remainingItemCount).toBeUndefined();
    });

    it('is one page where everything fits', async () => {
      const { client, path } = await threeWidgets();

      const exact = await client.list(path, { limit: 3 });
      const unlimited = await client.list(path, { limit: 0 });

      for (const { body } of [exact, unlimited]) {
        expect(namesOf(body)).toEqual(['a', 'b', 'c']);
        expect(body.metadata.continue ?? '').toBe('');
      }
    });

    it('shows one moment, whatever is written while it is read', async () => {
      const { client, path } = await threeWidgets();
      const first = await client.list(path, { limit: 1 });
      await client.create(path, widgets.object('aa'));
      await client.delete(`${path}/b`);
      await client.patch(`${path}/c`, 'merge', { spec: { size: 7 } });

      const rest = await client.list(path, { continue: first.body.metadata.continue });

      expect(namesOf(rest.body)).toEqual(['b', 'c']);
      expect(rest.body.items[1]?.spec).toBeUndefined();
      expect(rest.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
      expect(namesOf((await client.list(path)).body)).toEqual(['a', 'aa', 'c']);
    });

    it('goes on selecting', async () => {
      const { client, path } = await threeWidgets();
      await client.create(path, widgets.object('aa'));
      const labelSelector = 'all=yes';

      const first = await client.list(path, { limit: 1, labelSelector });
      const rest = await client.list(path, { limit: 5, labelSelector, continue: first.body.metadata.continue });

      expect(namesOf(first.body)).toEqual(['a']);
      expect(first.body.metadata.remainingItemCount).toBeUndefined();
      expect(namesOf(rest.body)).toEqual(['b', 'c']);
    });

    it('walks through all namespaces', async () => {
      const client = world().client();
      const selector = { labelSelector: `walk=${await world().namespace()}` };
      const labels = { walk: selector.labelSelector.slice(5) };
      const places = [await world().namespace(), await world().namespace()].sort();
      for (const place of places)
        for (const name of ['a', 'b'])
          await client.create(widgets.path(place), widgets.object(name, { metadata: { labels } }));

      const found: string[] = [];
      let token: string | undefined;
      do {
        const { body } = await client.list(widgets.path(), { ...selector, limit: 1, continue: token });
        found.push(...body.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
        token = body.metadata.continue || undefined;
      } while (token !== undefined);

      expect(found).toEqual(places.flatMap((place) => [`${place}/a`, `${place}/b`]));
    });

    it('refuses a token that it did not give', async () => {
      const { client, path } = await threeWidgets();

      const { code, body } = await client.list(path, { limit: 1, continue: 'garbage' });

      expect([code, body.reason]).toEqual([400, 'BadRequest']);
      expect(body.message).toMatch(/^invalid continue token: continue key is not valid: /);
    });

    it('refuses a version beside a token', async () => {
      const { client, path } = await threeWidgets();
      const first = await client.list(path, { limit: 1 });

      const { code, body } = await client.list(path, {
        continue: first.body.metadata.continue,
        resourceVersion: first.body.metadata.resourceVersion,
      });

      expect([code, body.message]).toEqual([400, 'specifying resource version is not allowed when using continue']);
    });

    it('refuses a limit that is no number', async () => {
      const { client, path } = await threeWidgets();

      const { code, body } = await client.list(path, { limit: 'x' });

      expect([code, body.message]).toEqual([400, 'strconv.ParseInt: parsing "x": invalid syntax']);
    });

    it('that is too old says so, and how to go on without consistency', async (context) => {
      const { forgetHistory } = world();
      if (forgetHistory === undefined) return context.skip('this server cannot be told to forget its history');
      const { client, namespace, configMaps } = await freshPlace(world());
      for (const name of ['a', 'b']) await client.create(configMaps, { metadata: { name } });
      const first = await client.list(configMaps, { limit: 1 });
      // The real server keeps pages of what it has served since its start, so the token is used on a kind that is younger.
      await client.create(configMaps, { metadata: { name: 'c' } });
      await forgetHistory();
      const younger = await world().install(widgetSketch);
      for (const name of ['a', 'b', 'c']) await client.create(younger.path(namespace), younger.object(name));
      const path = younger.path(namespace);

      const expired = await client.list(path, { limit: 1, continue: first.body.metadata.continue });
      const goneOn = await client.list(path, { continue: expired.body.metadata.continue });

      expect(expired.code).toBe(410);
      expect(expired.body).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
      expect(expired.body.message).toMatch(
        /^The provided continue parameter is too old to display a consistent list result\. You can start a new list without the continue parameter, or use the continue token in this response /,
      );
      expect(goneOn.code).toBe(200);
      expect(namesOf(goneOn.body)).toEqual(['b', 'c']);
    });
  });
}
