import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../support/api-client.ts';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';
import { freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

const namespaces = '/api/v1/namespaces';

// The real controller tries again only after a while when something was in its way.
const patienceMs = 60_000;

async function untilGone(client: ApiClient, namespace: string): Promise<void> {
  await until(
    `the namespace ${namespace} to be gone`,
    async () => {
      const { code } = await client.get(`${namespaces}/${namespace}`);
      return code === 404;
    },
    patienceMs,
  );
}

export function describeNamespacesLifecycle(world: () => ApiWorld): void {
  // Side by side: the real controller waits five seconds before it empties a namespace.
  describe.concurrent('a namespace', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    it('begins active, labelled with its name', async () => {
      const name = freshName('begin');

      const { code, body } = await world().client().create(namespaces, { metadata: { name } });

      expect(code).toBe(201);
      expect(body).toMatchObject({
        kind: 'Namespace',
        metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      });
    });

    it('keeps the label with its name, whatever the client says', async () => {
      const client = world().client();
      const name = freshName('label');
      const label = 'kubernetes.io/metadata.name';

      const created = await client.create(namespaces, { metadata: { name, labels: { [label]: 'other' } } });
      const patched = await client.patch(`${namespaces}/${name}`, 'merge', {
        metadata: { labels: { [label]: null, x: 'y' } },
      });

      expect(created.body.metadata.labels).toEqual({ [label]: name });
      expect(patched.body.metadata.labels).toEqual({ [label]: name, x: 'y' });
    });

    it('has a name that could be part of a host name', async () => {
      const client = world().client();

      const upper = await client.create(namespaces, { metadata: { name: 'Bad' } });
      const dots = await client.create(namespaces, { metadata: { name: 'bad.name' } });
      const long = await client.create(namespaces, { metadata: { name: 'a'.repeat(64) } });

      expect([upper.code, upper.body.message]).toEqual([
        422,
        `Namespace "Bad" is invalid: metadata.name: Invalid value: "Bad": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      ]);
      expect([dots.code, dots.body.message]).toEqual([
        422,
        'Namespace "bad.name" is invalid: metadata.name: Invalid value: "bad.name": must not contain dots',
      ]);
      expect(long.code).toBe(422);
      expect(long.body.details.causes?.[0]?.message).toMatch(/: must be no more than 63 characters$/);
    });

    it('is given a service account and the authority of the API server', async () => {
      const { client, namespace } = await freshPlace(world());

      const account = await until('the service account default', async () => {
        const answer = await client.get(pathOf('v1', 'serviceaccounts', namespace, 'default'));
        return answer.code === 200 && answer.body;
      });
      const authority = await until('the ConfigMap kube-root-ca.crt', async () => {
        const answer = await client.get(pathOf('v1', 'configmaps', namespace, 'kube-root-ca.crt'));
        return answer.code === 200 && answer.body;
      });

      expect(account).toMatchObject({ kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
      expect(authority.data['ca.crt']).toMatch(/^-----BEGIN CERTIFICATE-----/);
    });

    it.each(['default', 'kube-system', 'kube-public'])('named %s is there and may not be deleted', async (name) => {
      const client = world().client();

      const { code, body } = await client.delete(`${namespaces}/${name}`);

      expect([code, body.reason, body.message]).toEqual([
        403,
        'Forbidden',
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      ]);
      expect((await client.get(`${namespaces}/${name}`)).body.status).toEqual({ phase: 'Active' });
    });

    it('that is deleted is emptied first and then goes', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' } });
      await client.create(widgets.path(namespace), widgets.object('a'));

      const { code, body } = await client.delete(`${namespaces}/${namespace}`);

      expect(code).toBe(200);
      expect(body).toMatchObject({
        kind: 'Namespace',
        metadata: { name: namespace },
        status: { phase: 'Terminating' },
      });
      expect(body.metadata.deletionTimestamp).toBeDefined();
      await untilGone(client, namespace);
      expect((await client.list(configMaps)).body.items).toEqual([]);
      expect((await client.list(widgets.path(namespace))).body.items).toEqual([]);
    });

    it('that is being deleted takes in nothing new', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      const path = widgets.path(namespace);
      await client.create(path, widgets.object('held', { metadata: { finalizers: ['example.com/hold'] } }));
      await client.delete(`${namespaces}/${namespace}`);

      const widget = await client.create(path, widgets.object('late'));
      const configMap = await client.create(configMaps, { metadata: { name: 'late' } });
      const update = await client.patch(`${path}/held`, 'merge', { spec: { size: 1 } });

      const problem = `is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
      expect(widget.code).toBe(403);
      expect(widget.body).toMatchObject({
        reason: 'Forbidden',
        message: `widgets.${widgets.group} "late" ${problem}`,
        details: {
          name: 'late',
          group: widgets.group,
          kind: 'widgets',
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${namespace} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      });
      expect([configMap.code, configMap.body.message]).toEqual([403, `configmaps "late" ${problem}`]);
      expect(update.code).toBe(200);
      await client.patch(`${path}/held`, 'merge', { metadata: { finalizers: null } });
    });

    it('that is being deleted waits for the finalizers of what is in it', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = widgets.path(namespace);
      await client.create(path, widgets.object('held', { metadata: { finalizers: ['example.com/hold'] } }));
      await client.create(path, widgets.object('free'));
      await client.delete(`${namespaces}/${namespace}`);
      const held = await until('the held object to be marked', async () => {
        const { body } = await client.get(`${path}/held`);
        return body.metadata.deletionTimestamp !== undefined && (await client.get(`${path}/free`)).code === 404;
      });

      const waiting = await client.get(`${namespaces}/${namespace}`);
      await client.patch(`${path}/held`, 'merge', { metadata: { finalizers: null } });

      expect(held).toBe(true);
      expect([waiting.code, waiting.body.status]).toMatchObject([200, { phase: 'Terminating' }]);
      await untilGone(client, namespace);
    });
  });
}
