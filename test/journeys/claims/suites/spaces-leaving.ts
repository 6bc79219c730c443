import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaces, secrets, serviceAccounts, spaceRequests } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSpaceTenant, readyOf } from './spaces-tenant.ts';

export function describeSpaceLeaving(open: () => Promise<GitOpsWorld>): void {
  describe('a SpaceRequest that is deleted', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    async function isGone(name: string | undefined): Promise<boolean> {
      return (await world.cluster.read(namespaces, { namespace: '', name: name ?? '' })) === undefined;
    }

    it('Q16 takes its namespace and its Secret with it, and goes last', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      await tenant.untilReady();
      const [place] = await tenant.places();
      const keeper = await keepAlive(world, place?.metadata.name);

      await world.cluster.remove(spaceRequests, tenant.key);
      await world.settle();

      expect(readyOf(await tenant.read())).toMatchObject({ status: 'False', reason: 'Terminating' });
      expect(await tenant.openers()).toHaveLength(1);

      await keeper.release();
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);

      expect(await isGone(place?.metadata.name)).toBe(true);
      expect(await tenant.places()).toEqual([]);
      expect(await tenant.openers()).toEqual([]);
    });

    it('Q17 says that it cannot when its namespace is still there after two minutes, why, and goes on by itself', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      await tenant.untilReady();
      const [place] = await tenant.places();
      const keeper = await keepAlive(world, place?.metadata.name);
      await world.cluster.remove(spaceRequests, tenant.key);
      await world.settle();

      const clock = world.machine.clock as { now: () => number };
      const { now } = clock;
      clock.now = () => now() + 125_000;
      try {
        await tenant.until('it to say so, with what Kubernetes says', async () => {
          const condition = readyOf(await tenant.read());
          return condition?.reason === 'UnableToTerminate' && condition.message.includes('example.com/stay');
        });
        const condition = readyOf(await tenant.read());
        expect(condition?.message).toContain(`${place?.metadata.name} is still there two minutes after its deletion`);
        expect(await tenant.lookAgain()).toEqual([]);
      } finally {
        clock.now = now;
      }

      await keeper.release();
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);
      expect(await isGone(place?.metadata.name)).toBe(true);
    });

    it('goes at once where nothing was made for it', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask({ tierName: 'nowhere' });
      await world.settle();

      await world.cluster.remove(spaceRequests, tenant.key);
      await world.settle();

      expect(await tenant.read()).toBeUndefined();
    });

    it('goes with the namespace that was being made when it was deleted', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      world.connection.trouble = ({ method, path }, when) =>
        when === 'after' && method === 'POST' && path === '/api/v1/namespaces' ? new Error('cut short') : undefined;
      await world.settle().catch(() => undefined);
      world.connection.trouble = undefined;
      expect(await tenant.places()).toHaveLength(1);

      await world.cluster.remove(spaceRequests, tenant.key);
      await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);

      expect(await tenant.places()).toEqual([]);
    });

    it('is followed by another of the same name, which has nothing of the first', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const first = await tenant.untilReady();
      await world.cluster.remove(spaceRequests, tenant.key);
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);

      await tenant.ask();
      const second = await tenant.untilReady();

      expect(second.metadata.uid).not.toBe(first.metadata.uid);
      expect(second.status?.namespaceAccess[0]?.name).not.toBe(first.status?.namespaceAccess[0]?.name);
      expect(await tenant.places()).toHaveLength(1);
      expect(await tenant.openers()).toHaveLength(1);
    });

    it('Q12 in a namespace that is deleted frees its namespace first, and keeps nobody', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();

      await world.cluster.remove(namespaces, { namespace: '', name: tenant.namespace.name });
      world.knock('space-request.changed.v1', tenant.key);
      await tenant.until("the tenant's namespace to go", () => {
        world.knock('space-request.changed.v1', tenant.key);
        return isGone(tenant.namespace.name);
      });

      expect(await isGone(status?.namespaceAccess[0]?.name)).toBe(true);
    });

    it('Q12 in a namespace that is being deleted, one that was never looked at is given nothing', async () => {
      const tenant = await openSpaceTenant(world);
      const keeper = await keepAlive(world, tenant.namespace.name);
      await tenant.ask();
      await world.cluster.patch(spaceRequests, tenant.key, { metadata: { finalizers: ['example.com/stay'] } });
      await world.cluster.remove(namespaces, { namespace: '', name: tenant.namespace.name });

      await world.settle();

      expect(await tenant.places()).toEqual([]);
      expect((await tenant.read())?.metadata.finalizers ?? []).not.toContain('finalizer.toolchain.dev.openshift.com');

      await world.cluster.patch(spaceRequests, tenant.key, { metadata: { finalizers: [] } });
      await keeper.release();
      await tenant.until("the tenant's namespace to go", () => isGone(tenant.namespace.name));
    });

    it('never deletes a namespace that only looks like its own', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();
      const name = status?.namespaceAccess[0]?.name ?? '';
      await world.cluster.patch(
        namespaces,
        { namespace: '', name },
        {
          metadata: { annotations: { 'stagecoach.dev/space-request-uid': 'somebody-else' } },
        },
      );

      await world.cluster.remove(spaceRequests, tenant.key);
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);

      const kept = await world.cluster.read(namespaces, { namespace: '', name });
      expect(kept?.metadata.deletionTimestamp).toBeUndefined();
      expect(kept).toBeDefined();
      const left = [];
      for await (const page of world.cluster.list(secrets, { namespace: tenant.namespace.name }))
        left.push(...page.filter(({ metadata }) => metadata.name.startsWith('dev-')));
      expect(left).toEqual([]);
    });
  });
}

/** Something in the namespace that does not go by itself. */
async function keepAlive({ bare, cluster }: GitOpsWorld, namespace = '') {
  const key = { namespace, name: 'stayer' };
  await cluster.create(serviceAccounts, { metadata: { ...key, finalizers: ['example.com/stay'] } });
  return {
    async release(): Promise<void> {
      await bare.request(`/api/v1/namespaces/${namespace}/serviceaccounts/${key.name}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { finalizers: [] } },
      });
    },
  };
}
