import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClaimChanged, EnvironmentChanged } from '../../shared/contracts/knocks.ts';
import { type Effect, recheck, type Step, settled } from '../../shared/domain/core/step.ts';
import type { Begun } from '../../shared/ports/journal.ts';
import { Conflict, Poison, Refused, Transient, Uncertain } from '../../shared/ports/trouble.ts';
import { type Definition, defineFunction } from '../../shared/runtime/define-function.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { anEvent, nowhere, openRememberingQueue, openTestMachine, type RememberingQueue } from '../support/machine.ts';

let database: TestDatabase;
let queue: RememberingQueue;
let machine: ReturnType<typeof openTestMachine>;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`truncate lease, knock, wakeup, served, step_log`;
  queue = openRememberingQueue();
  machine = openTestMachine(database.sql, { queue });
});

const done: Step = { effects: [{ do: 'run-errand' }], conditions: [], knocks: [], next: settled };

function anErrand(but: Partial<Definition<string, Effect, undefined>> = {}) {
  return defineFunction<string, Effect, undefined>({
    name: 'run-errand',
    consumes: [ClaimChanged],
    emits: [EnvironmentChanged],
    services: () => undefined,
    observe: async () => 'seen',
    decide: () => done,
    ...but,
  });
}

const handle = (errand: ReturnType<typeof anErrand>, event: unknown = anEvent('web'), receives = 1) =>
  errand.handle(event, { receives, covered: 0 }, machine);
const throws = (error: Error) => anErrand({ observe: async () => Promise.reject(error) });
const outcomes = async () =>
  (
    await database.sql<{ outcome: string; reason: string | null }[]>`select outcome, reason from step_log order by at`
  ).map((row) => ({ ...row }));
const leases = async () => (await database.sql`select * from lease`).length;

