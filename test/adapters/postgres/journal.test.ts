import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../shared/adapters/postgres/journal.ts';
import { rowWrite } from '../../../shared/adapters/postgres/row-write.ts';
import { openUpkeep } from '../../../shared/adapters/postgres/upkeep.ts';
import { recheck, settled } from '../../../shared/domain/core/step.ts';
import type { Begun, Journal, Message } from '../../../shared/ports/journal.ts';
import { Conflict } from '../../../shared/ports/trouble.ts';
import type { Upkeep } from '../../../shared/ports/upkeep.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aMessage, aRecord } from '../../support/messages.ts';

let database: TestDatabase;
let journal: Journal;
let upkeep: Upkeep;

beforeAll(async () => {
  database = await openTestDatabase();
  journal = openJournal(database.sql, { resendSeconds: 60 });
  upkeep = openUpkeep(database.sql, { resendSeconds: 60 });
});
afterAll(() => database.close());
beforeEach(() => database.sql`truncate lease, knock, wakeup, served, step_log, tick`);

type Go = Extract<Begun, { state: 'go' }>;

async function begin(message: Message, step = 'step-1', pending = false): Promise<Begun> {
  return journal.begin({ step, message, pending, leaseSeconds: 30 });
}

async function go(message: Message, step = 'step-1', pending = false): Promise<Go> {
  const begun = await begin(message, step, pending);
  if (begun.state !== 'go') throw new Error(`expected go, got ${begun.state}`);
  return begun;
}

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return database.sql.unsafe(`select * from ${table}`);
}

describe('a lease', () => {
  it('is had by one step under a serial key at a time', async () => {
    await go(aMessage('web'), 'step-1');

    expect(await begin(aMessage('web'), 'step-2')).toEqual({ state: 'busy' });
    expect(await begin(aMessage('api'), 'step-3')).toEqual({ state: 'go' });
  });

  it('is free again when the step has finished', async () => {
    const message = aMessage('web');
    await journal.finish(aRecord(message, { begun: await go(message) }));

    expect(await begin(aMessage('web'), 'step-2')).toEqual({ state: 'go' });
  });

  it('of a step that died is taken over when it has run out', async () => {
    await journal.begin({ step: 'dead', message: aMessage('web'), pending: false, leaseSeconds: -1 });

    expect(await begin(aMessage('web'), 'step-2')).toEqual({ state: 'go' });
  });

  it('that was taken over makes the late finish a conflict, and nothing of it is written', async () => {
    const message = aMessage('web');
    const begun = (await journal.begin({ step: 'slow', message, pending: false, leaseSeconds: -1 })) as Go;
    await begin(aMessage('web'), 'step-2');

    const finishing = journal.finish(aRecord(message, { step: 'slow', begun, knocks: [aMessage('other')] }));

    await expect(finishing).rejects.toThrow(Conflict);
    expect(await rowsOf('step_log')).toEqual([]);
    expect(await rowsOf('knock')).toEqual([]);
  });

  it('can be renewed by its holder, and by nobody else', async () => {
    const message = aMessage('web');
    await go(message);

    expect(await journal.renew('step-1', message.serialKey, 30)).toBe(true);
    expect(await journal.renew('step-2', message.serialKey, 30)).toBe(false);
  });
});

