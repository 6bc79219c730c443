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
