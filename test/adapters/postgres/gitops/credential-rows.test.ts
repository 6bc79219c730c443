import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCipher } from '../../../../shared/adapters/postgres/cipher.ts';
import { openCredentialRows } from '../../../../shared/adapters/postgres/gitops/credential-rows.ts';
import { openTenants } from '../../../../shared/adapters/postgres/gitops/tenants.ts';
import { openPlaceRows } from '../../../../shared/adapters/postgres/repositories/place-rows.ts';
import type { CredentialOwner, CredentialRows } from '../../../../shared/ports/credential-rows.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { writeRows } from '../../../support/write-rows.ts';

const tenant = { namespace: 'team', namespaceUid: 'team-uid' };
const engine = {
  instanceId: 'argo',
  namespace: 'argocd',
  clusterId: 'cluster',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 0,
} as const;
const key = { namespace: 'team', name: 'shop' };

let database: TestDatabase;
let credentials: CredentialRows;

beforeAll(async () => {
  database = await openTestDatabase();
  credentials = openCredentialRows(database.sql, openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }));
  await writeRows(database.sql, openTenants(database.sql).place(tenant, engine));
});
afterAll(() => database.close());

function aCredential(owner: CredentialOwner, id: string, password = 'hidden') {
  return {
    owner,
    id,
    name: 'shop',
    url: 'https://git.example/shop',
    secretName: 'shop',
    username: 'me',
    password,
    sshPrivateKey: '',
  };
}

async function operations(id: string): Promise<number> {
  const [row] = await database.sql`
    select count(*)::int as many from operation where resource_id = ${id} and resource_type = 'RepositoryCredentials'`;
  return row?.['many'] as number;
}

describe('what opens a repository', () => {
  it('is found by the kind of object that it belongs to: an Application has nothing of a credential of its name', async () => {
    const stored = [
      ...credentials.store(aCredential('Application', 'app-1'), tenant, engine, undefined),
      ...credentials.store(aCredential('GitOpsDeploymentRepositoryCredential', 'cred-1'), tenant, engine, undefined),
    ];
    for (const row of stored) await writeRows(database.sql, [row]);

    expect((await credentials.observe('Application', key)).map(({ id }) => id)).toEqual(['app-1']);
    expect((await credentials.observe('GitOpsDeploymentRepositoryCredential', key)).map(({ id }) => id)).toEqual([
      'cred-1',
    ]);
    expect(
      await database.sql`select api_resource_type as type, db_relation_type as relation
      from api_cr_to_database_mapping where api_resource_uid = 'app-1'`,
    ).toEqual([{ type: 'Application', relation: 'RepositoryCredential' }]);
  });

  it('follows the token of the service, sealed, with an operation each time', async () => {
    await writeRows(
      database.sql,
      credentials.store(aCredential('Application', 'app-2', 'one'), tenant, engine, undefined),
    );
    await database.sql`update operation set state = 'Completed'`;
    const [before] = (await credentials.observe('Application', key)).filter(({ id }) => id === 'app-2');
    await writeRows(
      database.sql,
      credentials.store(aCredential('Application', 'app-2', 'two'), tenant, engine, before),
    );

    const [after] = (await credentials.observe('Application', key)).filter(({ id }) => id === 'app-2');
    expect([before?.password, after?.password]).toEqual(['one', 'two']);
    expect(after?.revision).toBe((before?.revision ?? 0) + 1);
    expect(await operations('app-2')).toBe(2);
    const [row] =
      await database.sql`select auth_password::text as sealed from repository_credentials where id = 'app-2'`;
    expect(row?.['sealed']).not.toContain(Buffer.from('two').toString('hex'));
  });

  it('opens the repositories of its tenant at its address, however it is spelt, and none that the service made', async () => {
    const places = openPlaceRows(database.sql);
    const keep = async (namespace: string, uid: string, url: string, isMade: boolean) => {
      const place = { url, branch: 'main', context: '', isMade };
      await writeRows(database.sql, places.keep({ namespace, name: uid, uid }, place));
      return (await places.observe({ namespace, name: uid }))[0]?.repository?.repositoryId;
    };
    const mine = await keep('team', 'a-1', 'https://git.example/shop.git', false);
    await keep('team', 'a-2', 'https://git.example/shop.git', true);
    await keep('team', 'a-3', 'https://git.example/bank.git', false);
    await keep('others', 'a-4', 'https://git.example/shop.git', false);

    expect(await credentials.openedBy({ namespace: 'team', url: 'https://git.example/shop' })).toEqual([mine]);
  });

  it('goes with its mapping, whichever kind it belonged to', async () => {
    await writeRows(database.sql, credentials.store(aCredential('Application', 'app-3'), tenant, engine, undefined));
    await database.sql`update operation set state = 'Completed'`;
    const rows = (await credentials.observe('Application', key)).filter(({ id }) => id === 'app-3');
    await writeRows(
      database.sql,
      rows.flatMap((row) => credentials.remove(row)),
    );

    expect(rows).toHaveLength(1);
    expect(await database.sql`select from api_cr_to_database_mapping where api_resource_uid = 'app-3'`).toEqual([]);
    expect(await database.sql`select from repository_credentials where id = 'app-3'`).toEqual([]);
    expect(await operations('app-3')).toBe(2);
  });
});
