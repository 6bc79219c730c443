import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claims, resourceQuotas } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { openProvisioningScene } from './provisioning-scene.ts';

const small = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2' } };
const large = { requests: { cpu: '4', memory: '2Gi' }, limits: { cpu: '8' } };

/** From what a claim asks for to the quota of its namespace, with everybody at work on the way. */
export function describeGrowingWholeWay(open: () => Promise<GitOpsWorld>): void {
  describe('the resources of a claim', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());

    it('are the quota of the namespace that was made for it, and grow with the claim, and the target says so', async () => {
      const scene = await openProvisioningScene(world);
      const key = { namespace: scene.namespace, name: 'staging-dtc' };
      const className = await scene.makeClass({ allowTargetResourceExpansion: true });
      await world.cluster.create(claims, {
        metadata: key,
        spec: { deploymentTargetClassName: className, resources: small },
      });
      await scene.untilSo('the claim to be Bound', async () => (await scene.claim())?.phase === 'Bound');
      const before = await scene.target();
      const quota = async () =>
        (await listObjects(world.cluster, resourceQuotas, before?.access.defaultNamespace ?? '')).map(
          ({ spec }) => spec?.hard,
        );

      expect(await quota()).toEqual([{ 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2' }]);
      expect(before?.resources).toEqual(small);

      await world.cluster.patch(claims, key, { spec: { resources: large } });
      await scene.untilSo(
        'the target to grow',
        async () => (await scene.target())?.resources?.requests?.['cpu'] === '4',
      );

      expect(await quota()).toEqual([{ 'requests.cpu': '4', 'requests.memory': '2Gi', 'limits.cpu': '8' }]);
      expect(await scene.target()).toEqual({ ...before, resources: large, version: expect.anything() });
      expect(await scene.claim()).toMatchObject({ phase: 'Bound', targetName: before?.name });
    });
  });
}
