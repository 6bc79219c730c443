import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import type { Explanation } from '../../scripts/ops/explain.ts';
import { outlookOf } from '../../scripts/ops/promotion-outlook.ts';
import { renderExplain } from '../../scripts/ops/render-explain.ts';
import { environments, promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import type { KeptRun } from '../../shared/ports/promotion-rows.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';
import { aShop, openPromotionContext, refuseFollower } from './promotion-world.ts';
import { plain } from './world.ts';

let world: GitOpsWorld;
let scene: PromotionScene;
let context: Context;
beforeAll(async () => {
  world = await openGitOpsWorld();
  scene = openPromotionScene(world.sql);
  context = openPromotionContext(world).context;
});
afterAll(() => world.close());

/** The lines of an explanation of the run `friday`. */
async function explained(namespace: string, but: Partial<Explanation> = {}): Promise<readonly string[]> {
  const key = { namespace, name: 'friday' };
  const promotion = (await outlookOf(context, key)) ?? null;
  const subject = `${namespace}/${key.name}`;
  const now = '2026-01-01T12:00:00Z';
  return renderExplain({ of: 'PromotionRun', subject, promotion, functions: [], now, ...but }, plain).split('\n');
}

describe('of a promotion to staging that has ended well, an explanation', () => {
  let namespace: string;
  let friday: KeptRun;
  beforeEach(async () => {
    namespace = await aShop(world);
    const { metadata } = await world.cluster.create(promotionRuns, {
      metadata: { namespace, name: 'friday' },
      spec: { application: 'shop', snapshot: 's1', manualPromotion: { targetEnvironment: 'staging' } },
    });
    friday = await scene.aRun(namespace, 'friday', { uid: metadata.uid, beginsIn: ['staging'] });
    await scene.takesTurn(friday);
    await scene.step(friday, 'staging', { status: 'success', reason: 'Promoted', ended: friday.created });
    await scene.ends(friday, 'Success', friday.created);
  });

  async function next(): Promise<readonly string[]> {
    const lines = (await explained(namespace)).filter((line) => line.startsWith('  next'));
    return lines.map((line) => line.replace(/^ +next +/, ''));
  }

  const promote = (to: string): string =>
    `to go on to ${to}: npm run ops -- promote ${namespace}/shop --snapshot s1 --to ${to}`;

  it('says why the run that should follow was refused, and how to go on', async () => {
    const message = 'The PromotionRun for the environments that follow was refused: exceeded quota: promotionruns';
    await refuseFollower(world, friday, message);

    expect(await next()).toEqual([message, promote('prod-1')]);
  });

  it('says what comes behind where nothing went on to it by itself', async () => {
    await world.cluster.create(environments, {
      metadata: { namespace, name: 'perf' },
      spec: { displayName: 'perf', parentEnvironment: 'staging', deploymentStrategy: 'AppStudioAutomated' },
    });

    expect(await next()).toEqual([
      'perf and prod-1 come behind, and there is no PromotionRun that went on to them by itself',
      promote('perf'),
      promote('prod-1'),
    ]);
  });

  it('says that nothing comes behind where nothing does', async () => {
    await world.cluster.remove(environments, { namespace, name: 'prod-1' });

    expect(await next()).toEqual(['nothing: no Environment comes behind']);
  });

  it.each([
    ['is gone', true, false],
    ['and the one that followed it are gone', true, true],
    ['is there and the one that followed it is gone', false, true],
  ])('names the one that followed where the PromotionRun itself %s', async (_what, isGone, isFollowerGone) => {
    const follower = { namespace, name: followerName(friday) };
    const { metadata } = await world.cluster.create(promotionRuns, {
      metadata: follower,
      spec: { application: 'shop', snapshot: 's1', automatedPromotion: { initialEnvironments: ['prod-1'] } },
    });
    await scene.aRun(namespace, follower.name, { uid: metadata.uid, isAutomated: true, beginsIn: ['prod-1'] });
    if (isGone) await world.cluster.remove(promotionRuns, friday);
    if (isFollowerGone) await world.cluster.remove(promotionRuns, follower);

    expect(await next()).toEqual([
      `PromotionRun ${follower.name} goes on: npm run ops -- explain PromotionRun ${namespace}/${follower.name}`,
    ]);
  });
});

describe('an explanation', () => {
  const forged = 'too late\n  next         all is well';

  it('shows what a tenant wrote in one line each, so that it looks like none of ours', async () => {
    const namespace = await aShop(world);
    const friday = await scene.aRun(namespace, 'friday', { beginsIn: ['staging'], cause: `Snapshot ${forged}` });
    await scene.takesTurn(friday);
    await scene.step(friday, 'staging', { message: forged });
    const wait = { reason: 'NotHealthy', message: forged, deadlineSeconds: 60 };
    const functions: Explanation['functions'] = [
      {
        function: 'advance-promotion',
        impact: 'none',
        subject: `${namespace}/friday`,
        wokenBy: [],
        step: {
          state: 'decided',
          effects: [],
          conditions: [],
          knocks: [],
          next: { kind: 'recheck', afterSeconds: 1, wait },
        },
        serialKey: 'promotion',
        lastSteps: [],
      },
    ];

    const lines = await explained(namespace, { functions });

    expect(lines.filter((line) => line.includes('too late'))).toHaveLength(3);
    expect(lines.filter((line) => /^ *next +all is well/.test(line))).toEqual([]);
  });
});
