import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiBody } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

function namesOf(list: ApiBody): string[] {
  return list.items.map(({ metadata }) => metadata.name);
}

export function describeListsVersions(world: () => ApiWorld): void {
  describe.concurrent('a list of a version', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    async function oneThenTwo() {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      await client.create(path, widgets.object('a'));
      const { resourceVersion } = (await client.list(path)).body.metadata;
      await client.create(path, widgets.object('b'));
      return { client, path, resourceVersion };
    }

    it('is exactly that one, or one not older, as asked', async () => {
      const { client, path, resourceVersion } = await oneThenTwo();

      const exact = await client.list(path, { resourceVersion, resourceVersionMatch: 'Exact' });
      const notOlder = await client.list(path, { resourceVersion, resourceVersionMatch: 'NotOlderThan' });

      expect([namesOf(exact.body), exact.body.metadata.resourceVersion]).toEqual([['a'], resourceVersion]);
      expect(namesOf(notOlder.body)).toContain('a');
      expect(Number(notOlder.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
    });

    it('may be any with 0', async () => {
      const { client, path } = await oneThenTwo();

      const { code, body } = await client.list(path, { resourceVersion: '0' });

      expect(code).toBe(200);
      expect(body.kind).toBe('WidgetList');
    });

    it('that will be only later is answered as a time-out', async () => {
      const { client, path } = await oneThenTwo();

      const { code, body } = await client.list(path, { resourceVersion: '999999999' });

      expect(code).toBe(504);
      expect(body.reason).toBe('Timeout');
      expect(body.message).toMatch(/^Timeout: Too large resource version: 999999999, current: \d+$/);
      expect(body.details).toMatchObject({
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      });
    });

    it.each([
      [
        { resourceVersion: 'abc' },
        400,
        'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      ],
      [
        { resourceVersionMatch: 'Exact' },
        422,
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      ],
      [
        { resourceVersion: '0', resourceVersionMatch: 'Exact' },
        422,
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ],
    ])('is not understood as %j', async (query, code, message) => {
      const { client, path } = await oneThenTwo();

      const answer = await client.list(path, query);

      expect([answer.code, answer.body.message]).toEqual([code, message]);
    });
  });
}
