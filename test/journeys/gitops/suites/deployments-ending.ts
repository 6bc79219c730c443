import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply } from '../../../../functions/reconcile-gitops-deployment/apply.ts';
import { observe } from '../../../../functions/reconcile-gitops-deployment/observe.ts';
import { gitOpsDeployments, namespaces } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { decideDeployment } from '../../../../shared/domain/gitops/decide-deployment.ts';
import { deploymentFinalizer } from '../../../../shared/domain/gitops/deployment.ts';
import { Conflict } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';

const foreign = 'test.stagecoach.dev/hold';

/** How a GitOpsDeployment goes: with and without its finalizer, with its namespace, and at bad moments. */
export function describeDeploymentsEnding(open: () => Promise<GitOpsWorld>): void {
  describe('the end of a GitOpsDeployment', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
    });
    afterAll(() => world.close());

    const held = () => ({ finalizers: [deploymentFinalizer] });
    const signal = () => AbortSignal.timeout(10_000);

    it('RD-05 RT-15 with the finalizer the object stays until Argo CD is done, and then goes', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', {}, held());
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      await steps.remove(team.name, 'shop');
      const rows = await steps.mappings(team.name, 'shop');
      const whileUnderWay = await steps.read(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      expect(rows).toEqual([]);
      expect(whileUnderWay?.metadata.finalizers).toEqual([deploymentFinalizer]);
      expect(await steps.read(team.name, 'shop')).toBeUndefined();
    });

    it('defect 1: without the finalizer the object goes at once and the clean-up is not forgotten', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      await steps.unnoticed.remove(gitOpsDeployments, { namespace: team.name, name: 'shop' });
      const before = await steps.application(metadata.uid);

      await steps.look(team.name, 'shop');

      expect(before).toBeDefined();
      expect(await steps.application(metadata.uid)).toBeUndefined();
      expect(await steps.operations(metadata.uid)).toMatchObject([{ state: 'Completed' }, { state: 'Waiting' }]);
    });

    it('AL-09 AL-14 one that waited for something and is gone wakes nobody any more, a late event finds nothing, and a new one of its name is taken up', async () => {
      const team = await world.namespace();
      const wakeups = () => world.sql`select reason from wakeup where subject = ${`${team.name}/shop`}`;
      const first = await steps.create(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', first.metadata.uid, 'Completed');
      await steps.change(team.name, 'shop', { spec: { destination: { environment: 'nowhere', namespace: 'shop' } } });
      const waited = await wakeups();

      await steps.remove(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', first.metadata.uid, 'Completed');
      const left = await wakeups();
      const gone = await steps.rows();
      const late = await steps.look(team.name, 'shop');
      const after = await steps.rows();
      const second = await steps.create(team.name, 'shop');

      expect(waited).toHaveLength(1);
      expect(left).toEqual([]);
      expect(late).toEqual([{ kind: 'stepped', next: 'settled', effects: 0 }]);
      expect(after).toEqual(gone);
      expect((await steps.mappings(team.name, 'shop')).map(({ id }) => id)).toEqual([second.metadata.uid]);
    });

    it('held by a finalizer of somebody else: it is cleaned up as if it were gone, and the finalizer is left alone', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', {}, { finalizers: [foreign] });

      await steps.remove(team.name, 'shop');
      const left = await steps.read(team.name, 'shop');
      await steps.change(team.name, 'shop', { metadata: { finalizers: [] } });

      expect(await steps.application(metadata.uid)).toBeUndefined();
      expect(left?.metadata.finalizers).toEqual([foreign]);
    });

    it('both finalizers: only ours is taken away', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', {}, { finalizers: [foreign, deploymentFinalizer] });

      await steps.remove(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      const left = await steps.read(team.name, 'shop');
      await steps.change(team.name, 'shop', { metadata: { finalizers: [] } });

      expect(left?.metadata.finalizers).toEqual([foreign]);
    });

    it('RD-06 the rows were removed by somebody else: the finalizer goes all the same', async () => {
      const team = await world.namespace();
      await steps.unnoticed.create(gitOpsDeployments, {
        metadata: { namespace: team.name, name: 'shop', ...held() },
        spec: { source: { repoURL: 'https://example.com/a', path: 'a' }, type: 'manual' },
      });

      await steps.remove(team.name, 'shop');

      expect(await steps.read(team.name, 'shop')).toBeUndefined();
    });

    it('RT-18 somebody wrote first: it looks again and takes the finalizer away', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', {}, held());
      await steps.remove(team.name, 'shop');
      let conflicts = 0;
      world.connection.trouble = ({ method }, when) => {
        if (method !== 'PATCH' || when !== 'before' || conflicts > 0) return undefined;
        conflicts += 1;
        return new Conflict('the object has been modified');
      };

      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      world.connection.trouble = undefined;

      expect(conflicts).toBe(1);
      expect(await steps.read(team.name, 'shop')).toBeUndefined();
    });

    it('RT-17 the object went between the look and the write: nothing is wrong', async () => {
      const team = await world.namespace();
      await steps.unnoticed.create(gitOpsDeployments, {
        metadata: { namespace: team.name, name: 'shop', finalizers: [deploymentFinalizer, foreign] },
        spec: { source: { repoURL: 'https://example.com/a', path: 'a' }, type: 'manual' },
      });
      const key = { namespace: team.name, name: 'shop' };
      await steps.unnoticed.remove(gitOpsDeployments, key);
      const seen = await observe(key, world.world, signal());
      const step = decideDeployment(seen, { now: 0 });
      await steps.unnoticed.patch(gitOpsDeployments, key, { metadata: { finalizers: [] } });

      await apply(seen, step, world.world, signal());

      expect(step.effects).toEqual([{ do: 'remove-finalizer' }]);
      expect(await steps.read(team.name, 'shop')).toBeUndefined();
    });

    it('defect 26: a deletion that failed keeps the object, says why, and is tried again', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', {}, held());
      await steps.remove(team.name, 'shop');

      await steps.endOperations(team.name, 'shop', metadata.uid, 'Failed', 'Argo CD cannot reach the cluster');
      const said = await steps.conditions(team.name, 'shop');
      await world.sql`update wakeup set deadline = now() where subject = ${`${team.name}/shop`}`;
      await steps.look(team.name, 'shop');
      const operations = await steps.operations(metadata.uid);
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      expect(said).toMatchObject([{ status: 'True', message: 'Argo CD cannot reach the cluster' }]);
      expect(operations.map(({ state }) => state)).toEqual(['Failed', 'Waiting']);
      expect(operations[1]?.owner_user_id).toBe(team.uid);
      expect(await steps.read(team.name, 'shop')).toBeUndefined();
    });

    it('RD-12 in a namespace that is being deleted nothing is stored', async () => {
      const team = await world.namespace();
      const key = { namespace: team.name, name: 'shop' };
      await steps.unnoticed.create(gitOpsDeployments, {
        metadata: { ...key, finalizers: [foreign] },
        spec: { source: { repoURL: 'https://example.com/a', path: 'a' }, type: 'manual' },
      });
      await steps.unnoticed.remove(namespaces, { namespace: '', name: team.name });

      await steps.look(team.name, 'shop');

      expect(await steps.mappings(team.name, 'shop')).toEqual([]);
      expect(await world.sql`select from cluster_user where id = ${team.uid}`).toHaveLength(0);
      expect(await steps.conditions(team.name, 'shop')).toEqual([]);
      await steps.unnoticed.patch(gitOpsDeployments, key, { metadata: { finalizers: [] } });
    });

    it('defect 36: gone with its namespace, it is cleaned up', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      await steps.unnoticed.remove(gitOpsDeployments, { namespace: team.name, name: 'shop' });
      await steps.unnoticed.remove(namespaces, { namespace: '', name: team.name });

      const outcomes = await steps.look(team.name, 'shop');

      expect(outcomes).toMatchObject([{ kind: 'stepped', next: 'settled' }]);
      expect(await steps.application(metadata.uid)).toBeUndefined();
      expect(await steps.operations(metadata.uid)).toMatchObject([{ state: 'Completed' }, { state: 'Waiting' }]);
    });
  });
}
