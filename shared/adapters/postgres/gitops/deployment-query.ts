/**
 * Everything that is known about some deployments, one row for each question. $1 is a list of questions
 * (shared/ports/deployment-rows.ts), each with its place in the list and with what a sync that waits for it is blocked on.
 *
 * A deployment of today and those of before it have the name in common and not the UID, so the name finds all of them. A
 * tenant is found by the name of its namespace for the same reason: whoever asks may not know the UID yet.
 */
export const deploymentQuery = `
select jsonb_build_object(
  'applications', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', a.id, 'uid', m.id, 'namespaceUid', m.namespace_uid, 'name', a.name, 'spec', a.spec_field,
      'instanceId', a.engine_instance_id, 'environmentId', a.managed_environment_id, 'revision', a.revision::text,
      'reconcileAt', m.reconcile_at,
      'ownerId', (select o.user_id from application_owner o where o.application_id = a.id
                  order by o.user_id = m.namespace_uid desc, o.seq_id limit 1),
      'syncRuns', (select coalesce(jsonb_agg(x.api_resource_name order by x.seq_id), '[]') from sync_operation y
                   join api_cr_to_database_mapping x on x.db_relation_type = 'SyncOperation' and x.db_relation_key = y.id
                     and x.api_resource_type = 'GitOpsDeploymentSyncRun'
                   where y.application_id = a.id)) order by m.seq_id), '[]')
    from deployment_to_application_mapping m join application a on a.id = m.application_id
    where m.name = q.name and m.namespace = q.namespace),
  'tenants', (
    select coalesce(jsonb_agg(jsonb_build_object('namespaceUid', u.user_name, 'engine', jsonb_build_object(
      'instanceId', e.id, 'namespace', e.namespace_name, 'clusterId', e.engine_cluster_id, 'local', c.local,
      'transport', e.transport, 'acceptsTenants', e.accepts_tenants,
      -- How many others it has only matters to those who are not placed yet.
      'tenants', 1))), '[]')
    from cluster_user u join gitops_engine_instance e on e.id = u.engine_instance_id
    join gitops_engine_cluster k on k.id = e.engine_cluster_id join cluster_credentials c on c.id = k.cluster_credentials_id
    where u.display_name = q.namespace),
  'environments', (
    select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'namespaceUid', x.api_resource_namespace_uid,
      'namespaces', array_remove(string_to_array(c.namespaces, ','), '')) order by x.seq_id desc), '[]')
    from api_cr_to_database_mapping x join managed_environment v on v.id = x.db_relation_key
    join cluster_credentials c on c.id = v.cluster_credentials_id
    where x.api_resource_type = 'GitOpsDeploymentManagedEnvironment' and x.api_resource_name = q.environment
      and x.api_resource_namespace = q.namespace and x.db_relation_type = 'ManagedEnvironment'),
  'progress', (
    select jsonb_build_object(
      'pending', coalesce(bool_or(o.state in ('Waiting', 'In_Progress')), false),
      'failure', (array_agg(case when o.state = 'Failed' then o.human_readable_state end order by o.seq_id desc))[1],
      'instanceId', (array_agg(o.instance_id order by o.seq_id desc))[1],
      'ownerId', (array_agg(o.owner_user_id order by o.seq_id desc))[1])
    from operation o where o.resource_id = q.uid and o.resource_type = 'Application'),
  'waitingSyncRuns', (
    select coalesce(jsonb_agg(w.data->>'name' order by w.subject), '[]') from wakeup w
    where w.function = 'run-sync' and w.tenant = q.namespace and w.blocked_on = q.awaited),
  'troubled', (
    select coalesce(jsonb_agg(t.id order by t.id), '[]') from deployment_trouble t
    where t.name = q.name and t.namespace = q.namespace)
) as answer
from jsonb_to_recordset($1::text::jsonb) as q (namespace text, name text, uid text, environment text, awaited text, place integer)
order by q.place`;
