import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { type ClaimScene, marks, openClaimScene } from './claim-scene.ts';

export function describeClaimLifetime(open: () => Promise<GitOpsWorld>): void {
  describe('a claim with a time to live', () => {
    let world: GitOpsWorld;
    let scene: ClaimScene;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openClaimScene(world);
    });

    const living = (timeToLive: string) => ({ annotations: { [marks.timeToLive]: timeToLive } });

    it('is looked at again when it is over, and says until when it lives', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web', living('1h30m'));
      await world.settle();

      const waiting = await scene.waiting('web');
      expect(waiting).toMatchObject({ reason: 'LivesUntil' });
      expect(waiting?.['message']).toMatch(/^The claim lives until \S+Z and is deleted then$/);
      expect(Math.round(waiting?.['due'] / 100)).toBe(54);
    });

    it('is looked at every six hours at the latest, however long it lives, and keeps its deadline', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web', living('876000h'));
      await world.settle();
      const first = await scene.waiting('web');

      await world.wake();
      await world.settle();

      expect(Math.round(first?.['due'] / 100)).toBe(216);
      const second = await scene.waiting('web');
      expect(second?.['deadline']).toBeCloseTo(first?.['deadline'], -1);
    });

    it('is deleted when it is over, with all that belongs to it', async () => {
      await scene.createTarget('t1', { className: await scene.createClass('gone') });
      await scene.createTarget('t2');
      const className = (await scene.target('t1'))?.className ?? '';
      await scene.createClaim('web', { className, target: 't1', ...living('1ms') });
      await world.settle();

      await until('the claim is gone', async () => {
        scene.look('web');
        await world.settle();
        return (await scene.claim('web')) === undefined;
      });

      expect(await scene.target('t2')).toMatchObject({ phase: 'Available' });
    });

    it('waits for a target no longer than it lives', async () => {
      await scene.createClaim('web', living('12s'));
      await world.settle();

      const waiting = await scene.waiting('web');
      expect(waiting).toMatchObject({ reason: 'WaitingForTarget', deadline: 3_600 });
      // It would look again after fifteen seconds by itself.
      expect(waiting?.['due']).toBeLessThan(13);
    });

    it.each(['3d', 'soon', '-1h', '99999999999999h', `${'9'.repeat(400)}h`])(
      'written as %s it lives on, and says how to write it',
      async (timeToLive) => {
        await scene.createTarget('t1');
        await scene.createClaim('web', living(timeToLive));
        await world.settle();

        expect(await scene.claim('web')).toMatchObject({ phase: 'Bound', isDeleting: false });
        expect(await scene.waiting('web')).toBeUndefined();
        const told = await scene.condition('web', 'TimeToLive');
        expect(told).toMatchObject({ status: 'False', reason: 'Malformed' });
        expect(told?.message).toContain('72h');

        await scene.patchClaim('web', { metadata: { annotations: { [marks.timeToLive]: '72h' } } });
        await world.settle();

        expect(await scene.condition('web', 'TimeToLive')).toMatchObject({ status: 'True' });
        expect(await scene.waiting('web')).toMatchObject({ reason: 'LivesUntil' });
      },
    );

    it('lives on when somebody takes the annotation away', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web', living('72h'));
      await world.settle();

      await scene.patchClaim('web', { metadata: { annotations: { [marks.timeToLive]: null } } });
      await world.settle();

      expect(await scene.waiting('web')).toBeUndefined();
    });
  });
}
