import type postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A table with two counters at zero before each test, and clients that are closed after it. */
export function useCounters() {
  let database: TestDatabase;
  let clients: postgres.Sql[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.sql`create table counter (id integer primary key, value integer not null check (value >= 0))`;
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    clients = [];
    await database.sql`truncate counter`;
    await database.sql`insert into counter values (1, 0), (2, 0)`;
  });
  const closeAll = () => Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  afterEach(closeAll);

  return {
    closeAll,
    admin: (): postgres.Sql => database.sql,
    url: (): string => database.url,
    open(options: Parameters<typeof openTestClient>[1] = {}, url = database.url): postgres.Sql {
      const client = openTestClient(url, { poolSize: 1, ...options });
      clients.push(client);
      return client;
    },
  };
}
