import type { OperationType } from '../../../domain/gitops/names.ts';
import { hasLeaving, isDeployedTo } from './left-environments.ts';

// The question that a step about an operation asks, one for each type of resource. Its parameters are the type and the id
// of the resource, the Argo CD if only one is meant, and the tenant's namespace.

/** `v` is the environment, `c` its credentials, `x` the access to it, if any. */
const environmentJson = `jsonb_build_object(
  'id', v.id, 'local', c.local, 'credentialsId', c.id, 'host', c.host,
  'token', encode(c.service_account_bearer_token, 'base64'), 'certificateAuthority', c.certificate_authority,
  'insecure', c.allow_insecure_skip_tls_verify, 'namespaces', c.namespaces, 'clusterResources', c.cluster_resources,
  'appliedCredentialsId', x.applied_credentials_id, 'accessible', x.user_id is not null)`;

/** One row at most: what it is about, whose it is, beside which Argo CD, and the object of the API behind it. */
const resources: Readonly<Record<OperationType, string>> = {
  Application: `
    select a.engine_instance_id as instance_id, w.user_id, m.name as api_name, jsonb_build_object(
      'id', a.id, 'spec', a.spec_field, 'revision', a.revision, 'appliedRevision', a.applied_revision,
      'environment', (
        select ${environmentJson} from managed_environment v join cluster_credentials c on c.id = v.cluster_credentials_id
        left join cluster_access x on x.managed_environment_id = v.id and x.user_id = w.user_id
          and x.gitops_engine_instance_id = a.engine_instance_id
        where v.id = a.managed_environment_id)) as data,
      a.applied_revision = 0 and a.spec_field is json object as fresh, a.spec_field
    from application a
    left join application_owner w on w.application_id = a.id
    left join deployment_to_application_mapping m on m.application_id = a.id
    where a.id = $2 order by w.seq_id limit 1`,
  ManagedEnvironment: `
    select x.gitops_engine_instance_id as instance_id, x.user_id, m.api_resource_name as api_name,
      ${environmentJson} as data, false as fresh, '' as spec_field
    from managed_environment v
    join cluster_credentials c on c.id = v.cluster_credentials_id
    left join lateral (
      select * from cluster_access a where a.managed_environment_id = v.id
      -- The one that waits for new credentials goes first.
      order by a.gitops_engine_instance_id is not distinct from
          coalesce($3::text, (select instance_id from open order by seq_id limit 1)) desc,
        a.applied_credentials_id is distinct from c.id desc, a.seq_id limit 1) x on true
    left join api_cr_to_database_mapping m on m.db_relation_type = 'ManagedEnvironment' and m.db_relation_key = v.id
    where v.id = $2 limit 1`,
  RepositoryCredentials: `
    select r.engine_instance_id as instance_id, r.user_id, m.api_resource_name as api_name, jsonb_build_object(
      'id', r.id, 'userId', r.user_id, 'url', r.url, 'secretName', r.secret_name, 'revision', r.revision,
      'appliedRevision', r.applied_revision, 'username', encode(r.auth_username, 'base64'),
      'password', encode(r.auth_password, 'base64'), 'sshKey', encode(r.auth_ssh_key, 'base64')) as data,
      false as fresh, '' as spec_field
    from repository_credentials r
    left join api_cr_to_database_mapping m on m.db_relation_type = 'RepositoryCredential' and m.db_relation_key = r.id
    where r.id = $2 limit 1`,
  SyncOperation: `
    select a.engine_instance_id as instance_id, w.user_id, m.api_resource_name as api_name, jsonb_build_object(
      'id', s.id, 'revision', s.revision, 'desiredState', s.desired_state, 'applicationId', s.application_id,
      'requested', s.requested_at is not null, 'finished', s.finished_at is not null) as data,
      false as fresh, '' as spec_field
    from sync_operation s
    left join application a on a.id = s.application_id
    left join application_owner w on w.application_id = a.id
    left join api_cr_to_database_mapping m on m.db_relation_type = 'SyncOperation' and m.db_relation_key = s.id
    where s.id = $2 order by w.seq_id limit 1`,
  GitOpsEngineInstance: `
    select i.id as instance_id, null::text as user_id, null::text as api_name, jsonb_build_object('id', i.id) as data,
      false as fresh, '' as spec_field
    from gitops_engine_instance i where i.id = $2`,
};

/** As Argo CD compares addresses: without case, and without what may stand at their end. */
const plain = (url: string): string => `regexp_replace(lower(${url}), '(\\.git)?/*$', '')`;

/** The applications that Argo CD must look at again when the Secret of the resource was written. */
const dependents: Readonly<Record<OperationType, string>> = {
  Application: 'null::jsonb',
  ManagedEnvironment: `(
    select jsonb_agg(id) from (
      select a.id from application a
      where a.managed_environment_id = $2 and a.applied_revision > 0 and a.engine_instance_id = p.instance_id limit 200) as used)`,
  RepositoryCredentials: `(
    select jsonb_agg(id) from (
      select a.id from repository_credentials r
      join application_owner w on w.user_id = r.user_id
      join application a on a.id = w.application_id
      where r.id = $2 and a.applied_revision > 0 and a.engine_instance_id = p.instance_id and a.spec_field is json object
        and ${plain("a.spec_field::jsonb #>> '{source,repoURL}'")} = ${plain('r.url')} limit 200) as used)`,
  SyncOperation: 'null::jsonb',
  GitOpsEngineInstance: 'null::jsonb',
};

