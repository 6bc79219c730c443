import type { Sql } from 'postgres';
import { type EmptyTenant, endedOperationSeconds, type Orphan, specialUser } from '../../../domain/upkeep/garbage.ts';
import type { Concerned, GarbageRows } from '../../../ports/garbage-rows.ts';
import { asked } from '../translate.ts';
import { dropApplications, dropCredentials, dropEnvironments, dropSyncs } from './drop-orphans.ts';

const instant = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/** Each deletes what a mapping has left behind, if it still is left behind, and returns the operations that it asked for. */
const drops: Readonly<Record<Orphan['type'], string>> = {
  Application: dropApplications,
  ManagedEnvironment: dropEnvironments,
  RepositoryCredentials: dropCredentials,
  SyncOperation: dropSyncs,
};

export function openGarbageRows(sql: Sql): GarbageRows {
  async function ask<Row extends object>(
    sent: 'read' | 'write',
    text: string,
    parameters: (string | number | string[])[],
  ): Promise<Row[]> {
    return asked(sent, async () => {
      return [...(await sql.unsafe<Row[]>(text, parameters, { prepare: true }))];
    });
  }

  return {
    orphans: (before, most) => ask<Orphan>('read', orphans, [before, most]),

    async dropOrphans(found, before) {
      const asked: Concerned[] = [];
      for (const [type, ones] of Map.groupBy(found, (one) => one.type))
        asked.push(...(await ask<Concerned>('write', drops[type], [ones.map(({ id }) => id), before])));
      return asked;
    },

    emptyTenants: (before, afterId, most) => ask<EmptyTenant>('read', emptyTenants, [before, afterId, most]),

    async dropTenants(ids) {
      if (ids.length === 0) return [];
      const asked = await ask<Concerned>('write', askForProjects, [[...ids]]);
      await ask('write', dropTenants, [[...ids]]);
      return asked;
    },

    async dropUnused({ now, before, reportsBefore, most }) {
      const gone = [
        await ask('write', unusedUsers, [before, most]),
        await ask('write', unusedCredentials, [before, most]),
        await ask('write', danglingNamespaces, [most]),
        await ask('write', endedOperations, [now, most]),
        await ask('write', oldFindings, [reportsBefore]),
        await ask('write', oldPasses, [reportsBefore]),
      ];
      return gone.reduce((sum, rows) => sum + rows.length, 0);
    },

    async operations(ids) {
      const rows = await ask<{ id: string; state: string; created: number }>(
        'read',
        `select id, state, (extract(epoch from created_on) * 1000)::float8 as created from operation where id = any ($1::text[])`,
        // Anybody may write an Operation object. No row has a key that Postgres could not even be asked for.
        [ids.filter((id) => !id.includes('\u0000'))],
      );
      return new Map(rows.map(({ id, state, created }) => [id, { state, created }]));
    },

    async users(ids) {
      const rows = await ask<{ id: string }>('read', 'select id from cluster_user where id = any ($1::text[])', [
        [...ids],
      ]);
      return new Set(rows.map(({ id }) => id));
    },
  };
}

const orphans = `
  select type, id from (
    select 'Application' as type, a.id, a.created_on from application a
    where not exists (select from deployment_to_application_mapping m where m.application_id = a.id)
    union all
    select 'RepositoryCredentials', r.id, r.created_on from repository_credentials r
    where not exists (select from api_cr_to_database_mapping m where m.db_relation_type = 'RepositoryCredential' and m.db_relation_key = r.id)
    union all
    select 'SyncOperation', s.id, s.created_on from sync_operation s
    where not exists (select from api_cr_to_database_mapping m where m.db_relation_type = 'SyncOperation' and m.db_relation_key = s.id)
    union all
    select 'ManagedEnvironment', v.id, v.created_on from managed_environment v
    where not exists (select from api_cr_to_database_mapping m where m.db_relation_type = 'ManagedEnvironment' and m.db_relation_key = v.id)
      and not exists (select from kubernetes_to_db_resource_mapping k where k.db_relation_type = 'ManagedEnvironment' and k.db_relation_key = v.id)
  ) o where o.created_on < ${instant('$1')} order by o.created_on, o.id limit $2`;

/** Placed, and without anything in the API, an application, a credential, an environment of another cluster or open work. */
const emptyTenants = `
  select u.id, u.display_name as namespace from cluster_user u
  where u.created_on < ${instant('$1')} and u.id > $2 and u.display_name <> '' and u.engine_instance_id is not null
    and not exists (select from deployment_to_application_mapping m where m.namespace_uid = u.user_name)
    and not exists (select from api_cr_to_database_mapping c where c.api_resource_namespace_uid = u.user_name)
    and not exists (select from application_owner w where w.user_id = u.id)
    and not exists (select from repository_credentials r where r.user_id = u.id)
    and not exists (select from app_project_managed_environment e where e.cluster_user_id = u.id)
    and not exists (select from cluster_access x where x.user_id = u.id and x.managed_environment_id <> u.id)
    and not exists (select from application a where a.managed_environment_id = u.id)
    and not exists (select from operation o where o.owner_user_id = u.id and o.state in ('Waiting', 'In_Progress'))
  order by u.id limit $3`;

