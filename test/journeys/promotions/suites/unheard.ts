import { describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  namespaces,
  promotionRuns,
  serviceAccounts,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { foundAbout, keepKnocks, runPass } from '../../gitops/suites/drift-pass.ts';
import { inPromotionScenes, type TimedScene, untilFreshSecond } from './promotion-scene.ts';

/** Older than what a pass leaves to whoever is at it. */
const aWhile = 120;

/** Runs and Snapshots that nobody was told of, and a home that goes. */
export function describeUnheard(open: () => Promise<ReleaseWorld>): void {
  describe('what nobody was told about promotions', () => {
    let scene: TimedScene;
    /** Whose writes nobody hears of. */
    let silent: Cluster;
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      silent = openCluster({ connection: scene.world.bare });
      await scene.shop('web');
      await scene.environments('dev', 'staging manual');
      await scene.settle();
    });

    const key = (name: string) => ({ namespace: scene.namespace, name });
    const spec = { application: 'shop', components: [{ name: 'web', containerImage: 'quay.io/shop/web:1' }] };

    /** A pass some time later, and everybody whom it told; what it found about this test's namespace. */
    async function pass(): Promise<string[]> {
      await scene.pass(aWhile);
      const report = await runPass(scene.world);
      keepKnocks(scene.world, scene.namespace);
      await scene.settle();
      return foundAbout(report, scene.namespace);
    }

    it('a Snapshot is found, and promoted', async () => {
      await silent.create(snapshots, { metadata: key('one'), spec });

      expect(await pass()).toEqual([`ResourceWithoutRows ${scene.namespace}/one`]);

      const [run] = await scene.runs();
      expect(await scene.stands(run?.metadata.name ?? '')).toBe('Active, 1 dev in-progress');
      expect(await pass()).toEqual([]);
    });

    it('a Snapshot of no Application is known to be for people to promote', async () => {
      await scene.snapshot('loose', { web: 'quay.io/shop/web:1' }, '');
      await scene.settle();

      expect(await scene.saidOf('loose')).toBe(
        'False NoApplication: It belongs to no Application: create a PromotionRun to promote it',
      );
      expect(await pass()).toEqual([]);
    });

    it('a Snapshot that is being deleted for long does not stand before one that stays', async () => {
      const leaving = { ...key('leaving'), finalizers: ['example.com/kept'] };
      await silent.create(snapshots, { metadata: key('staying'), spec });
      await untilFreshSecond();
      await silent.create(snapshots, { metadata: leaving, spec });
      await silent.remove(snapshots, key('leaving'));

      await pass();

      expect(await scene.saidOf('staying')).toMatch(/^True Started/);
      await silent.patch(snapshots, key('leaving'), { metadata: { finalizers: null } });
    });

    it('a run is found, and has its turn', async () => {
      await silent.create(snapshots, { metadata: key('one'), spec: { ...spec, application: 'shop' } });
      await silent.create(promotionRuns, {
        metadata: key('a'),
        spec: { application: 'shop', snapshot: 'one', manualPromotion: { targetEnvironment: 'staging' } },
      });

      expect(await pass()).toEqual(['a', 'one'].map((name) => `ResourceWithoutRows ${scene.namespace}/${name}`));

      expect((await scene.run('a')).status?.state).toBe('Active');
    });

    it('a run that was deleted makes way for the next', async () => {
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.settle();
      const [first] = await scene.runs();
      await scene.promote('z', 'one', 'staging');
      await scene.settle();
      await silent.remove(promotionRuns, key(first?.metadata.name ?? ''));

      // Whoever waits looks by itself whether the one before it is still there.
      await scene.pass(60);

      expect(await scene.stands('z')).toBe('Active, 1 staging in-progress');
    });

    it('a run that has ended is not looked at again', async () => {
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.settle();
      await scene.deploys('dev');

      expect(await pass()).toEqual([]);
    });

    it('in a namespace that is being deleted nothing is begun, and nobody waits any more', async () => {
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.settle();
      const [run] = await scene.runs();
      const name = run?.metadata.name ?? '';
      // Keeps the namespace from going in this very moment.
      const keeper = { metadata: { ...key('keeper'), finalizers: ['example.com/stay'] } };
      await silent.create(serviceAccounts, keeper);
      await silent.remove(namespaces, { namespace: '', name: scene.namespace });

      scene.world.knock('snapshot.changed.v1', key('one'));
      scene.world.knock('promotion.changed.v1', { ...key(name), application: 'shop' });
      const ran = await scene.world.settle();
      await scene.pass(3_600);

      expect(ran.filter(({ outcome }) => !['stepped', 'skipped', 'coalesced'].includes(outcome.kind))).toEqual([]);
      expect(scene.world.queue.buried).toEqual([]);
      const waits = await scene.world
        .sql`select subject from wakeup where function like '%promotion' and tenant = ${scene.namespace}`;
      expect([...waits]).toEqual([]);

      await silent.patch(serviceAccounts, key('keeper'), { metadata: { finalizers: null } });
    });
  });
}
