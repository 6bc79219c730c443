import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type ClaimScene, marks, openClaimScene } from './claim-scene.ts';

export function describeBindingWaits(open: () => Promise<GitOpsWorld>): void {
  describe('a claim that waits', () => {
    let world: GitOpsWorld;
    let scene: ClaimScene;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openClaimScene(world);
    });

    /** It is Pending for this reason, which the condition and the wait both say, and does not change by itself. */
    async function expectPending(claim: string, reason: string): Promise<void> {
      const found = await scene.claim(claim);
      expect(found).toMatchObject({ phase: 'Pending', isBindComplete: false, isHeld: true });
      expect(await scene.condition(claim, 'Bound')).toMatchObject({ status: 'False', reason });
      expect(await scene.waiting(claim)).toMatchObject({ reason, deadline: 3_600 });
      scene.look(claim);
      await world.settle();
      expect(await scene.claim(claim)).toEqual(found);
    }

    it('AC-07 has no target and no class: Pending, no annotation, and a free target wakes it later (defect 18)', async () => {
      await scene.createClaim('web');
      await world.settle();

      await expectPending('web', 'WaitingForTarget');
      expect(await scene.annotations('web')).toEqual({});
      expect(await scene.inLine()).toEqual(['web']);

      await scene.createTarget('t1');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound', targetName: 't1' });
      expect(await scene.inLine()).toEqual([]);
    });

    it('AC-05 AC-19 has a class of a provisioner that is not ours: marked, and left to that', async () => {
      const className = await scene.createClass('foreign');
      await scene.createClaim('web', { className });
      await world.settle();

      await expectPending('web', 'WaitingForProvisioner');
      expect(await scene.annotations('web')).toEqual({ [marks.provisioner]: 'example.com/somebody' });
      expect(await scene.inLine()).toEqual([]);
    });

    it('AC-08 names a target that does not exist: no error, and it is bound when that is made', async () => {
      await scene.createClaim('web', { target: 't1' });
      await world.settle();

      await expectPending('web', 'TargetNotFound');
      expect(await scene.condition('web', 'ErrorOccurred')).toBeUndefined();

      await scene.createTarget('t1');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound', targetName: 't1' });
    });

    it('AC-11 names a target that another claim has: says so, and leaves the other alone', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('api', { target: 't1' });
      await world.settle();
      const { uid } = (await scene.claim('api')) ?? {};

      await scene.createClaim('web', { target: 't1' });
      await world.settle();

      await expectPending('web', 'TargetTaken');
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({
        status: 'True',
        reason: 'ErrorOccurred',
        message: 'DeploymentTargetClaim wants to claim a DeploymentTarget that is already claimed',
      });
      expect(await scene.target('t1')).toMatchObject({ claim: { name: 'api', uid } });
      expect(await scene.claim('api')).toMatchObject({ phase: 'Bound' });
    });

    it('AC-12 names a free target of another class: says so in the exact words, and is bound when the class is right', async () => {
      await scene.createTarget('t1', { className: 'other' });
      await scene.createClaim('web', { target: 't1' });
      await world.settle();

      await expectPending('web', 'TargetMismatch');
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({
        status: 'True',
        message: `DeploymentTarget does not match the specified DeploymentTargetClaim: DeploymentTarget t1 does not match DeploymentTargetClaim web in namespace ${scene.namespace}: deploymentTargetClassName does not match`,
      });

      await scene.patchTarget('t1', { spec: { deploymentTargetClassName: '' } });
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound' });
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({ status: 'False', reason: 'Success' });
    });

    it('AC-37 has a class that does not exist: says which, looks again by itself, and is marked when it is made', async () => {
      const className = `late-${scene.namespace}`;
      await scene.createClaim('web', { className });
      await world.settle();

      await expectPending('web', 'ClassNotFound');
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({
        status: 'True',
        message: `unable to handle provisioning of SpaceRequest: DeploymentTargetClaim web does not have a matching DeploymentTargetClass ${className}: the resource could not be found on the cluster`,
      });
      expect(await scene.annotations('web')).toEqual({});

      await scene.createClass('late');
      await world.wake();
      await world.settle();

      expect(await scene.annotations('web')).toEqual({ [marks.provisioner]: 'example.com/somebody' });
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({ status: 'False', reason: 'Success' });
    });

    it('has a class that does not exist, and takes a free target of that class', async () => {
      await scene.createClaim('web', { className: 'nobody-made-this' });
      await world.settle();
      await scene.createTarget('t1', { className: 'nobody-made-this' });
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound', targetName: 't1' });
    });

    it('AC-42 is named by two targets: binds neither, names both, and takes the one that is left', async () => {
      await scene.createTarget('t1', { claim: { name: 'web' } });
      await scene.createTarget('t2', { claim: { name: 'web' } });
      await world.settle();
      await scene.createClaim('web');
      await world.settle();

      await expectPending('web', 'TargetAmbiguous');
      expect((await scene.condition('web', 'ErrorOccurred'))?.message).toContain('t1, t2');

      await scene.patchTarget('t1', { spec: { claimRef: null } });
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Bound', targetName: 't2' });
    });

    it('says after an hour that it still waits, once', async () => {
      await scene.createClaim('web');
      await world.settle();
      await world.sql`update wakeup set since = since - interval '2 hours', deadline = deadline - interval '2 hours'
        where subject = ${`${scene.namespace}/web`}`;

      await world.wake();
      await world.settle();
      const told = await scene.condition('web', 'Bound');
      await world.wake();
      await world.settle();

      expect(told?.message).toMatch(/for more than an hour$/);
      expect(await scene.condition('web', 'Bound')).toEqual(told);
    });

    it('AC-03 AC-40 had a target that is gone: Lost, stays, and takes no other by itself', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web');
      await world.settle();

      await scene.deleteTarget('t1');
      await world.settle();
      await scene.createTarget('t2');
      await scene.createTarget('t1');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Lost', targetName: 't1', isDeleting: false });
      expect(await scene.condition('web', 'Bound')).toMatchObject({ status: 'False', reason: 'TargetLost' });
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({ status: 'True' });
      expect(await scene.target('t1')).toMatchObject({ claim: undefined });
      expect(await scene.target('t2')).toMatchObject({ claim: undefined });
    });

    it('is Bound again where somebody gives it a target of that name', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web');
      await world.settle();
      await scene.deleteTarget('t1');
      await world.settle();

      await scene.createTarget('t1', { claim: { name: 'web' } });
      await world.settle();

      const found = await scene.claim('web');
      expect(found).toMatchObject({ phase: 'Bound', targetName: 't1' });
      expect(await scene.target('t1')).toMatchObject({ phase: 'Bound', claim: { name: 'web', uid: found?.uid } });
      expect(await scene.condition('web', 'ErrorOccurred')).toMatchObject({ status: 'False', reason: 'Success' });
    });

    it('is Lost where its target was given to another claim', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web');
      await world.settle();

      await scene.patchTarget('t1', { spec: { claimRef: { name: 'api', uid: 'another' } } });
      scene.look('web');
      await world.settle();

      expect(await scene.claim('web')).toMatchObject({ phase: 'Lost' });
    });
  });
}
