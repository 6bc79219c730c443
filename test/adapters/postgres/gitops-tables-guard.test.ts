import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCipher } from '../../../shared/adapters/postgres/cipher.ts';
import { requestOperation } from '../../../shared/adapters/postgres/gitops/request-operation.ts';
import type { Engine } from '../../../shared/domain/gitops/placement.ts';
import type { SeenSync, SyncEffect } from '../../../shared/domain/gitops/sync.ts';
import { unknownStatus } from '../../../shared/domain/status/argo-status.ts';
import { gistOf } from '../../../shared/domain/status/gist-of.ts';
import type { RowWrite } from '../../../shared/ports/journal.ts';
import { openWorld } from '../../../shared/runtime/open-world.ts';
import type { World } from '../../../shared/runtime/world.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { gitOpsTables, rowsOfTenant, writeLaterRows, writeTenant } from '../../support/every-table.ts';
import { aRun, seenSync } from '../../support/seen-sync.ts';
import { writeRows } from '../../support/write-rows.ts';

const tenant = { namespace: 'a-team', namespaceUid: 'a-user' };
const engine: Engine = {
  instanceId: 'a-argo',
  namespace: 'argocd',
  clusterId: 'a-engine',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 1,
};
const application = {
  id: 'a-application',
  name: 'gitopsdepl-a',
  spec: '{"project":"p"}',
  instanceId: 'a-argo',
  environmentId: 'a-environment',
  reconcileAt: '',
};
const owner = { namespace: 'a-team', name: 'web', namespaceUid: 'a-user', userId: 'a-user' };
const object = 'GitOpsDeploymentRepositoryCredential' as const;
const credential = {
  owner: object,
  id: 'a-repository',
  name: 'git',
  url: 'https://git.example/other',
  secretName: 'git',
};
const environment = { id: 'a-environment', ...tenant, name: 'staging', instanceId: 'a-argo' };
const access = { server: 'https://other.example', token: 'hidden', insecure: false };

const seen: SeenSync = seenSync({
  namespace: 'a-team',
  run: aRun({ uid: 'a-sync' }),
  targets: [
    {
      applicationId: 'a-application',
      instanceId: 'a-argo',
      engineNamespace: 'argocd',
      ownerUserId: 'a-user',
      namespaceUid: 'a-user',
      applied: true,
      others: [],
    },
  ],
});

/** Every write of rows that a function can make about what tenant a has. */
const writes: Record<string, (world: World) => Promise<readonly RowWrite[]> | readonly RowWrite[]> = {
  'a tenant that is placed': ({ tenants }) => tenants.place(tenant, engine),
  'an operation that is asked for': () => [
    requestOperation({ type: 'Application', resourceId: 'a-sync', instanceId: 'a-argo', ownerUserId: 'a-user' }),
  ],
  'an application that changes': ({ deployments }) =>
    deployments.update(application, { revision: '1', environmentId: 'a-environment' }, owner),
  'an application that goes': ({ deployments }) =>
    deployments.remove({ id: 'a-application', instanceId: 'a-argo', ownerId: 'a-user' }, 'web'),
  'a status that is kept': ({ reports }) => [
    reports.keep('a-application', '{}', '2026-01-15T12:00:00Z', gistOf(unknownStatus)),
  ],
  'operations that end': ({ operations }) =>
    operations.record({
      begun: [],
      completed: ['a-operation'],
      failed: [],
      application: { id: 'a-application', revision: 1 },
      environment: { id: 'a-environment', credentialsId: 'a-there' },
      project: { userId: 'a-user', digest: 'new', repositories: ['https://git.example/new'], recordedRepositories: [] },
      instanceId: 'a-argo',
    }),
  'a credential that changes': async ({ credentials }) =>
    credentials.store(
      { ...credential, username: 'me', password: 'hidden', sshPrivateKey: '' },
      tenant,
      engine,
      (await credentials.observe(object, { namespace: 'a-team', name: 'git' }))[0],
    ),
  'a credential that goes': async ({ credentials }) =>
    (await credentials.observe(object, { namespace: 'a-team', name: 'git' })).flatMap((row) => credentials.remove(row)),
  'an environment that changes': async ({ environments }) =>
    environments.write(
      environment,
      { ...access, namespaces: 'b', clusterResources: true },
      (await environments.observe({ namespace: 'a-team', name: 'staging' }, 'a-environment')).stored[0],
    ),
  'an environment that goes': async ({ environments }) =>
    (await environments.observe({ namespace: 'a-team', name: 'staging' }, undefined)).stored.flatMap((row) =>
      environments.remove(row),
    ),
  'an account that is not wanted any more': ({ environments }) => [environments.discardAccount('a-environment')],
  'an account that is gone': ({ environments }) => [environments.forgetAccount('a-environment')],
  'an account with its token': ({ environments }) => [environments.keepAccountToken('a-environment', 'hidden')],
  'a sync that is stopped': sync({ do: 'terminate-sync', id: 'a-sync', applicationId: 'a-application' }),
  'a sync that starts': sync({
    do: 'start-sync',
    id: 'a-sync',
    applicationId: 'a-application',
    revision: 'main',
    queued: true,
  }),
  'a sync that ends': sync({ do: 'finish-sync', id: 'a-sync', phase: 'Failed', message: 'no' }),
  'a sync that goes': sync({ do: 'forget-sync', id: 'a-sync' }),
};

