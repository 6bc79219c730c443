import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';

/**
 * Opens drizzle on a client that nobody else uses: drizzle replaces the client's serialisers for JSON and dates, and
 * raw SQL through the same client then fails with ERR_INVALID_ARG_TYPE.
 */
export function openDrizzle(sql: postgres.Sql): PostgresJsDatabase {
  return drizzle(sql);
}
