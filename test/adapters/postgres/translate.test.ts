import { sql as fragment } from 'drizzle-orm';
import type postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { openDrizzle } from '../../../shared/adapters/postgres/drizzle.ts';
import { clusterUser } from '../../../shared/adapters/postgres/tables/cluster-user.ts';
import { translatePostgres } from '../../../shared/adapters/postgres/translate.ts';
import { Conflict, Refused } from '../../../shared/ports/trouble.ts';
import { useCounters } from './counter-table.ts';
import { troubleOf } from './trouble-of.ts';

describe('an error of the database', () => {
  const { admin, url, open, closeAll } = useCounters();

  it('is transient when a statement takes longer than it may', async () => {
    const client = open({ statementTimeoutMs: 50 });

    expect(await troubleOf(client`select pg_sleep(20)`, 'write')).toMatchObject({
      kind: 'transient',
      cause: { code: '57014' },
    });
  });

  it('is transient when a transaction was left idle', async () => {
    const client = open({ statementTimeoutMs: 100 });
    const error = await troubleOf(
      client.begin(async (transaction) => {
        await transaction`update counter set value = 1 where id = 1`;
        await expect.poll(() => admin()`select from counter where id = 1 for update skip locked`).toHaveLength(1);
        await transaction`update counter set value = 1 where id = 2`;
      }),
      'write',
    );

    expect(error).toMatchObject({ kind: 'transient' });
    expect(await admin()`select from counter where value = 1`).toHaveLength(0);
  });

  it('is transient when there are too many connections', async () => {
    await admin()`drop role if exists crowd`;
    await admin()`create role crowd login password 'crowd' connection limit 1`;
    const crowded = Object.assign(new URL(url()), { username: 'crowd', password: 'crowd' }).href;
    await open({}, crowded)`select 1`;

    expect(await troubleOf(open({}, crowded)`select 1`, 'write')).toMatchObject({
      kind: 'transient',
      cause: { code: '53300' },
    });
    await closeAll();
    await admin()`drop role crowd`;
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
    expect(await troubleOf(admin().unsafe(statement), 'write')).toMatchObject({ kind: 'conflict', cause: { code } });
  });

  it('is a conflict when a lock that must not be waited for is taken', async () => {
    await admin().begin(async (transaction) => {
      await transaction`select from counter where id = 1 for update`;

      const error = await troubleOf(open()`select from counter where id = 1 for update nowait`, 'write');
      expect(error).toMatchObject({ kind: 'conflict', cause: { code: '55P03' } });
    });
  });

  it('is a conflict when the row that ours points to is gone', async () => {
    const inserting = open()`insert into operation (id, instance_id, resource_id, resource_type) values ('a', 'b', 'c', 'Application')`;

    expect(await troubleOf(inserting, 'write')).toMatchObject({ kind: 'conflict', cause: { code: '23503' } });
  });

  it.each([
    ['a check', 'insert into counter values (3, -1)', '23514'],
    ['a null', 'insert into counter values (3, null)', '23502'],
    ['a bad number', `insert into counter values ('x', 1)`, '22P02'],
    ['a text too long', `insert into cluster_user (id, user_name) values (repeat('x', 49), 'name')`, '23514'],
    ['a mistake in our SQL', 'selec 1', '42601'],
  ])('stays what it is when it is a defect: %s', async (_what, statement, code) => {
    const error = await admin()
      .unsafe(statement)
      .then(
        () => undefined,
        (reason: Error) => reason,
      );

    expect(error).toMatchObject({ code });
    expect(translatePostgres(error, { sent: 'write' })).toBe(error);
  });

  it('is recognised inside the error of drizzle', async () => {
    const db = openDrizzle(open());
    await db.insert(clusterUser).values({ id: 'one', userName: 'same' });

    expect(await troubleOf(db.insert(clusterUser).values({ id: 'two', userName: 'same' }), 'write')).toBeInstanceOf(
      Conflict,
    );
    expect(await troubleOf(db.execute(fragment`selec 1`), 'write')).not.toHaveProperty('kind');
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
});
