import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claims, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Machine } from '../../../../shared/runtime/machine.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { onlyIn } from '../../../support/mortal-functions.ts';
import { openMortality, settleThroughDeath } from '../../../support/mortality.ts';
import { fulfilAll, requestsIn, terminateAll } from '../../../support/play-space-controller.ts';
import { openProvisioningScene, type ProvisioningScene, playSpaces } from './provisioning-scene.ts';

type Act = 'provision' | 'withdraw' | 'tear away' | 'reclaim';
type Play = (scene: ProvisioningScene, className: string) => Promise<unknown>;

const name = 'staging-dtc';

/** The process that makes and frees targets, killed before and after every call that it makes. */
export function describeProvisioningCrashes(
  open: (machine: (usual: Machine) => Machine) => Promise<GitOpsWorld>,
): void {
  describe('the process that makes and frees targets, killed before and after every call it makes', () => {
    const mortality = openMortality();
    const mortal = onlyIn(mortality, ['provision-target', 'reclaim-target']);
    let world: GitOpsWorld;
    let giveBack: () => void;

    beforeAll(async () => {
      world = await open((usual) => mortal.wrap(usual));
      giveBack = playSpaces(world);
    });
    afterAll(async () => {
      giveBack();
      await world.close();
    });

    /** What stands before the act, what the tenant does, and whether somebody fulfils requests meanwhile. */
    const acts: Readonly<Record<Act, { given: Play; act: Play; isFulfilled: boolean }>> = {
      provision: { given: async () => undefined, act: claim, isFulfilled: true },
      withdraw: { given: claim, act: removeClaim, isFulfilled: false },
      'tear away': { given: claimAndFulfil, act: tearClaimAway, isFulfilled: false },
      reclaim: { given: claimAndFulfil, act: removeTarget, isFulfilled: false },
    };

    function claim(scene: ProvisioningScene, className: string): Promise<unknown> {
      return world.cluster.create(claims, {
        metadata: { namespace: scene.namespace, name },
        spec: { deploymentTargetClassName: className },
      });
    }

    async function claimAndFulfil(scene: ProvisioningScene, className: string): Promise<void> {
      await claim(scene, className);
      await world.settle();
      await scene.fulfil();
    }

    function removeClaim({ namespace }: ProvisioningScene): Promise<boolean> {
      return world.cluster.remove(claims, { namespace, name });
    }

    async function tearClaimAway(scene: ProvisioningScene): Promise<void> {
      await removeClaim(scene);
      await world.cluster.patch(claims, { namespace: scene.namespace, name }, { metadata: { finalizers: [] } });
    }

    function removeTarget({ namespace }: ProvisioningScene): Promise<boolean> {
      return world.cluster.remove(targets, { namespace, name: `${name}-dt` });
    }

    /** The act to its end, with whoever fulfils and ends SpaceRequests; the process may die once on the way. */
    async function live(which: Act, scene: ProvisioningScene, className: string, dieAt?: number): Promise<number> {
      const { given, act, isFulfilled } = acts[which];
      await given(scene, className);
      await world.settle();
      mortality.revive();
      mortality.dieAt = dieAt;
      await act(scene, className);
      let calls = 0;
      for (let turn = 0; turn < 3; turn += 1) {
        mortal.watchOver(world.connection);
        await settleThroughDeath(world, mortality);
        calls = mortality.calls.length;
        world.connection.trouble = undefined;
        if (isFulfilled) await fulfilUnready(scene);
        await terminateAll(world.cluster, scene.namespace);
      }
      await world.wake();
      await world.settle();
      return calls;
    }

    async function fulfilUnready({ namespace }: ProvisioningScene): Promise<void> {
      const requests = await requestsIn(world.cluster, namespace);
      if (requests.some(({ status }) => status === undefined)) await fulfilAll(world.cluster, namespace);
    }

    async function outcomeOf(scene: ProvisioningScene): Promise<object> {
      const { uid } = (await scene.claim()) ?? {};
      const requests = await scene.requests();
      return {
        requests: requests.length,
        targets: (await scene.targets()).map((target) => ({
          name: target.name,
          isOfClaim: uid !== undefined && target.claim?.uid === uid,
          isReached: target.access.defaultNamespace === `${requests[0]?.metadata.name}-space`,
        })),
        attachedTo: requests.map(({ metadata }) => metadata.labels['appstudio.openshift.io/dt']),
        provisioned: (await scene.condition('Provisioned'))?.status,
      };
    }

    const nothing = { requests: 0, targets: [], attachedTo: [] };
    const endings: Readonly<Record<Act, object>> = {
      provision: {
        requests: 1,
        targets: [{ name: `${name}-dt`, isOfClaim: true, isReached: true }],
        attachedTo: [`${name}-dt`],
        provisioned: 'True',
      },
      withdraw: nothing,
      'tear away': nothing,
      // The claim has lost its target and stays; what was said of its making stays, too.
      reclaim: { ...nothing, provisioned: 'True' },
    };

    it.each(Object.keys(acts) as Act[])(
      '%s: everything ends as if it had lived, and no SpaceRequest is left behind',
      { timeout: 240_000 },
      async (which) => {
        const rehearsal = await openProvisioningScene(world);
        const className = await rehearsal.makeClass();
        const calls = await live(which, rehearsal, className);
        expect(await outcomeOf(rehearsal)).toEqual(endings[which]);
        expect(calls).toBeGreaterThan(5);

        for (let at = 1; at <= calls; at += 1) {
          const scene = await openProvisioningScene(world);

          await live(which, scene, className, at);

          expect(mortality.dieAt, `it came to call ${at}`).toBeUndefined();
          expect(await outcomeOf(scene), `killed at call ${at}`).toEqual(endings[which]);
        }
        expect(world.queue.buried).toEqual([]);
      },
    );
  });
}
