import { sql as fragment } from 'drizzle-orm';
import type postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDrizzle } from '../../../shared/adapters/postgres/drizzle.ts';
import { clusterUser } from '../../../shared/adapters/postgres/tables/cluster-user.ts';
import { translatePostgres } from '../../../shared/adapters/postgres/translate.ts';
import { Conflict, Refused, Transient, Uncertain } from '../../../shared/ports/trouble.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startCuttableProxy } from './cuttable-proxy.ts';

describe('an error of the database', () => {
  let database: TestDatabase;
  let admin: postgres.Sql;
  let clients: postgres.Sql[];

  beforeAll(async () => {
    database = await openTestDatabase();
    admin = database.sql;
    await admin`create table counter (id integer primary key, value integer not null check (value >= 0))`;
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    clients = [];
    await admin`truncate counter`;
    await admin`insert into counter values (1, 0), (2, 0)`;
  });
  afterEach(() => Promise.all(clients.map((client) => client.end({ timeout: 1 }))));

  function open(options: Parameters<typeof openTestClient>[1] = {}, url = database.url): postgres.Sql {
    const client = openTestClient(url, { poolSize: 1, ...options });
    clients.push(client);
    return client;
  }

  it('is transient when the server ends the session, for it undoes what was running', async () => {
    const client = open({ applicationName: 'victim' });
    const running = client`update counter set value = 1 where id = 1 and pg_sleep(20) is not null`;
    const outcome = trouble(running, 'write');
    await isBusy('victim');

    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`;

    expect(await outcome).toBeInstanceOf(Transient);
    expect(await outcome).toMatchObject({ dependency: 'database', cause: { code: '57P01' } });
  });

  it.each([
    ['uncertain', 'write', Uncertain],
    ['transient', 'read', Transient],
  ] as const)('is %s when the connection is cut during a %s', async (_what, sent, kind) => {
    const proxy = await startCuttableProxy(database.url);
    const client = open({ applicationName: `cut-${sent}` }, proxy.url);
    const outcome = trouble(client`select pg_sleep(20)`, sent);
    await isBusy(`cut-${sent}`);

    proxy.cut();

    expect(await outcome).toBeInstanceOf(kind);
    expect(await outcome).toMatchObject({ dependency: 'database', cause: { code: '08006' } });
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`cut-${sent}`}`;
    await proxy.stop();
  });

  it('is uncertain when the connection is cut during a commit', async () => {
    const proxy = await startCuttableProxy(database.url);
    const client = open({ applicationName: 'committer' }, proxy.url);
    await admin.unsafe(`
      create function wait_at_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return null; end $$;
      create constraint trigger wait after update on counter deferrable initially deferred
        for each row execute function wait_at_commit()`);
    const outcome = trouble(
      client.begin((transaction) => transaction`update counter set value = 1 where id = 1`),
      'write',
    );
    await expect.poll(() => statementOf('committer'), { timeout: 10_000 }).toMatch(/^commit/);

    proxy.cut();

    expect(await outcome).toBeInstanceOf(Uncertain);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'committer'`;
    await admin`drop function wait_at_commit cascade`;
    await proxy.stop();
  });

  it('is transient for a statement that was never sent, even for a write', async () => {
    const proxy = await startCuttableProxy(database.url);
    const client = open({}, proxy.url);
    const outcome = trouble(
      client.begin(async (transaction) => {
        await transaction`select 1`;
        proxy.cut();
        await transaction`update counter set value = 1 where id = 1`.catch(() => {});
        await transaction`update counter set value = 1 where id = 2`;
      }),
      'write',
    );

    expect(await outcome).toBeInstanceOf(Transient);
    expect(await outcome).toMatchObject({ cause: { code: '08003' } });
    expect(await admin`select from counter where value = 1`).toHaveLength(0);
    await proxy.stop();
  });

  it('is transient when nobody listens', async () => {
    const proxy = await startCuttableProxy(database.url);
    await proxy.stop();

    const error = await trouble(open({}, proxy.url)`update counter set value = 1`, 'write');

    expect(error).toBeInstanceOf(Transient);
    expect(error).toMatchObject({ cause: { code: '08001', cause: { code: 'ECONNREFUSED' } } });
  });

  it('is transient when the name of the server is not known', async () => {
    const error = await trouble(open({}, 'postgres://a:b@stagecoach.invalid/x')`select 1`, 'write');

    expect(error).toBeInstanceOf(Transient);
  });

  it('is transient when a statement takes longer than it may', async () => {
    const client = open({ statementTimeoutMs: 50 });

    expect(await trouble(client`select pg_sleep(20)`, 'write')).toMatchObject({
      kind: 'transient',
      cause: { code: '57014' },
    });
  });

  it('is transient when a transaction was left idle', async () => {
    const client = open({ statementTimeoutMs: 100 });
    const error = await trouble(
      client.begin(async (transaction) => {
        await transaction`update counter set value = 1 where id = 1`;
        await expect.poll(() => admin`select from counter where id = 1 for update skip locked`).toHaveLength(1);
        await transaction`update counter set value = 1 where id = 2`;
      }),
      'write',
    );

    expect(error).toMatchObject({ kind: 'transient' });
    expect(await admin`select from counter where value = 1`).toHaveLength(0);
  });

  it('is transient when there are too many connections', async () => {
    await admin`drop role if exists crowd`;
    await admin`create role crowd login password 'crowd' connection limit 1`;
    const url = Object.assign(new URL(database.url), { username: 'crowd', password: 'crowd' }).href;
    await open({}, url)`select 1`;

    expect(await trouble(open({}, url)`select 1`, 'write')).toMatchObject({
      kind: 'transient',
      cause: { code: '53300' },
    });
    await Promise.all(clients.map((client) => client.end()));
    await admin`drop role crowd`;
  });

  it('is a conflict when two transactions cannot be put in an order', async () => {
    const increment = (client: postgres.Sql, meet: () => Promise<void>) =>
      client.begin('isolation level serializable', async (transaction) => {
        const [row] = await transaction`select sum(value)::int as sum from counter`;
        await meet();
        await transaction`insert into counter values (${Math.floor(Math.random() * 1e9)}, ${row?.['sum'] + 1})`;
      });

    const errors = await bothAtOnce(increment);

    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(Conflict);
    expect(errors[0]).toMatchObject({ cause: { code: '40001' } });
  });

  it('is a conflict when two transactions wait for one another', async () => {
    let order = 0;
    const update = (client: postgres.Sql, meet: () => Promise<void>) =>
      client.begin(async (transaction) => {
        order += 1;
        const [first, second] = order === 1 ? [1, 2] : [2, 1];
        await transaction`update counter set value = 1 where id = ${first}`;
        await meet();
        await transaction`update counter set value = 1 where id = ${second}`;
      });

    const errors = await bothAtOnce(update);

    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ kind: 'conflict', cause: { code: '40P01' } });
  });

  it.each([
    ['a row is there already', 'insert into counter values (1, 1)', '23505'],
    ['our own functions say so', `do $$ begin raise 'moved' using errcode = 'SC409'; end $$`, 'SC409'],
  ])('is a conflict when %s', async (_what, statement, code) => {
    expect(await trouble(admin.unsafe(statement), 'write')).toMatchObject({ kind: 'conflict', cause: { code } });
  });

  it('is a conflict when a lock that must not be waited for is taken', async () => {
    await admin.begin(async (transaction) => {
      await transaction`select from counter where id = 1 for update`;

      const error = await trouble(open()`select from counter where id = 1 for update nowait`, 'write');
      expect(error).toMatchObject({ kind: 'conflict', cause: { code: '55P03' } });
    });
  });

  it.each([
    ['a check', 'insert into counter values (3, -1)', '23514'],
    ['a null', 'insert into counter values (3, null)', '23502'],
    [
      'a foreign key',
      `insert into operation (id, instance_id, resource_id, resource_type) values ('a', 'b', 'c', 'Application')`,
      '23503',
    ],
    ['a bad number', `insert into counter values ('x', 1)`, '22P02'],
    ['a text too long', `insert into cluster_user (id, user_name) values (repeat('x', 49), 'name')`, '23514'],
    ['a mistake in our SQL', 'selec 1', '42601'],
  ])('stays what it is when it is a defect: %s', async (_what, statement, code) => {
    const error = await admin.unsafe(statement).then(
      () => undefined,
      (reason: Error) => reason,
    );

    expect(error).toMatchObject({ code });
    expect(translatePostgres(error, { sent: 'write' })).toBe(error);
  });

  it('is recognised inside the error of drizzle', async () => {
    const db = openDrizzle(open());
    await db.insert(clusterUser).values({ id: 'one', userName: 'same' });

    expect(await trouble(db.insert(clusterUser).values({ id: 'two', userName: 'same' }), 'write')).toBeInstanceOf(
      Conflict,
    );
    expect(await trouble(db.execute(fragment`selec 1`), 'write')).not.toHaveProperty('kind');
  });

  it('is not translated twice, and always is an error', () => {
    const refused = new Refused('NotAllowed', 'You may not');

    expect(translatePostgres(refused, { sent: 'write' })).toBe(refused);
    expect(translatePostgres('oops', { sent: 'write' })).toBeInstanceOf(Error);
  });

  async function bothAtOnce(
    run: (client: postgres.Sql, meet: () => Promise<void>) => Promise<unknown>,
  ): Promise<Error[]> {
    let waiting = 2;
    const gate = Promise.withResolvers<void>();
    const meet = () => {
      waiting -= 1;
      if (waiting === 0) gate.resolve();
      return gate.promise;
    };
    const results = await Promise.allSettled([run(open(), meet), run(open(), meet)]);
    return results.flatMap((result) =>
      result.status === 'rejected' ? [translatePostgres(result.reason, { sent: 'write' })] : [],
    );
  }

  async function statementOf(applicationName: string): Promise<string> {
    const [row] = await admin`
      select query from pg_stat_activity where application_name = ${applicationName} and state = 'active'`;
    return row?.['query'] ?? '';
  }

  async function isBusy(applicationName: string): Promise<void> {
    await expect.poll(() => statementOf(applicationName), { timeout: 10_000 }).toContain('pg_sleep');
  }
});

async function trouble(promise: PromiseLike<unknown>, sent: 'read' | 'write'): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return translatePostgres(error, { sent });
  }
  throw new Error('no error');
}
