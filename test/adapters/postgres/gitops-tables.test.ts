import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { gitOpsTables, rowsOfTenant, writeLaterRows, writeTenant } from '../../support/every-table.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly required: boolean;
  /** Its value names a row of another table, or is named by one. */
  readonly linked: boolean;
  /** Bytes. */
  readonly limit: number | null;
  readonly may_be_empty: boolean;
  readonly constraint_name: string | null;
  readonly values_name: string | null;
}

/** Columns of text or bytes, with what the constraints say about each. */
const question = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, a.attnotnull as required,
    exists (select from pg_constraint f where f.contype = 'f' and (
      (f.conrelid = c.oid and a.attnum = any (f.conkey)) or (f.confrelid = c.oid and a.attnum = any (f.confkey)))) as linked,
    substring(pg_get_constraintdef(l.oid) from '<= (\\d+)')::int as limit,
    pg_get_constraintdef(l.oid) !~ '>= 1' as may_be_empty, l.conname as constraint_name, v.conname as values_name
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
  left join pg_constraint l on l.conrelid = c.oid and l.contype = 'c' and l.conkey = array[a.attnum]
    and pg_get_constraintdef(l.oid) like '%octet_length%'
  left join pg_constraint v on v.conrelid = c.oid and v.contype = 'c' and v.conkey = array[a.attnum]
    and v.conname like '%\\_value'
  where c.relnamespace = 'public'::regnamespace and c.relname::text = any ($1::text[])
  order by 1, 2`;

describe('every table of the GitOps service', () => {
  let database: TestDatabase;
  let columns: readonly Column[];

  beforeAll(async () => {
    database = await openTestDatabase();
    await writeTenant(database.sql, 'a');
    await writeLaterRows(database.sql, 'a');
    columns = await database.sql.unsafe<Column[]>(question, [[...gitOpsTables]]);
  });
  afterAll(() => database.close());

  const isText = ({ type }: Column) => type === 'text' || type === 'bytea';
  const inWords = ({ table, column }: Column) => `${table}.${column}`;
  const ofBytes = ({ type }: Column, count: number) =>
    type === 'bytea' ? `convert_to(repeat('x', ${count}), 'UTF8')` : `repeat('x', ${count})`;

  /** What the database says to a change of a column in every row. Undone in every case. */
  async function answerTo({ table, column }: Column, value: string): Promise<string> {
    try {
      await database.sql.begin(async (transaction) => {
        const { count } = await transaction.unsafe(`update ${table} set ${column} = ${value}`);
        throw new Error(count === 0 ? 'there is no row to change' : 'accepted');
      });
      return 'cannot be';
    } catch (error) {
      const { constraint_name: name, code, message } = error as Error & { constraint_name?: string; code?: string };
      return name ?? code ?? message;
    }
  }

  /** Those columns that are answered otherwise than they should be. */
  async function wrongAnswers(
    asked: readonly Column[],
    value: (column: Column) => string,
    right: (column: Column) => string | null,
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const column of asked) {
      const answer = await answerTo(column, value(column));
      if (answer !== right(column)) wrong.push(`${inWords(column)}: ${answer}`);
    }
    return wrong;
  }

  it('BS-01 has a row of the test in it', async () => {
    const rows = await rowsOfTenant(database.sql, 'a');

    expect(Object.entries(rows).filter(([, found]) => found.length === 0)).toEqual([]);
    expect(Object.keys(rows)).toHaveLength(21);
  });

  it('BS-01 says for every text how long it may be, or which values it may have, or whose key it is', () => {
    const unlimited = columns.filter(
      (column) => isText(column) && column.limit === null && column.values_name === null && !column.linked,
    );

    expect(unlimited.map(inWords)).toEqual([]);
    expect(columns.filter(isText).length).toBeGreaterThan(60);
  });

  it('BS-01 BS-03 refuses every text that is one byte too long', async () => {
    const limited = columns.filter(({ limit }) => limit !== null);

    const wrong = await wrongAnswers(
      limited,
      (column) => ofBytes(column, (column.limit ?? 0) + 1),
      (column) => column.constraint_name,
    );

    expect(wrong).toEqual([]);
    expect(limited.length).toBeGreaterThan(40);
  });

  it('BS-01 counts bytes, not characters', async () => {
    const texts = columns.filter(({ limit, type }) => limit !== null && type === 'text');

    const wrong = await wrongAnswers(
      texts,
      ({ limit }) => `repeat('é', ${Math.floor((limit ?? 0) / 2) + 1})`,
      (column) => column.constraint_name,
    );

    expect(wrong).toEqual([]);
  });

  it('BS-01 accepts a text that is just as long as it may be', async () => {
    const free = columns.filter(
      ({ limit, linked, table }) => limit !== null && !linked && table !== 'api_cr_to_database_mapping',
    );

    expect(
      await wrongAnswers(
        free,
        (column) => ofBytes(column, column.limit ?? 0),
        () => 'accepted',
      ),
    ).toEqual([]);
  });

  it('BS-01 refuses an empty text where there must be one', async () => {
    const never = columns.filter(({ limit, may_be_empty: may }) => limit !== null && !may);

    expect(
      await wrongAnswers(
        never,
        () => `''`,
        (column) => column.constraint_name,
      ),
    ).toEqual([]);
    expect(never.length).toBeGreaterThan(30);
  });

  it('BS-01 refuses nothing where there must be something', async () => {
    // 23502 is not_null_violation.
    expect(
      await wrongAnswers(
        columns.filter(({ required }) => required),
        () => 'null',
        () => '23502',
      ),
    ).toEqual([]);
  });

  it('BS-01 refuses a word that it does not know', async () => {
    const closed = columns.filter(({ values_name: name, type }) => name !== null && type === 'text');

    expect(
      await wrongAnswers(
        closed,
        () => `'nonsense'`,
        (column) => column.values_name,
      ),
    ).toEqual([]);
    expect(closed.map(inWords)).toEqual(
      expect.arrayContaining(['sync_operation.phase', 'operation.state', 'gitops_engine_instance.transport']),
    );
  });

  it('one sync at a time is under way for an application, and any number waits or has ended', async () => {
    const add = (id: string, requested: string, finished: string) =>
      database.sql.unsafe(`insert into sync_operation (id, application_id, deployment_name, revision, desired_state, requested_at, finished_at)
        values ('${id}', 'a-application', 'web', 'main', 'Running', ${requested}, ${finished})`);
    await add('first', 'now()', 'null');
    await add('ended', 'now()', 'now()');
    await add('waits', 'null', 'null');

    await expect(add('second', 'now()', 'null')).rejects.toMatchObject({ constraint_name: 'sync_operation_under_way' });
    await database.sql`update sync_operation set finished_at = now() where id = 'first'`;
    await expect(add('second', 'now()', 'null')).resolves.toBeDefined();
  });
});
