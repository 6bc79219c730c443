import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../support/api-client.ts';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { until } from '../../../support/until.ts';
import { freshPlace } from './sample-objects.ts';

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

async function own(client: ApiClient, configMaps: string, name: string): Promise<Owner> {
  const { body } = await client.create(configMaps, { metadata: { name } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid };
}

async function untilGone(client: ApiClient, path: string): Promise<void> {
  await until(`${path} to be gone`, async () => {
    const { code } = await client.get(path);
    return code === 404;
  });
}

export function describeCollectionGarbage(world: () => ApiWorld): void {
  describe.concurrent('an object with owners', () => {
    it('goes after its owner', async () => {
      const { client, configMaps } = await freshPlace(world());
      const owner = await own(client, configMaps, 'owner');
      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: [owner] } });
      await client.create(configMaps, { metadata: { name: 'free' } });

      const { body } = await client.delete(`${configMaps}/owner`);

      expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
      await untilGone(client, `${configMaps}/owned`);
      expect((await client.get(`${configMaps}/free`)).code).toBe(200);
    });

    it('goes after its owner, and what it owns goes after it', async () => {
      const { client, configMaps } = await freshPlace(world());
      const owner = await own(client, configMaps, 'owner');
      const middle = await client.create(configMaps, { metadata: { name: 'middle', ownerReferences: [owner] } });
      const ownedByMiddle = { ...owner, name: 'middle', uid: middle.body.metadata.uid };
      await client.create(configMaps, { metadata: { name: 'last', ownerReferences: [ownedByMiddle] } });

      await client.delete(`${configMaps}/owner`);

      await untilGone(client, `${configMaps}/last`);
    });

    it('goes after an owner of a custom kind', async () => {
      const { client, namespace, configMaps } = await freshPlace(world());
      // One of our own kinds: the real collector notices a kind that is new only after half a minute.
      const applications = pathOf('appstudio.redhat.com/v1alpha1', 'applications', namespace);
      const kind = { apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Application' };
      const application = await client.create(applications, {
        ...kind,
        metadata: { name: 'owner' },
        spec: { displayName: 'Owner' },
      });
      expect(application.code).toBe(201);
      const owner = { ...kind, name: 'owner', uid: application.body.metadata.uid };
      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: [owner] } });

      await client.delete(`${applications}/owner`);

      await untilGone(client, `${configMaps}/owned`);
    });

    it('that it must not go before holds its owner in the foreground', async () => {
      const { client, configMaps } = await freshPlace(world());
      const owner = { ...(await own(client, configMaps, 'owner')), blockOwnerDeletion: true };
      const metadata = { name: 'owned', ownerReferences: [owner], finalizers: ['example.com/hold'] };
      await client.create(configMaps, { metadata });

      const { code, body } = await client.delete(`${configMaps}/owner`, { propagationPolicy: 'Foreground' });

      expect(code).toBe(200);
      expect(body).toMatchObject({ kind: 'ConfigMap', metadata: { finalizers: ['foregroundDeletion'] } });
      await until('the owned object to be marked', async () => {
        const owned = await client.get(`${configMaps}/owned`);
        return owned.body.metadata.deletionTimestamp !== undefined;
      });
      expect((await client.get(`${configMaps}/owner`)).body.metadata.finalizers).toEqual(['foregroundDeletion']);
      await client.patch(`${configMaps}/owned`, 'merge', { metadata: { finalizers: null } });
      await untilGone(client, `${configMaps}/owner`);
      expect((await client.get(`${configMaps}/owned`)).code).toBe(404);
    });

    it('stays without them when they are to leave an orphan', async () => {
      const { client, configMaps } = await freshPlace(world());
      const owner = await own(client, configMaps, 'owner');
      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: [owner] } });

      const { body } = await client.delete(`${configMaps}/owner`, { propagationPolicy: 'Orphan' });

      expect(body.metadata.finalizers).toEqual(['orphan']);
      await untilGone(client, `${configMaps}/owner`);
      const orphan = await client.get(`${configMaps}/owned`);
      expect(orphan.code).toBe(200);
      expect(orphan.body.metadata.ownerReferences).toBeUndefined();
    });

    it('stays with the owner that is left', async () => {
      const { client, configMaps } = await freshPlace(world());
      const owners = [await own(client, configMaps, 'one'), await own(client, configMaps, 'two')];
      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: owners } });

      await client.delete(`${configMaps}/one`);

      await until('one owner to be left', async () => {
        const { code, body } = await client.get(`${configMaps}/owned`);
        expect(code).toBe(200);
        return body.metadata.ownerReferences?.length === 1;
      });
      expect((await client.get(`${configMaps}/owned`)).body.metadata.ownerReferences).toEqual([owners[1]]);
    });

    it('goes when its owner never was', async () => {
      const { client, configMaps } = await freshPlace(world());
      const never = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '00000000-0000-4000-8000-000000000000' };

      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: [never] } });

      await untilGone(client, `${configMaps}/owned`);
    });

    it('goes when its owner was replaced by another of the same name', async () => {
      const { client, configMaps } = await freshPlace(world());
      const before = await own(client, configMaps, 'owner');
      await client.delete(`${configMaps}/owner`);
      await own(client, configMaps, 'owner');

      await client.create(configMaps, { metadata: { name: 'owned', ownerReferences: [before] } });

      await untilGone(client, `${configMaps}/owned`);
      expect((await client.get(`${configMaps}/owner`)).code).toBe(200);
    });

    it('goes when its owner is in another namespace, and an event says why', async () => {
      const { client, configMaps } = await freshPlace(world());
      const elsewhere = await freshPlace(world());
      const owner = await own(client, configMaps, 'owner');

      await client.create(elsewhere.configMaps, { metadata: { name: 'owned', ownerReferences: [owner] } });

      await untilGone(client, `${elsewhere.configMaps}/owned`);
      const event = await until('the event', async () => {
        const { body } = await client.list(pathOf('v1', 'events', elsewhere.namespace));
        return body.items.find(({ reason }) => reason === 'OwnerRefInvalidNamespace');
      });
      expect(event).toMatchObject({
        type: 'Warning',
        involvedObject: { kind: 'ConfigMap', namespace: elsewhere.namespace, name: 'owned' },
        message: `ownerRef [v1/ConfigMap, namespace: ${elsewhere.namespace}, name: owner, uid: ${owner.uid}] does not exist in namespace "${elsewhere.namespace}"`,
      });
    });
  });
}
