import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { deployment, freshPlace, sharedCrd, widgetSketch } from './sample-objects.ts';

export function describeObjectsStatus(world: () => ApiWorld): void {
  describe('status and generation', () => {
    let widgets: InstalledCrd;
    let plain: InstalledCrd;
    beforeAll(async () => {
      [widgets, plain] = await Promise.all([sharedCrd(world(), widgetSketch), world().install({ kind: 'Plain' })]);
    });

    async function aWidget() {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(
        widgets.path(namespace),
        widgets.object('a', { spec: { size: 1 }, status: { phase: 'Claimed' } }),
      );
      return {
        client,
        created: created.body,
        path: widgets.path(namespace, 'a'),
        status: widgets.path(namespace, 'a', 'status'),
      };
    }

    it('drops the status of an object that is created', async () => {
      const { created } = await aWidget();

      expect(created.status).toBeUndefined();
      expect(created.spec).toEqual({ size: 1 });
    });

    it('writes only the status on the status subresource', async () => {
      const { client, created, path, status } = await aWidget();

      const updated = await client.update(status, {
        ...created,
        metadata: { ...created.metadata, labels: { a: 'b' }, annotations: { c: 'd' } },
        spec: { size: 99 },
        status: { phase: 'Ready' },
      });

      expect(updated.code).toBe(200);
      expect(updated.body).toMatchObject({
        spec: { size: 1 },
        status: { phase: 'Ready' },
        metadata: { generation: 1 },
      });
      expect(updated.body.metadata.labels).toBeUndefined();
      expect(updated.body.metadata.annotations).toBeUndefined();
      expect((await client.get(path)).body).toEqual(updated.body);
      expect((await client.get(status)).body).toEqual(updated.body);
    });

    it('writes everything but the status on the object', async () => {
      const { client, path, status } = await aWidget();
      await client.patch(status, 'merge', { status: { phase: 'Ready' } });

      const patched = await client.patch(path, 'merge', { spec: { size: 2 }, status: { phase: 'Broken' } });

      expect(patched.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'Ready' } });
    });

    it('counts a new generation for a change of the spec only', async () => {
      const { client, path, status } = await aWidget();
      const generations: (number | undefined)[] = [];

      for (const [where, change] of [
        [path, { spec: { size: 2 } }],
        [path, { metadata: { labels: { a: 'b' } } }],
        [status, { status: { phase: 'Ready' } }],
        [path, { spec: { size: 2 } }],
        [path, { spec: { size: 3 } }],
      ] as const) {
        const { body } = await client.patch(where, 'merge', change);
        generations.push(body.metadata.generation);
      }

      expect(generations).toEqual([2, 2, 2, 2, 3]);
    });

    it('is an ordinary field where there is no status subresource', async () => {
      const { client, namespace } = await freshPlace(world());
      const created = await client.create(plain.path(namespace), plain.object('a', { status: { phase: 'Mine' } }));

      const labelled = await client.patch(plain.path(namespace, 'a'), 'merge', { metadata: { labels: { a: 'b' } } });
      const changed = await client.patch(plain.path(namespace, 'a'), 'merge', { status: { phase: 'Other' } });
      const subresource = await client.get(plain.path(namespace, 'a', 'status'));

      expect(created.body.status).toEqual({ phase: 'Mine' });
      expect(labelled.body.metadata.generation).toBe(1);
      expect(changed.body).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Other' } });
      expect(subresource.code).toBe(404);
    });

    it('is guarded by the version like the object', async () => {
      const { client, created, path, status } = await aWidget();
      await client.patch(path, 'merge', { spec: { size: 2 } });

      const stale = await client.update(status, { ...created, status: { phase: 'Ready' } });

      expect(stale.code).toBe(409);
      expect(stale.body.message).toBe(
        `Operation cannot be fulfilled on widgets.${widgets.group} "a": the object has been modified; please apply your changes to the latest version and try again`,
      );
    });

    it('is not found where the object is not', async () => {
      const { client, namespace } = await freshPlace(world());

      const { code, body } = await client.patch(widgets.path(namespace, 'gone', 'status'), 'merge', { status: {} });

      expect([code, body.message]).toEqual([404, `widgets.${widgets.group} "gone" not found`]);
    });

    it('is apart from the spec for a Deployment, too', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = pathOf('apps/v1', 'deployments', namespace, 'a');
      await client.create(pathOf('apps/v1', 'deployments', namespace), deployment('a'));

      const { code, body } = await client.patch(`${path}/status`, 'merge', {
        spec: { paused: true },
        status: { collisionCount: 7 },
      });

      expect(code).toBe(200);
      expect(body).toMatchObject({ status: { collisionCount: 7 }, metadata: { generation: 1 } });
      expect(body.spec['paused']).toBeUndefined();
    });
  });

  describe('the scale of a Deployment', () => {
    it('reads and writes the replicas', async () => {
      const { client, namespace } = await freshPlace(world());
      const path = pathOf('apps/v1', 'deployments', namespace, 'a');
      const { body: created } = await client.create(pathOf('apps/v1', 'deployments', namespace), deployment('a'));

      const read = await client.get(`${path}/scale`);
      const written = await client.update(`${path}/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace },
        spec: { replicas: 2 },
      });
      const patched = await client.patch(`${path}/scale`, 'merge', { spec: { replicas: 0 } });

      expect(read.code).toBe(200);
      expect(read.body).toMatchObject({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace, uid: created.metadata.uid },
        status: { selector: 'app=a' },
      });
      expect([written.code, written.body.spec]).toEqual([200, { replicas: 2 }]);
      expect(patched.code).toBe(200);
      const now = await client.get(path);
      expect(now.body).toMatchObject({ spec: { replicas: 0 }, metadata: { generation: 3 } });
    });

    it('refuses fewer than no replicas', async () => {
      const { client, namespace } = await freshPlace(world());
      await client.create(pathOf('apps/v1', 'deployments', namespace), deployment('a'));

      const { code, body } = await client.patch(pathOf('apps/v1', 'deployments', namespace, 'a', 'scale'), 'merge', {
        spec: { replicas: -2 },
      });

      expect(code).toBe(422);
      expect(body.message).toBe(
        'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -2: must be greater than or equal to 0',
      );
    });
  });
}