/** The environment of the own namespace is there: an operation about it looks at the project alone. */
const askForProjects = `
  with asked as (
    insert into operation (id, instance_id, resource_id, resource_type)
    select gen_random_uuid()::text, p.engine_instance_id, p.cluster_user_id, 'ManagedEnvironment' from argo_project p
    where p.cluster_user_id = any ($1::text[]) and not exists (
      select from operation o where o.resource_id = p.cluster_user_id and o.state in ('Waiting', 'In_Progress'))
    returning resource_id)
  select 'ManagedEnvironment' as type, a.resource_id as "resourceId", u.display_name as namespace
  from asked a join cluster_user u on u.id = a.resource_id`;

const dropTenants = `
  with gone as materialized (
    select u.id from cluster_user u where u.id = any ($1::text[])
      and not exists (select from argo_project p where p.cluster_user_id = u.id)
      and not exists (select from operation o where (o.owner_user_id = u.id or o.resource_id = u.id) and o.state in ('Waiting', 'In_Progress'))
      and not exists (select from application_owner w where w.user_id = u.id)
      and not exists (select from repository_credentials r where r.user_id = u.id) for update),
  mappings as (delete from kubernetes_to_db_resource_mapping k using gone g
    where k.db_relation_type = 'ManagedEnvironment' and k.db_relation_key = g.id),
  access as (delete from cluster_access x using gone g where x.user_id = g.id),
  environments_left as (delete from left_environment l using gone g where l.cluster_user_id = g.id),
  repositories as (delete from app_project_repository r using gone g where r.cluster_user_id = g.id),
  environments as (delete from managed_environment m using gone g where m.id = g.id),
  operations as (delete from operation o using gone g where o.owner_user_id = g.id)
  delete from cluster_user u using gone g where u.id = g.id returning u.id`;

const unusedUsers = `
  delete from cluster_user where id in (
    select u.id from cluster_user u
    where u.created_on < ${instant('$1')} and u.id <> '${specialUser}'
      and not exists (select from cluster_access x where x.user_id = u.id)
      and not exists (select from repository_credentials x where x.user_id = u.id)
      and not exists (select from operation x where x.owner_user_id = u.id)
      and not exists (select from application_owner x where x.user_id = u.id)
      and not exists (select from app_project_repository x where x.cluster_user_id = u.id)
      and not exists (select from app_project_managed_environment x where x.cluster_user_id = u.id)
      and not exists (select from argo_project x where x.cluster_user_id = u.id)
      and not exists (select from left_environment x where x.cluster_user_id = u.id)
    order by u.id limit $2 for update skip locked) returning id`;

// The one row for the cluster that Argo CD runs in is shared by everybody, and made once.
const unusedCredentials = `
  delete from cluster_credentials where id in (
    select c.id from cluster_credentials c
    where c.created_on < ${instant('$1')} and not c.local
      and not exists (select from managed_environment m where m.cluster_credentials_id = c.id)
      and not exists (select from gitops_engine_cluster k where k.cluster_credentials_id = c.id)
    order by c.id limit $2 for update skip locked) returning id`;

const danglingNamespaces = `
  delete from kubernetes_to_db_resource_mapping where seq_id in (
    select k.seq_id from kubernetes_to_db_resource_mapping k where case k.db_relation_type
      when 'ManagedEnvironment' then not exists (select from managed_environment t where t.id = k.db_relation_key)
      when 'GitopsEngineCluster' then not exists (select from gitops_engine_cluster t where t.id = k.db_relation_key)
      else not exists (select from gitops_engine_instance t where t.id = k.db_relation_key) end
    order by k.seq_id limit $1) returning seq_id`;

const endedOperations = `
  delete from operation where id in (
    select o.id from operation o where o.state in ('Completed', 'Failed') and o.last_state_update < ${instant('$1')}
      - make_interval(secs => case o.gc_expiration_time when 0 then ${endedOperationSeconds} else o.gc_expiration_time end)
    order by o.seq_id limit $2) returning id`;

const oldFindings = `
  delete from drift_finding f using drift_pass p where p.id = f.pass and p.began_at < ${instant('$1')}
    and p.id < (select max(id) from drift_pass) returning f.pass`;

const oldPasses = `
  delete from drift_pass p where p.began_at < ${instant('$1')} and p.ended_at is not null
    and p.id < (select max(id) from drift_pass) and not exists (select from drift_finding f where f.pass = p.id) returning p.id`;
