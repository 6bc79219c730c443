import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import { type Promote, renderPromote, runPromote } from '../../scripts/ops/promote.ts';
import { environments, promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import type { KeptRun } from '../../shared/ports/promotion-rows.ts';
import { Refused, Transient } from '../../shared/ports/trouble.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';
import { aShop, openPromotionContext, refuseFollower } from './promotion-world.ts';
import { commitOf } from './release-scene.ts';
import { plain } from './world.ts';

let world: GitOpsWorld;
let scene: PromotionScene;
let operator: ReturnType<typeof openPromotionContext>;
let context: Context;
beforeAll(async () => {
  world = await openGitOpsWorld();
  scene = openPromotionScene(world.sql);
  operator = openPromotionContext(world);
  context = operator.context;
});
afterAll(() => world.close());

const staging = { snapshot: 's1', to: 'staging' };
/** Nothing comes behind it. */
const last = 'prod-2';

describe('promote --wait', () => {
  const commit = commitOf('c0ffee');
  const done = { status: 'success', reason: 'Promoted', commit } as const;

  /** The row of a run that was made, as the service would write it. */
  async function rowOf(namespace: string, name: string, but: Partial<KeptRun> = {}): Promise<KeptRun> {
    const made = await world.cluster.read(promotionRuns, { namespace, name });
    return scene.aRun(namespace, name, { uid: made?.metadata.uid ?? '', beginsIn: ['staging'], ...but });
  }

  /** Follows a run `friday`; between the looks the service does one thing after the other. */
  async function follow(
    namespace: string,
    acts: readonly (() => Promise<unknown>)[],
    {
      seconds = 60,
      as = context,
      to = 'staging',
    }: { readonly seconds?: number; readonly as?: Context; readonly to?: string } = {},
  ): Promise<{ readonly code: number; readonly value: Promote; readonly lines: readonly string[] }> {
    const lines: string[] = [];
    const left = [...acts];
    const wait = {
      seconds,
      report: (line: string) => void lines.push(line.replace(/^\d\d:\d\d:\d\d {2}/, '')),
      pause: async () => {
        const act = left.shift();
        if (act === undefined) throw new Error('it waits for something that never comes');
        await act();
      },
    };
    const result = await runPromote(as, { application: `${namespace}/shop`, ...staging, to, name: 'friday', wait });
    return { ...result, lines };
  }

  it('tells each change once, and ends with 0 when all of it was a success', async () => {
    const namespace = await aShop(world);
    let row = {} as KeptRun;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const waiting = {
      reason: 'AnotherPromotionActive',
      message: 'PromotionRun thursday goes first',
      since: until,
      until,
    };

    const { code, value, lines } = await follow(
      namespace,
      [
        async () => {
          row = await rowOf(namespace, 'friday', { waiting });
        },
        () => Promise.resolve(),
        () => scene.takesTurn(row),
        () => scene.step(row, last, { message: 'Component web is Progressing', ready: Date.now() }),
        () => scene.step(row, last, { ...done, ended: row.created + 12_000 }),
        () => scene.ends(row, 'Success', row.created + 12_000),
      ],
      { to: last },
    );

    expect(code).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^friday waits until .*UTC: PromotionRun thursday goes first$/),
      expect.stringMatching(/^prod-2: in progress; waits until .*UTC: Component web is Progressing$/),
      'prod-2: success after 12 s, commit c0ffee0000',
      'friday ended with Success after 12 s',
    ]);
    expect(value.followed).toMatchObject({ result: 'Success', runs: [{ name: 'friday', result: 'Success' }] });
    expect(renderPromote(value, plain)).toBe(
      `PromotionRun ${namespace}/friday ended with Success after 12 s\n  prod-2: success after 12 s, commit c0ffee0000`,
    );
  });

  it('goes on with the automated run that follows, and with its result', async () => {
    const namespace = await aShop(world);
    let [row, next] = [{} as KeptRun, {} as KeptRun];

    const { code, value, lines } = await follow(namespace, [
      async () => {
        row = await rowOf(namespace, 'friday');
        const name = followerName(row);
        await world.cluster.create(promotionRuns, {
          metadata: { namespace, name },
          spec: { application: 'shop', snapshot: 's1', automatedPromotion: { initialEnvironments: ['prod-1'] } },
        });
        await scene.takesTurn(row);
        await scene.ends(row, 'Success', row.created);
        next = await rowOf(namespace, name, { isAutomated: true, beginsIn: ['prod-1'] });
      },
      async () => {
        await scene.takesTurn(next);
        await scene.step(next, 'prod-1', {
          status: 'failed',
          message: 'Component web is Degraded',
          ended: next.created,
        });
        await scene.ends(next, 'Failure', next.created, 'prod-1: Component web is Degraded');
      },
    ]);

    expect(code).toBe(4);
    expect(lines).toContain(`${next.name} goes on by itself`);
    expect(value.followed).toMatchObject({ result: 'Failure', runs: [{ name: 'friday' }, { name: next.name }] });
    const text = renderPromote(value, plain);
    expect(text).toContain(
      `PromotionRun ${namespace}/${next.name} ended with Failure after 0 ms: prod-1: Component web is Degraded`,
    );
    expect(text).toContain(`Why: npm run ops -- explain PromotionRun ${namespace}/${next.name}`);
  });

  it('ends with 4 where the run that should follow was refused, and says why', async () => {
    const namespace = await aShop(world);
    const message = 'The PromotionRun for the environments that follow was refused: exceeded quota: promotionruns';

    const { code, value, lines } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await refuseFollower(world, { namespace, name: 'friday' }, message);
        await scene.ends(row, 'Success', row.created);
      },
    ]);

    expect(code).toBe(4);
    expect(lines.at(-1)).toBe(`friday: ${message}`);
    expect(value.followed).toMatchObject({ result: 'Failure', promotion: 'friday', trouble: message });
    expect(renderPromote(value, plain).split('\n').slice(1)).toEqual([
      `PromotionRun ${namespace}/friday: ${message}`,
      `Why: npm run ops -- explain PromotionRun ${namespace}/friday`,
    ]);
  });

  it('ends with 4 where nothing went on to what comes behind by itself, and nobody says why', async () => {
    const namespace = await aShop(world);

    const { code, value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await scene.ends(row, 'Success', row.created);
      },
    ]);

    expect(code).toBe(4);
    expect(renderPromote(value, plain)).toContain(
      `${namespace}/friday: prod-1 comes behind, and there is no PromotionRun that went on to it by itself`,
    );
  });

  it('ends with 0 where what should have followed does not come behind any more', async () => {
    const namespace = await aShop(world);

    const { code, value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await world.cluster.remove(environments, { namespace, name: 'prod-1' });
        await scene.ends(row, 'Success', row.created);
      },
    ]);

    expect(code).toBe(0);
    expect(value.followed).toMatchObject({ result: 'Success', promotion: 'friday' });
  });

  it('ends with 0 when the run that follows was a success, whatever has come to stand behind it since then', async () => {
    const namespace = await aShop(world);
    let next = {} as KeptRun;

    const { code, value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        const name = followerName(row);
        await world.cluster.create(promotionRuns, {
          metadata: { namespace, name },
          spec: { application: 'shop', snapshot: 's1', automatedPromotion: { initialEnvironments: ['prod-1'] } },
        });
        await scene.takesTurn(row);
        await scene.ends(row, 'Success', row.created);
        next = await rowOf(namespace, name, { isAutomated: true, beginsIn: ['prod-1'] });
      },
      async () => {
        await world.cluster.create(environments, {
          metadata: { namespace, name: 'late' },
          spec: { displayName: 'late', parentEnvironment: 'prod-1', deploymentStrategy: 'AppStudioAutomated' },
        });
        await scene.takesTurn(next);
        await scene.ends(next, 'Success', next.created);
      },
    ]);

    expect(code).toBe(0);
    expect(value.followed).toMatchObject({ result: 'Success', promotion: next.name });
  });

  it('names the run that follows where that is the one that came to nothing', async () => {
    const namespace = await aShop(world);
    const next = { namespace, name: '' };

    const { code, value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        next.name = followerName(row);
        await world.cluster.create(promotionRuns, {
          metadata: next,
          spec: { application: 'shop', snapshot: 's1', automatedPromotion: { initialEnvironments: ['prod-1'] } },
        });
        await scene.takesTurn(row);
        await scene.ends(row, 'Success', row.created);
      },
      () => world.cluster.remove(promotionRuns, next),
    ]);

    expect(code).toBe(4);
    expect(value.followed).toMatchObject({ promotion: next.name, runs: [{ name: 'friday' }] });
    expect(renderPromote(value, plain).split('\n').slice(1)).toEqual([
      `PromotionRun ${namespace}/${next.name}: was deleted before anything came of it`,
      `Why: npm run ops -- explain PromotionRun ${namespace}/${next.name}`,
    ]);
  });

  it('tells the end of the time that a step was given more of', async () => {
    const namespace = await aShop(world);
    let row = {} as KeptRun;

    const { lines } = await follow(namespace, [
      async () => {
        row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        const given = { ready: row.created, extended: Date.parse('2026-01-02T03:04:05Z') };
        await scene.step(row, 'staging', { message: 'Component web is Progressing', ...given });
      },
      () => scene.ends(row, 'Failure', row.created),
    ]);

    expect(lines).toContain('staging: in progress; waits until 2026-01-02 03:04:05 UTC: Component web is Progressing');
  });

  it('shows what a tenant wrote in one line each, so that it looks like no result', async () => {
    const namespace = await aShop(world);
    const forged = (what: string): string => `too late\nPromotionRun ${what} ended with Success`;

    const { value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await scene.step(row, 'staging', { status: 'failed', message: forged('1'), ended: row.created });
        await scene.ends(row, 'Failure', row.created, forged('2'));
      },
    ]);
    const trouble = { ...value, followed: value.followed && { ...value.followed, trouble: forged('3') } };

    expect(renderPromote(trouble, plain).split('\n')).toEqual([
      expect.stringMatching(
        /^PromotionRun .*friday ended with Failure .*: too late PromotionRun 2 ended with Success$/,
      ),
      expect.stringMatching(/^ {2}staging: failed .*: too late PromotionRun 1 ended with Success$/),
      expect.stringMatching(/^PromotionRun .*friday: too late PromotionRun 3 ended with Success$/),
      expect.stringMatching(/^Why: /),
    ]);
  });

  it('ends with 4 where somebody else is given the application on the way, and says who', async () => {
    const namespace = await aShop(world);
    const message = 'staging: Application shop is promoted by conveyor: its spec.deploymentController says so';
    const until = new Date(Date.now() + 3_600_000).toISOString();

    const { code, value, lines } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await scene.step(row, 'staging', { reason: 'ExternalController', message });
        await scene.waits(row, { reason: 'ExternalController', message, since: until, until });
      },
    ]);

    expect(code).toBe(4);
    expect(lines).toEqual([`friday ${message}`]);
    expect(renderPromote(value, plain)).toContain('is promoted by conveyor');
  });

  it('ends with 4 after a failure', async () => {
    const namespace = await aShop(world);

    const { code, value } = await follow(namespace, [
      async () => {
        const row = await rowOf(namespace, 'friday');
        await scene.takesTurn(row);
        await scene.ends(row, 'Failure', row.created, 'staging: too late');
      },
    ]);

    expect(code).toBe(4);
    expect(value.followed).toMatchObject({ result: 'Failure' });
  });

  it('ends with 4 where somebody deleted the run, whether anybody had looked at it or not', async () => {
    const [namespace, other] = [await aShop(world), await aShop(world)];
    const remove = (where: string) => world.cluster.remove(promotionRuns, { namespace: where, name: 'friday' });

    const unseen = await follow(namespace, [() => remove(namespace)]);
    const seen = await follow(other, [
      async () => {
        const row = await rowOf(other, 'friday');
        await remove(other);
        await scene.ends(row, 'Deleted', row.created);
      },
    ]);

    expect([unseen.code, seen.code]).toEqual([4, 4]);
    expect(unseen.value.followed).toMatchObject({ trouble: 'was deleted before anything came of it' });
    expect(renderPromote(seen.value, plain)).toContain('was deleted after');
  });

  it('ends with 5 when time is up, and undoes nothing', async () => {
    const namespace = await aShop(world);
    const spent = { ...context, now: () => Date.now() + operator.clock.aheadMs };

    const { code, value, lines } = await follow(
      namespace,
      [
        async () => {
          operator.clock.aheadMs += 61_000;
        },
      ],
      { as: spent },
    );
    operator.clock.aheadMs = 0;

    expect(code).toBe(5);
    expect(lines).toEqual(['friday has not been looked at yet']);
    expect(value.followed).toMatchObject({ result: 'TimeIsUp' });
    expect(renderPromote(value, plain)).toContain('Time is up. It goes on without you.');
    expect(await world.cluster.read(promotionRuns, { namespace, name: 'friday' })).toBeDefined();
  });

  it('looks on while the database is away for a moment, and stops where it is refused', async () => {
    const namespace = await aShop(world);
    let fails: Error | undefined = new Transient('database', 'The database is away');
    const { promotions } = context;
    const one: typeof promotions.one = (key) => (fails === undefined ? promotions.one(key) : Promise.reject(fails));
    const as: Context = { ...context, promotions: { ...promotions, one } };

    const { code, lines } = await follow(
      namespace,
      [
        async () => {
          fails = undefined;
          const row = await rowOf(namespace, 'friday');
          await scene.takesTurn(row);
          await scene.ends(row, 'Success', row.created);
        },
      ],
      { as, to: last },
    );
    fails = new Refused('Forbidden', 'You may not look');
    const refused = follow(await aShop(world), [], { as });

    expect(code).toBe(0);
    expect(lines[0]).toBe('friday cannot be seen just now: The database is away');
    await expect(refused).rejects.toBeInstanceOf(Refused);
  });
});
