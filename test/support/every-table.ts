import type { Sql } from 'postgres';

/** Every table of the GitOps service, parents first. */
export const gitOpsTables = [
  'cluster_credentials',
  'gitops_engine_cluster',
  'gitops_engine_instance',
  'managed_environment',
  'cluster_user',
  'cluster_access',
  'operation',
  'application',
  'application_state',
  'application_owner',
  'sync_operation',
  'deployment_to_application_mapping',
  'kubernetes_to_db_resource_mapping',
  'api_cr_to_database_mapping',
  'repository_credentials',
  'app_project_repository',
  'app_project_managed_environment',
  'argo_project',
  'target_service_account',
  'deployment_trouble',
  'left_environment',
] as const;

/** Those that migration 0001 makes, with the columns that they have there. */
export const referenceTables = gitOpsTables.slice(0, -4);

/** A row in each table of the reference for one tenant; every key of it begins with `key`. */
export async function writeTenant(sql: Sql, key: string): Promise<void> {
  const id = (name: string) => `'${key}-${name}'`;
  await sql.unsafe(`
    insert into cluster_credentials (id, host, service_account_namespace, namespaces) values (${id('here')}, 'https://${key}.example', 'kube-system', 'a');
    insert into gitops_engine_cluster (id, cluster_credentials_id) values (${id('engine')}, ${id('here')});
    insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
      values (${id('argo')}, 'argocd', ${id('argo')}, ${id('engine')});
    insert into cluster_credentials (id, host) values (${id('there')}, 'https://target.${key}.example');
    insert into managed_environment (id, name, cluster_credentials_id) values (${id('environment')}, 'staging', ${id('there')});
    insert into cluster_user (id, user_name, display_name) values (${id('user')}, ${id('user')}, ${id('team')});
    insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values (${id('user')}, ${id('environment')}, ${id('argo')});
    insert into operation (id, instance_id, resource_id, resource_type, owner_user_id)
      values (${id('operation')}, ${id('argo')}, ${id('application')}, 'Application', ${id('user')});
    insert into application (id, name, spec_field, engine_instance_id, managed_environment_id)
      values (${id('application')}, 'gitopsdepl-${key}', '{}', ${id('argo')}, ${id('environment')});
    insert into application_state (application_id, argocd_application_status) values (${id('application')}, '\\x01');
    insert into application_owner (application_id, user_id) values (${id('application')}, ${id('user')});
    insert into sync_operation (id, application_id, deployment_name, revision, desired_state)
      values (${id('sync')}, ${id('application')}, 'web', 'main', 'Running');
    insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
      values (${id('application')}, 'web', ${id('team')}, ${id('user')}, ${id('application')});
    insert into kubernetes_to_db_resource_mapping values ('Namespace', ${id('user')}, 'ManagedEnvironment', ${id('environment')});
    insert into api_cr_to_database_mapping values
      ('GitOpsDeploymentSyncRun', ${id('sync')}, 'run', ${id('team')}, ${id('user')}, 'SyncOperation', ${id('sync')}),
      ('GitOpsDeploymentManagedEnvironment', ${id('environment')}, 'staging', ${id('team')}, ${id('user')}, 'ManagedEnvironment', ${id('environment')}),
      ('GitOpsDeploymentRepositoryCredential', ${id('repository')}, 'git', ${id('team')}, ${id('user')}, 'RepositoryCredential', ${id('repository')});
    insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
      values (${id('repository')}, ${id('user')}, 'https://git.example/${key}', 'git', ${id('argo')});
    insert into app_project_repository (id, cluster_user_id, repo_url) values (${id('url')}, ${id('user')}, 'https://git.example/${key}');
    insert into app_project_managed_environment (id, cluster_user_id, managed_environment_id)
      values (${id('project')}, ${id('user')}, ${id('environment')});`);
}

/** What later migrations have added. */
export async function writeLaterRows(sql: Sql, key: string): Promise<void> {
  const id = (name: string) => `'${key}-${name}'`;
  await sql.unsafe(`
    update cluster_user set engine_instance_id = ${id('argo')} where id = ${id('user')};
    update application set applied_revision = 1 where id = ${id('application')};
    update cluster_access set applied_credentials_id = ${id('there')} where user_id = ${id('user')};
    insert into argo_project (cluster_user_id, engine_instance_id, digest) values (${id('user')}, ${id('argo')}, 'digest');
    insert into target_service_account (id, namespace, name, host)
      values (${id('environment')}, ${id('team')}, 'staging', 'https://target.${key}.example');
    insert into deployment_trouble (id, namespace, name) values (${id('application')}, ${id('team')}, 'web');
    insert into left_environment (id, engine_instance_id, cluster_user_id, namespaces)
      values (${id('gone')}, ${id('argo')}, ${id('user')}, 'a');`);
}

/** Every row of every table that belongs to a tenant, table by table, with all its columns. */
export async function rowsOfTenant(
  sql: Sql,
  key: string,
  tables: readonly string[] = gitOpsTables,
): Promise<Record<string, Record<string, unknown>[]>> {
  const found = await Promise.all(
    tables.map(async (table) => {
      const rows = await sql.unsafe<{ row: Record<string, unknown> }[]>(
        `select to_jsonb(t) as row from ${table} t where to_jsonb(t)::text like $1 order by to_jsonb(t)::text`,
        [`%"${key}-%`],
      );
      return [table, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(found);
}
