import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runDeadDrop } from '../../scripts/ops/dead-drop.ts';
import { renderDeadReplay, runDeadReplay } from '../../scripts/ops/dead-replay.ts';
import { broken, openWorld, plain, theBrokenOne, type World } from './world.ts';

describe('dead letters that are dealt with', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.clear();
    await world.someDie();
    world.plans.length = 0;
  });

  it('are sent again under a new id, with the dead message as the cause and the story kept', async () => {
    const id = await theBrokenOne(world);

    const { code, value } = await runDeadReplay(world.context, { id, why: 'the cart is mended', limit: 100 });

    expect(code).toBe(0);
    const [replayed] = value.replayed;
    expect(replayed).toMatchObject({
      message: id,
      function: 'run-errand',
      subject: 'team-b/breaks-cart',
      removed: true,
    });
    expect(renderDeadReplay(value, plain)).toContain(`${id} again as ${replayed?.sent}`);
    expect(world.plans[0]).toContain('Will send 1 dead letter again as olga');
    const [event] = await world.peek('run-errand');
    expect(event).toMatchObject({
      id: replayed?.sent,
      causationid: id,
      correlationid: id,
      data: { namespace: 'team-b', name: 'breaks-cart' },
    });
    expect(event).not.toHaveProperty('pending');
    expect(event?.['data']).not.toHaveProperty('version');
    await expect(runDeadReplay(world.context, { id, limit: 100 })).rejects.toMatchObject({ code: 3 });
    await world.settle();
  });

  it('are sent again with a line in the ledger that says who and why', async () => {
    const id = await theBrokenOne(world);

    const { value } = await runDeadReplay(world.context, { id, why: 'the cart is mended', limit: 100 });

    const lines =
      await world.sql`select actor, action, subject, tenant, details, correlation from ledger where cause = ${id}`;
    expect([...lines]).toEqual([
      {
        actor: 'olga',
        action: 'replay',
        subject: 'team-b/breaks-cart',
        tenant: 'team-b',
        details: {
          why: 'the cart is mended',
          from: 'dead letters',
          died: broken,
          function: 'run-errand',
          message: id,
          sent: value.replayed[0]?.sent,
        },
        correlation: id,
      },
    ]);
    await world.settle();
  });

  it('that cannot be read are refused with the reason and stay, while the others are sent', async () => {
    const { code, value } = await runDeadReplay(world.context, { all: true, limit: 100 });

    expect(code).toBe(1);
    expect(value.replayed).toHaveLength(1);
    expect(value.refused.map(({ reason }) => reason).toSorted()).toEqual([
      'its body is not a JSON object',
      expect.stringContaining('not a CloudEvent of ours'),
    ]);
    expect(await world.peek('run-errand-dead')).toHaveLength(2);
    await world.settle();
  });

  it('that somebody has taken between the plan and the deed are missing, and nothing is sent', async () => {
    const id = await theBrokenOne(world);
    const approve = () => world.clear();

    const { code, value } = await runDeadReplay({ ...world.context, approve }, { id, limit: 100 });

    expect(code).toBe(1);
    expect(value).toMatchObject({ replayed: [], missing: [id] });
    expect(renderDeadReplay(value, plain)).toContain('somebody else has taken it');
    expect(await world.peek('run-errand')).toEqual([]);
  });

  it('are rehearsed and neither sent nor recorded in a dry run', async () => {
    const id = await theBrokenOne(world);
    const before = await world.census();

    const { code, value } = await runDeadReplay(world.context, { id, dryRun: true, limit: 100 });

    expect(await world.census()).toEqual(before);
    expect(code).toBe(1);
    expect(value.rehearsed).toEqual([
      { function: 'run-errand', subject: 'team-b/breaks-cart', message: id, step: { state: 'failed', error: broken } },
    ]);
    expect(world.plans).toEqual([]);
  });

  it('are kept where the ledger cannot be written, because nothing happens unrecorded', async () => {
    const id = await theBrokenOne(world);
    const ledger = { record: () => Promise.reject(new Error('the disk is full')) };

    const { code, value } = await runDeadReplay({ ...world.context, ledger }, { id, limit: 100 });
    const dropped = await runDeadDrop({ ...world.context, ledger }, { id, why: 'a test', limit: 100 });

    expect([code, dropped.code]).toEqual([1, 1]);
    expect(value.replayed[0]).toMatchObject({ removed: false, error: expect.stringContaining('the disk is full') });
    expect(dropped.value.kept[0]?.error).toContain('the disk is full');
    expect(await world.peek('run-errand')).toEqual([]);
    expect(await world.peek('run-errand-dead')).toHaveLength(3);
  });

  it('are dropped for good, with who and why in the ledger', async () => {
    const { code, value } = await runDeadDrop(world.context, {
      function: 'run-errand',
      reason: 'CloudEvent',
      why: 'a test of the network',
      limit: 100,
    });

    expect(code).toBe(0);
    expect(value.dropped).toHaveLength(2);
    expect((await world.peek('run-errand-dead')).map((event) => event['type'])).toEqual(['claim.changed.v1']);
    const lines =
      await world.sql`select actor, action, details from ledger where cause = 'odd' and details->>'why' = 'a test of the network'`;
    expect([...lines]).toEqual([
      { actor: 'olga', action: 'drop', details: expect.objectContaining({ function: 'run-errand', message: 'odd' }) },
    ]);
  });

  it('are not dropped without a reason', async () => {
    await expect(runDeadDrop(world.context, { id: 'odd', why: ' ', limit: 100 })).rejects.toMatchObject({ code: 2 });

    expect(await world.peek('run-errand-dead')).toHaveLength(3);
  });

  it.each([
    ['nothing at all', {}],
    ['an id and all of them', { id: 'odd', all: true }],
    ['all of them and a function', { all: true, function: 'run-errand' }],
    ['a function that the map does not know', { function: 'run-away' }],
    ['a function without a queue', { function: 'ingest-audit' }],
  ])('are not replayed where the operator names %s', async (_words, choice) => {
    await expect(runDeadReplay(world.context, { ...choice, limit: 100 })).rejects.toMatchObject({ code: 2 });
  });
});
