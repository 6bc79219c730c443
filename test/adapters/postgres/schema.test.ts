import { getTableConfig } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { asSql, readTables } from './tables-in-code.ts';

describe('the tables in code', () => {
  let database: TestDatabase;
  let tables: Awaited<ReturnType<typeof readTables>>;

  beforeAll(async () => {
    database = await openTestDatabase();
    tables = await readTables();
    await database.sql.begin(async (transaction) => {
      await transaction.unsafe(`create schema code; set local search_path = code; ${asSql(tables)}`);
    });
  });
  afterAll(() => database.close());

  it('are the tables that the migrations build: columns, keys, checks and indexes', async () => {
    const migrated = await look(database.sql, 'public');
    const inCode = await look(database.sql, 'code');

    expect(inCode).toEqual(migrated);
    expect(Object.keys(migrated)).toHaveLength(tables.length);
  });

  it('include every table of the reference', async () => {
    const names = tables.map((table) => getTableConfig(table).name);

    expect(names).toEqual(
      expect.arrayContaining([
        'cluster_credentials',
        'gitops_engine_cluster',
        'gitops_engine_instance',
        'managed_environment',
        'cluster_user',
        'cluster_access',
        'operation',
        'application',
        'application_state',
        'deployment_to_application_mapping',
        'kubernetes_to_db_resource_mapping',
        'api_cr_to_database_mapping',
        'sync_operation',
        'repository_credentials',
        'app_project_repository',
        'app_project_managed_environment',
        'application_owner',
      ]),
    );
  });

  it.each([
    ['a column', 'alter table operation add column extra integer'],
    ['a type', 'alter table operation alter column gc_expiration_time type bigint'],
    ['a nullable column', 'alter table application alter column name drop not null'],
    ['a default', 'alter table operation alter column state drop default'],
    ['an index', 'drop index operation_resource'],
    ['a uniqueness', 'alter table cluster_user drop constraint cluster_user_user_name'],
    ['a foreign key', 'alter table application drop constraint application_engine_instance_id_fkey'],
    ['a check', 'alter table operation drop constraint operation_state_value'],
    ['a table', 'create table extra (id integer)'],
  ])('are found to differ from a migration by %s', async (_what, change) => {
    await database.sql
      .begin(async (transaction) => {
        await transaction.unsafe(change);

        expect(await look(transaction, 'public')).not.toEqual(await look(transaction, 'code'));
        throw new Error('undo the change');
      })
      .catch((error: Error) => expect(error.message).toBe('undo the change'));
  });
});

type Shape = Record<string, { columns: unknown; constraints: string[]; indexes: string[] }>;

/** What PostgreSQL itself says about a schema, without names that were chosen by PostgreSQL or by drizzle. */
async function look(sql: postgres.ISql, schema: string): Promise<Shape> {
  const rows = await sql<{ name: string; columns: unknown; constraints: string[]; indexes: string[] }[]>`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
                pg_get_expr(d.adbin, d.adrelid)) order by a.attname)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      array(select case when k.contype in ('u', 'c') then k.conname || ' ' else '' end || pg_get_constraintdef(k.oid)
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c') order by 1) as constraints,
      array(select pg_get_indexdef(i.indexrelid)
        from pg_index i where i.indrelid = c.oid
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
        order by 1) as indexes
    from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations'
    order by 1`;
  const unqualified = (text: string) => text.replaceAll(`${schema}.`, '').replace(' ON ONLY ', ' ON ');
  return Object.fromEntries(
    rows.map(({ name, columns, constraints, indexes }) => [
      name,
      { columns, constraints: constraints.map(unqualified).sort(), indexes: indexes.map(unqualified).sort() },
    ]),
  );
}
