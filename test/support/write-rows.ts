import type { Sql } from 'postgres';
import { asOneStatement } from '../../shared/adapters/postgres/row-write.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';

/** Writes a store's rows as a step would, in one statement, without a step around them. */
export async function writeRows(sql: Sql, rows: readonly RowWrite[]): Promise<void> {
  const { ahead, checks, parameters } = asOneStatement(rows);
  await sql.unsafe(`${ahead}select 1${checks}`, parameters as never[], { prepare: true });
}
