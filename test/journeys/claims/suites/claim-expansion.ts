import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type ClaimScene, openClaimScene } from './claim-scene.ts';

const provisioner = 'example.com/somebody';

export function describeClaimExpansion(open: () => Promise<GitOpsWorld>): void {
  describe('a bound claim that asks for more', () => {
    let world: GitOpsWorld;
    let scene: ClaimScene;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openClaimScene(world);
    });

    async function grow(settings: { allowed: boolean; provisionedBy?: string }): Promise<void> {
      const { allowed, ...made } = settings;
      const className = await scene.createClass('growing', { allowTargetResourceExpansion: allowed });
      await scene.createTarget('t1', { className, cpu: '1', claim: { name: 'web' }, ...made });
      await scene.createClaim('web', { className, cpu: '1', target: 't1' });
      await world.settle();
      expect(await scene.condition('web', 'ResourcesSufficient')).toBeUndefined();

      await scene.patchClaim('web', { spec: { resources: { requests: { cpu: '2' } } } });
      await world.settle();
    }

    it('gets it from the provisioner of a class that allows it, and says so until the target has grown', async () => {
      await grow({ allowed: true, provisionedBy: provisioner });

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound' });
      expect(await scene.condition('web', 'ResourcesSufficient')).toMatchObject({
        status: 'False',
        reason: 'Expanding',
      });
      expect(await scene.waiting('web')).toMatchObject({ reason: 'Expanding', deadline: 3_600 });

      await scene.patchTarget('t1', { spec: { resources: { requests: { cpu: '2' } } } });
      await world.settle();

      expect(await scene.condition('web', 'ResourcesSufficient')).toMatchObject({ status: 'True' });
      expect(await scene.waiting('web')).toBeUndefined();
    });

    it('does not get it where the class does not allow it, and nobody is asked again', async () => {
      await grow({ allowed: false, provisionedBy: provisioner });

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound' });
      expect(await scene.condition('web', 'ResourcesSufficient')).toMatchObject({
        status: 'False',
        reason: 'ExpansionNotAllowed',
      });
      expect(await scene.waiting('web')).toBeUndefined();
    });

    it('does not get it from a target that a person made', async () => {
      await grow({ allowed: true });

      expect(await scene.condition('web', 'ResourcesSufficient')).toMatchObject({ reason: 'ExpansionNotAllowed' });
    });
  });
}