/**
 * The addresses of a tenant's repositories, from all its applications and credentials. A new application whose repository
 * is listed already changes nothing about them, and a tenant may have thousands: then the list itself is taken.
 */
const repositories = `
  case when (select r.fresh and exists (
      select from app_project_repository l where l.cluster_user_id = u.id and l.repo_url = r.spec_field::jsonb #>> '{source,repoURL}')
    from resource r) and not exists (select from open where owner_user_id is null)
  then (select jsonb_agg(l.repo_url) from app_project_repository l where l.cluster_user_id = u.id)
  else (select jsonb_agg(url) from (
    select a.spec_field::jsonb #>> '{source,repoURL}' as url from application_owner w
      join application a on a.id = w.application_id where w.user_id = u.id and a.spec_field is json object
    union select r.url from repository_credentials r where r.user_id = u.id) as every where url <> '') end`;

const tenant = `
  select jsonb_build_object(
    'userId', u.id, 'namespace', u.display_name,
    'digest', (select digest from argo_project g where g.cluster_user_id = u.id and g.engine_instance_id = p.instance_id),
    'recordedRepositories', (select jsonb_agg(l.repo_url) from app_project_repository l where l.cluster_user_id = u.id),
    'repositories', ${repositories},
    'environments', (
      select jsonb_agg(jsonb_build_object('id', v.id, 'namespaces', c.namespaces) order by v.id)
      from managed_environment v join cluster_credentials c on c.id = v.cluster_credentials_id and not c.local
      where v.id in (
        select x.managed_environment_id from cluster_access x
          where x.user_id = u.id and x.gitops_engine_instance_id = p.instance_id
        union select n.managed_environment_id from app_project_managed_environment n where n.cluster_user_id = u.id)),
    'leftEnvironments', (
      select jsonb_agg(jsonb_build_object('id', l.id, 'namespaces', l.namespaces, 'used', ${isDeployedTo('l.id', 'u.id')}) order by l.id)
      from left_environment l where l.cluster_user_id = u.id and l.engine_instance_id = p.instance_id),
    'inUse', exists (select from application_owner w where w.user_id = u.id),
    'leaving', ${hasLeaving('u.id', '$2')})
  from cluster_user u where u.id = p.user_id`;

const engine = `
  select jsonb_build_object(
    'instanceId', e.id, 'namespace', e.namespace_name, 'namespaceUid', e.namespace_uid, 'clusterId', e.engine_cluster_id,
    'transport', e.transport, 'local', c.local, 'host', c.host, 'credentialsId', c.id,
    'token', encode(c.service_account_bearer_token, 'base64'), 'certificateAuthority', c.certificate_authority,
    'insecure', c.allow_insecure_skip_tls_verify)
  from gitops_engine_instance e
  join gitops_engine_cluster k on k.id = e.engine_cluster_id
  join cluster_credentials c on c.id = k.cluster_credentials_id
  where e.id = p.instance_id`;

/**
 * Operations that have not ended say beside which Argo CD to look. Without any, the row does; without a row, the last one
 * that ended: its deletion may have been asked for while that one was being done.
 */
export function operationQuery(type: OperationType): string {
  return `
    with open as materialized (
      select id, instance_id, owner_user_id, state, deployment_name, seq_id from operation
      where resource_id = $2 and resource_type = $1 and state in ('Waiting', 'In_Progress')
        and ($3::text is null or instance_id = $3)
    ), last as materialized (
      select instance_id, owner_user_id, deployment_name, state from operation
      where resource_id = $2 and resource_type = $1 and state in ('Completed', 'Failed')
        and ($3::text is null or instance_id = $3)
      order by last_state_update desc, seq_id desc limit 1
    ), resource as materialized (${resources[type]}
    ), place as materialized (
      select
        coalesce($3::text, (select instance_id from open order by seq_id limit 1), (select instance_id from resource),
          (select instance_id from last)) as instance_id,
        coalesce((select user_id from resource),
          (select owner_user_id from open where owner_user_id is not null order by seq_id limit 1),
          (select owner_user_id from last),
          (select cluster_user_id from left_environment where id = $2 and $1 = 'ManagedEnvironment' limit 1),
          (select id from cluster_user where display_name = $4 order by seq_id desc limit 1)) as user_id
    )
    select jsonb_build_object(
      'operations', (select jsonb_agg(jsonb_build_object('id', o.id, 'ownerUserId', o.owner_user_id, 'state', o.state)
        order by o.seq_id) from open o where o.instance_id = p.instance_id),
      'elsewhere', exists (select from open o where o.instance_id <> p.instance_id),
      'failedBefore', (select state = 'Failed' from last),
      'apiName', coalesce((select api_name from resource),
        (select deployment_name from open where deployment_name is not null order by seq_id desc limit 1),
        (select deployment_name from last)),
      'engine', (${engine}), 'tenant', (${tenant}), 'dependents', ${dependents[type]},
      'row', (select data from resource), 'rowInstanceId', (select instance_id from resource)) as sight
    from place p`;
}
