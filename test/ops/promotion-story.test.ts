import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import { runExplain } from '../../scripts/ops/explain.ts';
import { renderHistory, runHistory } from '../../scripts/ops/history.ts';
import { runPromote } from '../../scripts/ops/promote.ts';
import { renderExplain } from '../../scripts/ops/render-explain.ts';
import { renderStatus, runStatus } from '../../scripts/ops/status.ts';
import { openPromotionScene, type PromotionScene } from '../journeys/promotions/suites/promotion-scene.ts';
import { describeWithGit } from '../support/needs-git.ts';
import { openReleaseWorld, type ReleaseWorld } from '../support/release-world.ts';
import { openPromotionContext } from './promotion-world.ts';
import { plain } from './world.ts';

describeWithGit('a promotion, as an operator follows it', () => {
  let world: ReleaseWorld;
  let scene: PromotionScene;
  let context: Context;
  let snapshot = '';
  let automated = '';
  beforeAll(async () => {
    world = await openReleaseWorld();
    scene = await openPromotionScene(world);
    context = openPromotionContext(world).context;
    await scene.application();
    await scene.environments('dev', 'qa<dev', 'staging<qa manual', 'prod-1<staging', 'prod-2<prod-1 manual');
    await scene.component('web', 'registry.example.com/shop/web:1');
    await scene.settle();
    const [run] = await scene.runs();
    automated = run?.metadata.name ?? '';
    snapshot = run?.spec.snapshot ?? '';
  });
  afterAll(() => world.close());

  /** The part of an explanation that is about the promotion, without columns. */
  async function explained(name: string): Promise<readonly string[]> {
    const { code, value } = await runExplain(context, {
      kind: 'PromotionRun',
      name: `${scene.namespace}/${name}`,
      limit: 5,
    });
    expect(code).toBe(0);
    const [, about = ''] = renderExplain(value, plain).split('\n\n');
    return about.split('\n').map((line) => line.trim().replace(/ {2,}/, ' '));
  }

  /** Moments and lengths of time are those of the test run. */
  const timeless = (lines: readonly string[]): readonly string[] =>
    lines.map((line) =>
      line
        .replace(/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC/g, 'TIME')
        .replace(/\d+ (ms|s|min)( \d+ s)?/g, 'SOON')
        .replace(/commit [0-9a-f]{10}/, 'commit C'),
    );

  const goes = () => `npm run ops -- promote ${scene.namespace}/shop --snapshot ${snapshot} --to`;

  it('that is active says what it waits for, until when, and what follows', async () => {
    expect(timeless(await explained(automated))).toEqual([
      `promotes snapshot ${snapshot} of application shop by itself, beginning with dev; started by Snapshot ${snapshot}`,
      'state Active since TIME',
      'dev in progress, 0 of 1 components proved; waits until TIME: Argo CD has said nothing of component web (GitOpsDeployment shop-dev-binding-shop-dev-web) yet',
      'next qa follows by itself',
      'next staging behind qa is Manual: the automation stops there',
      `next to go on from there: ${goes()} staging`,
    ]);
  });

  it('that waits says who goes before it', async () => {
    const staging = { application: `${scene.namespace}/shop`, snapshot, to: 'staging', name: 'to-staging' };
    await runPromote(context, staging);
    await scene.settle();

    expect(timeless(await explained('to-staging'))).toEqual([
      `promotes snapshot ${snapshot} of application shop to staging`,
      `state Waiting for its turn behind ${automated} (active), until TIME`,
      'next prod-1 follows by itself in a run of its own',
      'next prod-2 behind prod-1 is Manual: the automation stops there',
      `next to go on from there: ${goes()} prod-2`,
    ]);
  });

  it('stands on the board with what waits and why, in the order of the environments', async () => {
    const { code, value } = await runStatus(context, { of: `${scene.namespace}/shop` });

    expect(code).toBe(0);
    expect(value.places).toMatchObject([
      { environment: 'dev', cell: { snapshot }, waits: [{ promotion: automated, reason: 'NotReported' }] },
      { environment: 'staging', waits: [{ promotion: 'to-staging', reason: 'AnotherPromotionActive' }] },
    ]);
    const text = renderStatus(value, 100, plain);
    expect(text).toMatch(/^shop +dev .* Argo CD has said nothing of component web .* \(until /m);
    expect(text).toMatch(
      new RegExp(`^shop +staging .* to-staging: waits for its turn: PromotionRun ${automated} `, 'm'),
    );
  });

  it('that has ended says how, and where it stopped', async () => {
    await scene.deploys('dev');
    await scene.deploys('qa');

    expect(timeless(await explained(automated)).slice(1)).toEqual([
      'state ended with Success after SOON, SOON ago',
      'dev success after SOON, commit C',
      'qa success after SOON, commit C',
      'next staging behind qa is Manual: the automation stops there',
      `next to go on from there: ${goes()} staging`,
    ]);
  });

  it('that was followed by another one names it', async () => {
    await scene.deploys('staging');

    const [, , , next] = await explained('to-staging');

    expect(next).toMatch(/^next PromotionRun to-staging-[0-9a-f]{8} goes on: npm run ops -- explain PromotionRun /);
  });

  it('that failed says why, and how to try again', async () => {
    await scene.deploys('prod-1');
    await runPromote(context, { application: `${scene.namespace}/shop`, snapshot, to: 'prod-2', name: 'bad' });
    await scene.settle();
    // Its five minutes are just over: a look that comes much later would give it one more.
    await world.sql`update promotion_step set ready_at = clock_timestamp() - interval '301 s' where environment = 'prod-2'`;
    await scene.argoSays('prod-2', { health: 'Degraded', message: 'crash loop' });
    await scene.settle();

    const lines = timeless(await explained('bad'));

    expect(lines[1]).toMatch(/^state ended with Failure after SOON: prod-2: Component web is Degraded .*crash loop/);
    expect(lines.slice(3)).toEqual([
      'next nothing: what did not end with Success starts nothing',
      `next to try again: ${goes()} prod-2`,
    ]);
  });

  it('that failed stays on the board until the next one, with the reason', async () => {
    const { value } = await runStatus(context, { of: `${scene.namespace}/shop` });

    expect(value.places.filter(({ failure }) => failure !== undefined)).toMatchObject([
      { environment: 'prod-2', waits: [], failure: { promotion: 'bad', reason: 'NotHealthy' } },
    ]);
    expect(renderStatus(value, 100, plain)).toMatch(
      /^shop +prod-2 .* bad failed: Component web is Degraded .*crash loop/m,
    );
  });

  it('stays in the history of its environment, with its commit and its result', async () => {
    const application = `${scene.namespace}/shop`;
    const { value } = await runHistory(context, { application, environment: 'prod-2', limit: 20 });
    const before = await runHistory(context, { application, environment: 'dev', limit: 20 });

    expect(value.arrivals).toMatchObject([{ snapshot, promotion: 'bad', status: 'failed' }]);
    expect(renderHistory(value, plain)).toMatch(/ [0-9a-f]{10} +bad +failed +Component web is Degraded/);
    expect(before.value.arrivals).toMatchObject([{ snapshot, promotion: automated, status: 'success' }]);
  });

  it.each(['Environment', 'Snapshot', 'Component', 'Application', 'SnapshotEnvironmentBinding', 'GitOpsDeployment'])(
    'has no %s that nobody ever made',
    async (kind) => {
      const name = `${scene.namespace}/nobody`;

      await expect(runExplain(context, { kind, name, limit: 5 })).rejects.toMatchObject({ code: 3 });
    },
  );

  it('has parts that are explained as long as they are there, or anything is known of them', async () => {
    const ofShop = { kind: 'Environment', name: `${scene.namespace}/dev`, limit: 5 };
    expect(await runExplain(context, ofShop)).toMatchObject({ code: 0, value: { of: 'Environment' } });

    const gone = `${scene.namespace}/was-there`;
    await world.sql`insert into step_log
      (id, function, subject, tenant, type, data, message_id, attempt, outcome, effects, emitted, covered, ms)
      values ('a-step', 'reconcile-environment', ${gone}, '', 'environment.changed.v1', '{}', 'm', 0, 'stepped', '[]', '[]', 0, 1)`;
    expect(await runExplain(context, { ...ofShop, name: gone })).toMatchObject({ code: 0 });
  });

  it('that nobody ever made is said to be none', async () => {
    await expect(explained('nobody')).rejects.toMatchObject({
      code: 3,
      message: `There is no PromotionRun ${scene.namespace}/nobody, and nothing is known of one. What waits: npm run ops -- status ${scene.namespace}`,
    });
  });
});
