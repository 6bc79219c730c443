import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiBody } from '../../../support/api-client.ts';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import type { CrdSketch, InstalledCrd } from '../../../support/install-crd.ts';
import { deployment, freshPlace, sharedCrd } from './sample-objects.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

interface Row {
  readonly cells: readonly unknown[];
  readonly object: ApiBody | null;
}

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const age = expect.stringMatching(/^\d+[smh]/);

const printedSketch: CrdSketch = {
  kind: 'Printed',
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big it is.' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Extra', type: 'string', jsonPath: '.spec.extra', priority: 1 },
  ],
};

function columnsOf(body: ApiBody): readonly Column[] {
  return body['columnDefinitions'] as readonly Column[];
}

function rowsOf(body: ApiBody): readonly Row[] {
  return body['rows'] as readonly Row[];
}

export function describeListsTables(world: () => ApiWorld): void {
  describe('a Table', () => {
    let printed: InstalledCrd;
    beforeAll(async () => {
      printed = await sharedCrd(world(), printedSketch);
    });

    async function aPrinted() {
      const { client, namespace } = await freshPlace(world());
      const conditions = [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True' },
      ];
      await client.create(printed.path(namespace), printed.object('a', { spec: { size: 3 }, status: { conditions } }));
      await client.create(printed.path(namespace), printed.object('b', { spec: { extra: 'x' } }));
      return { client, path: printed.path(namespace) };
    }

    it('has the columns that the CRD gives, after the name', async () => {
      const { client, path } = await aPrinted();

      const { code, body } = await client.get(path, {}, asTable);

      expect(code).toBe(200);
      expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
      expect(columnsOf(body).map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual([
        ['Name', 'string', 'name', 0],
        ['Size', 'integer', '', 0],
        ['Ready', 'string', '', 0],
        ['Age', 'date', '', 0],
        ['Extra', 'string', '', 1],
      ]);
      expect(columnsOf(body)[1]?.description).toBe('How big it is.');
      expect(rowsOf(body).map(({ cells }) => cells)).toEqual([
        ['a', 3, 'True', age, null],
        ['b', null, null, age, 'x'],
      ]);
    });

    it('has rows with the metadata, the whole object or nothing beside the cells, as asked', async () => {
      const { client, path } = await aPrinted();

      const metadata = rowsOf((await client.get(`${path}/a`, {}, asTable)).body)[0]?.object;
      const whole = rowsOf((await client.get(`${path}/a`, { includeObject: 'Object' }, asTable)).body)[0]?.object;
      const nothing = rowsOf((await client.get(`${path}/a`, { includeObject: 'None' }, asTable)).body)[0]?.object;

      expect(metadata).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
      expect(metadata?.metadata.name).toBe('a');
      expect(metadata?.spec).toBeUndefined();
      expect(whole).toEqual((await client.get(`${path}/a`)).body);
      expect(nothing).toBeNull();
    });

    it('comes in pages, too', async () => {
      const { client, path } = await aPrinted();

      const first = await client.get(path, { limit: 1 }, asTable);
      const second = await client.get(path, { limit: 1, continue: first.body.metadata.continue }, asTable);

      expect(rowsOf(first.body).map(({ cells }) => cells[0])).toEqual(['a']);
      expect(first.body.metadata.remainingItemCount).toBe(1);
      expect(rowsOf(second.body).map(({ cells }) => cells[0])).toEqual(['b']);
    });

    it('is not made of an error', async () => {
      const { client, path } = await aPrinted();

      const { code, body } = await client.get(`${path}/gone`, {}, asTable);

      expect([code, body.kind, body.reason]).toEqual([404, 'Status', 'NotFound']);
    });

    it('tells of a watch in one row each, and its columns once', async () => {
      const { client, path } = await aPrinted();

      const watch = await client.watch(path, {}, { headers: asTable });
      const events = await watch.take(2);
      watch.close();

      expect(events.map(({ type, object }) => [type, object.kind, rowsOf(object)[0]?.cells[0]])).toEqual([
        ['ADDED', 'Table', 'a'],
        ['ADDED', 'Table', 'b'],
      ]);
      expect(columnsOf(events[0]?.object as ApiBody)).toHaveLength(5);
      expect(columnsOf(events[1]?.object as ApiBody)).toBeNull();
    });

    it.each([
      ['v1', 'configmaps', { data: { a: '1', b: '2' } }, ['Name', 'Data', 'Age'], ['a', 2, age]],
      ['v1', 'secrets', { stringData: { a: '1' } }, ['Name', 'Type', 'Data', 'Age'], ['a', 'Opaque', 1, age]],
      ['v1', 'serviceaccounts', {}, ['Name', 'Age'], ['a', age]],
      [
        'v1',
        'services',
        { spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
        ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', 'Selector'],
        ['a', 'ClusterIP', expect.stringMatching(/^10\./), '<none>', '80/TCP', age, 'app=a'],
      ],
      [
        'apps/v1',
        'deployments',
        { spec: deployment('a')['spec'] },
        ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers', 'Images', 'Selector'],
        ['a', '0/0', 0, 0, age, 'main', 'registry.example.com/app:1', 'app=a'],
      ],
      [
        'rbac.authorization.k8s.io/v1',
        'rolebindings',
        { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }, subjects: [] },
        ['Name', 'Role', 'Age', 'Users', 'Groups', 'ServiceAccounts'],
        ['a', 'Role/r', age, '', '', ''],
      ],
    ])('of %s %s shows what people look for', async (version, resource, fields, columns, cells) => {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(pathOf(version, resource, namespace), { metadata: { name: 'a' }, ...fields });
      expect(created.code).toBe(201);

      const { body } = await client.get(pathOf(version, resource, namespace, 'a'), {}, asTable);

      expect(columnsOf(body).map(({ name }) => name)).toEqual(columns);
      expect(rowsOf(body)[0]?.cells).toEqual(cells);
    });

    it('of a namespace shows its phase', async () => {
      const { client, namespace } = await freshPlace(world());

      const { body } = await client.get(`/api/v1/namespaces/${namespace}`, {}, asTable);

      expect(columnsOf(body).map(({ name }) => name)).toEqual(['Name', 'Status', 'Age']);
      expect(rowsOf(body)[0]?.cells).toEqual([namespace, 'Active', age]);
    });
  });

  describe('only the metadata', () => {
    it('can be asked for of one object and of a list', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a', labels: { x: 'y' } }, data: { a: '1' } });
      const as = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });

      const one = await client.get(`${configMaps}/a`, {}, as('PartialObjectMetadata'));
      const list = await client.get(configMaps, { labelSelector: 'x=y' }, as('PartialObjectMetadataList'));

      expect(one.body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
      expect(one.body.metadata).toMatchObject({ name: 'a', labels: { x: 'y' } });
      expect(one.body.data).toBeUndefined();
      expect(list.body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
      expect(list.body.items).toEqual([one.body]);
    });
  });
}
