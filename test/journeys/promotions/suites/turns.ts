import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  bindings,
  components,
  environments,
  promotionRuns,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inPromotionScenes, openPromotionScene, type TimedScene, untilFreshSecond } from './promotion-scene.ts';

/** An API server tells the time of a creation in whole seconds. */
const anotherSecondMs = 1_050;

/** One run at a time for an application; the others wait in the order in which they were made. */
export function describeTurns(open: () => Promise<ReleaseWorld>): void {
  describe('the line of an application', () => {
    let scene: TimedScene;
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      await scene.shop('web');
      await scene.environments('dev manual', 'staging manual', 'prod manual');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.settle();
    });

    const state = async (...names: string[]): Promise<(string | undefined)[]> =>
      Promise.all(names.map(async (name) => (await scene.run(name)).status?.state));

    it('AP-05 lets one run be active, and the others say for whom they wait, since when and until when', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.promote('b', 'one', 'staging');
      await scene.settle();

      expect(await state('a', 'b')).toEqual(['Active', 'Waiting']);
      expect(await scene.waits('b')).toBe(
        'AnotherPromotionActive for 86400 s: PromotionRun a of application shop goes first',
      );
      expect(await scene.condition('b', 'Promoted')).toBe(
        'Unknown AnotherPromotionActive: PromotionRun a of application shop goes first',
      );
      expect(await scene.bound()).toEqual({ dev: 'one' });
    });

    it('goes by the time of creation first, whatever the names and whoever is heard of first', async () => {
      await scene.promote('m', 'one', 'dev');
      await pause(anotherSecondMs);
      await scene.promote('z', 'one', 'staging');
      await pause(anotherSecondMs);
      await scene.promote('a', 'one', 'prod');
      scene.world.queue.sent.reverse();
      await scene.settle();
      expect(await state('m', 'z', 'a')).toEqual(['Active', 'Waiting', 'Waiting']);

      await scene.deploys('dev');
      expect(await state('m', 'z', 'a')).toEqual(['Completed', 'Active', 'Waiting']);

      await scene.deploys('staging');
      expect(await state('m', 'z', 'a')).toEqual(['Completed', 'Completed', 'Active']);
    });

    it('goes by the names of those that were made in the same second', async () => {
      await untilFreshSecond();
      for (const [name, to] of Object.entries({ c: 'prod', b: 'staging', a: 'dev' }))
        await scene.promote(name, 'one', to);
      const times = new Set((await scene.runs()).map(({ metadata }) => metadata.creationTimestamp));
      expect(times.size).toBe(1);
      await scene.settle();

      expect(await state('a', 'b', 'c')).toEqual(['Active', 'Waiting', 'Waiting']);
      await scene.deploys('dev');
      expect(await state('a', 'b', 'c')).toEqual(['Completed', 'Active', 'Waiting']);
    });

    it('ends with the newest of several states that are built in one second, whatever they are called', async () => {
      const { cluster } = scene.world;
      await scene.application('bank');
      await scene.environment('auto');
      await untilFreshSecond();
      const built = ['a', 'b', 'c', 'd', 'e'];
      for (const name of built) {
        await scene.component(name, `quay.io/bank/${name}:1`, {}, 'bank');
        await scene.settle();
      }
      const ofBank = ({ spec }: { readonly spec: { readonly application: string } }) => spec.application === 'bank';
      for (let open = true; open; ) {
        await scene.deploys('auto');
        open = (await scene.runs()).filter(ofBank).some(({ status }) => status?.state !== 'Completed');
      }

      const [bound] = (await listObjects(cluster, bindings, scene.namespace)).filter(ofBank);
      const newest = await cluster.read(snapshots, { namespace: scene.namespace, name: bound?.spec.snapshot ?? '' });
      expect(newest?.spec.components.map(({ name }) => name)).toEqual(built);
    });

    it('goes back by itself to a state whose images are built again', async () => {
      const { cluster } = scene.world;
      const key = { namespace: scene.namespace, name: 'vault' };
      await scene.application('bank');
      await scene.environment('auto');
      await scene.component('vault', 'quay.io/bank/vault:1', {}, 'bank');
      await scene.settle();
      await scene.deploys('auto');
      const [first] = (await listObjects(cluster, bindings, scene.namespace)).filter(
        ({ spec }) => spec.environment === 'auto' && spec.application === 'bank',
      );
      for (const build of [2, 1]) {
        await cluster.patch(components, key, { spec: { containerImage: `quay.io/bank/vault:${build}` } });
        await scene.settle();
        await scene.deploys('auto');
      }

      const ended = (await scene.runs()).filter(({ spec }) => spec.application === 'bank');
      expect(ended.map(({ status }) => status?.completionResult)).toEqual(['Success', 'Success', 'Success']);
      const after = await scene.read(first?.metadata.name ?? '');
      expect(after.spec.snapshot).toBe(first?.spec.snapshot);
      expect(await scene.saidOf(first?.spec.snapshot ?? '')).toMatch(/^True Started: PromotionRun bank-000003-/);
    });

    it('AP-03 AP-04 is not held up by runs that have ended, nor by another application or namespace', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.application('bank');
      await scene.component('vault', 'quay.io/bank/vault:1', {}, 'bank');
      await scene.snapshot('gold', { vault: 'quay.io/bank/vault:1' }, 'bank');
      await scene.promote('other', 'gold', 'dev', 'bank');
      await scene.settle();
      expect(await state('a', 'other')).toEqual(['Active', 'Active']);

      const elsewhere = await openPromotionScene(scene.world);
      await elsewhere.shop('web');
      await elsewhere.environments('dev manual');
      await elsewhere.snapshot('one', { web: 'quay.io/shop/web:1' });
      await elsewhere.promote('a', 'one', 'dev');
      await elsewhere.settle();
      expect(await elsewhere.stands('a')).toBe('Active, 1 dev in-progress');

      await scene.deploys('dev');
      await scene.promote('b', 'one', 'staging');
      await scene.settle();
      expect(await state('a', 'other', 'b')).toEqual(['Completed', 'Completed', 'Active']);
    });

    it('AP-02 leaves a run that has ended as it is, whatever Argo CD says later', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      const { metadata } = await scene.run('a');

      await scene.argoSays('dev', { sync: 'OutOfSync', health: 'Degraded' });
      scene.world.knock('promotion.changed.v1', { namespace: scene.namespace, name: 'a', application: 'shop' });
      await scene.pass(3_600);

      expect((await scene.run('a')).metadata.resourceVersion).toBe(metadata.resourceVersion);
      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
    });

    it('AP-01 has nothing to do for a run that is not there', async () => {
      scene.world.knock('promotion.changed.v1', { namespace: scene.namespace, name: 'nobody', application: 'shop' });

      expect(await scene.settle()).toMatchObject([{ outcome: { kind: 'stepped', effects: 0 } }]);
    });

    it('closes up when a run is deleted that waits', async () => {
      for (const [name, to] of Object.entries({ a: 'dev', b: 'staging', c: 'prod' }))
        await scene.promote(name, 'one', to);
      await scene.settle();
      await remove('b');

      await scene.deploys('dev');

      expect(await state('a', 'c')).toEqual(['Completed', 'Active']);
      expect(await rows()).toEqual({ a: 'Completed Success', b: 'Completed Deleted', c: 'Active ' });
    });

    it('goes on with the next when the active run is deleted; what it has brought stays', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.promote('b', 'one', 'staging');
      await scene.settle();

      await remove('a');

      expect(await state('b')).toEqual(['Active']);
      expect(await scene.bound()).toEqual({ dev: 'one', staging: 'one' });
      expect(await rows()).toEqual({ a: 'Completed Deleted', b: 'Active ' });
      // What was under way has ended with it, and nobody says anything else of it.
      expect(
        await scene.world.sql`select p.message, s.status, s.reason, s.ended_at is not null as has_ended
          from promotion p join promotion_step s on s.promotion_id = p.id
          where p.namespace = ${scene.namespace} and p.name = 'a'`,
      ).toEqual([{ message: '', status: 'failed', reason: 'Deleted', has_ended: true }]);
    });

    it('tells a run its end again that has forgotten it, and nothing is done twice nor kept waiting', async () => {
      const key = { namespace: scene.namespace, name: 'a' };
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      const told = (await scene.run('a')).status;
      expect(told?.completionResult).toBe('Success');

      // As a cluster that was brought back to an earlier state would have it.
      const status = { state: 'Active', completionResult: null, completionTime: null, environmentStatus: [] };
      await scene.world.cluster.patch(promotionRuns, key, { status }, { subresource: 'status' });
      await scene.promote('b', 'one', 'staging');
      await scene.settle();

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      expect((await scene.run('a')).status?.environmentStatus).toEqual(told?.environmentStatus);
      expect(await scene.stands('b')).toBe('Active, 1 staging in-progress');
      expect(await rows()).toEqual({ a: 'Completed Success', b: 'Active ' });
    });

    it('remembers of a run what it told at its end, where whoever told it died before that was written down', async () => {
      const key = { namespace: scene.namespace, name: 'a' };
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.argoSays('dev', { health: 'Degraded', message: 'CrashLoopBackOff' });
      await scene.settle();
      await scene.pass(305);
      await scene.world
        .sql`update promotion set state = 'Active', result = '', reason = '', message = '', completed_at = null
        where namespace = ${scene.namespace}`;

      const metadata = { annotations: { 'stagecoach.dev/reconcile-at': 'now' } };
      await scene.world.cluster.patch(promotionRuns, key, { metadata });
      await scene.settle();

      const [row] = await scene.world.sql`select state, result, reason, message from promotion
        where namespace = ${scene.namespace}`;
      expect(row).toMatchObject({ state: 'Completed', result: 'Failure', reason: 'NotHealthy' });
      expect(row?.['message']).toMatch(/^dev: Component web is Degraded at commit \w+: CrashLoopBackOff$/);
    });

    it('takes a run that is made again under the name of a deleted one for a new one', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      const { metadata } = await scene.run('a');
      // Nobody hears that the first one went.
      await scene.world.cluster.remove(promotionRuns, { namespace: scene.namespace, name: 'a' });
      scene.world.queue.sent.length = 0;

      await scene.promote('a', 'one', 'staging');
      await scene.settle();

      expect(await scene.stands('a')).toBe('Active, 1 staging in-progress');
      expect((await scene.run('a')).metadata.uid).not.toBe(metadata.uid);
      await scene.deploys('dev', 'staging');
      expect(await scene.stands('a')).toBe('Completed, Success, 1 staging success');
    });

    it('brings the snapshot that there is now, where snapshot and run are made again under their names', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      const before = await scene.told('a', 'dev');
      await scene.world.cluster.remove(snapshots, { namespace: scene.namespace, name: 'one' });
      await remove('a');

      await scene.snapshot('one', { web: 'quay.io/shop/web:2' });
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      const { commit } = await scene.told('a', 'dev');
      expect(commit).not.toBe(before.commit);
      expect(Object.values(await scene.files()).join('\n')).toContain('newTag: "2"');
    });

    it('fails where its snapshot is made again under its name before it has come to its end', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.world.cluster.remove(snapshots, { namespace: scene.namespace, name: 'one' });
      await scene.snapshot('one', { web: 'quay.io/shop/web:2' });
      await scene.settle();
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.condition('a', 'Promoted')).toBe(
        'False SnapshotReplaced: dev: Snapshot one was deleted and made again since this promotion was asked for: create another PromotionRun for it',
      );
    });

    it('goes nowhere by itself with a snapshot that was made again under the name of the one that a person had let through', async () => {
      await scene.environments('next<dev');
      await scene.snapshot('two', { web: 'quay.io/shop/web:1' });
      await scene.promote('m', 'one', 'dev');
      await scene.settle();
      await scene.promote('b', 'two', 'staging');
      await scene.settle();
      await scene.deploys('dev');
      const [follower] = (await scene.runs()).filter(({ metadata }) => !['b', 'm'].includes(metadata.name));
      const name = follower?.metadata.name ?? '';
      expect(await state('m', 'b', name)).toEqual(['Completed', 'Active', 'Waiting']);

      await scene.world.cluster.remove(snapshots, { namespace: scene.namespace, name: 'one' });
      await scene.snapshot('one', { web: 'quay.io/shop/web:2' });
      await scene.settle();
      await scene.deploys('staging');

      expect(await scene.stands(name)).toBe('Completed, Failure');
      expect(await scene.condition(name, 'Promoted')).toMatch(/^False SnapshotReplaced: Snapshot one was deleted/);
      expect(await scene.bound()).not.toHaveProperty('next');
    });

    it('waits for as long as the run before it may take, and has its turn then', async () => {
      const key = { namespace: scene.namespace, name: 'dev' };
      await scene.world.cluster.patch(environments, key, { spec: { promotion: { stepDeadline: '48h' } } });
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.promote('b', 'one', 'staging');
      await scene.settle();

      await scene.leap(47.5 * 3_600);
      expect(await state('a', 'b')).toEqual(['Active', 'Waiting']);

      await scene.pass(1_860);
      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.stands('b')).toBe('Active, 1 staging in-progress');
    });

    async function remove(name: string): Promise<void> {
      await scene.world.cluster.remove(promotionRuns, { namespace: scene.namespace, name });
      await scene.settle();
    }

    async function rows(): Promise<Record<string, string>> {
      const found = await scene.world.sql<{ name: string; state: string; result: string }[]>`
        select name, state, result from promotion where namespace = ${scene.namespace}`;
      return Object.fromEntries(found.map(({ name, state: is, result }) => [name, `${is} ${result}`]));
    }
  });
}
