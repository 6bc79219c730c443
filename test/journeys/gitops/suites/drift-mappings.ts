import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  gitOpsDeployments,
  managedEnvironments,
  repositoryCredentials,
  syncRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, keepKnocks, runPass } from './drift-pass.ts';
import {
  type HandMadeTenant,
  makeApplication,
  makeApplicationRows,
  makeTenant,
  makeUnnoticed,
} from './drift-tenant.ts';

const url = 'https://git.example.test/team/private';

/** Rows that were left behind by objects that are gone, or were made again under the same name. */
export function describeDriftMappings(open: () => Promise<GitOpsWorld>): void {
  describe('after a drift pass, rows that objects left behind', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function map(tenant: HandMadeTenant, kind: string, relation: string, name: string, id: string) {
      await world.sql`insert into api_cr_to_database_mapping
        values (${kind}, ${id}, ${name}, ${tenant.namespace}, ${tenant.uid}, ${relation}, ${id})`;
    }

    async function makeEnvironment(tenant: HandMadeTenant, name: string, id: string = randomUUID()): Promise<string> {
      await world.sql`insert into cluster_credentials (id, host) values (${id}, 'https://cluster.example.test')`;
      await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${id}, ${name}, ${id})`;
      await world.sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id)
        values (${tenant.uid}, ${id}, ${tenant.instanceId})`;
      await map(tenant, 'GitOpsDeploymentManagedEnvironment', 'ManagedEnvironment', name, id);
      return id;
    }

    async function makeSync(tenant: HandMadeTenant, applicationId: string | null): Promise<string> {
      const id = randomUUID();
      await world.sql`insert into sync_operation (id, application_id, deployment_name, revision, desired_state)
        values (${id}, ${applicationId}, 'web', 'main', 'Running')`;
      await map(tenant, 'GitOpsDeploymentSyncRun', 'SyncOperation', 'sync', id);
      return id;
    }

    function makeAgain(tenant: HandMadeTenant, kind: Parameters<typeof makeUnnoticed>[1], name: string, spec: object) {
      return makeUnnoticed(world, kind, { metadata: { name, namespace: tenant.namespace }, spec });
    }

    async function left(table: string, ...ids: readonly string[]): Promise<string[]> {
      const rows = await world.sql<{ id: string }[]>`
        select id from ${world.sql(table)} where id in ${world.sql([...ids])}`;
      return rows.map(({ id }) => id);
    }

    async function mapped(...uids: readonly string[]): Promise<string[]> {
      const rows = await world.sql<{ uid: string }[]>`
        select api_resource_uid as uid from api_cr_to_database_mapping where api_resource_uid in ${world.sql([...uids])}`;
      return rows.map(({ uid }) => uid);
    }

    async function operationsAbout(id: string) {
      const rows = await world.sql<{ resource_type: string; instance_id: string }[]>`
        select resource_type, instance_id from operation where resource_id = ${id}`;
      return [...rows];
    }

    /** A pass, and what those do who were told about this tenant. */
    async function passAndSettle({ namespace }: HandMadeTenant, expected: string): Promise<void> {
      const report = await runPass(world);
      expect(foundAbout(report, namespace)).toContain(expected);
      keepKnocks(world, namespace);
      await world.settle();
    }

    it.each([
      ['DR-05', 'is gone', false],
      ['DR-06', 'has another UID by now', true],
    ])('%s an environment that %s: mapping, environment and credentials go, others stay', async (_id, _what, again) => {
      const tenant = await makeTenant(world);
      const old = await makeEnvironment(tenant, 'staging');
      const spec = { apiURL: 'https://cluster.example.test', credentialsSecret: 'not-there' };
      const { uid: other } = await makeAgain(tenant, managedEnvironments, 'production', spec);
      await makeEnvironment(tenant, 'production', other);
      if (again) await makeAgain(tenant, managedEnvironments, 'staging', spec);

      await passAndSettle(tenant, `ResourceGone ${tenant.namespace}/staging`);

      expect(await left('managed_environment', old, other)).toEqual([other]);
      expect(await left('cluster_credentials', old, other)).toEqual([other]);
      expect(await mapped(old, other)).toEqual([other]);
    });

    it('DR-07 an environment that an application uses: the application loses it, and an operation says so to Argo CD', async () => {
      const tenant = await makeTenant(world);
      const old = await makeEnvironment(tenant, 'staging');
      const { uid } = await makeAgain(tenant, gitOpsDeployments, 'web', {
        source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' },
        destination: { environment: 'staging', namespace: 'prod' },
        type: 'automated',
      });
      await makeApplicationRows(world, tenant, { id: uid });
      await world.sql`update application set managed_environment_id = ${old} where id = ${uid}`;

      await passAndSettle(tenant, `ResourceGone ${tenant.namespace}/staging`);

      expect(await left('managed_environment', old)).toEqual([]);
      expect(await world.sql`select managed_environment_id from application where id = ${uid}`).toEqual([
        { managed_environment_id: null },
      ]);
      const { instanceId: instance_id } = tenant;
      expect(await operationsAbout(uid)).toContainEqual({ resource_type: 'Application', instance_id });
      expect(await operationsAbout(old)).toContainEqual({ resource_type: 'ManagedEnvironment', instance_id });
    });

    it.each([
      ['DR-09', 'is gone', false],
      ['DR-10', 'has another UID by now', true],
    ])(
      '%s a credential that %s: mapping and row go, with an operation beside its Argo CD (defect 3)',
      async (_id, _what, again) => {
        const tenant = await makeTenant(world);
        const old = randomUUID();
        await world.sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
        values (${old}, ${tenant.uid}, ${url}, 'mine', ${tenant.instanceId})`;
        await map(tenant, 'GitOpsDeploymentRepositoryCredential', 'RepositoryCredential', 'access', old);
        if (again) await makeAgain(tenant, repositoryCredentials, 'access', { repository: url, secret: 'not-there' });

        await passAndSettle(tenant, `ResourceGone ${tenant.namespace}/access`);

        expect(await left('repository_credentials', old)).toEqual([]);
        expect(await mapped(old)).toEqual([]);
        expect(await operationsAbout(old)).toEqual([
          { resource_type: 'RepositoryCredentials', instance_id: tenant.instanceId },
        ]);
      },
    );

    it.each([
      ['DR-12', 'is gone', false],
      ['DR-13', 'has another UID by now', true],
    ])('%s a sync run that %s: mapping and sync go, and Argo CD is told to stop', async (_id, _what, again) => {
      const tenant = await makeTenant(world);
      const { uid } = await makeAgain(tenant, gitOpsDeployments, 'web', {
        source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' },
        type: 'manual',
      });
      await makeApplicationRows(world, tenant, { id: uid });
      await makeApplication(world, tenant, uid);
      const old = await makeSync(tenant, uid);
      await world.sql`update sync_operation set phase = 'Running', requested_at = now() where id = ${old}`;
      if (again) await makeAgain(tenant, syncRuns, 'sync', { gitopsDeploymentName: 'other', revisionID: 'main' });

      await passAndSettle(tenant, `ResourceGone ${tenant.namespace}/sync`);

      expect(await left('sync_operation', old)).toEqual([]);
      expect(await mapped(old)).toEqual([]);
      expect(await operationsAbout(old)).toEqual([{ resource_type: 'SyncOperation', instance_id: tenant.instanceId }]);
    });

    it.each([
      ['is gone', false],
      ['has another UID by now', true],
    ])(
      'DR-14 a sync run that %s, of an application that is gone: its rows go without an operation',
      async (_what, again) => {
        const tenant = await makeTenant(world);
        const old = await makeSync(tenant, null);
        const spec = { gitopsDeploymentName: 'web', revisionID: 'main' };
        const successor = again ? await makeAgain(tenant, syncRuns, 'sync', spec) : undefined;

        await passAndSettle(tenant, `ResourceGone ${tenant.namespace}/sync`);

        expect(await left('sync_operation', old)).toEqual([]);
        expect(await mapped(old)).toEqual([]);
        expect(await operationsAbout(old)).toEqual([]);
        // One that the user made again is the user's: it waits for its deployment.
        const key = { namespace: tenant.namespace, name: 'sync' };
        const found = await openCluster({ connection: world.bare }).read(syncRuns, key);
        expect(found?.metadata.uid).toBe(successor?.uid);
      },
    );
  });
}
