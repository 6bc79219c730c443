import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderDeadList, runDeadList } from '../../scripts/ops/dead-list.ts';
import { renderDeadShow, runDeadShow } from '../../scripts/ops/dead-show.ts';
import { broken, openWorld, plain, theBrokenOne, type World } from './world.ts';

describe('dead letters that are looked at', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    await world.someDie();
  });
  afterAll(() => world.close());

  it('are listed by function and reason, with the impact, their number and the age of the oldest', async () => {
    const { code, value } = await runDeadList(world.context, { limit: 100 });

    expect(code).toBe(0);
    expect(value.letters).toBe(3);
    expect(value.more).toEqual([]);
    expect(value.groups).toHaveLength(3);
    const group = value.groups.find(({ reason }) => reason === broken);
    expect(group).toMatchObject({ function: 'run-errand', impact: 'Errands stay undone', count: 1 });
    expect(Date.parse(group?.oldest ?? '')).toBeLessThanOrEqual(world.context.now());
    const text = renderDeadList(value, plain);
    expect(text).toContain(`died of  ${broken}`);
    expect(text).toContain('impact   Errands stay undone');
    expect(text).toContain('3 dead letters.');
  });

  it('stay where they are when they are looked at', async () => {
    const before = await world.census();

    await runDeadList(world.context, { limit: 100 });
    await runDeadShow(world.context, { id: 'odd', limit: 100 });

    expect(await world.census()).toEqual(before);
  });

  it('beyond the limit are not listed, and the list says so', async () => {
    const { value } = await runDeadList(world.context, { function: 'run-errand', limit: 2 });

    expect(value.letters).toBe(2);
    expect(value.more).toEqual(['run-errand']);
    expect(renderDeadList(value, plain)).toContain('There may be more of run-errand');
  });

  it('in somebody else’s hands are not seen, and the list says that there may be more', async () => {
    const giveBack = await world.hold('run-errand-dead');

    const { value } = await runDeadList(world.context, { limit: 100 });
    await giveBack();

    expect(value.letters).toBe(2);
    expect(value.more).toEqual(['run-errand']);
  });

  it('of a function whose queues were never made say how to make them', async () => {
    const [route] = world.context.routes;
    const routes = route === undefined ? [] : [{ ...route, function: 'run-nowhere' }];

    await expect(runDeadList({ ...world.context, routes }, { limit: 100 })).rejects.toThrow('npm run setup');
  });

  it('are none where nothing has died', async () => {
    const { code, value } = await runDeadList(world.context, { function: 'report-errand', limit: 10 });

    expect(code).toBe(0);
    expect(renderDeadList(value, plain)).toBe('No dead letters.');
  });

  it('show every step they died in, their body and their trace', async () => {
    const id = await theBrokenOne(world);

    const { value } = await runDeadShow(world.context, { id, limit: 100 });

    expect(value.steps.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual(
      Array.from({ length: 4 }, () => ({ outcome: 'defect', reason: broken })),
    );
    expect(value.body).toMatchObject({
      id,
      type: 'claim.changed.v1',
      data: { namespace: 'team-b', name: 'breaks-cart' },
    });
    expect(value.trace).toMatch(/^[\da-f]{32}$/);
    expect(value.refused).toBeUndefined();
    const text = renderDeadShow(value, plain);
    expect(text).toContain(`died of    ${broken}`);
    expect(text).toContain('"name": "breaks-cart"');
    expect(text).toMatch(/defect {2}attempt 4/);
    expect(text).toContain(`npm run ops -- dead replay ${id}`);
  });

  it('show why they were buried, and when, where the function buried them itself', async () => {
    const { value } = await runDeadShow(world.context, { id: 'odd', limit: 100 });

    expect(value.reason).toContain('not a CloudEvent of ours');
    expect(value.attributes).toMatchObject({ function: 'run-errand', why: value.reason, buriedat: value.diedAt });
    expect(value.refused).toContain('not a CloudEvent of ours');
    expect(renderDeadShow(value, plain)).toContain('It cannot be sent again');
  });

  it('that cannot be read are found by the id the queue gave them', async () => {
    const { value: list } = await runDeadList(world.context, { limit: 100 });
    const unread = list.groups.flatMap(({ ids, reason }) => (reason === broken || ids.includes('odd') ? [] : ids));
    expect(unread).toHaveLength(1);

    const { value } = await runDeadShow(world.context, { id: unread[0] ?? '', limit: 100 });

    expect(value.queueId).toBe(unread[0]);
    expect(value.body).toContain('hello');
    expect(value.refused).toBe('its body is not a JSON object');
  });

  it('that nobody has are said to be missing', async () => {
    await expect(runDeadShow(world.context, { id: 'nobody', limit: 100 })).rejects.toMatchObject({ code: 3 });
  });
});
