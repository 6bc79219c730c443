import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openTargetScene, type TargetScene } from './target-scene.ts';

const nowhere = { defaultNamespace: '', apiURL: '', clusterCredentialsSecret: '' };

/** What a target is, told by what is made around it; no claim takes any of them. */
export function describeTargets(open: () => Promise<GitOpsWorld>): void {
  describe('a target', () => {
    let world: GitOpsWorld;
    let scene: TargetScene;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openTargetScene(world);
    });

    function reasons(name: string): Promise<string[]> {
      return scene
        .target(name)
        .then((target) => (target?.said ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`));
    }

    it('that a person made is Available, and says nothing else', async () => {
      await scene.makeTarget('mine');
      await world.settle();

      expect(await scene.target('mine')).toMatchObject({ phase: 'Available', said: [], claim: undefined });
    });

    it('is Pending and says why until something says how to reach it', async () => {
      await scene.makeTarget('bare', { access: nowhere });
      await world.settle();
      expect((await scene.target('bare'))?.phase).toBe('Pending');
      expect(await reasons('bare')).toEqual(['Available False NotReachable']);

      await scene.patchTarget('bare', { spec: { kubernetesCredentials: { apiURL: 'https://cluster.example' } } });
      await world.settle();

      expect((await scene.target('bare'))?.phase).toBe('Available');
      expect(await reasons('bare')).toEqual(['Available True Available']);
    });

    it('that is kept for a claim which is not there yet stays Available, kept, and says so', async () => {
      await scene.makeTarget('kept', { claimRef: { name: 'coming' } });
      await world.settle();

      expect(await scene.target('kept')).toMatchObject({ phase: 'Available', claim: { name: 'coming' } });
      expect(await reasons('kept')).toEqual(['Available False ClaimNotFound']);
    });

    it('AC-02 becomes Bound where its claim names it and the binder had finished, whatever it said before', async () => {
      const claim = await scene.makeClaim('dtc', { targetName: 'dt' }, { isComplete: true });
      await scene.makeTarget('dt', { claimRef: { name: 'dtc', uid: claim.uid }, phase: 'Available' });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Bound', claim: { name: 'dtc', uid: claim.uid } });
    });

    it('that was Bound and names nobody any more is Released, never Available', async () => {
      await scene.makeTarget('dt', { phase: 'Bound' });
      await world.settle();

      expect((await scene.target('dt'))?.phase).toBe('Released');
      expect(await reasons('dt')).toEqual(['Available False Released']);
    });

    it('case A, case C, AT-03 is Released and lets go of its claim when that is gone, where it has no class', async () => {
      await scene.makeTarget('dt', { phase: 'Bound', claimRef: { name: 'gone', uid: 'a-uid-of-before' } });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('case C, AT-03 is Released and lets go of its claim when that is gone, where its class says Retain', async () => {
      const className = await scene.makeClass('Retain');
      await scene.makeTarget('dt', { className, phase: 'Bound', claimRef: { name: 'gone', uid: 'a-uid-of-before' } });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('case A is Released and goes on naming its claim where its class says Delete and a person made it', async () => {
      const className = await scene.makeClass('Delete');
      const claimRef = { name: 'gone', uid: 'a-uid-of-before' };
      await scene.makeTarget('dt', { className, phase: 'Bound', claimRef });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: claimRef });
    });

    it('case A is Released when its claim was deleted and made again under the same name', async () => {
      const claim = await scene.makeClaim('dtc', { targetName: 'somewhere-else' });
      await scene.makeTarget('dt', { phase: 'Bound', claimRef: { name: 'dtc', uid: `not-${claim.uid}` } });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: undefined });
    });

    it('says in the words of the reference that its class is no help, and goes on when there is another', async () => {
      const className = await scene.makeClass('Recycle');
      await scene.makeTarget('dt', { className, phase: 'Bound', claimRef: { name: 'gone', uid: 'a-uid-of-before' } });
      await world.settle();

      const target = await scene.target('dt');
      expect(target).toMatchObject({ phase: 'Released', claim: { name: 'gone' } });
      expect(target?.said.find(({ type }) => type === 'ErrorOccurred')).toMatchObject({
        status: 'True',
        reason: 'ErrorOccurred',
        message: 'unexpected reclaim policy value on DeploymentTargetClass',
      });
      await scene.patchTarget('dt', { spec: { deploymentTargetClassName: await scene.makeClass('Retain') } });
      await world.settle();
      expect((await scene.target('dt'))?.claim).toBeUndefined();
      expect(await reasons('dt')).toContain('ErrorOccurred False Success');
    });

    it('waits for its class where that does not exist, and looks again', async () => {
      const claimRef = { name: 'gone', uid: 'a-uid-of-before' };
      await scene.makeTarget('dt', { className: 'never-was', phase: 'Bound', claimRef });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Released', claim: claimRef });
      const [waits] = await world.sql`select reason from wakeup where function = 'bind-target'
        and subject = ${`${scene.namespace}/dt`}`;
      expect(waits).toMatchObject({ reason: 'ClassNotFound' });
    });

    it('that the binder kept for a claim which went before it took it is free again', async () => {
      await scene.makeTarget('dt', { phase: 'Available', claimRef: { name: 'gone', uid: 'a-uid-of-before' } });
      await world.settle();

      expect(await scene.target('dt')).toMatchObject({ phase: 'Available', claim: undefined });
    });

    it('that is Failed, or is being deleted, is left as it is', async () => {
      const claimRef = { name: 'gone', uid: 'a-uid-of-before' };
      await scene.makeTarget('failed', { phase: 'Failed', claimRef });
      await scene.makeTarget('going', { phase: 'Bound', claimRef, finalizers: ['somebody.example/holds-it'] });
      world.queue.sent.splice(0);
      await scene.removeTarget('going');
      await scene.lookAgain('failed');

      expect(await scene.target('failed')).toMatchObject({ phase: 'Failed', claim: claimRef, said: [] });
      expect(await scene.target('going')).toMatchObject({ phase: 'Bound', claim: claimRef, said: [] });
      await scene.patchTarget('going', { metadata: { finalizers: null } });
      await world.settle();
    });

    it('is made Available again by an operator who recycles it, and believed', async () => {
      await scene.makeTarget('dt', { phase: 'Bound' });
      await world.settle();
      const key = { namespace: scene.namespace, name: 'dt' };
      await world.cluster.patch(targets, key, { status: { phase: 'Available' } }, { subresource: 'status' });
      await world.settle();

      expect((await scene.target('dt'))?.phase).toBe('Available');
      expect(await reasons('dt')).toEqual(['Available True Available']);
    });

    it('is not written a second time where nothing has changed', async () => {
      await scene.makeTarget('dt', { claimRef: { name: 'coming' } });
      await scene.makeTarget('bare', { access: nowhere });
      await world.settle();
      const before = await Promise.all([scene.target('dt'), scene.target('bare')]);
      const rows = await world.sql`select xmin, * from deployment_target order by id`;
      world.connection.asked.splice(0);

      await scene.lookAgain('dt');
      await scene.lookAgain('bare');

      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await Promise.all([scene.target('dt'), scene.target('bare')])).toEqual(before);
      expect(await world.sql`select xmin, * from deployment_target order by id`).toEqual(rows);
    });

    it('is remembered, and forgotten when it is gone', async () => {
      const { uid } = await scene.makeTarget('dt');
      await world.settle();
      expect(await world.sql`select name, free from deployment_target where id = ${uid}`).toMatchObject([
        { name: 'dt', free: true },
      ]);

      await scene.removeTarget('dt');
      await world.settle();

      expect(await world.sql`select from deployment_target where namespace = ${scene.namespace}`).toHaveLength(0);
    });

    it('that was made again under the same name is another one', async () => {
      await scene.makeTarget('dt', { claimRef: { name: 'coming' } });
      await world.settle();
      await scene.removeTarget('dt');
      const { uid } = await scene.makeTarget('dt');
      await world.settle();

      expect(
        await world.sql`select id, claim_name from deployment_target where namespace = ${scene.namespace}`,
      ).toMatchObject([{ id: uid, claim_name: null }]);
    });
  });
}
