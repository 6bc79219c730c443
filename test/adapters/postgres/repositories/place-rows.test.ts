import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlaceRows } from '../../../../shared/adapters/postgres/repositories/place-rows.ts';
import type { RepositoryPlace } from '../../../../shared/domain/application/repository-place.ts';
import type { RowWrite } from '../../../../shared/ports/journal.ts';
import { Conflict } from '../../../../shared/ports/trouble.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';
import { troubleOf } from '../trouble-of.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const places = () => openPlaceRows(database.sql);
const write = (rows: readonly RowWrite[]) => writeRows(database.sql, rows);
const made: RepositoryPlace = { url: 'http://127.0.0.1/team/shop.git', branch: 'main', context: '', isMade: true };
const state = (sequence: number, snapshot = `shop-${sequence}`) => ({
  sequence,
  snapshot,
  digest: `of-${snapshot}`,
  frozen: [{ uid: 'web-uid', image: snapshot, commit: 'c0ffee' }],
});

/** Every row with the transaction that wrote it. */
async function rowsOf(namespace: string) {
  const { sql } = database;
  return {
    repositories: await sql`select xmin::text, * from gitops_repository where namespace = ${namespace} order by id`,
    applications: await sql`select xmin::text, * from application_place where namespace = ${namespace} order by id`,
    components: await sql`select xmin::text, * from component_place where namespace = ${namespace} order by id`,
  };
}

describe('where an Application is kept', () => {
  it('is found under its name, with its repository', async () => {
    const shop = { namespace: 'kept', name: 'shop', uid: 'kept-1' };
    await write(places().keep(shop, { ...made, context: 'gitops' }));

    const [found, ...more] = await places().observe(shop);

    expect(found).toMatchObject({ uid: 'kept-1', repository: { ...made, context: 'gitops' }, sequence: 0, digest: '' });
    expect(found?.repository?.repositoryId).toMatch(/^[\da-f]{64}$/);
    expect(more).toEqual([]);
    expect(await places().observe({ ...shop, namespace: 'elsewhere' })).toEqual([]);
    expect(await places().observe({ ...shop, name: 'bank' })).toEqual([]);
  });

  it('is one repository for the same branch of it, and another for another tenant, branch or maker', async () => {
    const of = async (namespace: string, uid: string, but: Partial<RepositoryPlace> = {}) => {
      await write(places().keep({ namespace, name: uid, uid }, { ...made, ...but }));
      return (await places().observe({ namespace, name: uid }))[0]?.repository?.repositoryId;
    };
    const first = await of('one', 'one-1');
    const others = [
      await of('other', 'other-1'),
      await of('one', 'one-2', { branch: 'live' }),
      await of('one', 'one-3', { isMade: false }),
      await of('one', 'one-4', { url: 'http://127.0.0.1/team/bank.git' }),
    ];

    expect(await of('one', 'one-5', { context: 'elsewhere' })).toBe(first);
    expect(new Set([first, ...others]).size).toBe(5);
    expect((await rowsOf('one')).repositories).toHaveLength(4);
  });

  it('may be nowhere, and be left again', async () => {
    const shop = { namespace: 'nowhere', name: 'shop', uid: 'nowhere-1' };
    await write(places().keep(shop, undefined));
    expect(await places().observe(shop)).toMatchObject([{ uid: 'nowhere-1', repository: undefined }]);
    await write(places().keep(shop, made));
    expect(await places().observe(shop)).toMatchObject([{ repository: made }]);
    await write(places().keep(shop, undefined));

    expect(await places().observe(shop)).toMatchObject([{ repository: undefined }]);
  });

  it('is not written again where nothing is new', async () => {
    const shop = { namespace: 'quiet', name: 'shop', uid: 'quiet-1' };
    await write(places().keep(shop, made));
    const before = await rowsOf('quiet');
    await write(places().keep(shop, made));

    expect(await rowsOf('quiet')).toEqual(before);
  });

  it('leaves the state alone that was frozen of it', async () => {
    const shop = { namespace: 'both', name: 'shop', uid: 'both-1' };
    await write([places().freeze(shop, state(1))]);
    await write(places().keep(shop, made));

    expect(await places().observe(shop)).toMatchObject([{ ...state(1), repository: made }]);
  });

  it('is told of every UID that had the name, and forgotten one by one', async () => {
    const shop = { namespace: 'again', name: 'shop' };
    await write(places().keep({ ...shop, uid: 'again-1' }, made));
    await write(places().keep({ ...shop, uid: 'again-2' }, made));
    await write([places().forget('again-1')]);
    await write([places().forget('again-1')]);

    expect((await places().observe(shop)).map(({ uid }) => uid)).toEqual(['again-2']);
    expect((await rowsOf('again')).repositories).toHaveLength(1);
  });
});

