import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPromotionReader } from '../../../../shared/adapters/postgres/promotions/promotion-reader.ts';
import type { PromotionReader } from '../../../../shared/ports/promotion-reader.ts';
import { openPromotionScene, type PromotionScene } from '../../../ops/promotion-scene.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from '../../../ops/release-scene.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let reader: PromotionReader;
let scene: PromotionScene;
let releases: ReleaseScene;
beforeAll(async () => {
  database = await openTestDatabase();
  reader = openPromotionReader(database.sql);
  scene = openPromotionScene(database.sql);
  releases = openReleaseScene(database.sql);
});
afterAll(() => database.close());

it('is another one after everything that is told', async () => {
  const repository = await releases.aRepository('everything');
  const versions = [await reader.version()];
  async function after<T>(change: Promise<T>): Promise<T> {
    const made = await change;
    versions.push(await reader.version());
    return made;
  }

  const run = await after(scene.aRun('everything', 'friday'));
  await after(scene.waits(run, { reason: 'AnotherPromotionActive', message: 'another goes first' }));
  await after(scene.takesTurn(run));
  const evidence = { component: 'web', deployment: 'web', seen: undefined, report: undefined };
  await after(scene.step(run, 'stage', { evidence: [evidence] }));
  const binding = await after(releases.wants(repository, 'stage', 's1'));
  await after(releases.refuses(binding, 'Forbidden', 'May not push'));
  await after(scene.stands(repository, binding, commitOf('a1'), ['web']));
  await after(scene.says('everything', 'web', { health: 'Progressing' }));
  const applicationId = await after(scene.says('everything', 'web', { health: 'Healthy' }));
  const seen = { applicationId, sync: 'Synced', health: 'Healthy', operation: '', revision: '', observed: 0 };
  await after(scene.step(run, 'stage', { evidence: [{ ...evidence, seen }] }));
  await after(scene.ends(run, 'Success', run.created));
  await after(releases.leaves(binding));
  const { sql } = database;
  await after(sql`delete from snapshot_commit where namespace = 'everything'`);
  await after(sql`delete from promotion where namespace = 'everything'`);
  await after(sql`delete from deployment_to_application_mapping where namespace = 'everything'`);
  await after(sql`delete from application_state where application_id = ${applicationId}`);
  await after(sql`delete from binding_overlay where namespace = 'everything'`);

  expect(new Set(versions).size).toBe(versions.length);
});

it('stays what it is while only what nobody is told of is written', async () => {
  const repository = await releases.aRepository('nothing');
  const binding = await releases.wants(repository, 'dev', 's1');
  await releases.refuses(binding, 'Forbidden', 'May not push');
  await scene.says('nothing', 'web');
  const before = await reader.version();

  await scene.says('nothing', 'web');
  await releases.refuses(binding, 'Forbidden', 'May not push');
  await releases.aRepository('nothing', { branch: 'other' });

  expect(await reader.version()).toBe(before);
});

it('is another one when a change can be seen that was begun before it was asked for', async () => {
  const versions: string[] = [];
  await scene.aRun('slow', 'friday');
  const board = async () => (await reader.open('slow')).map(({ message }) => message).join();

  await database.sql.begin(async (slow) => {
    await slow`update promotion set message = 'changed' where namespace = 'slow'`;
    versions.push(await reader.version(), await reader.version());
    expect(await board()).toBe('');
  });
  versions.push(await reader.version());

  expect(await board()).toBe('changed');
  expect(versions[1]).toBe(versions[0]);
  expect(versions[2]).not.toBe(versions[1]);
});

it('is another one when of two changes the one is seen last that was begun first', async () => {
  await scene.aRun('overtaken', 'first');
  const versions: string[] = [];

  await database.sql.begin(async (slow) => {
    await slow`update promotion set message = 'slow' where namespace = 'overtaken'`;
    await scene.aRun('overtaken', 'second');
    versions.push(await reader.version());
  });
  versions.push(await reader.version());

  expect(versions[1]).not.toBe(versions[0]);
});
