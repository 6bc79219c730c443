// Rows that no mapping points to, $1, deleted together with what hangs on them. All of a statement sees the state before it
// and foreign keys are checked at its end, so parents and children go at once. Each looks again whether the row is still
// without a mapping and older than $2, and asks for what stands beside an Argo CD to go, with an operation of the right
// type that nobody owns: nothing that was recorded is trusted then.

const older = (column: string): string => `${column} < to_timestamp($2::float8 / 1000)`;

const unmapped = (relation: string, id: string): string =>
  `not exists (select from api_cr_to_database_mapping m where m.db_relation_type = '${relation}' and m.db_relation_key = ${id})`;

/** `gone` has id, instance_id and namespace, the last one null where nobody knows the tenant. */
const requested = (type: string): string => `
  asked as (
    insert into operation (id, instance_id, resource_id, resource_type)
    select gen_random_uuid()::text, g.instance_id, g.id, '${type}' from gone g where not exists (
      select from operation o where o.resource_id = g.id and o.resource_type = '${type}' and o.state = 'Waiting'
        and o.instance_id = g.instance_id and o.owner_user_id is null)
    returning resource_id)
  select '${type}' as type, g.id as "resourceId", coalesce(g.namespace, e.namespace_name) as namespace
  from gone g join gitops_engine_instance e on e.id = g.instance_id`;

export const dropApplications = `
  with gone as materialized (
    select a.id, a.engine_instance_id as instance_id, (
      select u.display_name from application_owner w join cluster_user u on u.id = w.user_id
      where w.application_id = a.id order by w.seq_id limit 1) as namespace
    from application a where a.id = any ($1::text[]) and ${older('a.created_on')}
      and not exists (select from deployment_to_application_mapping m where m.application_id = a.id) for update),
  owners as (delete from application_owner w using gone g where w.application_id = g.id),
  states as (delete from application_state s using gone g where s.application_id = g.id),
  syncs as (update sync_operation s set application_id = null from gone g where s.application_id = g.id),
  applications as (delete from application a using gone g where a.id = g.id),
  ${requested('Application')}`;

export const dropCredentials = `
  with gone as materialized (
    select r.id, r.engine_instance_id as instance_id, u.display_name as namespace
    from repository_credentials r join cluster_user u on u.id = r.user_id
    where r.id = any ($1::text[]) and ${older('r.created_on')} and ${unmapped('RepositoryCredential', 'r.id')} for update of r),
  credentials as (delete from repository_credentials r using gone g where r.id = g.id),
  ${requested('RepositoryCredentials')}`;

/** A sync that is under way ends by itself: nothing is left of it beside the Argo CD. */
export const dropSyncs = `
  with syncs as (
    delete from sync_operation s where s.id = any ($1::text[]) and ${older('s.created_on')} and ${unmapped('SyncOperation', 's.id')})
  select '' as type, '' as "resourceId", '' as namespace where false`;

export const dropEnvironments = `
  with left_behind as materialized (
    select v.id, v.cluster_credentials_id from managed_environment v
    where v.id = any ($1::text[]) and ${older('v.created_on')} and ${unmapped('ManagedEnvironment', 'v.id')}
      and not exists (select from kubernetes_to_db_resource_mapping k
        where k.db_relation_type = 'ManagedEnvironment' and k.db_relation_key = v.id) for update),
  gone as materialized (
    select v.id, x.gitops_engine_instance_id as instance_id, u.display_name as namespace
    from left_behind v join cluster_access x on x.managed_environment_id = v.id join cluster_user u on u.id = x.user_id),
  applications as (
    update application a set managed_environment_id = null from left_behind v where a.managed_environment_id = v.id),
  fenced as (
    insert into left_environment (id, engine_instance_id, cluster_user_id, namespaces)
    select v.id, x.gitops_engine_instance_id, x.user_id, c.namespaces from left_behind v
    join cluster_credentials c on c.id = v.cluster_credentials_id and not c.local
    join cluster_access x on x.managed_environment_id = v.id on conflict do nothing),
  access as (delete from cluster_access x using left_behind v where x.managed_environment_id = v.id),
  projects as (delete from app_project_managed_environment p using left_behind v where p.managed_environment_id = v.id),
  accounts as (update target_service_account t set unwanted_since = coalesce(t.unwanted_since, now()) from left_behind v where t.id = v.id),
  environments as (delete from managed_environment m using left_behind v where m.id = v.id),
  credentials as (
    delete from cluster_credentials c using left_behind v
    where c.id = v.cluster_credentials_id and not c.local
      and not exists (select from managed_environment o where o.cluster_credentials_id = c.id and o.id <> v.id)
      and not exists (select from gitops_engine_cluster k where k.cluster_credentials_id = c.id)),
  ${requested('ManagedEnvironment')}
  union all
  select 'GitOpsDeployment', m.name, m.namespace from left_behind v join application a on a.managed_environment_id = v.id
  join deployment_to_application_mapping m on m.application_id = a.id`;
