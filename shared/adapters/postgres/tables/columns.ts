import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, bigint, type CheckBuilder, check, customType, text, timestamp } from 'drizzle-orm/pg-core';
import type { Sealed } from '../cipher.ts';

// Columns that most tables of migrations/0001_reference.sql share.

export const id = () => text().primaryKey();
export const seqId = () => bigint('seq_id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity();
export const createdOn = () => timestamp('created_on', { withTimezone: true }).notNull().defaultNow();

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** A credential: its type keeps clear text out, because only cipher.ts makes such a value. */
export const sealed = customType<{ data: Sealed; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** Never empty, and at most so many bytes. */
export function required(table: string, column: AnyPgColumn, limit: number): CheckBuilder {
  return lengthCheck(table, column, sql`octet_length(${column}) between 1 and ${sql.raw(String(limit))}`);
}

/** At most so many bytes. */
export function limited(table: string, column: AnyPgColumn, limit: number): CheckBuilder {
  return lengthCheck(table, column, sql`octet_length(${column}) <= ${sql.raw(String(limit))}`);
}

export function oneOf(table: string, column: AnyPgColumn, values: readonly string[]): CheckBuilder {
  const list = sql.raw(values.map((value) => `'${value}'`).join(', '));
  return check(`${table}_${column.name}_value`, sql`${column} in (${list})`);
}

function lengthCheck(table: string, column: AnyPgColumn, condition: SQL): CheckBuilder {
  return check(`${table}_${column.name}_length`, condition);
}