describe('the state of an Application that was frozen last', () => {
  it('S28 S29 is only ever followed by the next one', async () => {
    const shop = { namespace: 'frozen', name: 'shop', uid: 'frozen-1' };
    await write([places().freeze(shop, state(1))]);
    await write([places().freeze(shop, state(2))]);

    for (const late of [1, 2, 4])
      expect(await troubleOf(write([places().freeze(shop, state(late, 'late'))]), 'write')).toBeInstanceOf(Conflict);
    expect(await places().observe(shop)).toMatchObject([state(2)]);
  });

  it('S28 is written by one of two who saw the same', async () => {
    const shop = { namespace: 'race', name: 'shop', uid: 'race-1' };
    const tries = ['a', 'b', 'c', 'd'].map((snapshot) => write([places().freeze(shop, state(1, snapshot))]));
    const came = await Promise.allSettled(tries);

    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await places().observe(shop))[0]?.sequence).toBe(1);
  });

  it('is not written for an Application that was forgotten meanwhile', async () => {
    const shop = { namespace: 'forgotten', name: 'shop', uid: 'forgotten-1' };
    await write([places().freeze(shop, state(1))]);
    await write([places().forget(shop.uid)]);

    expect(await troubleOf(write([places().freeze(shop, state(2))]), 'write')).toBeInstanceOf(Conflict);
    expect(await places().observe(shop)).toEqual([]);
  });

  it('counts further than a number of four bytes', async () => {
    const shop = { namespace: 'far', name: 'shop', uid: 'far-1' };
    await write([places().freeze(shop, state(1))]);
    await database.sql`update application_place set sequence = 3000000000 where id = ${shop.uid}`;
    await write([places().freeze(shop, state(3_000_000_001))]);

    expect((await places().observe(shop))[0]?.sequence).toBe(3_000_000_001);
  });
});

describe('where a Component is kept', () => {
  const at = (namespace: string) => ({ namespace, name: 'web', application: 'shop', context: 'gitops' });

  async function repositoryIn(namespace: string): Promise<string> {
    const shop = { namespace, name: 'shop', uid: `shop-in-${namespace}` };
    await write(places().keep(shop, made));
    return (await places().observe(shop))[0]?.repository?.repositoryId ?? '';
  }

  it('is found under its name, and follows its Application to another repository', async () => {
    const repositoryId = await repositoryIn('web');
    const web = { ...at('web'), uid: 'web-1' };
    await write([places().keepComponent({ ...web, repositoryId: undefined, context: '' })]);
    await write([places().keepComponent({ ...web, repositoryId })]);

    expect(await places().observeComponent(web)).toEqual([
      { uid: 'web-1', application: 'shop', repositoryId, context: 'gitops', isGone: false },
    ]);
    expect(await places().observeComponent({ ...web, namespace: 'elsewhere' })).toEqual([]);
  });

  it('is not written again where nothing is new', async () => {
    const web = { ...at('still'), uid: 'still-1', repositoryId: await repositoryIn('still') };
    await write([places().keepComponent(web)]);
    const before = await rowsOf('still');
    await write([places().keepComponent(web)]);

    expect(await rowsOf('still')).toEqual(before);
  });

  it('S21 L09 is marked for whoever takes its directory away, once', async () => {
    const web = { ...at('gone'), uid: 'gone-1', repositoryId: await repositoryIn('gone'), isGone: false };
    await write([places().keepComponent(web)]);
    await write([places().endComponent(web)]);
    const before = await rowsOf('gone');
    await write([places().endComponent(web)]);

    expect(await places().observeComponent(web)).toMatchObject([{ uid: 'gone-1', isGone: true, context: 'gitops' }]);
    expect(await rowsOf('gone')).toEqual(before);
  });

  it('L08 is forgotten where it never had a directory', async () => {
    const web = { ...at('bare'), uid: 'bare-1', repositoryId: undefined, isGone: false };
    await write([places().keepComponent(web)]);
    await write([places().endComponent(web)]);

    expect(await places().observeComponent(web)).toEqual([]);
  });

  it('is known beside that of one that had its name before', async () => {
    const repositoryId = await repositoryIn('twice');
    const web = { ...at('twice'), repositoryId };
    await write([places().keepComponent({ ...web, uid: 'twice-1' })]);
    await write([
      places().endComponent({ ...web, uid: 'twice-1', isGone: false }),
      places().keepComponent({ ...web, uid: 'twice-2' }),
    ]);

    expect((await places().observeComponent(web)).map(({ uid, isGone }) => ({ uid, isGone }))).toEqual([
      { uid: 'twice-1', isGone: true },
      { uid: 'twice-2', isGone: false },
    ]);
  });
});

it('a digest is the same for the same text, and another one for any other', () => {
  expect(places().digest('a')).toBe(places().digest('a'));
  expect(places().digest('a')).not.toBe(places().digest('b'));
  expect(places().digest('a')).toMatch(/^[\da-f]{64}$/);
});
