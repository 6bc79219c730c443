import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeError } from '../../../shared/adapters/postgres/wire.ts';
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('a pool of connections', () => {
  let database: TestDatabase;
  let proxy: CuttableProxy;
  let clients: postgres.Sql[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.sql`create table note (id integer)`;
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    proxy = await startCuttableProxy(database.url);
    await database.sql`truncate note`;
  });
  afterEach(async () => {
    const opened = clients;
    clients = [];
    await Promise.all(opened.map((client) => client.end({ timeout: 5 })));
    await proxy.stop();
  });

  function open(options: Parameters<typeof openTestClient>[1] = {}, url = proxy.url): postgres.Sql {
    const client = openTestClient(url, { poolSize: 1, ...options });
    clients.push(client);
    return client;
  }

  it('sets the limits and the name of the session', async () => {
    const [row] = await open({ statementTimeoutMs: 1_234, applicationName: 'bind-claim' })`
      select current_setting('statement_timeout') as statement, current_setting('application_name') as name,
        current_setting('idle_in_transaction_session_timeout') as idle`;

    expect(row).toEqual({ statement: '1234ms', name: 'bind-claim', idle: '2468ms' });
  });

  it('keeps the notices of the server off the standard output', async () => {
    const written: unknown[] = [];
    const { log } = console;
    console.log = (...args) => written.push(args);
    try {
      await open()`drop table if exists not_there`;
    } finally {
      console.log = log;
    }

    expect(written).toEqual([]);
  });

  it('reads and writes arrays', async () => {
    const sql = open();
    const texts = ['plain', 'with "quotes"', 'back\\slash', 'a,b', '{x}', 'NULL', '', null];
    const [row] = await sql`
      select ${texts as string[]}::text[] as texts, ${sql.array([1, 2])}::int[] as numbers, '{}'::text[] as none,
        array[[1, 2], [3, 4]] as nested, array[true, false] as flags, array['{"a": "}"}'::jsonb] as documents,
        ${sql.array([new Date(0)], 1184)} as moments, 'a' = any(${['a', 'b']}) as found`;

    expect(row).toEqual({
      texts,
      numbers: [1, 2],
      none: [],
      nested: [
        [1, 2],
        [3, 4],
      ],
      flags: [true, false],
      documents: [{ a: '}' }],
      moments: [new Date(0)],
      found: true,
    });
  });

  it('works again after its idle connection was cut', async () => {
    const sql = open();
    await sql`select 1`;

    proxy.cut();
    await expect.poll(() => sql`select 2 as value`.catch(() => []), { timeout: 5_000 }).toEqual([{ value: 2 }]);
  });

  it('answers every statement when all connections are cut at once, and goes on', async () => {
    const sql = open({ poolSize: 3 });
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`));

    const burst = Promise.allSettled(Array.from({ length: 60 }, (_, at) => sql`select ${at}::int, pg_sleep(0.01)`));
    await sql`select 1`;
    proxy.cut();
    const outcomes = await burst;

    expect(outcomes).toHaveLength(60);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.code).toMatch(/^0800[36]$/);
    }
    await expect.poll(() => sql`select 3 as value`.catch(() => []), { timeout: 5_000 }).toEqual([{ value: 3 }]);
  });

  it('does not blame an innocent statement for the end of the session before it', async () => {
    const sql = open();
    const [session] = await sql`select pg_backend_pid() as pid`;
    const victim = sql`select pg_sleep(20)`.catch((error: { code: string }) => error.code);
    await expect
      .poll(() => database.sql`select from pg_stat_activity where pid = ${session?.['pid']} and state = 'active'`)
      .toHaveLength(1);

    await database.sql`select pg_terminate_backend(${session?.['pid']})`;

    expect(await victim).toBe('57P01');
    expect(await sql`select 4 as value`).toEqual([{ value: 4 }]);
  });

  it('never runs the rest of a cut transaction on another session', async () => {
    const sql = open();
    const cut = sql.begin(async (transaction) => {
      await transaction`insert into note values (1)`;
      proxy.cut();
      await transaction`insert into note values (2)`.catch(() => {});
      // Somebody else wants the only connection meanwhile, and would have it made again.
      sql`select 1`.catch(() => {});
      await database.sql`select pg_sleep(0.05)`;
      await transaction`insert into note values (3)`;
    });

    await expect(cut).rejects.toMatchObject({ code: '08003' });

    await expect.poll(() => sql`select 5 as value`.catch(() => []), { timeout: 5_000 }).toEqual([{ value: 5 }]);
    expect(await database.sql`select id from note`).toEqual([]);
  });

  it('survives a cut in the middle of a transaction, again and again', async () => {
    const sql = open({ poolSize: 2 });
    for (let round = 0; round < 20; round += 1) {
      const lost = sql.begin(async (transaction) => {
        await transaction`insert into note values (${round})`;
        const sleeping = transaction`select pg_sleep(20)`.execute();
        setImmediate(() => proxy.cut());
        await sleeping;
      });
      await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^0800[136]$/) });
    }

    await expect.poll(() => sql`select 6 as value`.catch(() => []), { timeout: 5_000 }).toEqual([{ value: 6 }]);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`;
  });

  it('can be ended, without a time limit, after its connections were cut', async () => {
    const sql = openTestClient(proxy.url, { poolSize: 2 });
    await sql`select 1`;
    const lost = sql`select pg_sleep(20)`.catch((error: { code: string }) => error.code);
    await expect
      .poll(() => database.sql`select from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`)
      .toHaveLength(1);
    proxy.cut();

    expect(await lost).toBe('08006');
    await sql.end();
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(20)'`;
  });

  it('can cancel a statement', async () => {
    const query = open()`select pg_sleep(20)`;
    const outcome = query.catch((error: { code: string }) => error.code);
    await expect
      .poll(() => database.sql`select from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`)
      .toHaveLength(1);

    query.cancel();

    expect(await outcome).toBe('57014');
  });

  it.each([
    ['closes', (socket: Socket) => socket.destroy(), { code: '08001' }],
    ['closes after the first word', (socket: Socket) => socket.once('data', () => socket.end()), { code: '08001' }],
    [
      'says that it is starting',
      (socket: Socket) =>
        socket.once('data', () => socket.end(writeError('57P03', 'the database system is starting up'))),
      { code: '57P03' },
    ],
    ['says nothing', () => {}, { code: 'CONNECT_TIMEOUT' }],
  ])('fails at once and calls once when the server accepts and %s', async (_what, greet, expected) => {
    let calls = 0;
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      calls += 1;
      sockets.push(socket.on('error', () => {}));
      greet(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `postgres://a:b@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x`;

    await expect(open({ connectTimeoutMs: 200 }, url)`select 1`).rejects.toMatchObject(expected);

    expect(calls).toBe(1);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('refuses to go on without TLS where TLS is asked for', async () => {
    await expect(open({}, `${proxy.url}?sslmode=require`)`select 1`).rejects.toThrow('it does not speak TLS');
    expect(await open({}, `${proxy.url}?sslmode=prefer`)`select 7 as value`).toEqual([{ value: 7 }]);
  });

  it('explains an address that it cannot use without repeating its password', () => {
    for (const url of [
      'not an address',
      'postgres://a:secret@/x',
      'postgres://a:secret@one,two/x',
      'postgres://a:secret@h/x?sslmode=maybe',
    ]) {
      expect(() => openTestClient(url)).toThrow(/the database address/);
      expect(() => openTestClient(url)).not.toThrow(/secret/);
    }
  });
});