describe('a step', () => {
  it('observes, decides, commits, and leaves one line in the log of steps and one on the output', async () => {
    const outcome = await handle(anErrand());

    expect(outcome).toEqual({ kind: 'stepped', next: 'settled', effects: 1 });
    expect(await outcomes()).toEqual([{ outcome: 'stepped', reason: null }]);
    expect(machine.lines).toMatchObject([
      {
        level: 'info',
        msg: 'step',
        fn: 'run-errand',
        namespace: 'team',
        name: 'web',
        outcome: 'stepped',
        next: 'settled',
        effects: ['run-errand'],
        attempt: 0,
      },
    ]);
    expect(await leases()).toBe(0);
  });

  it('sends its follow-ups with their cause, in the same story and the same trace', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const step: Step = {
      ...done,
      knocks: [{ type: 'environment.changed.v1', subject: { namespace: 'team', name: 'dev' } }],
    };

    await handle(
      anErrand({ decide: () => step }),
      anEvent('web', { id: 'cause-1', correlationid: 'story-1', traceparent }),
    );

    const [delivery] = queue.sent;
    expect(delivery).toMatchObject({
      from: 'run-errand',
      pending: true,
      message: {
        function: 'report-errand',
        cause: 'cause-1',
        correlation: 'story-1',
        subject: { namespace: 'team', name: 'dev' },
      },
    });
    expect(delivery?.message.traceparent).toContain('a'.repeat(32));
    expect(delivery?.message.traceparent).not.toContain('b'.repeat(16));
  });

  it('sends what it wants to be looked at later with a delay, and hands it to nobody before', async () => {
    const subject = { namespace: 'team', name: 'dev' };
    const step: Step = { ...done, knocks: [{ type: 'environment.changed.v1', subject, afterSeconds: 2 }] };
    const handedOver: unknown[] = [];
    machine = openTestMachine(database.sql, {
      queue,
      handOver: (messages) => {
        handedOver.push(...messages);
        return [];
      },
    });

    await handle(anErrand({ decide: () => step }));
    await handle(anErrand({ decide: () => ({ ...step, knocks: [{ type: 'environment.changed.v1', subject }] }) }));

    expect(handedOver).toEqual([]);
    expect(queue.sent).toMatchObject([{ pending: true, delaySeconds: 2, message: { subject } }]);
    expect(await database.sql`select function, seq::int from knock`).toEqual([{ function: 'report-errand', seq: 2 }]);
  });

  it('that is to look again later takes along whoever knocked while it worked', async () => {
    const knocks = [{ type: 'claim.changed.v1', subject: { namespace: 'team', name: 'web' }, afterSeconds: 2 }];
    const errand = anErrand({
      emits: [ClaimChanged],
      observe: async () => {
        await database.sql`update knock set seq = seq + 1`;
        return 'seen';
      },
      decide: () => ({ ...done, knocks }),
    });
    await handle(anErrand({ emits: [ClaimChanged], decide: () => ({ ...done, knocks }) }));
    const [first] = queue.sent.splice(0);

    await handle(errand, anEvent('web', { id: first?.message.id, pending: 'true' }));

    expect(queue.sent).toMatchObject([{ pending: true, delaySeconds: 2, message: { function: 'run-errand' } }]);
    expect((await database.sql`select from knock`).length).toBe(1);
  });

  it('may only emit what it said it would', async () => {
    const step: Step = { ...done, knocks: [{ type: 'secret.changed.v1', subject: { namespace: 'team', name: 'x' } }] };

    await expect(handle(anErrand({ decide: () => step }))).rejects.toThrow('may not emit secret.changed.v1');
  });

  it('is skipped where there is nothing to look at any more', async () => {
    expect(await handle(anErrand({ observe: async () => undefined }))).toEqual({ kind: 'skipped', why: 'gone' });
    expect(await outcomes()).toEqual([{ outcome: 'skipped', reason: 'gone' }]);
  });

  it('that waits says why in its log line', async () => {
    const next = recheck(30, { reason: 'TargetNotReady', message: 'The target is not ready', deadlineSeconds: 300 });

    await handle(anErrand({ decide: () => ({ ...done, next }) }));

    expect(await outcomes()).toEqual([{ outcome: 'stepped', reason: 'TargetNotReady' }]);
  });

  it('whose follow-ups the queue does not take is done all the same: the sweeper sends them', async () => {
    const step: Step = {
      ...done,
      knocks: [{ type: 'environment.changed.v1', subject: { namespace: 'team', name: 'dev' } }],
    };
    queue.away = new Transient('queue', 'away');

    expect(await handle(anErrand({ decide: () => step }))).toMatchObject({ kind: 'stepped' });
    expect(await database.sql`select function from knock`).toEqual([{ function: 'report-errand' }]);
  });
});

