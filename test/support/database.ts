import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { inject } from 'vitest';
import { type ConnectOptions, connect } from '../../shared/adapters/postgres/connect.ts';

export type TestDatabase = {
  readonly url: string;
  readonly sql: postgres.Sql;
  /** Ends the connections and removes the database. */
  close(): Promise<void>;
};

/** A migrated database of one's own on the run's server. Use one per test file, and close it in afterAll. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url: serverUrl, template } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(serverUrl, (admin) => admin.unsafe(`create database ${name} template ${template}`));

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const sql = openTestClient(url.href);
  return {
    url: url.href,
    sql,
    async close() {
      await sql.end({ timeout: 5 });
      await asAdmin(serverUrl, (admin) => admin.unsafe(`drop database ${name} with (force)`));
    },
  };
}

/** One more client on a test database, with the settings of a test unless told otherwise. */
export function openTestClient(url: string, options: Partial<ConnectOptions> = {}): postgres.Sql {
  return connect({
    url,
    poolSize: 4,
    statementTimeoutMs: 20_000,
    connectTimeoutMs: 10_000,
    applicationName: 'test',
    ...options,
  });
}

async function asAdmin(url: string, work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = openTestClient(url, { poolSize: 1 });
  try {
    await work(admin);
  } finally {
    await admin.end({ timeout: 5 });
  }
}
