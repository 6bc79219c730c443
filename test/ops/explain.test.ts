import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runExplain } from '../../scripts/ops/explain.ts';
import { renderExplain } from '../../scripts/ops/render-explain.ts';
import { openWorld, plain, type World } from './world.ts';

describe('an explanation', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    await world.change('team-a', 'web', '7');
    await world.change('team-a', 'waits-road', '3');
    await world.settle();
  });
  afterAll(() => world.close());

  it('says what a function would do for an object it has never seen', async () => {
    const before = await world.census();

    const { code, value } = await runExplain(world.context, {
      kind: 'DeploymentTargetClaim',
      name: 'team-a/new',
      limit: 5,
    });

    expect(await world.census()).toEqual(before);
    expect(code).toBe(0);
    expect(value.functions).toMatchObject([
      {
        function: 'run-errand',
        impact: 'Errands stay undone',
        wokenBy: ['claim.changed.v1'],
        step: { state: 'decided', effects: [{ do: 'run-errand', version: '1' }], knocks: [{ to: ['report-errand'] }] },
        lastSteps: [],
      },
    ]);
    const text = renderExplain(value, plain);
    expect(text).toContain('DeploymentTargetClaim team-a/new  looked at just now; nothing was written');
    expect(text).toContain('would do    run-errand version=1');
    expect(text).toContain('pending     no knock');
    expect(text).toContain('none in the log');
  });

  it('says what waits, since when and until when, and what was done last', async () => {
    const { value } = await runExplain(world.context, { kind: 'run-errand', name: 'team-a/waits-road', limit: 5 });

    const [explained] = value.functions;
    expect(explained).toMatchObject({
      step: { effects: [], next: { kind: 'recheck' } },
      waiting: { reason: 'RoadClosed' },
    });
    expect(explained?.lastSteps).toMatchObject([{ outcome: 'stepped', reason: 'RoadClosed' }]);
    const now = new Date(Date.parse(explained?.waiting?.since ?? '') + 60_000).toISOString();
    const text = renderExplain({ ...value, now }, plain);
    expect(text).toContain('would do   nothing');
    expect(text).toMatch(
      /waits for {2}RoadClosed: The road is closed until the snow is gone; since .+, looks again in 59 min/,
    );
    expect(text).toMatch(/stepped {2}\d+ ms {2}RoadClosed; run-errand version=3/);
  });

  it('says who works on it just now, and that a knock waits for them', async () => {
    const message = {
      id: 'first',
      function: 'run-errand',
      type: 'claim.changed.v1',
      subject: { namespace: 'team-a', name: 'busy' },
      tenant: 'team-a',
      serialKey: 'errand:team-a/busy',
    };
    const begin = { message, pending: false, leaseSeconds: 60 };
    await world.machine.journal.begin({ ...begin, step: 'the-worker' });
    await world.machine.journal.begin({ ...begin, step: 'the-next', message: { ...message, id: 'second' } });

    const { value } = await runExplain(world.context, {
      kind: 'deploymenttargetclaims',
      name: 'team-a/busy',
      limit: 5,
    });

    expect(value.functions[0]).toMatchObject({
      lease: { key: 'errand:team-a/busy', holder: 'the-worker' },
      knock: { id: 'second', state: 'marked' },
    });
    const text = renderExplain(value, plain);
    expect(text).toContain('waits until the step that works under errand:team-a/busy is done');
    expect(text).toMatch(/at work {5}step the-worker, in .+ at the latest/);
  });

  it('says that the rule breaks, where it does', async () => {
    const { code, value } = await runExplain(world.context, {
      kind: 'run-errand',
      name: 'team-b/breaks-cart',
      limit: 5,
    });

    expect(code).toBe(1);
    expect(value.functions[0]?.step).toEqual({ state: 'failed', error: 'Error: this errand breaks' });
    expect(renderExplain(value, plain)).toContain('would fail  Error: this errand breaks');
  });

  it.each(['Environment', 'environments', 'env', 'environments.appstudio.redhat.com', 'report-errand'])(
    'finds a kind or function called %s',
    async (kind) => {
      const { value } = await runExplain(world.context, { kind, name: 'team-a/web', limit: 1 });

      expect(value.functions.map((one) => one.function)).toEqual(['report-errand']);
    },
  );

  it.each([
    ['a kind that nobody consumes', 'Component', 'nobody consumes component.changed.v1'],
    ['a function without a queue', 'ingest-audit', 'has no queue'],
    ['a kind that is not of the house', 'ConfigMap', 'no function cares about such a kind'],
  ])('of %s says so', async (_words, kind, message) => {
    await expect(runExplain(world.context, { kind, name: 'team-a/web', limit: 1 })).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining(message),
    });
  });

  it.each(['web', 'team-a/', 'team-a/web/more'])('wants a namespace and a name instead of %s', async (name) => {
    await expect(runExplain(world.context, { kind: 'run-errand', name, limit: 1 })).rejects.toMatchObject({ code: 2 });
  });
});
