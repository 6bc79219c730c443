import { afterAll, beforeAll, expect, it } from 'vitest';
import { promotionRuns, snapshots } from '../../../shared/contracts/kubernetes/kinds.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld, type ReleaseWorld } from '../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './suites/promotion-scene.ts';

describeWithGit('what a promotion says of itself', () => {
  let world: ReleaseWorld;
  let scene: PromotionScene;
  beforeAll(async () => {
    world = await openReleaseWorld();
    scene = await openPromotionScene(world);
    await scene.application('shop');
    await scene.environments('development');
    await scene.settle();
    await scene.component('web', 'registry.example.com/shop/web:1');
  });
  afterAll(() => world?.close());

  it('is no news to the function that said it: its own write wakes it for nothing', async () => {
    const ran = await world.settle();

    const [run] = await scene.runs();
    expect(run?.status?.waiting?.reason).toBe('NotReported');
    const looks = ran.filter((one) => one.function === 'start-promotion');
    expect(looks.map(({ outcome }) => outcome.kind)).toEqual(['stepped', ...looks.slice(1).map(() => 'coalesced')]);
    expect(looks.length).toBeGreaterThan(1);
    // A knock with a version is of a write to the run. That it was made is one: it may come before the one who made it knocks.
    const woken = await world.sql`select data from step_log
      where function = 'advance-promotion' and outcome = 'stepped' and data ? 'version'`;
    expect(woken.length).toBeLessThanOrEqual(1);
  });

  it('is looked at where somebody else has written to it', async () => {
    const [run] = await scene.runs();
    const key = { namespace: scene.namespace, name: run?.metadata.name ?? '' };
    const metadata = { annotations: { 'stagecoach.dev/reconcile-at': 'now' } };

    await world.cluster.patch(promotionRuns, key, { metadata });
    await world.cluster.patch(snapshots, { ...key, name: run?.spec.snapshot ?? '' }, { metadata });
    const ran = await world.settle();

    expect(ran.filter(({ outcome }) => outcome.kind === 'stepped').map((one) => one.function)).toEqual(
      expect.arrayContaining(['advance-promotion', 'start-promotion']),
    );
  });

  it('ends with the run that is deleted while the word of Argo CD is on its way', async () => {
    const [run] = await scene.runs();
    const key = { namespace: scene.namespace, name: run?.metadata.name ?? '' };
    await scene.argoSays('development');
    await world.cluster.remove(promotionRuns, key);
    await world.settle();

    const rows = await world.sql`select state, result from promotion where name = ${key.name}`;
    expect(rows.map(({ state, result }) => `${state} ${result}`)).toEqual(['Completed Deleted']);
  });
});
