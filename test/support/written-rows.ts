import type { Sql } from 'postgres';

/** Tables that every look writes, because they tell of looks and of nothing else. */
const ofLooks: Readonly<Record<string, string>> = {
  step_log: 'one line for each look',
  served: 'up to which version somebody has looked',
  lease: 'who is looking',
  knock: 'who is to look',
  tick: 'when a schedule ticked',
  drift_pass: 'how far the look at everything has got',
};

/** Columns that a look may move where nothing has changed. */
const ofTime: Readonly<Record<string, readonly string[]>> = {
  // When the next look is due is counted from this one, and the wait remembers which message it was that asked for it.
  wakeup: ['due_at', 'data', 'cause', 'correlation', 'traceparent'],
};

/**
 * Every row of every table with the transaction that wrote it: equal means that nobody wrote anything. The tables are
 * those of the catalogue, so that a new one cannot be forgotten.
 */
export async function writtenRows(sql: Sql): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;
  const written: Record<string, readonly string[]> = {};
  for (const { name } of tables.filter((table) => !(table.name in ofLooks))) {
    const moves = ofTime[name];
    const rows = await sql.unsafe<{ row: string }[]>(
      moves === undefined
        ? `select xmin::text || ' ' || to_jsonb(t)::text as row from ${name} t order by 1`
        : `select (to_jsonb(t) - '{${moves.join(',')}}'::text[])::text as row from ${name} t order by 1`,
    );
    written[name] = rows.map(({ row }) => row);
  }
  return written;
}
