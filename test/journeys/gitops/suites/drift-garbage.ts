import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../functions/collect-garbage/index.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { gitOpsDeployments, namespaces, operations } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { specialUser } from '../../../../shared/domain/upkeep/garbage.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { later, takeKnocks } from './drift-pass.ts';
import { makeApplicationRows, makeTenant, makeUnnoticed } from './drift-tenant.ts';

const deploymentSpec = { source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' }, type: 'automated' };

/** What is cleared away, and what is not. */
export function describeGarbage(open: () => Promise<GitOpsWorld>): void {
  describe('collecting garbage', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function collect(ahead = 0): Promise<void> {
      const { clock } = world.machine;
      await collectGarbage.tick({ ...world.machine, clock: { ...clock, now: () => clock.now() + ahead } });
    }

    async function age(table: string, ...ids: readonly string[]): Promise<void> {
      await world.sql`update ${world.sql(table)} set created_on = now() - interval '2 hours' where id in ${world.sql([...ids])}`;
    }

    /** Which of these there still are. */
    async function left(table: string, ...ids: readonly string[]): Promise<string[]> {
      const rows = await world.sql<
        { id: string }[]
      >`select id from ${world.sql(table)} where id in ${world.sql([...ids])}`;
      return ids.filter((id) => rows.some((row) => row.id === id));
    }

    it('DR-15 DR-16 DR-17 DR-18 DR-19 an old application without a mapping goes with its owner and its state, and Argo CD is told', async () => {
      const tenant = await makeTenant(world);
      const make = (mapped: boolean) => makeApplicationRows(world, tenant, { mapped, name: randomUUID() });
      const [orphan, mapped, young] = [await make(false), await make(true), await make(false)];
      await age('application', orphan, mapped);
      takeKnocks(world);

      await collect();

      expect(await left('application', orphan, mapped, young)).toEqual([mapped, young]);
      expect(await world.sql`select from application_owner where application_id = ${orphan}`).toHaveLength(0);
      expect(await world.sql`select from application_state where application_id = ${orphan}`).toHaveLength(0);
      expect(
        await world.sql`select resource_type, state, owner_user_id from operation where resource_id = ${orphan}`,
      ).toEqual([{ resource_type: 'Application', state: 'Waiting', owner_user_id: null }]);
      expect(takeKnocks(world)).toContain(`operation.requested.v1 ${tenant.namespace}/application.${orphan}`);
    });

    it('an application without a mapping whose GitOpsDeployment lives is left for the drift pass', async () => {
      const tenant = await makeTenant(world);
      const metadata = { name: 'web', namespace: tenant.namespace };
      const { uid } = await makeUnnoticed(world, gitOpsDeployments, { metadata, spec: deploymentSpec });
      await makeApplicationRows(world, tenant, { id: uid, mapped: false });
      await age('application', uid);

      await collect();

      expect(await left('application', uid)).toEqual([uid]);
    });

    it('DR-20 DR-21 DR-22 old credentials without a mapping go, with an operation of their own type', async () => {
      const tenant = await makeTenant(world);
      const [orphan, mapped, young] = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of [orphan, mapped, young])
        await world.sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
          values (${id}, ${tenant.uid}, 'https://git.example.test/private', 'secret', ${tenant.instanceId})`;
      await world.sql`insert into api_cr_to_database_mapping values
        ('GitOpsDeploymentRepositoryCredential', ${mapped}, 'cred', ${tenant.namespace}, ${tenant.uid}, 'RepositoryCredential', ${mapped})`;
      await age('repository_credentials', orphan, mapped);

      await collect();

      expect(await left('repository_credentials', orphan, mapped, young)).toEqual([mapped, young]);
      expect(await world.sql`select resource_type from operation where resource_id = ${orphan}`).toEqual([
        { resource_type: 'RepositoryCredentials' },
      ]);
    });

    it('DR-23 DR-24 DR-25 old syncs without a mapping go', async () => {
      const tenant = await makeTenant(world);
      const [orphan, mapped, young] = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of [orphan, mapped, young])
        await world.sql`insert into sync_operation (id, deployment_name, revision, desired_state) values (${id}, 'web', 'main', 'Running')`;
      await world.sql`insert into api_cr_to_database_mapping values
        ('GitOpsDeploymentSyncRun', ${mapped}, 'sync', ${tenant.namespace}, ${tenant.uid}, 'SyncOperation', ${mapped})`;
      await age('sync_operation', orphan, mapped);

      await collect();

      expect(await left('sync_operation', orphan, mapped, young)).toEqual([mapped, young]);
    });

    it('DR-26 DR-27 DR-28 DR-29 old environments without any mapping go with their credentials, and deployments that used them are told', async () => {
      const tenant = await makeTenant(world);
      const [orphan, young] = [randomUUID(), randomUUID()];
      for (const id of [orphan, young]) {
        await world.sql`insert into cluster_credentials (id, host) values (${id}, 'https://cluster.example.test')`;
        await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${id}, 'staging', ${id})`;
        await world.sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values (${tenant.uid}, ${id}, ${tenant.instanceId})`;
      }
      await age('managed_environment', orphan, tenant.uid);
      await age('cluster_credentials', orphan);
      const application = await makeApplicationRows(world, tenant, { name: 'web' });
      await world.sql`update application set managed_environment_id = ${orphan} where id = ${application}`;
      takeKnocks(world);

      await collect();

      // The environment of the tenant's own namespace is mapped by the namespace.
      expect(await left('managed_environment', orphan, young, tenant.uid)).toEqual([young, tenant.uid]);
      expect(await left('cluster_credentials', orphan, young)).toEqual([young]);
      expect(await world.sql`select managed_environment_id from application where id = ${application}`).toEqual([
        { managed_environment_id: null },
      ]);
      expect(takeKnocks(world).filter((knock) => knock.includes(tenant.namespace))).toEqual([
        `gitops-deployment.changed.v1 ${tenant.namespace}/web`,
        `operation.requested.v1 ${tenant.namespace}/managed-environment.${orphan}`,
      ]);
    });

    it('DR-30 DR-31 DR-32 DR-33 CG-01 CG-02 operations that ended go when their time is over, failed ones too', async () => {
      const tenant = await makeTenant(world);
      const make = async (state: string, hours: number, seconds: number) => {
        const id = randomUUID();
        await world.sql`insert into operation (id, instance_id, resource_id, resource_type, state, gc_expiration_time, created_on, last_state_update)
          values (${id}, ${tenant.instanceId}, ${id}, 'Application', ${state}, ${seconds},
            now() - make_interval(hours => ${hours}), now() - make_interval(hours => ${hours}))`;
        return id;
      };
      const kept = [
        await make('Completed', 23, 0),
        await make('In_Progress', 25, 0),
        await make('Waiting', 25, 0),
        await make('Failed', 1, 86_400),
      ];
      const gone = [await make('Completed', 25, 0), await make('Failed', 25, 0), await make('Completed', 2, 3_600)];

      await collect();

      expect(await left('operation', ...kept, ...gone)).toEqual(kept);
    });

    it('DR-35 DR-36 DR-40 users that nobody refers to go when they are old, but never the special one', async () => {
      const [old, young] = [randomUUID(), randomUUID()];
      for (const id of [old, young, specialUser])
        await world.sql`insert into cluster_user (id, user_name) values (${id}, ${id}) on conflict do nothing`;
      await age('cluster_user', old, specialUser);

      await collect();

      expect(await left('cluster_user', old, young, specialUser)).toEqual([young, specialUser]);
    });

    it('DR-37 DR-38 DR-39 old users that anything refers to stay', async () => {
      const tenant = await makeTenant(world);
      const [credential, operation, owner, repository] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      for (const id of [credential, operation, owner, repository])
        await world.sql`insert into cluster_user (id, user_name) values (${id}, ${id})`;
      await world.sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
        values (${randomUUID()}, ${credential}, 'https://git.example.test/x', 'secret', ${tenant.instanceId})`;
      await world.sql`insert into operation (id, instance_id, resource_id, resource_type, owner_user_id)
        values (${randomUUID()}, ${tenant.instanceId}, 'x', 'Application', ${operation})`;
      const application = await makeApplicationRows(world, tenant, { name: 'owned' });
      await world.sql`insert into application_owner (application_id, user_id) values (${application}, ${owner})`;
      await world.sql`insert into app_project_repository (id, cluster_user_id, repo_url) values (${randomUUID()}, ${repository}, 'https://x')`;
      await age('cluster_user', tenant.uid, credential, operation, owner, repository);

      await collect();

      const users = [tenant.uid, credential, operation, owner, repository];
      expect(await left('cluster_user', ...users)).toEqual(users);
    });

    it('DR-41 DR-42 DR-43 DR-44 credentials of clusters go when they are old and nobody uses them', async () => {
      const [old, young, environment, engine] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      for (const id of [old, young, environment, engine])
        await world.sql`insert into cluster_credentials (id, host) values (${id}, 'https://cluster.example.test')`;
      await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${environment}, 'used', ${environment})`;
      await world.sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${engine}, ${engine})`;
      await age('cluster_credentials', old, environment, engine);

      await collect();

      expect(await left('cluster_credentials', old, young, environment, engine)).toEqual([young, environment, engine]);
    });

    it('CN-13 CN-17 Operation objects that no row knows go when they are old, and rows are not touched', async () => {
      const tenant = await makeTenant(world);
      const known = randomUUID();
      await world.sql`insert into operation (id, instance_id, resource_id, resource_type) values (${known}, ${tenant.instanceId}, 'y', 'Application')`;
      const unknown = randomUUID();
      for (const operationID of [known, unknown])
        await makeUnnoticed(world, operations, {
          metadata: { name: `operation-${operationID}`, namespace: argoNamespace },
          spec: { operationID },
        });
      const cluster = openCluster({ connection: world.bare });
      const names = async () => {
        const found: string[] = [];
        for await (const page of cluster.list(operations)) found.push(...page.map(({ spec }) => spec.operationID));
        return [known, unknown].filter((id) => found.includes(id));
      };
      await collect();
      expect(await names()).toHaveLength(2);

      await collect(later);

      expect(await names()).toEqual([known]);
      expect(await left('operation', known)).toEqual([known]);
    });

    it('defect 36: when the namespace of a tenant is gone and nothing is left in it, all rows of the tenant go', async () => {
      const [dead, quiet] = [await makeTenant(world), await makeTenant(world)];
      await age('cluster_user', dead.uid, quiet.uid);
      const cluster = openCluster({ connection: world.bare });
      await cluster.remove(namespaces, { namespace: '', name: dead.namespace });
      await until('the namespace is gone', async () => {
        return (await cluster.read(namespaces, { namespace: '', name: dead.namespace })) === undefined;
      });

      await collect();

      expect(await left('cluster_user', dead.uid, quiet.uid)).toEqual([quiet.uid]);
      expect(await left('managed_environment', dead.uid, quiet.uid)).toEqual([quiet.uid]);
      expect(await world.sql`select from cluster_access where user_id = ${dead.uid}`).toHaveLength(0);
      expect(
        await world.sql`select from kubernetes_to_db_resource_mapping where kubernetes_resource_uid = ${dead.uid}`,
      ).toHaveLength(0);
    });
  });
}
