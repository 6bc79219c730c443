import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runDeadDrop } from '../../scripts/ops/dead-drop.ts';
import { renderDeadList, runDeadList } from '../../scripts/ops/dead-list.ts';
import { renderDeadReplay, runDeadReplay } from '../../scripts/ops/dead-replay.ts';
import { renderDeadShow, runDeadShow } from '../../scripts/ops/dead-show.ts';
import { openWorld, plain, type World } from './world.ts';

const broken = 'Error: this errand breaks';

describe('dead letters', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** A defect that died of its last receive, and two messages that no function could read. */
  beforeEach(async () => {
    for (const name of ['run-errand', 'report-errand']) {
      await runDeadDrop(world.context, { function: name, why: 'a clean start', limit: 1_000 }).catch(() => undefined);
    }
    world.plans.length = 0;
    await world.change('team-b', 'breaks-cart', '3');
    await world.sendRaw('run-errand', 'hello, token=s3cr3t-value \u001b[31m');
    await world.sendRaw('run-errand', JSON.stringify({ specversion: '1.0', id: 'odd', type: 'claim.changed.v1', strange: true }));
    await world.settle();
  });

  async function theBrokenOne(): Promise<string> {
    const { value } = await runDeadList(world.context, { limit: 100 });
    return value.groups.find(({ reason }) => reason === broken)?.ids[0] ?? '';
  }

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

  it('are none where nothing has died', async () => {
    const { code, value } = await runDeadList(world.context, { function: 'report-errand', limit: 10 });

    expect(code).toBe(0);
    expect(renderDeadList(value, plain)).toBe('No dead letters.');
  });

  it('show every step they died in, their body and their trace', async () => {
    const id = await theBrokenOne();

    const { value } = await runDeadShow(world.context, { id, limit: 100 });

    expect(value.steps.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual(
      Array.from({ length: 4 }, () => ({ outcome: 'defect', reason: broken })),
    );
    expect(value.body).toMatchObject({ id, type: 'claim.changed.v1', data: { namespace: 'team-b', name: 'breaks-cart' } });
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
    const [queueId = ''] = list.groups.find(({ ids }) => ids[0] !== 'odd' && !ids.includes('odd') && ids.length === 1 && ids[0]?.length === 36)?.ids ?? [];
    const unread = list.groups.flatMap(({ ids, reason }) => (reason === broken || ids.includes('odd') ? [] : ids));
    expect(unread).toHaveLength(1);

    const { value } = await runDeadShow(world.context, { id: unread[0] ?? queueId, limit: 100 });

    expect(value.queueId).toBe(unread[0]);
    expect(value.body).toContain('hello');
    expect(value.refused).toBe('its body is not a JSON object');
  });

  it('that nobody has are said to be missing', async () => {
    await expect(runDeadShow(world.context, { id: 'nobody', limit: 100 })).rejects.toMatchObject({ code: 3 });
  });

  it('are sent again under a new id, with the dead message as the cause and the story kept', async () => {
    const id = await theBrokenOne();

    const { code, value } = await runDeadReplay(world.context, { id, why: 'the cart is mended', limit: 100 });

    expect(code).toBe(0);
    const [replayed] = value.replayed;
    expect(replayed).toMatchObject({ message: id, function: 'run-errand', subject: 'team-b/breaks-cart', removed: true });
    expect(renderDeadReplay(value, plain)).toContain(`${id} again as ${replayed?.sent}`);
    expect(world.plans[0]).toContain('Will send 1 dead letter again as olga');
    const [event] = await world.peek('run-errand');
    expect(event).toMatchObject({ id: replayed?.sent, causationid: id, correlationid: id, data: { namespace: 'team-b', name: 'breaks-cart' } });
    expect(event).not.toHaveProperty('pending');
    expect(event?.['data']).not.toHaveProperty('version');
    await expect(runDeadReplay(world.context, { id, limit: 100 })).rejects.toMatchObject({ code: 3 });
    await world.settle();
  });

  it('are sent again with a line in the ledger that says who and why', async () => {
    const id = await theBrokenOne();

    const { value } = await runDeadReplay(world.context, { id, why: 'the cart is mended', limit: 100 });

    const lines = await world.sql`select actor, action, subject, tenant, details, correlation from ledger where cause = ${id}`;
    expect([...lines]).toEqual([
      {
        actor: 'olga',
        action: 'replay',
        subject: 'team-b/breaks-cart',
        tenant: 'team-b',
        details: { why: 'the cart is mended', from: 'dead letters', died: broken, function: 'run-errand', message: id, sent: value.replayed[0]?.sent },
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

  it('are rehearsed and neither sent nor recorded in a dry run', async () => {
    const id = await theBrokenOne();
    const before = await world.census();

    const { code, value } = await runDeadReplay(world.context, { id, dryRun: true, limit: 100 });

    expect(await world.census()).toEqual(before);
    expect(code).toBe(1);
    expect(value.rehearsed).toEqual([{ function: 'run-errand', subject: 'team-b/breaks-cart', message: id, step: { state: 'failed', error: broken } }]);
    expect(world.plans).toEqual([]);
  });

  it('are kept where the ledger cannot be written, because nothing happens unrecorded', async () => {
    const id = await theBrokenOne();
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
    const { code, value } = await runDeadDrop(world.context, { function: 'run-errand', reason: 'CloudEvent', why: 'a test of the network', limit: 100 });

    expect(code).toBe(0);
    expect(value.dropped.map(({ id }) => id)).toContain('odd');
    const gone = value.dropped.length;
    expect(await world.peek('run-errand-dead')).toHaveLength(3 - gone);
    const lines = await world.sql`select actor, action, details from ledger where cause = 'odd' and details->>'why' = 'a test of the network'`;
    expect([...lines]).toEqual([{ actor: 'olga', action: 'drop', details: expect.objectContaining({ function: 'run-errand', message: 'odd' }) }]);
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
