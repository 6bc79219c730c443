import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCipher } from '../../../../shared/adapters/postgres/cipher.ts';
import { tokenOf } from '../../../../shared/adapters/postgres/gitops/engine-clusters.ts';
import { openReportRows } from '../../../../shared/adapters/postgres/gitops/report-rows.ts';
import type { RowWrite } from '../../../../shared/ports/journal.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

const cipher = openCipher({ active: 'k1', keys: { k1: randomBytes(32) } });
const gist = {
  sync: 'Synced',
  revision: 'c0ffee',
  health: 'Healthy',
  operation: 'Succeeded',
  trouble: '',
  compared: undefined,
};
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function rows() {
  return openReportRows(database.sql, cipher);
}
async function write(row: RowWrite): Promise<void> {
  await writeRows(database.sql, [row]);
}

/** An Argo CD in a cluster that this address leads to; `local` for the tenants' own. */
async function anEngine(namespace: string, host: string | null): Promise<string> {
  const { sql } = database;
  const [credentials, cluster, instance] = [randomUUID(), randomUUID(), randomUUID()];
  const token = host === null || host === 'local' ? null : cipher.seal('open sesame', tokenOf(credentials));
  await sql`insert into cluster_credentials (id, local, host, service_account_bearer_token, certificate_authority)
    values (${credentials}, ${host === 'local'}, ${host === 'local' ? null : host}, ${token}, 'PEM')`;
  await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${cluster}, ${credentials})`;
  await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
    values (${instance}, ${namespace}, ${instance}, ${cluster})`;
  return instance;
}

async function anApplication(instance: string): Promise<string> {
  const id = randomUUID();
  await database.sql`insert into application (id, name, spec_field, engine_instance_id) values (${id}, 'a', '{}', ${instance})`;
  return id;
}

describe('the rows of an Argo CD Application', () => {
  it('name the Argo CD of the tenants own cluster where there is no application', async () => {
    await anEngine('argo-one', 'https://far.example');
    const instance = await anEngine('argo-one', 'local');

    const found = await rows().observe('argo-one', randomUUID());

    expect(found).toMatchObject({
      rows: { instanceId: instance, application: undefined, operationPending: false },
      access: undefined,
    });
    expect((await rows().observe('nowhere', randomUUID()))?.rows.instanceId).toBeUndefined();
  });

  it('defect 29: lead to the cluster that the Argo CD runs in', async () => {
    const id = await anApplication(await anEngine('argo-far', 'https://far.example'));

    const found = await rows().observe('argo-far', id);

    expect(found?.access).toEqual({
      server: 'https://far.example',
      token: 'open sesame',
      certificateAuthority: 'PEM',
      insecure: false,
    });
    expect(JSON.stringify(found?.rows)).not.toContain('open sesame');
  });

  it('say nothing of an Application in the namespace of another Argo CD, or of one out of reach', async () => {
    const near = await anApplication(await anEngine('argo-near', 'local'));
    const hidden = await anApplication(await anEngine('argo-hidden', null));

    expect(await rows().observe('argo-other', near)).toBeUndefined();
    expect(await rows().observe('argo-hidden', hidden)).toBeUndefined();
    expect(await rows().observe('argo-near', near)).toBeDefined();
  });

  it('CA-03 keep what was said last, and nothing of an application that is gone', async () => {
    const id = await anApplication(await anEngine('argo-keep', 'local'));
    const gone = randomUUID();

    await write(rows().keep(id, '{"a":1}', '2026-03-01T10:00:00Z', gist));
    await write(rows().keep(id, '{"a":2}', '2026-03-01T11:00:00Z', gist));
    await write(rows().keep(gone, '{}', '2026-03-01T11:00:00Z', gist));

    expect((await rows().observe('argo-keep', id))?.rows.application?.kept).toBe('{"a":2}');
    expect(
      await database.sql`select application_id, observed_at from application_state where application_id in ${database.sql([id, gone])}`,
    ).toEqual([{ application_id: id, observed_at: new Date('2026-03-01T11:00:00Z') }]);
  });

  it('know an operation that waits or runs, and not one that has ended', async () => {
    const instance = await anEngine('argo-busy', 'local');
    const id = await anApplication(instance);
    const pending = async () => (await rows().observe('argo-busy', id))?.rows.operationPending;

    await write(rows().request(id, instance, undefined));
    const asked = await pending();
    await database.sql`update operation set state = 'In_Progress' where resource_id = ${id}`;
    const running = await pending();
    await database.sql`update operation set state = 'Failed' where resource_id = ${id}`;

    expect({ asked, running, ended: await pending() }).toEqual({ asked: true, running: true, ended: false });
  });

  it('know the tenant by who asked for the operation, when the application is gone', async () => {
    const instance = await anEngine('argo-ending', 'local');
    const [user, id] = [randomUUID(), randomUUID()];
    await database.sql`insert into cluster_user (id, user_name, display_name) values (${user}, ${user}, 'team-a')`;

    await write(rows().request(id, instance, user));

    expect((await rows().observe('argo-ending', id))?.rows).toMatchObject({
      application: undefined,
      operationPending: true,
      tenantNamespace: 'team-a',
    });
  });
});
