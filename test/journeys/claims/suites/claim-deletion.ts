import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, namespaces } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { type ClaimScene, claimFinalizer, marks, openClaimScene } from './claim-scene.ts';

/** Whoever else holds a target, so that the test sees what waits for it. */
const foreign = 'example.com/held-by-the-test';

export function describeClaimDeletion(open: () => Promise<GitOpsWorld>): void {
  describe('a claim that is deleted', () => {
    let world: GitOpsWorld;
    let scene: ClaimScene;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openClaimScene(world);
    });

    async function bind(className: string, held: readonly string[] = []): Promise<void> {
      await scene.createTarget('t1', { className, finalizers: held });
      await scene.createClaim('web', { className, target: 't1' });
      await world.settle();
      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound' });
    }

    it('AC-01 with Retain the target is Released, loses its claimRef and stays; the claim goes at once', async () => {
      await bind(await scene.createClass('kept', { reclaimPolicy: 'Retain' }));

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
      expect(await scene.target('t1')).toMatchObject({ phase: 'Released', claim: undefined, isDeleting: false });
    });

    it('AC-01 without a class it is the same, and nobody gets the target by itself', async () => {
      await bind('');

      await scene.deleteClaim('web');
      await world.settle();
      await scene.createClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Pending' });
      expect(await scene.target('t1')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('AC-20 with Delete the target is deleted first, and the claim waits until it is gone', async () => {
      await bind(await scene.createClass('gone'), [foreign]);

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.target('t1')).toMatchObject({ isDeleting: true });
      expect(await scene.claim('web')).toMatchObject({ isDeleting: true, isHeld: true });
      expect(await scene.condition('web', 'Bound')).toMatchObject({ status: 'False', reason: 'Terminating' });
      expect(await scene.waiting('web')).toMatchObject({ reason: 'Terminating', deadline: 600 });

      await scene.patchTarget('t1', { metadata: { finalizers: null } });
      await world.settle();

      expect(await scene.target('t1')).toBeUndefined();
      expect(await scene.claim('web')).toBeUndefined();
    });

    it('says after ten minutes that the target is still there', async () => {
      await bind(await scene.createClass('gone'), [foreign]);
      await scene.deleteClaim('web');
      await world.settle();
      await world.sql`update wakeup set since = since - interval '1 hour', deadline = deadline - interval '1 hour'
        where subject = ${`${scene.namespace}/web`}`;

      await world.wake();
      await world.settle();

      expect((await scene.condition('web', 'Bound'))?.message).toMatch(/more than ten minutes/);
      await scene.patchTarget('t1', { metadata: { finalizers: null } });
      await world.settle();
    });

    it('AC-21 whose target is gone already goes at once', async () => {
      await bind(await scene.createClass('gone'));
      await scene.deleteTarget('t1');
      await world.settle();

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
    });

    it.each([
      ['without a class', {}],
      ['that names a target', { target: 'missing' }],
      ['of a class that does not exist', { className: 'nobody-made-this' }],
    ])('AC-22 never bound, %s, goes at once', async (_which, but) => {
      await scene.createClaim('web', but);
      await world.settle();

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
      expect(await scene.inLine()).toEqual([]);
    });

    it('AC-22 never bound, marked for a provisioner that is not ours, goes at once', async () => {
      await scene.createClaim('web', { className: await scene.createClass('foreign') });
      await world.settle();
      expect(await scene.annotations('web')).toHaveProperty(marks.provisioner);

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
    });

    it('whose class is missing waits and says so, and goes on when it is there', async () => {
      const className = `missing-${scene.namespace}`;
      await bind(className);

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ isHeld: true });
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({
        status: 'True',
        message: 'unable to locate matching DTClass for DT',
      });
      expect(await scene.waiting('web')).toMatchObject({ reason: 'Terminating' });
      expect(await scene.target('t1')).toMatchObject({ isDeleting: false });

      await scene.createClass('missing', { reclaimPolicy: 'Retain' });
      await world.wake();
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
      expect(await scene.target('t1')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('leaves a target alone that a person kept for it and that it never had', async () => {
      await scene.createClaim('web', { target: 'other' });
      await scene.createTarget('t1', { claim: { name: 'web' } });
      await world.settle();

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
      expect(await scene.target('t1')).toMatchObject({ claim: { name: 'web' }, phase: 'Available' });
    });

    it.each([1, 2, 3])('killed after write %d of a release, it ends the same', async (deadly) => {
      await bind('');
      await scene.deleteClaim('web');
      let writes = 0;
      world.connection.trouble = ({ method }, when) => {
        if (method !== 'PATCH' || when === 'before') return undefined;
        writes += 1;
        return writes === deadly ? new Transient('cluster', 'killed') : undefined;
      };

      await world.settle();
      expect(writes).toBeGreaterThanOrEqual(deadly);
      world.connection.trouble = undefined;
      await world.wake();
      await world.settle();

      expect(await scene.claim('web')).toBeUndefined();
      expect(await scene.target('t1')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('held by others, too, it is left to them once the binder is done', async () => {
      await scene.createClaim('web', { finalizers: [foreign] });
      await world.settle();

      await scene.deleteClaim('web');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ isDeleting: true, isHeld: false });
      await scene.patchClaim('web', { metadata: { finalizers: null } });
    });

    it('does not keep a namespace that is deleted', async () => {
      await bind(`missing-${scene.namespace}`);
      await world.cluster.remove(namespaces, { namespace: '', name: scene.namespace });

      await until('the claim is gone', async () => {
        scene.look('web');
        await world.settle();
        const found = await world.cluster.read(claims, { namespace: scene.namespace, name: 'web' });
        return found === undefined || !found.metadata.finalizers.includes(claimFinalizer);
      });
    });
  });
}