describe('who comes while another works under the same key', () => {
  it('leaves a mark, and the one who works sends it on when done', async () => {
    const first = aMessage('web');
    const begun = await go(first, 'step-1');
    const second = aMessage('web', { function: 'report-errand' });
    await begin(second, 'step-2');

    const sent = await journal.finish(aRecord(first, { begun }));

    expect(sent).toMatchObject([{ id: second.id, function: 'report-errand' }]);
    expect(await begin(second, 'step-3', true)).toMatchObject({ state: 'go' });
  });

  it('is never forgotten, however the two meet', async () => {
    for (let round = 0; round < 50; round += 1) {
      const first = aMessage(`web-${round}`);
      const begun = await go(first, 'step-1');
      const second = aMessage(`web-${round}`);

      const [sent, met] = await Promise.all([journal.finish(aRecord(first, { begun })), begin(second, 'step-2')]);

      expect(met.state === 'go' || sent.length === 1).toBe(true);
      expect(met.state === 'go' && sent.length === 1).toBe(false);
    }
  });

  it('only with what the one who works has observed, has nothing left to come for', async () => {
    const first = aMessage('web');
    const begun = await go(first, 'step-1');
    for (const version of ['7', '9', '8']) {
      await begin(aMessage('web', { subject: { namespace: 'team', name: 'web', version } }), 'step-2');
    }

    expect(await journal.finish(aRecord(first, { begun, version: '9' }))).toEqual([]);
    expect(await rowsOf('knock')).toEqual([]);
  });

  it.each([
    ['something newer', '10'],
    ['something without a version', undefined],
  ])('with %s among it, is sent on', async (_what, version) => {
    const first = aMessage('web');
    const begun = await go(first, 'step-1');
    for (const seen of ['7', version, '8']) {
      await begin(aMessage('web', { subject: { namespace: 'team', name: 'web', version: seen } }), 'step-2');
    }

    expect(await journal.finish(aRecord(first, { begun, version: '9' }))).toHaveLength(1);
  });

  it('is found by the sweeper when the one who works dies', async () => {
    await journal.begin({ step: 'dead', message: aMessage('web'), pending: false, leaseSeconds: 60 });
    const second = aMessage('web', { function: 'report-errand' });
    await journal.begin({ step: 'step-2', message: second, pending: false, leaseSeconds: 0.01 });

    await expect.poll(() => upkeep.takeDue(10)).toMatchObject([{ id: second.id }]);
  });
});

describe('an event that was seen before', () => {
  it('WL-09 needs no run once a step has observed a later version', async () => {
    const message = aMessage('web', { subject: { namespace: 'team', name: 'web', version: '7' } });
    await journal.finish(aRecord(message, { begun: await go(message), version: '7' }));

    expect(await begin(message, 'step-2')).toEqual({ state: 'served' });
    expect(
      await begin(aMessage('web', { subject: { namespace: 'team', name: 'web', version: '8' } }), 'step-3'),
    ).toMatchObject({ state: 'go' });
  });

  it('is looked at whatever was observed, if it has no version', async () => {
    const message = aMessage('web');
    await journal.finish(aRecord(message, { begun: await go(message), version: '7' }));

    expect(await begin(message, 'step-2')).toMatchObject({ state: 'go' });
  });

  it('does not make the observed version go back', async () => {
    for (const version of ['10', '9']) {
      const message = aMessage('web');
      await journal.finish(aRecord(message, { begun: await go(message), version }));
    }

    expect(await rowsOf('served')).toMatchObject([{ version: '10' }]);
  });
});

