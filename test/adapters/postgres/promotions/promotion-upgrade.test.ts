import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../../shared/adapters/postgres/migrate.ts';
import { openPromotionRows } from '../../../../shared/adapters/postgres/promotions/promotion-rows.ts';
import { beforeOf } from '../../../../shared/domain/promotion/what-stands.ts';
import { aBinding, aRun, aSight } from '../../../domain/promotion/a-promotion.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

const migrations = fileURLToPath(new URL('../../../../shared/adapters/postgres/migrations/', import.meta.url));

let database: TestDatabase;
let earlier: string;
beforeAll(async () => {
  database = await openTestDatabase();
  earlier = await mkdtemp(join(tmpdir(), 'stagecoach-migrations-'));
  const names = (await readdir(migrations)).filter((name) => name < '0016');
  for (const name of names) await cp(join(migrations, name), join(earlier, name));
});
afterAll(async () => {
  await rm(earlier, { recursive: true });
  await database.close();
});

it('what stood before a step that is under way is compared with what stands now after an upgrade as well', async () => {
  const { sql } = database;
  await sql.unsafe('drop schema public cascade; create schema public');
  await migrate(sql, earlier);
  await sql`insert into promotion (id, namespace, name, application, snapshot, automated, created_at, state)
    values ('p1', 'team', 'friday', 'shop', 'v1', false, now(), 'Active')`;
  for (const [environment, before] of [
    ['dev', 'api=c1,web=c2'],
    ['qa', ''],
  ] as const)
    await sql`insert into promotion_step (promotion_id, environment, step, binding, status, began_at, commits_before)
      values ('p1', ${environment}, 1, 'b', 'in-progress', now(), ${before})`;

  await migrate(sql);

  const { steps } = await openPromotionRows(sql).observe({ namespace: 'team', name: 'friday' });
  const standing = ['web=c2', 'api=c1'].map((text) => {
    const [name = '', commit = ''] = text.split('=');
    return { name, commit, path: 'dev', problem: undefined };
  });
  const stood = beforeOf(
    aBinding('dev', { snapshot: 'v0', components: standing }),
    aSight({ application: { uid: 'a', controller: '', isRenderedByOthers: true } }),
    aRun(),
  );
  expect(steps.map(({ environment, before }) => [environment, before])).toEqual([
    ['dev', stood],
    ['qa', ''],
  ]);
});

it('the Snapshot that is the newest state when this version comes is not new again because of that, until it comes again', async () => {
  const { sql } = database;
  await sql.unsafe('drop schema public cascade; create schema public');
  await migrate(sql, earlier);
  await sql`insert into application_place (id, namespace, name, sequence, snapshot) values ('a1', 'team', 'shop', 4, 'second')`;
  for (const name of ['first', 'second'])
    await sql`insert into promotion_start (id, namespace, name, application, created_at)
      values (${`${name}-uid`}, 'team', ${name}, 'shop', now())`;

  await migrate(sql);

  const rows = openPromotionRows(sql);
  const asked = async (name: string) => {
    const { named, state } = await rows.considered({ namespace: 'team', name, application: 'shop' });
    return { named, state };
  };
  expect(await asked('second')).toEqual({
    named: [{ uid: 'second-uid', sequence: 4 }],
    state: { snapshot: 'second', sequence: 4 },
  });
  expect((await asked('first')).named).toEqual([{ uid: 'first-uid', sequence: 0 }]);

  const again = {
    uid: 'first-uid',
    namespace: 'team',
    name: 'first',
    application: 'shop',
    created: Date.now(),
    run: 'r',
  };
  for (const sequence of [5, 3]) await writeRows(sql, [rows.consider({ ...again, sequence })]);
  expect((await asked('first')).named).toEqual([{ uid: 'first-uid', sequence: 5 }]);
});
