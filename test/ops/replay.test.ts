import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderReplay, runReplay } from '../../scripts/ops/replay.ts';
import { Transient } from '../../shared/ports/trouble.ts';
import { openWorld, plain, type World } from './world.ts';

describe('a replay', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    await world.change('team-a', 'web', '7');
    await world.change('team-a', 'waits-road', '3');
    await world.settle();
    await world.change('team-a', 'web', '9');
    await world.settle();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    world.plans.length = 0;
  });

  async function lastMessageOf(subject: string, functionName = 'run-errand'): Promise<string> {
    const [step] = await world.context.reader.ofSubject(subject, 1, functionName);
    return step?.message ?? '';
  }

  /** Everything an errand leaves behind, without the memory of how often it was looked at. */
  async function whatIs(): Promise<unknown> {
    return {
      errands: await world.sql`select subject, ran_version, runs, reports from errand order by subject`,
      runs: await world.sql`select * from errand_run order by subject, version`,
      waits: await world.sql`select function, subject, reason, since, deadline from wakeup order by function, subject`,
      knocks: await world.sql`select * from knock`,
      done: await world.sql`select step, actor, subject, action, details from ledger where step is not null order by id`,
    };
  }

  it('sends the message to its function under a new id, with the old one as its cause and the story kept', async () => {
    const id = await lastMessageOf('team-a/web');

    const { code, value } = await runReplay(world.context, { id, why: 'to see', limit: 10 });

    expect(code).toBe(0);
    const [event] = await world.peek('run-errand');
    expect(event).toMatchObject({
      id: value.replayed[0]?.sent,
      type: 'claim.changed.v1',
      causationid: id,
      correlationid: id,
    });
    expect(event?.['id']).not.toBe(id);
    expect(event?.['data']).toEqual({ namespace: 'team-a', name: 'web' });
    expect(event).not.toHaveProperty('pending');
    expect(world.plans[0]).toContain('Will send 1 message again as olga');
    expect(renderReplay(value, plain)).toContain(`${id} again as ${value.replayed[0]?.sent}`);
    await world.settle();
  });

  it('of a follow-up keeps the story of its first message', async () => {
    const id = await lastMessageOf('team-a/web', 'report-errand');
    const [step] = await world.context.reader.ofMessages([id]);

    await runReplay(world.context, { id, limit: 10 });

    const [event] = await world.peek('report-errand');
    expect(event).toMatchObject({ causationid: id, correlationid: step?.correlation });
    expect(step?.correlation).not.toBe(id);
    await world.settle();
  });

  it('is recorded with who and why', async () => {
    const id = await lastMessageOf('team-a/waits-road');

    const { value } = await runReplay(world.context, { id, why: 'the snow is gone', limit: 10 });

    const lines =
      await world.sql`select actor, action, subject, details from ledger where cause = ${id} and step is null`;
    const details = {
      why: 'the snow is gone',
      from: 'step log',
      function: 'run-errand',
      message: id,
      sent: value.replayed[0]?.sent,
    };
    expect([...lines]).toEqual([{ actor: 'olga', action: 'replay', subject: 'team-a/waits-road', details }]);
    await world.settle();
  });

  it('of anything, twice, changes nothing more', async () => {
    const ids = [await lastMessageOf('team-a/web'), await lastMessageOf('team-a/waits-road')];
    const before = await whatIs();

    for (const id of [...ids, ...ids]) await runReplay(world.context, { id, limit: 10 });
    await world.settle();
    await runReplay(world.context, { function: 'run-errand', since: '1h', limit: 10 });
    await runReplay(world.context, { function: 'run-errand', since: '1h', limit: 10 });
    await world.settle();

    expect(await whatIs()).toEqual(before);
  });

  it('of a function sends the latest message of each subject once', async () => {
    const latest = new Set([await lastMessageOf('team-a/web'), await lastMessageOf('team-a/waits-road')]);

    const { value } = await runReplay(world.context, { function: 'run-errand', since: '1h', limit: 10 });

    expect(new Set(value.replayed.map(({ message }) => message))).toEqual(latest);
    expect(value.more).toBe(false);
    expect(await world.peek('run-errand')).toHaveLength(2);
    await world.settle();
  });

  it('of a function takes no more subjects than the limit, and says that there are more', async () => {
    const { value } = await runReplay(world.context, { function: 'run-errand', since: '1h', dryRun: true, limit: 1 });

    expect(value.rehearsed).toHaveLength(1);
    expect(value.more).toBe(true);
    expect(renderReplay(value, plain)).toContain('There are more subjects beyond --limit.');
  });

  it('of a time in which nothing was handled finds nothing', async () => {
    const asked = { function: 'run-errand', since: '2h', until: '1h', limit: 10 };

    await expect(runReplay(world.context, asked)).rejects.toMatchObject({ code: 3 });
  });

  it('shows in a dry run what each subject would lead to, and writes and sends nothing', async () => {
    await world.sql`update errand set ran_version = 0 where subject = 'team-a/web'`;
    const before = await world.census();

    const { code, value } = await runReplay(world.context, {
      function: 'run-errand',
      since: '1h',
      dryRun: true,
      limit: 10,
    });

    expect(await world.census()).toEqual(before);
    expect(world.plans).toEqual([]);
    expect(code).toBe(0);
    const steps = Object.fromEntries(value.rehearsed.map(({ subject, step }) => [subject, step]));
    expect(steps['team-a/web']).toEqual({
      state: 'decided',
      effects: [{ do: 'run-errand', version: '1' }],
      conditions: [{ type: 'Run', status: 'True', reason: 'ErrandRun', message: 'The errand was run' }],
      knocks: [{ type: 'environment.changed.v1', subject: 'team-a/web', to: ['report-errand'] }],
      next: { kind: 'settled' },
    });
    expect(steps['team-a/waits-road']).toMatchObject({
      effects: [],
      next: { kind: 'recheck', wait: { reason: 'RoadClosed' } },
    });
    const text = renderReplay(value, plain);
    expect(text).toContain('would do    run-errand version=1');
    expect(text).toContain('would say   Run=True ErrandRun: The errand was run');
    expect(text).toContain('would wake  report-errand with environment.changed.v1 team-a/web');
    expect(text).toContain('looks again after 1 h, for 1 d at the most: RoadClosed');
    expect(text).toContain('Nothing was sent and nothing written. Without --dry-run, 2 messages would be sent again.');
    await world.sql`update errand set ran_version = 9 where subject = 'team-a/web'`;
  });

  it('that the queue does not take fails, and the ledger says so', async () => {
    const id = await lastMessageOf('team-a/web');
    const queue = { ...world.context.queue, send: () => Promise.reject(new Transient('queue', 'the queue is away')) };

    const { code, value } = await runReplay({ ...world.context, queue }, { id, limit: 10 });

    expect(code).toBe(1);
    expect(value.replayed[0]?.error).toBe('the queue is away');
    const lines =
      await world.sql`select action from ledger where details->>'sent' = ${value.replayed[0]?.sent ?? ''} order by id`;
    expect(lines.map(({ action }) => action)).toEqual(['replay', 'replay-failed']);
  });

  it('of a message that nobody knows says where else to look', async () => {
    await expect(runReplay(world.context, { id: 'nobody', limit: 10 })).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('dead show nobody'),
    });
  });

  it('of a message whose function is gone is refused', async () => {
    const id = await lastMessageOf('team-a/web');

    await expect(runReplay({ ...world.context, routes: [] }, { id, limit: 10 })).rejects.toMatchObject({ code: 1 });
  });

  it.each([
    ['nothing', {}],
    ['a message and a function', { id: 'one', function: 'run-errand', since: '1h' }],
    ['a function and no time', { function: 'run-errand' }],
    ['a time and no function', { since: '1h' }],
    ['a time that is none', { function: 'run-errand', since: 'yesterday' }],
    ['an end before the beginning', { function: 'run-errand', since: '1h', until: '2h' }],
    ['a function that the map does not know', { function: 'run-away', since: '1h' }],
  ])('is not begun where the operator names %s', async (_words, asked) => {
    await expect(runReplay(world.context, { ...asked, limit: 10 })).rejects.toMatchObject({ code: 2 });
  });
});