describe('a step in trouble', () => {
  it('looks again at once when somebody wrote first', async () => {
    let looks = 0;
    const errand = anErrand({
      observe: async () => {
        looks += 1;
        return 'seen';
      },
      apply: async () => {
        if (looks < 3) throw new Conflict('moved');
      },
    });

    expect(await handle(errand)).toMatchObject({ kind: 'stepped' });
    expect(looks).toBe(3);
    expect(queue.sent).toEqual([]);
  });

  it('comes back soon when the conflict stays', async () => {
    expect(await handle(anErrand({ apply: async () => Promise.reject(new Conflict('moved')) }))).toMatchObject({
      kind: 'conflict',
    });
    expect(queue.sent).toMatchObject([{ attempt: 1, message: { function: 'run-errand' } }]);
    expect(await leases()).toBe(0);
  });

  it.each([
    [0, 1, 0.75],
    [1, 2, 1.5],
    [2, 3, 3],
  ])(
    'BS-10 with something away after %i attempts comes back as attempt %i after %d seconds',
    async (before, attempt, seconds) => {
      const outcome = await handle(
        throws(new Transient('git', 'git is away')),
        anEvent('web', { attempt: String(before) }),
      );

      expect(outcome).toEqual({ kind: 'transient', why: 'git is away', retrySeconds: seconds });
      expect(queue.sent).toMatchObject([{ attempt, delaySeconds: seconds }]);
      expect(await outcomes()).toEqual([{ outcome: 'transient', reason: 'git is away' }]);
      expect(await leases()).toBe(0);
    },
  );

  it('gives up after the last attempt, with a dead letter that says why', async () => {
    await handle(throws(new Transient('git', 'git is away')), anEvent('web', { attempt: '3' }));

    expect(queue.sent).toEqual([]);
    expect(queue.buried).toMatchObject([
      { function: 'run-errand', why: 'still transient after 3 attempts: git is away' },
    ]);
  });

  it('that does not know whether it happened keeps its lease, and comes back when that is over', async () => {
    const outcome = await handle(
      anErrand({ apply: async () => Promise.reject(new Uncertain('cluster', 'no answer')) }),
    );

    expect(outcome).toMatchObject({ kind: 'uncertain', retrySeconds: 20 });
    expect(await leases()).toBe(1);
  });

  it('BS-10 that only the user can end is done, with the reason', async () => {
    const outcome = await handle(throws(new Refused('BranchProtected', 'The branch main is protected')));

    expect(outcome).toEqual({ kind: 'refused', why: 'BranchProtected' });
    expect(queue.sent).toEqual([]);
    expect(await outcomes()).toEqual([{ outcome: 'refused', reason: 'BranchProtected: The branch main is protected' }]);
  });

  it('of what waits looks again before its deadline, since whoever refused may have been mistaken', async () => {
    const wait = { reason: 'NotHealthy', message: 'It is not healthy yet', deadlineSeconds: 300 };
    await handle(anErrand({ decide: () => ({ ...done, next: recheck(30, wait) }) }));
    const [before] = await database.sql`select reason, since, deadline from wakeup`;

    await handle(throws(new Refused('Forbidden', 'May not list')));

    const [after, ...others] =
      await database.sql`select reason, since, deadline, due_at <= deadline as soon from wakeup`;
    expect(others).toEqual([]);
    expect(after).toEqual({ ...before, soon: true });
  });

  it('found while it works that the message is nobody’s: it is buried at once', async () => {
    expect(await handle(throws(new Poison('no such thing')))).toMatchObject({ kind: 'poison' });
    expect(queue.buried).toMatchObject([{ why: 'no such thing' }]);
  });

  it('of our own making is thrown on, and stands in the log of steps', async () => {
    await expect(handle(throws(new TypeError('undefined is not a function')))).rejects.toThrow(TypeError);

    expect(await outcomes()).toEqual([{ outcome: 'defect', reason: 'TypeError: undefined is not a function' }]);
    expect(machine.lines).toMatchObject([
      { level: 'error', outcome: 'defect', stack: expect.stringContaining('take-step') },
    ]);
    expect(await leases()).toBe(0);
  });

  it('is not waited for longer than its time-out, whatever it waits for', async () => {
    machine = openTestMachine(database.sql, {
      queue,
      routes: machine.routes.map((route) => ({ ...route, timeoutSeconds: 0.05 })),
    });
    const aborted: unknown[] = [];
    const errand = anErrand({
      observe: (_subject, _services, signal) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason));
        return new Promise(() => {});
      },
    });

    expect(await handle(errand)).toMatchObject({ kind: 'uncertain', why: 'no answer within 0.05 seconds' });
    expect(aborted).toHaveLength(1);
  });

  it('goes no further when what it waited for comes after its time-out', async () => {
    machine = openTestMachine(database.sql, {
      queue,
      routes: machine.routes.map((route) => ({ ...route, timeoutSeconds: 0.05 })),
    });
    const late = Promise.withResolvers<string>();
    let applied = 0;
    const errand = anErrand({
      observe: () => late.promise,
      apply: async () => {
        applied += 1;
      },
    });
    await handle(errand);

    late.resolve('seen');
    await new Promise((resolve) => setImmediate(resolve));

    expect(applied).toBe(0);
    expect(await outcomes()).toEqual([]);
  });

  it('does not keep a lease that it got after its time-out', async () => {
    const late = Promise.withResolvers<Begun>();
    let renewed = 0;
    const journal = {
      ...machine.journal,
      begin: () => late.promise,
      renew: async () => {
        renewed += 1;
        return true;
      },
    };
    const routes = machine.routes.map((route) => ({ ...route, timeoutSeconds: 0.05 }));
    const settings = { ...machine.settings, leaseSeconds: 0.003 };
    machine = openTestMachine(database.sql, { queue, journal, routes, settings });
    let observed = 0;
    await handle(
      anErrand({
        observe: async () => {
          observed += 1;
          return 'seen';
        },
      }),
    );

    late.resolve({ state: 'go' });
    // Ten times as long as a renewal would take to come.
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect([observed, renewed]).toEqual([0, 0]);
  });

  it('whose database is away is put off without asking it again', async () => {
    const journal = {
      ...machine.journal,
      begin: async () => Promise.reject(new Transient('database', 'the database is away')),
      finish: () => Promise.reject(new Error('asked')),
    };
    machine = openTestMachine(database.sql, { queue, journal });

    expect(await handle(anErrand())).toMatchObject({ kind: 'transient' });
    expect(queue.sent).toHaveLength(1);
    expect(machine.lines.map(({ msg }) => msg)).toEqual(['step']);
  });

  it('and without a queue is thrown on: the message stays where it came from', async () => {
    queue.away = new Transient('queue', 'away');

    await expect(handle(throws(new Transient('git', 'git is away')))).rejects.toThrow('away');
  });
});

