import type { Sql } from 'postgres';
import type { RowWrite } from '../../ports/journal.ts';
import { asParameter } from './keepable.ts';

/** What stands behind the port's opaque row write: one statement, and how many rows it must touch to be true. */
export interface SqlWrite {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Fewer or more means that somebody wrote first. Undefined: any number is fine. */
  readonly rows?: number;
}

/** Makes a row write of a query built with drizzle, `rowWrite(db.update(claims).set(…).where(…), 1)`. */
export function rowWrite(query: { toSQL(): { sql: string; params: unknown[] } }, rows?: number): RowWrite {
  const { sql, params } = query.toSQL();
  return asRowWrite({ text: sql, parameters: params, ...(rows !== undefined && { rows }) });
}

/** The same for a statement in words; `$1` and so on are its parameters. */
export function sqlWrite(text: string, parameters: readonly unknown[], rows?: number): RowWrite {
  return asRowWrite({ text, parameters, ...(rows !== undefined && { rows }) });
}

function asRowWrite(write: SqlWrite): RowWrite {
  return write as unknown as RowWrite;
}

function asSqlWrite(write: RowWrite): SqlWrite {
  return write as unknown as SqlWrite;
}

/** Makes them now, all or none: for what must be in the rows before the step that found it is over. */
export async function writeNow(sql: Sql, rows: readonly RowWrite[]): Promise<void> {
  const { ahead, checks, parameters } = asOneStatement(rows);
  await sql.unsafe(`${ahead}select 1${checks}`, parameters as never[], { prepare: true });
}

/** Several writes as the common table expressions of one statement, and the checks of those that know how many rows they touch. */
export function asOneStatement(
  rows: readonly RowWrite[],
  given: readonly unknown[] = [],
): { readonly ahead: string; readonly checks: string; readonly parameters: unknown[] } {
  const parameters: unknown[] = [...given];
  const writes: string[] = [];
  const checks: string[] = [];
  for (const [index, row] of rows.map(asSqlWrite).entries()) {
    const offset = parameters.length;
    const shifted = row.text.replace(/\$(\d+)/g, (_whole, number: string) => `$${Number(number) + offset}`);
    writes.push(`w${index} as (${shifted}${/\breturning\b/i.test(shifted) ? '' : ' returning 1'})`);
    parameters.push(...row.parameters.map(asParameter));
    if (row.rows !== undefined) checks.push(`, expect_rows((select count(*) from w${index}), ${Math.trunc(row.rows)})`);
  }
  return { ahead: writes.length === 0 ? '' : `with ${writes.join(', ')} `, checks: checks.join(''), parameters };
}