describe('a knock that a step decided', () => {
  it('is a row before it is a message, and is there until the step that serves it has finished', async () => {
    const message = aMessage('web');
    const follow = aMessage('web', { function: 'report-errand', cause: message.id });
    const sent = await journal.finish(aRecord(message, { begun: await go(message), knocks: [follow] }));

    expect(sent).toEqual([follow]);
    const begun = await go(follow, 'step-2', true);
    expect(await rowsOf('knock')).toHaveLength(1);
    await journal.finish(aRecord(follow, { step: 'step-2', begun }));
    expect(await rowsOf('knock')).toEqual([]);
  });

  it('that came twice is served once', async () => {
    const follow = await decided();
    await journal.finish(aRecord(follow, { step: 'step-2', begun: await go(follow, 'step-2', true) }));

    expect(await begin(follow, 'step-3', true)).toEqual({ state: 'served' });
  });

  it('costs nothing more while one for the same look waits', async () => {
    for (let round = 0; round < 20; round += 1) {
      const message = aMessage(`web-${round}`);
      const sent = await journal.finish(
        aRecord(message, { begun: await go(message), knocks: [aMessage('hub', { function: 'report-errand' })] }),
      );

      expect(sent).toHaveLength(round === 0 ? 1 : 0);
    }
    expect(await rowsOf('knock')).toMatchObject([{ seq: '20' }]);
  });

  it('that came while the one before was served is sent when that is done', async () => {
    const hub = aMessage('hub', { function: 'report-errand', serialKey: 'report:hub' });
    const one = aMessage('one');
    await journal.finish(aRecord(one, { begun: await go(one), knocks: [hub] }));
    const begun = await go(hub, 'step-2', true);
    const two = aMessage('two');
    await journal.finish(aRecord(two, { step: 'step-1', begun: await go(two), knocks: [{ ...hub, id: 'again' }] }));

    const sent = await journal.finish(aRecord(hub, { step: 'step-2', begun }));

    expect(sent).toMatchObject([{ function: 'report-errand', subject: hub.subject }]);
  });

  it('whose message got lost is sent again by the sweeper, later each time', async () => {
    const message = aMessage('web');
    const short = openJournal(database.sql, { resendSeconds: 0 });
    await short.finish(
      aRecord(message, { begun: await go(message), knocks: [aMessage('web', { function: 'report-errand' })] }),
    );

    expect(await upkeep.takeDue(10)).toHaveLength(1);
    expect(await upkeep.takeDue(10)).toHaveLength(0);
  });

  /** A follow-up that a step has decided and that has its row. */
  async function decided(): Promise<Message> {
    const message = aMessage('web');
    const follow = aMessage('web', { function: 'report-errand' });
    await journal.finish(aRecord(message, { begun: await go(message), knocks: [follow] }));
    return follow;
  }

  it('that is put off keeps its row', async () => {
    const follow = await decided();

    await journal.finish(
      aRecord(follow, {
        step: 'step-2',
        begun: await go(follow, 'step-2', true),
        done: false,
        outcome: 'transient',
        retrySeconds: 5,
      }),
    );

    expect(await begin(follow, 'step-3', true)).toMatchObject({ state: 'go' });
  });

  it('that lies with the dead letters has no row any more', async () => {
    const follow = await decided();

    await journal.finish(
      aRecord(follow, {
        step: 'step-2',
        begun: await go(follow, 'step-2', true),
        done: false,
        buried: true,
        outcome: 'defect',
      }),
    );

    expect(await rowsOf('knock')).toEqual([]);
  });
});

describe('a store’s own rows', () => {
  const write = (text: string, rows: number) => rowWrite({ toSQL: () => ({ sql: text, params: ['x'] }) }, rows);

  it('are written with the step or not at all', async () => {
    await database.sql.unsafe('create table if not exists thing (name text primary key)');
    const message = aMessage('web');

    await journal.finish(aRecord(message, { begun: await go(message) }), [
      write('insert into thing (name) values ($1)', 1),
    ]);

    expect(await rowsOf('thing')).toEqual([{ name: 'x' }]);
  });

  it('that moved meanwhile are a conflict, and the step is as if it never was', async () => {
    const message = aMessage('web');
    const finishing = journal.finish(aRecord(message, { begun: await go(message) }), [
      write('update thing set name = name where name = $1 and false', 1),
    ]);

    await expect(finishing).rejects.toThrow(Conflict);
    expect(await rowsOf('step_log')).toEqual([]);
    expect(await rowsOf('lease')).toHaveLength(1);
  });
});

