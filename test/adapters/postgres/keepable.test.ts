import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asJson } from '../../../shared/adapters/postgres/keepable.ts';
import { sqlWrite, writeNow } from '../../../shared/adapters/postgres/row-write.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('a text of a user that PostgreSQL cannot keep', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.sql`create table words (id text primary key, word text, words text[], said jsonb, bytes bytea)`;
  });
  afterAll(() => database.close());

  it.each([
    ['has a character that is none', 'a\0b', 'a\ufffdb'],
    ['is half of a character', 'a\ud83db', 'a\ufffdb'],
    ['only looks like it', String.raw`a\u0000b`, String.raw`a\u0000b`],
    ['is as it should be', 'a😀b', 'a😀b'],
  ])('and %s is kept as far as that goes, wherever it stands', async (id, text, kept) => {
    const said = { [text]: [{ text }], count: 1, none: null };
    const bytes = Buffer.from('a\0b');
    const insert = 'insert into words values ($1, $2, $3, $4::text::jsonb, $5)';

    await writeNow(database.sql, [sqlWrite(insert, [id, text, [text], asJson(said), bytes], 1)]);

    const [row] = await database.sql`select * from words where id = ${id}`;
    expect(row).toEqual({
      id,
      word: kept,
      words: [kept],
      said: { [kept]: [{ text: kept }], count: 1, none: null },
      bytes,
    });
  });
});
