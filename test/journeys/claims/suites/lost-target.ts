import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openTargetScene, type TargetScene } from './target-scene.ts';

export function describeLostTarget(open: () => Promise<GitOpsWorld>): void {
  describe('when one half of a binding is torn away', () => {
    let world: GitOpsWorld;
    let scene: TargetScene;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openTargetScene(world);
    });

    async function bind(className = ''): Promise<void> {
      await scene.makeTarget('dt', { className });
      await world.settle();
      await scene.makeClaim('dtc', { deploymentTargetClassName: className });
      await world.settle();
      expect((await scene.claim('dtc'))?.phase).toBe('Bound');
    }

    it('case B, AC-03 the claim is Lost when its target is deleted, and is not deleted itself', async () => {
      await bind();

      await scene.removeTarget('dt');
      await world.settle();

      expect(await scene.target('dt')).toBeUndefined();
      expect(await scene.claim('dtc')).toMatchObject({ phase: 'Lost', isDeleting: false, targetName: 'dt' });
    });

    it('case B the claim takes no other target after that, though one is free', async () => {
      await bind();
      await scene.makeTarget('free');
      await scene.removeTarget('dt');
      await world.settle();

      expect(await scene.claim('dtc')).toMatchObject({ phase: 'Lost', targetName: 'dt' });
      expect(await scene.target('free')).toMatchObject({ phase: 'Available', claim: undefined });
    });

    it.each(['', 'Retain'])(
      'case A, case C the target is Released and lets go when its claim is torn away (class: %s)',
      async (policy) => {
        await bind(policy === '' ? '' : await scene.makeClass(policy));

        await scene.tearAwayClaim('dtc');
        await world.settle();

        expect(await scene.claim('dtc')).toBeUndefined();
        expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: undefined, isDeleting: false });
      },
    );

    it('the target is not given to another claim that waits, nor to a new one of the same name', async () => {
      await bind();
      await scene.makeClaim('waits');
      await world.settle();

      await scene.tearAwayClaim('dtc');
      await scene.makeClaim('dtc');
      await world.settle();

      expect((await scene.target('dt'))?.phase).toBe('Released');
      expect([(await scene.claim('waits'))?.phase, (await scene.claim('dtc'))?.phase]).toEqual(['Pending', 'Pending']);
    });

    it('AC-02 the binding is made whole when somebody takes the claimRef off', async () => {
      await bind();
      await scene.patchTarget('dt', { spec: { claimRef: null } });
      await world.settle();

      const { uid } = (await scene.claim('dtc')) ?? {};
      expect(await scene.claim('dtc')).toMatchObject({ phase: 'Bound', targetName: 'dt' });
      expect(await scene.target('dt')).toMatchObject({ phase: 'Bound', claim: { name: 'dtc', uid } });
    });

    it('both end well whichever is noticed first', async () => {
      await bind();
      await scene.tearAwayClaim('dtc');
      const [first, ...rest] = world.queue.sent.splice(0);
      world.queue.sent.push(...rest.toReversed(), ...(first === undefined ? [] : [first]));
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: undefined });
    });
  });
}
