import type { Sql } from 'postgres';
import { asSqlWrite } from '../../shared/adapters/postgres/row-write.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';

/** Writes a store's rows as a step would, in one statement, without a step around them. */
export async function writeRows(sql: Sql, rows: readonly RowWrite[]): Promise<void> {
  const parameters: unknown[] = [];
  const writes = rows.map(asSqlWrite).map((row, index) => {
    const offset = parameters.length;
    parameters.push(...row.parameters);
    const text = row.text.replace(/\$(\d+)/g, (_whole, number: string) => `$${Number(number) + offset}`);
    return `w${index} as (${text}${/\breturning\b/i.test(text) ? '' : ' returning 1'})`;
  });
  await sql.unsafe(`with ${writes.join(', ')} select 1`, parameters as never[], { prepare: true });
}