function sync(effect: SyncEffect): (world: World) => readonly RowWrite[] {
  return ({ syncs }) => syncs.write(seen, effect);
}

describe('a write about the things of one tenant', () => {
  let database: TestDatabase;
  let world: ReturnType<typeof openWorld>;

  beforeAll(async () => {
    database = await openTestDatabase();
    world = openWorld({
      sql: database.sql,
      cipher: openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }),
      connection: undefined,
      argoCdNamespaces: ['argocd'],
      targetTimeoutMs: 1_000,
      now: Date.now,
    });
    for (const key of ['a', 'guard']) {
      await writeTenant(database.sql, key);
      await writeLaterRows(database.sql, key);
    }
  });
  afterAll(async () => {
    await world.close();
    await database.close();
  });

  /** Does it, looks, and undoes it. */
  async function look<Found>(rows: readonly RowWrite[], found: (sql: Sql) => Promise<Found>): Promise<Found> {
    let seen: { readonly found: Found } | undefined;
    const undone = new Error('undone');
    await database.sql
      .begin(async (transaction) => {
        // A transaction is asked like the whole database.
        const within = transaction as unknown as Sql;
        await writeRows(within, rows);
        seen = { found: await found(within) };
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    if (seen === undefined) throw new Error('nobody looked');
    return seen.found;
  }

  it.each(Object.entries(writes))('BS-02 changes no row of another: %s', async (_what, write) => {
    const rowsOf = async (sql: Sql) => ({ a: await rowsOfTenant(sql, 'a'), guard: await rowsOfTenant(sql, 'guard') });
    const before = await rowsOf(database.sql);

    const after = await look(await write(world), rowsOf);

    expect(after.guard).toEqual(before.guard);
    expect(after.a).not.toEqual(before.a);
  });

  it('BS-03 takes every text for a text, whatever stands in it', async () => {
    const evil = `x'); drop table application; --`;
    const before = await rowsOfTenant(database.sql, 'guard');

    const found = await Promise.all([
      world.syncs.observe({ namespace: evil, name: evil, uid: evil, deploymentName: evil }),
      world.credentials.observe(object, { namespace: evil, name: evil }),
      world.tenants.observe({ name: evil, uid: evil }),
      world.reports.observe(evil, evil),
      world.deployments.observe({ namespace: evil, name: evil, uid: evil, environment: evil }),
    ]);
    await writeRows(database.sql, world.tenants.place({ namespace: evil, namespaceUid: evil }, engine));

    expect(found[0]).toEqual({ rows: [], targets: [], argo: undefined });
    expect(found[1]).toEqual([]);
    expect(found[2].placed).toBeUndefined();
    expect(await rowsOfTenant(database.sql, 'guard')).toEqual(before);
    expect(await database.sql`select display_name from cluster_user where id = ${evil}`).toEqual([
      { display_name: evil },
    ]);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    expect(Object.keys(before)).toEqual([...gitOpsTables]);
  });
});
