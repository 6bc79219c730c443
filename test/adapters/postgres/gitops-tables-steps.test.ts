import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGarbageRows } from '../../../shared/adapters/postgres/gitops/garbage-rows.ts';
import { openSyncRows } from '../../../shared/adapters/postgres/gitops/sync-rows.ts';
import { openTenants } from '../../../shared/adapters/postgres/gitops/tenants.ts';
import { openJournal } from '../../../shared/adapters/postgres/journal.ts';
import { migrate } from '../../../shared/adapters/postgres/migrate.ts';
import type { Engine } from '../../../shared/domain/gitops/placement.ts';
import type { SyncEffect } from '../../../shared/domain/gitops/sync.ts';
import type { Message } from '../../../shared/ports/journal.ts';
import { Conflict } from '../../../shared/ports/trouble.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { referenceTables, rowsOfTenant, writeTenant } from '../../support/every-table.ts';
import { aRun, aTarget, seenSync } from '../../support/seen-sync.ts';
import { writeRows } from '../../support/write-rows.ts';

const migrations = fileURLToPath(new URL('../../../shared/adapters/postgres/migrations/', import.meta.url));
const engine: Engine = {
  instanceId: 'argo',
  namespace: 'argocd',
  clusterId: 'engine',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 1,
};

describe('a database of before', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.sql.unsafe('drop schema public cascade; create schema public');
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-before-'));
    await copyFile(join(migrations, '0001_reference.sql'), join(folder, '0001_reference.sql'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await database.close();
  });

  it('BS-19 keeps a row of every table as it is', async () => {
    await migrate(database.sql, folder);
    await writeTenant(database.sql, 'a');
    const before = await rowsOfTenant(database.sql, 'a', referenceTables);

    const applied = await migrate(database.sql);

    const after = await rowsOfTenant(database.sql, 'a', referenceTables);
    expect(applied.length).toBeGreaterThan(0);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    expect(after).toMatchObject(before);
  });
});

describe('rows', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('BS-07 of a namespace are found the second time, made again where only their mapping is left, and refused without a UID', async () => {
    const { sql } = database;
    const tenants = openTenants(sql);
    const place = (namespaceUid: string) => writeRows(sql, tenants.place({ namespace: 'team', namespaceUid }, engine));
    const environments = () => sql`select id, name from managed_environment where id = 'uid'`;

    await place('uid');
    const first = await sql`select seq_id from managed_environment where id = 'uid'`;
    await place('uid');
    const second = await sql`select seq_id from managed_environment where id = 'uid'`;
    await sql`delete from cluster_access`;
    await sql`delete from managed_environment where id = 'uid'`;
    await place('uid');

    expect(second).toEqual(first);
    expect(await environments()).toEqual([{ id: 'uid', name: 'Managed Environment for team' }]);
    await expect(place('')).rejects.toMatchObject({ constraint_name: expect.stringContaining('_length') });
  });

  it('BS-08 of a step come together or not at all: one that cannot be written leaves nothing of the others', async () => {
    const { sql } = database;
    const journal = openJournal(sql, { resendSeconds: 60 });
    const message: Message = {
      id: 'message',
      function: 'run-sync',
      type: 'sync-run.changed.v1',
      subject: { namespace: 'team', name: 'first' },
      tenant: 'team',
      serialKey: 'sync:team/first',
    };
    const seen = seenSync({ run: aRun(), targets: [aTarget({ applicationId: 'gone' })] });
    const start: SyncEffect = { do: 'queue-sync', id: 'run', applicationId: 'gone', revision: 'v1' };
    const begun = await journal.begin({ step: 'step', message, pending: false, leaseSeconds: 20 });
    if (begun.state !== 'go') throw new Error('somebody else is at it');

    const finished = journal.finish(
      {
        step: 'step',
        message,
        begun,
        done: true,
        outcome: 'stepped',
        effects: [start],
        knocks: [],
        attempt: 0,
        covered: 0,
        ms: 1,
      },
      openSyncRows(sql).write(seen, start),
    );

    await expect(finished).rejects.toBeInstanceOf(Conflict);
    expect(await sql`select from sync_operation`).toHaveLength(0);
    expect(await sql`select from api_cr_to_database_mapping`).toHaveLength(0);
    expect(await sql`select from step_log`).toHaveLength(0);
  });

  it('BS-06 of operations go when they have ended and their time is over, and no others', async () => {
    const { sql } = database;
    await writeRows(sql, openTenants(sql).place({ namespace: 'team', namespaceUid: 'uid' }, engine));
    const add = (id: string, state: string, gc: number, age: string) =>
      sql`insert into operation (id, instance_id, resource_id, resource_type, state, gc_expiration_time, created_on, last_state_update)
          values (${id}, 'argo', 'x', 'Application', ${state}, ${gc}, now() - ${age}::interval, now() - ${age}::interval)`;
    await add('completed', 'Completed', 60, '2 minutes');
    await add('failed', 'Failed', 60, '2 minutes');
    await add('fresh', 'Completed', 600, '2 minutes');
    await add('waiting', 'Waiting', 60, '2 minutes');
    await add('running', 'In_Progress', 60, '2 minutes');

    const now = Date.now();
    await openGarbageRows(sql).dropUnused({ now, before: now - 3_600_000, reportsBefore: now - 3_600_000, most: 100 });

    const left = await sql<{ id: string }[]>`select id from operation order by id`;
    expect(left.map(({ id }) => id)).toEqual(['fresh', 'running', 'waiting']);
  });
});