describe('what is not one of our messages', () => {
  it.each([
    ['a text', 'hello', 'not a CloudEvent'],
    ['WR-05 nothing', null, 'not a CloudEvent'],
    ['an array', [1], 'not a CloudEvent'],
    ['an event of another version', anEvent('web', { specversion: '0.3' }), 'specversion'],
    ['an event with a field we do not know', anEvent('web', { extra: 1 }), 'extra'],
    [
      'WR-04 a type it does not consume',
      anEvent('web', { type: 'claim.changed.v2' }),
      'does not consume claim.changed.v2',
    ],
    ['WR-05 data without a name', anEvent('web', { data: { namespace: 'team' } }), 'not a claim.changed.v1'],
    [
      'WR-05 data with more than it may have',
      anEvent('web', { data: { namespace: 'team', name: 'web', secret: 'x' } }),
      'not a claim.changed.v1',
    ],
    [
      'a version that is no number',
      anEvent('web', { data: { namespace: 'team', name: 'web', version: '1; drop' } }),
      'version',
    ],
  ])('%s, is buried at once with the reason', async (_what, event, why) => {
    expect(await handle(anErrand(), event)).toMatchObject({ kind: 'poison' });
    expect(queue.buried).toHaveLength(1);
    expect(queue.buried[0]?.why).toContain(why);
    expect(await outcomes()).toEqual([]);
  });

  it('and has a row behind it, loses the row', async () => {
    await database.sql`insert into knock (function, subject, id, state, type, data, tenant, serial_key, due_at) values ('run-errand', 'team/web', 'old-1', 'sent', 'claim.changed.v0', '{}', 'team', 'k', now())`;

    await handle(anErrand(), anEvent('web', { id: 'old-1', type: 'claim.changed.v0', pending: 'true' }));

    expect(await database.sql`select * from knock`).toHaveLength(0);
  });
});

describe('a rehearsal', () => {
  it('says what would be decided, and writes nothing', async () => {
    const rehearsed = await anErrand().rehearse({ namespace: 'team', name: 'web' }, { now: 0 }, { world: nowhere });

    expect(rehearsed).toEqual({ function: 'run-errand', subject: 'team/web', step: done });
    expect(await outcomes()).toEqual([]);
  });
});
