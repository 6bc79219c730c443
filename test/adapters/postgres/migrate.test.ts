import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../shared/adapters/postgres/migrate.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('migrations', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    await database.sql.unsafe('drop schema public cascade; create schema public');
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-migrations-'));
    await writeFile(join(folder, '0001_first.sql'), 'create table first (id integer);\ninsert into first values (1);');
    await writeFile(join(folder, '0002_second.sql'), 'create table second (id integer);');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are applied in order, once, and recorded with their checksum', async () => {
    const applied = await migrate(database.sql, folder);
    const again = await migrate(database.sql, folder);

    expect(applied).toEqual(['0001_first', '0002_second']);
    expect(again).toEqual([]);
    const rows = await database.sql`select version, name, length(checksum) as size from schema_migrations order by 1`;
    expect([...rows]).toEqual([
      { version: 1, name: '0001_first', size: 64 },
      { version: 2, name: '0002_second', size: 64 },
    ]);
  });

  it('are applied once when several hosts start at the same moment', async () => {
    const hosts = Array.from({ length: 6 }, () => openTestClient(database.url, { poolSize: 1 }));

    const applied = await Promise.all(hosts.map((host) => migrate(host, folder)));

    expect(applied.flat().sort()).toEqual(['0001_first', '0002_second']);
    expect(await database.sql`select id from first`).toHaveLength(1);
    await Promise.all(hosts.map((host) => host.end()));
  });

  it('that fail leave nothing behind and say which one it was', async () => {
    await writeFile(join(folder, '0002_second.sql'), 'create table second (id integer); select broken from nowhere;');

    await expect(migrate(database.sql, folder)).rejects.toThrow('migration 0002_second failed and was undone');

    const [row] = await database.sql`select to_regclass('first') as first, to_regclass('second') as second`;
    expect(row).toEqual({ first: 'first', second: null });
  });

  it('that were changed after they were applied are an error that says what to do', async () => {
    await migrate(database.sql, folder);
    await writeFile(join(folder, '0001_first.sql'), 'create table first (id bigint);');

    await expect(migrate(database.sql, folder)).rejects.toThrow(
      'restore the file and write the change as a new migration',
    );
  });

  it('with other line ends are the same migrations', async () => {
    await migrate(database.sql, folder);
    await writeFile(
      join(folder, '0001_first.sql'),
      'create table first (id integer);\r\ninsert into first values (1);',
    );

    expect(await migrate(database.sql, folder)).toEqual([]);
  });

  it('with a number below one already applied are refused', async () => {
    await migrate(database.sql, folder);
    await database.sql`update schema_migrations set version = 3 where version = 2`;

    await expect(migrate(database.sql, folder)).rejects.toThrow('give it the next free number');
  });

  it('of a newer host do not stop an older one', async () => {
    await migrate(database.sql, folder);
    await rm(join(folder, '0002_second.sql'));

    expect(await migrate(database.sql, folder)).toEqual([]);
  });

  it('with one number twice, or without a number, are refused before anything is applied', async () => {
    await writeFile(join(folder, '0002_again.sql'), 'select 1');
    await expect(migrate(database.sql, folder)).rejects.toThrow('two migrations have the number');

    await rm(join(folder, '0002_again.sql'));
    await writeFile(join(folder, 'later.sql'), 'select 1');
    await expect(migrate(database.sql, folder)).rejects.toThrow('is not named like');

    const [row] = await database.sql`select to_regclass('first') as first`;
    expect(row).toEqual({ first: null });
  });
});
