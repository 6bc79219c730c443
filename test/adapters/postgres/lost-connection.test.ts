import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../../infra/embedded/postgres/start-embedded-postgres.ts';
import { Transient, Uncertain } from '../../../shared/ports/trouble.ts';
import { startCuttableProxy } from '../../support/cuttable-proxy.ts';
import { useCounters } from './counter-table.ts';
import { troubleOf } from './trouble-of.ts';

describe('the loss of a connection', () => {
  const { admin, url, open } = useCounters();

  it('is transient when the server ends the session, for it undoes what was running', async () => {
    const client = open({ applicationName: 'victim' });
    const running = client`update counter set value = 1 where id = 1 and pg_sleep(20) is not null`;
    const outcome = troubleOf(running, 'write');
    await isBusy('victim');

    await admin()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`;

    expect(await outcome).toBeInstanceOf(Transient);
    expect(await outcome).toMatchObject({ dependency: 'database', cause: { code: '57P01' } });
  });

  it.each([
    ['uncertain', 'write', Uncertain],
    ['transient', 'read', Transient],
  ] as const)('is %s when the connection is cut during a %s', async (_what, sent, kind) => {
    const proxy = await startCuttableProxy(url());
    const client = open({ applicationName: `cut-${sent}` }, proxy.url);
    const outcome = troubleOf(client`select pg_sleep(20)`, sent);
    await isBusy(`cut-${sent}`);

    proxy.cut();

    expect(await outcome).toBeInstanceOf(kind);
    expect(await outcome).toMatchObject({ dependency: 'database', cause: { code: '08006' } });
    await admin()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`cut-${sent}`}`;
    await proxy.stop();
  });

  it('is uncertain when the connection is cut during a commit', async () => {
    const proxy = await startCuttableProxy(url());
    const client = open({ applicationName: 'committer' }, proxy.url);
    await admin().unsafe(`
      create function wait_at_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return null; end $$;
      create constraint trigger wait after update on counter deferrable initially deferred
        for each row execute function wait_at_commit()`);
    const outcome = troubleOf(
      client.begin((transaction) => transaction`update counter set value = 1 where id = 1`),
      'write',
    );
    await expect.poll(() => statementOf('committer'), { timeout: 10_000 }).toMatch(/^commit/);

    proxy.cut();

    expect(await outcome).toBeInstanceOf(Uncertain);
    await admin()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'committer'`;
    await admin()`drop function wait_at_commit cascade`;
    await proxy.stop();
  });

  it('is transient for a statement that was never sent, even for a write', async () => {
    const proxy = await startCuttableProxy(url());
    const client = open({}, proxy.url);
    const outcome = troubleOf(
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
    expect(await admin()`select from counter where value = 1`).toHaveLength(0);
    await proxy.stop();
  });

  it('is transient when nobody listens', async () => {
    const proxy = await startCuttableProxy(url());
    await proxy.stop();

    const error = await troubleOf(open({}, proxy.url)`update counter set value = 1`, 'write');

    expect(error).toBeInstanceOf(Transient);
    expect(error).toMatchObject({ cause: { code: '08001', cause: { code: 'ECONNREFUSED' } } });
  });

  it('is transient while the server is down, and over when it is back', async () => {
    const base = await mkdtemp(join(tmpdir(), 'stagecoach-outage-'));
    await chmod(base, 0o711);
    const start = (port?: number) =>
      startEmbeddedPostgres({ folder: join(base, 'postgres'), log: () => {}, durable: false, ...(port && { port }) });
    const first = await start();
    const client = open({ poolSize: 2 }, first.url);
    await client`create table during (id integer)`;

    await first.stop();
    const failures = await Promise.all(
      Array.from({ length: 5 }, (_, id) =>
        troubleOf(
          client.begin((tx) => tx`insert into during values (${id})`),
          'write',
        ),
      ),
    );
    const second = await start(Number(new URL(first.url).port));

    for (const failure of failures) expect(failure).toBeInstanceOf(Transient);
    await expect.poll(() => client`insert into during values (9)`.catch(() => 'away'), { timeout: 10_000 }).toEqual([]);
    expect([...(await client`select id from during`)]).toEqual([{ id: 9 }]);
    await client.end();
    await second.stop();
    await rm(base, { recursive: true });
  });

  it('is transient when the name of the server is not known', async () => {
    const error = await troubleOf(open({}, 'postgres://a:b@stagecoach.invalid/x')`select 1`, 'write');

    expect(error).toBeInstanceOf(Transient);
  });

  async function statementOf(applicationName: string): Promise<string> {
    const [row] = await admin()`
      select query from pg_stat_activity where application_name = ${applicationName} and state = 'active'`;
    return row?.['query'] ?? '';
  }

  async function isBusy(applicationName: string): Promise<void> {
    await expect.poll(() => statementOf(applicationName), { timeout: 10_000 }).toContain('pg_sleep');
  }
});
