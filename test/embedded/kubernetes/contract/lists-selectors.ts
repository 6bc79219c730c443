import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import type { CrdSketch, InstalledCrd } from '../../../support/install-crd.ts';
import { freshPlace, sharedCrd } from './sample-objects.ts';

const fruitSketch: CrdSketch = {
  kind: 'Fruit',
  selectableFields: [{ jsonPath: '.spec.color' }],
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
  },
};

export function describeListsSelectors(world: () => ApiWorld): void {
  describe('selecting from a list', () => {
    let fruits: InstalledCrd;
    let namespace = '';
    let other = '';

    beforeAll(async () => {
      fruits = await sharedCrd(world(), fruitSketch);
      const client = world().client();
      [namespace, other] = [await world().namespace(), await world().namespace()];
      const basket = [
        ['apple', { app: 'x', tier: '1' }, 'red'],
        ['banana', { app: 'y' }, 'yellow'],
        ['cherry', { other: 'z' }, 'red'],
      ] as const;
      for (const [name, labels, color] of basket)
        await client.create(fruits.path(namespace), fruits.object(name, { metadata: { labels }, spec: { color } }));
      await client.create(fruits.path(other), fruits.object('apple', { spec: { color: 'green' } }));
    });

    async function names(query: Readonly<Record<string, string>>, path = fruits.path(namespace)): Promise<string[]> {
      const { code, body } = await world().client().list(path, query);
      expect(code).toBe(200);
      return body.items.map(({ metadata }) => metadata.name);
    }

    it('without a selector gives all, by name', async () => {
      const { body } = await world().client().list(fruits.path(namespace));

      expect(body).toMatchObject({ kind: 'FruitList', apiVersion: fruits.apiVersion });
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
      expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['apple', 'banana', 'cherry']);
      expect(body.items[0]).toMatchObject({ kind: 'Fruit', apiVersion: fruits.apiVersion });
    });

    it.each([
      ['app=x', ['apple']],
      ['app==x', ['apple']],
      ['app!=x', ['banana', 'cherry']],
      ['app in (x, y)', ['apple', 'banana']],
      ['app notin (x)', ['banana', 'cherry']],
      ['app', ['apple', 'banana']],
      ['!app', ['cherry']],
      ['app=x,tier=1', ['apple']],
      ['app=x,tier=2', []],
      ['tier>0', ['apple']],
    ])('by the labels %s', async (labelSelector, expected) => {
      expect(await names({ labelSelector })).toEqual(expected);
    });

    it.each([
      ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
      ['app in x', "unable to parse requirement: found 'x' expected: '('"],
      ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    ])('refuses the label selector %s and says why', async (labelSelector, message) => {
      const { code, body } = await world().client().list(fruits.path(namespace), { labelSelector });

      expect([code, body.reason, body.message]).toEqual([400, 'BadRequest', message]);
    });

    it('by name and by namespace, in all namespaces', async () => {
      const everywhere = fruits.path();

      expect(await names({ fieldSelector: 'metadata.name=banana' }, everywhere)).toEqual(['banana']);
      expect(await names({ fieldSelector: `metadata.namespace=${namespace}` }, everywhere)).toEqual([
        'apple',
        'banana',
        'cherry',
      ]);
      expect(await names({ fieldSelector: `metadata.name=apple,metadata.namespace=${other}` }, everywhere)).toEqual([
        'apple',
      ]);
      expect(await names({ fieldSelector: 'metadata.name!=apple' })).toEqual(['banana', 'cherry']);
    });

    it('by a field that the CRD declares as selectable', async () => {
      expect(await names({ fieldSelector: 'spec.color=red' })).toEqual(['apple', 'cherry']);
      expect(await names({ fieldSelector: 'spec.color=red', labelSelector: 'app' })).toEqual(['apple']);
    });

    it('refuses a field that cannot be selected by', async () => {
      const { client, configMaps } = await freshPlace(world());

      const fruit = await client.list(fruits.path(namespace), { fieldSelector: 'spec.size=1' });
      const configMap = await client.list(configMaps, { fieldSelector: 'data=x' });

      expect([fruit.code, fruit.body.reason, fruit.body.message]).toEqual([
        400,
        'BadRequest',
        'field label not supported: spec.size',
      ]);
      expect([configMap.code, configMap.body.message]).toEqual([
        400,
        '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ]);
    });

    it('refuses a field selector that it cannot read', async () => {
      const { code, body } = await world().client().list(fruits.path(namespace), { fieldSelector: 'metadata.name' });

      expect([code, body.message]).toEqual([
        400,
        "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
      ]);
    });

    it('by the type of a Secret', async () => {
      const { client, namespace: own } = await freshPlace(world());
      const secrets = pathOf('v1', 'secrets', own);
      await client.create(secrets, { metadata: { name: 'a' } });
      await client.create(secrets, { metadata: { name: 'b' }, type: 'example.com/b' });

      expect(await names({ fieldSelector: 'type=example.com/b' }, secrets)).toEqual(['b']);
    });

    it('gives the objects of all namespaces, by namespace and name', async () => {
      const { body } = await world().client().list(fruits.path());

      const found = body.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
      expect(found).toEqual([
        ...[`${namespace}/apple`, `${namespace}/banana`, `${namespace}/cherry`, `${other}/apple`].sort(),
      ]);
    });

    it('in a namespace that does not exist is empty', async () => {
      const { code, body } = await world().client().list(fruits.path('not-there'));

      expect([code, body.items]).toEqual([200, []]);
    });
  });
}
