import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCipher } from '../../../shared/adapters/postgres/cipher.ts';
import { rotateSecrets, secretColumns } from '../../../shared/adapters/postgres/rotate-secrets.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const [k1, k2] = [randomBytes(32), randomBytes(32)];
const old = openCipher({ active: 'k1', keys: { k1 } });
const both = openCipher({ active: 'k2', keys: { k1, k2 } });
const fresh = openCipher({ active: 'k2', keys: { k2 } });

describe('rotation of the encryption key', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(() => database.sql`truncate cluster_credentials, cluster_user cascade`);

  it('knows every column that holds a credential', async () => {
    const columns = await database.sql`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name <> 'argocd_application_status'
      order by 1, 2`;

    const known = [...secretColumns].sort((a, b) => (a.table + a.column < b.table + b.column ? -1 : 1));
    expect([...columns]).toEqual(known);
  });

  it('seals everything anew, and the old key can be thrown away', async () => {
    await storeClusters(25);
    await storeRepository();

    const rotation = await rotateSecrets(database.sql, both, { batchSize: 10 });

    expect(rotation).toEqual({ resealed: 28, failed: [] });
    expect(await openToken('cluster-07', fresh)).toBe('token 7');
    const [row] = await database.sql`select * from repository_credentials`;
    for (const [column, clear] of [
      ['auth_username', 'bot'],
      ['auth_password', 'hunter2'],
      ['auth_ssh_key', 'PRIVATE KEY'],
    ] as const) {
      expect(fresh.open(row?.[column], { table: 'repository_credentials', column, id: 'repo' })).toBe(clear);
    }
  });

  it('does nothing the second time', async () => {
    await storeClusters(3);
    await rotateSecrets(database.sql, both);

    expect(await rotateSecrets(database.sql, both)).toEqual({ resealed: 0, failed: [] });
  });

  it('goes on where it was stopped', async () => {
    await storeClusters(6);
    const stop = new AbortController();
    let opened = 0;
    const stopping = {
      ...both,
      open: (...args: Parameters<typeof both.open>) => {
        opened += 1;
        if (opened === 2) stop.abort(new Error('stopped'));
        return both.open(...args);
      },
    };

    await expect(rotateSecrets(database.sql, stopping, { batchSize: 2, signal: stop.signal })).rejects.toThrow(
      'stopped',
    );

    expect(await rotateSecrets(database.sql, both)).toEqual({ resealed: 4, failed: [] });
  });

  it('leaves alone what somebody else changed meanwhile', async () => {
    await storeClusters(1);
    const newer = old.seal('newer token', {
      table: 'cluster_credentials',
      column: 'service_account_bearer_token',
      id: 'cluster-00',
    });

    let rotation: ReturnType<typeof rotateSecrets> | undefined;
    await database.sql.begin(async (transaction) => {
      await transaction`update cluster_credentials set service_account_bearer_token = ${newer}`;
      rotation = rotateSecrets(database.sql, both);
      await expect.poll(blocked, { timeout: 10_000 }).toBe(1);
    });

    expect(await rotation).toEqual({ resealed: 0, failed: [] });
    expect(await openToken('cluster-00', old)).toBe('newer token');
  });

  it('reports what it cannot open, and seals the rest', async () => {
    await storeClusters(3);
    await database.sql`update cluster_credentials set service_account_bearer_token = ${Buffer.from([1, 2, 107, 57, 0])} where id = 'cluster-01'`;

    const { resealed, failed } = await rotateSecrets(database.sql, both);

    expect(resealed).toBe(2);
    expect(failed).toEqual([expect.objectContaining({ table: 'cluster_credentials', id: 'cluster-01' })]);
  });

  it('can be read through by a reader that has both keys', async () => {
    await storeClusters(40);
    const rotation = rotateSecrets(database.sql, both, { batchSize: 1 });
    let running = true;
    void rotation.finally(() => {
      running = false;
    });

    let reads = 0;
    while (running) {
      expect(await openToken(`cluster-${String(reads % 40).padStart(2, '0')}`, both)).toBe(`token ${reads % 40}`);
      reads += 1;
    }
    expect((await rotation).resealed).toBe(40);
    expect(reads).toBeGreaterThan(0);
  });

  async function blocked(): Promise<number> {
    const rows = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length;
  }

  async function storeClusters(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const id = `cluster-${String(at).padStart(2, '0')}`;
      const token = old.seal(`token ${at}`, {
        table: 'cluster_credentials',
        column: 'service_account_bearer_token',
        id,
      });
      await database.sql`insert into cluster_credentials (id, service_account_bearer_token) values (${id}, ${token})`;
    }
  }

  async function storeRepository(): Promise<void> {
    const sealed = (column: string, clear: string) =>
      old.seal(clear, { table: 'repository_credentials', column, id: 'repo' });
    await database.sql`insert into cluster_credentials (id, local) values ('here', true)`;
    await database.sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values ('engine', 'here')`;
    await database.sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id) values ('argo', 'argocd', 'uid', 'engine')`;
    await database.sql`insert into cluster_user (id, user_name) values ('user', 'namespace-uid')`;
    await database.sql`
      insert into repository_credentials (id, user_id, url, auth_username, auth_password, auth_ssh_key, secret_name, engine_instance_id)
      values ('repo', 'user', 'https://example.com/a.git', ${sealed('auth_username', 'bot')}, ${sealed('auth_password', 'hunter2')},
        ${sealed('auth_ssh_key', 'PRIVATE KEY')}, 'secret', 'argo')`;
  }

  async function openToken(id: string, cipher: typeof both): Promise<string> {
    const [row] =
      await database.sql`select service_account_bearer_token as token from cluster_credentials where id = ${id}`;
    return cipher.open(row?.['token'], { table: 'cluster_credentials', column: 'service_account_bearer_token', id });
  }
});
