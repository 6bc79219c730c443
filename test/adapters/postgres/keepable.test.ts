import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCipher } from '../../../shared/adapters/postgres/cipher.ts';
import { openClaimRows } from '../../../shared/adapters/postgres/claims/claim-rows.ts';
import { asJson } from '../../../shared/adapters/postgres/keepable.ts';
import { openPromotionRows } from '../../../shared/adapters/postgres/promotions/promotion-rows.ts';
import { openOverlayRows } from '../../../shared/adapters/postgres/repositories/overlay-rows.ts';
import { openPlaceRows } from '../../../shared/adapters/postgres/repositories/place-rows.ts';
import { sqlWrite, writeNow } from '../../../shared/adapters/postgres/row-write.ts';
import { aClaim } from '../../domain/target/a-target.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const first = { namespace: 'team', name: 'first' };
const pair = { namespace: 'team', application: 'shop' };
const overlays = (sql: TestDatabase['sql']) =>
  openOverlayRows(sql, openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }));

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

  it.each<[string, (sql: TestDatabase['sql'], name: string) => Promise<unknown>]>([
    ['an application has its repository', (sql, name) => openPlaceRows(sql).observe({ namespace: 'team', name })],
    ['an environment has several Bindings', (sql, name) => overlays(sql).rivals({ ...pair, environment: name })],
    ['a promotion stands in line', (sql, name) => openPromotionRows(sql).observe({ ...first, application: name })],
    ['a Snapshot was considered', (sql, name) => openPromotionRows(sql).considered({ ...first, application: name })],
    ['a target would do', (sql, name) => openClaimRows(sql).observeClaim(aClaim({ className: name, arch: name }))],
  ])('can be asked about: whether %s', async (_what, ask) => {
    await expect(ask(database.sql, 'a\0b')).resolves.toBeDefined();
  });
});
