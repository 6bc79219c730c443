import type { RowWrite } from '../../ports/journal.ts';

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

export function asSqlWrite(write: RowWrite): SqlWrite {
  return write as unknown as SqlWrite;
}