describe('a thing that waits', () => {
  const wait = { reason: 'TargetNotReady', message: 'The target is not ready', deadlineSeconds: 300 };

  it('has a wake-up with its reason, since when and until when', async () => {
    const message = aMessage('web');
    await journal.finish(aRecord(message, { begun: await go(message), next: recheck(30, wait) }));

    const [row] =
      await database.sql`select reason, message, extract(epoch from due_at - since)::int as due, extract(epoch from deadline - since)::int as deadline from wakeup`;
    expect(row).toEqual({ reason: 'TargetNotReady', message: 'The target is not ready', due: 30, deadline: 300 });
  });

  it('keeps its deadline over further looks for the same reason, and gets a new one for another', async () => {
    const deadlines: unknown[] = [];
    for (const reason of ['TargetNotReady', 'TargetNotReady', 'QuotaExceeded']) {
      const message = aMessage('web');
      await journal.finish(aRecord(message, { begun: await go(message), next: recheck(30, { ...wait, reason }) }));
      const [row] = await database.sql<{ deadline: string }[]>`select deadline::text from wakeup`;
      deadlines.push(row?.deadline);
    }

    expect(deadlines[1]).toBe(deadlines[0]);
    expect(deadlines[2]).not.toBe(deadlines[0]);
  });

  it('is woken when its time has come', async () => {
    const message = aMessage('web', { correlation: 'story' });
    await journal.finish(aRecord(message, { begun: await go(message), next: recheck(0, wait) }));

    expect(await upkeep.takeDue(10)).toMatchObject([
      { function: 'run-errand', subject: { namespace: 'team', name: 'web' }, correlation: 'story' },
    ]);
    expect(await upkeep.takeDue(10)).toEqual([]);
    expect(await rowsOf('knock')).toHaveLength(1);
  });

  it('knows, when it is looked at again, since when it waits and until when', async () => {
    const message = aMessage('web');
    await journal.finish(aRecord(message, { begun: await go(message), next: recheck(0, wait) }));
    const [woken] = await upkeep.takeDue(10);
    if (woken === undefined) throw new Error('it was not woken');

    const { waiting } = await go(woken, 'step-2', true);

    expect(waiting?.reason).toBe('TargetNotReady');
    expect((waiting?.deadline ?? 0) - (waiting?.since ?? 0)).toBeCloseTo(300_000, 0);
  });

  it('that settles is not woken any more', async () => {
    for (const next of [recheck(30, wait), settled]) {
      const message = aMessage('web');
      await journal.finish(aRecord(message, { begun: await go(message), next }));
    }

    expect(await rowsOf('wakeup')).toEqual([]);
  });
});

describe('the ledger', () => {
  it('has a line for each effect, with its cause, and cannot be changed', async () => {
    const message = aMessage('ledgered', { correlation: 'story' });
    const effect = { do: 'reserve-target', target: 't1' };
    await journal.finish(aRecord(message, { begun: await go(message), effects: [effect] }));

    expect(
      await database.sql`select actor, subject, action, details, cause, correlation from ledger where subject = 'team/ledgered'`,
    ).toEqual([
      {
        actor: 'run-errand',
        subject: 'team/ledgered',
        action: 'reserve-target',
        details: { target: 't1' },
        cause: message.id,
        correlation: 'story',
      },
    ]);
    await expect(database.sql`update ledger set action = 'x'`).rejects.toThrow('append-only');
    await expect(database.sql`delete from ledger`).rejects.toThrow('append-only');
  });
});

describe('knocks put aside', () => {
  it('come back in the order they went, only those of the tenant asked for', async () => {
    await upkeep.putAside([aMessage('1', { tenant: 'noisy' })]);
    await upkeep.putAside([aMessage('2', { tenant: 'noisy' }), aMessage('1', { tenant: 'other' })]);

    expect(await upkeep.tenantsAside(['run-errand'])).toHaveLength(2);
    expect(await upkeep.takeAside('noisy', ['run-errand'], 1)).toMatchObject([{ subject: { name: '1' } }]);
    expect(await upkeep.takeAside('noisy', ['run-errand'], 5)).toMatchObject([{ subject: { name: '2' } }]);
    expect(await upkeep.takeAside('noisy', ['run-errand'], 5)).toEqual([]);
  });

  it('are one where they ask for the same look', async () => {
    await upkeep.putAside([aMessage('1'), aMessage('1'), aMessage('1')]);
    await upkeep.putAside([aMessage('1')]);

    expect(await rowsOf('knock')).toHaveLength(1);
  });
});

describe('housekeeping', () => {
  it('lets one of many hosts have a slot of a schedule', async () => {
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => upkeep.claimTick('forward-due', 1_700_000_000_000)),
    );

    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('makes partitions for the days to come and drops those that are over', async () => {
    await database.sql.unsafe(
      `create table ledger_20200101 partition of ledger for values from ('2020-01-01') to ('2020-01-02')`,
    );

    const { partitions } = await upkeep.sweep({ stepLogDays: 30, ledgerDays: 400, servedDays: 30 });

    expect(partitions).toEqual(['ledger_20200101']);
    const [row] = await database.sql<
      { days: number }[]
    >`select count(*)::int as days from pg_inherits where inhparent = 'step_log'::regclass`;
    expect(row?.days).toBeGreaterThanOrEqual(8);
  });
});
