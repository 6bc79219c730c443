import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, secrets, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { say } from '../../../support/play-space-controller.ts';
import { later, openProvisioningScene, type ProvisioningScene, playSpaces } from './provisioning-scene.ts';

const name = 'staging-dtc';

/** From the claim that goes to what is left of it, with everybody at work on the way. */
export function describeDeprovisioning(open: () => Promise<GitOpsWorld>): void {
  describe('a claim for which a namespace was made, when it is deleted', () => {
    let world: GitOpsWorld;
    let scene: ProvisioningScene;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openProvisioningScene(world);
    });

    async function createClaim(className: string, called = name): Promise<void> {
      await world.cluster.create(claims, {
        metadata: { namespace: scene.namespace, name: called },
        spec: { deploymentTargetClassName: className },
      });
    }

    function removeClaim(): Promise<boolean> {
      return world.cluster.remove(claims, { namespace: scene.namespace, name });
    }

    const untilBound = (called = name) =>
      scene.untilSo(`${called} to be Bound`, async () => (await scene.claim(called))?.phase === 'Bound');

    it('with Retain goes at once, and leaves target, SpaceRequest, namespace and Secret as they are', async () => {
      const className = await scene.makeClass({ reclaimPolicy: 'Retain' });
      await createClaim(className);
      await untilBound();
      const { defaultNamespace, clusterCredentialsSecret } = (await scene.target())?.access ?? {};
      const standing = async () => ({
        request: (await scene.request()).metadata.deletionTimestamp,
        namespace: await phaseOfNamespace(defaultNamespace),
        opener: Object.keys((await opener(clusterCredentialsSecret))?.data ?? {}),
      });

      await removeClaim();
      await world.settle();

      expect(await scene.claim()).toBeUndefined();
      expect(await scene.target()).toMatchObject({ phase: 'Released', claim: undefined, isDeleting: false });
      expect(await standing()).toEqual({ request: undefined, namespace: 'Active', opener: ['kubeconfig'] });

      await world.wake();
      await world.settle();
      await createClaim(className, 'next-dtc');
      await untilBound('next-dtc');

      expect((await scene.claim('next-dtc'))?.targetName).toBe('next-dtc-dt');
      expect(await scene.target()).toMatchObject({ phase: 'Released', claim: undefined });
      expect(await phaseOfNamespace(defaultNamespace)).toBe('Active');
    });

    it('with Delete takes target, SpaceRequest, namespace and Secret along', async () => {
      await createClaim(await scene.makeClass());
      await untilBound();
      const { defaultNamespace, clusterCredentialsSecret } = (await scene.target())?.access ?? {};

      await removeClaim();
      await scene.untilSo('the claim to be gone', async () => (await scene.claim()) === undefined);

      expect(await scene.targets()).toEqual([]);
      expect(await scene.requests()).toEqual([]);
      expect(await phaseOfNamespace(defaultNamespace)).toBeUndefined();
      expect(await opener(clusterCredentialsSecret)).toBeUndefined();
    });

    it('with Delete waits while its SpaceRequest is UnableToTerminate, with a target that is Failed, and goes on by itself', async () => {
      const giveBack = playSpaces(world);
      try {
        await createClaim(await scene.makeClass());
        await world.settle();
        await scene.fulfil();
        expect(await scene.claim()).toMatchObject({ phase: 'Bound' });

        await removeClaim();
        await world.settle();
        const trouble = { status: 'False', reason: 'UnableToTerminate', message: 'the namespace hangs' } as const;
        await say(world.cluster, await scene.request(), trouble);
        await world.settle();
        const early = await scene.target();
        // Nobody says anything more: it is their own time that comes.
        await later(world, 121_000, async () => {
          await world.wake();
          await world.settle();
        });

        expect(early).toMatchObject({ phase: 'Bound', isDeleting: true });
        expect(await scene.target()).toMatchObject({ phase: 'Failed', isDeleting: true, isHeld: true });
        expect(await scene.claim()).toMatchObject({ isDeleting: true, isHeld: true });
        expect(await scene.condition('Bound')).toMatchObject({
          status: 'False',
          reason: 'Terminating',
          message: `Waits until DeploymentTarget ${name}-dt, whose resources could not be freed yet is gone`,
        });

        await scene.terminate();

        expect(await world.cluster.read(targets, { namespace: scene.namespace, name: `${name}-dt` })).toBeUndefined();
        expect(await scene.claim()).toBeUndefined();
      } finally {
        giveBack();
      }
    });

    async function phaseOfNamespace(called = ''): Promise<string | undefined> {
      const { status, body } = await world.bare.request(`/api/v1/namespaces/${called}`);
      return status === 404 ? undefined : (body as { status: { phase: string } }).status.phase;
    }

    function opener(called = '') {
      return world.cluster.read(secrets, { namespace: scene.namespace, name: called });
    }
  });
}
