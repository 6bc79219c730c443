import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('the reference tables', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.sql.unsafe(`
      insert into cluster_credentials (id, local) values ('here', true);
      insert into gitops_engine_cluster (id, cluster_credentials_id) values ('engine', 'here');
      insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id) values ('argo', 'argocd', 'uid', 'engine');
      insert into managed_environment (id, name, cluster_credentials_id) values ('env', 'staging', 'here');
      insert into cluster_user (id, user_name) values ('user', 'namespace-uid'),
        ('cluster-agent-application-sync-user', 'cluster-agent-application-sync-user');
      insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values ('user', 'env', 'argo');
      insert into application (id, name, spec_field, engine_instance_id, managed_environment_id) values ('app', 'a', '{}', 'argo', 'env');
      insert into application_owner (application_id, user_id) values ('app', 'user');
      insert into application_state (application_id) values ('app');
      insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id) values ('cr', 'd', 'ns', 'uid', 'app');
      insert into kubernetes_to_db_resource_mapping values ('Namespace', 'uid', 'ManagedEnvironment', 'env');
      insert into api_cr_to_database_mapping values ('GitOpsDeploymentSyncRun', 'uid', 'run', 'ns', 'nsuid', 'SyncOperation', 'sync');
      insert into sync_operation (id, application_id, deployment_name, revision, desired_state) values ('sync', 'app', 'd', 'main', 'Running');
      insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id) values ('repo', 'user', 'https://a/b', 's', 'argo');
      insert into app_project_repository (id, cluster_user_id, repo_url) values ('apr', 'user', 'https://a/b');
      insert into app_project_managed_environment (id, cluster_user_id, managed_environment_id) values ('apm', 'user', 'env');
      insert into operation (id, instance_id, resource_id, resource_type) values ('op', 'argo', 'app', 'Application');`);
  });
  afterAll(() => database.close());

  /** Undone in every case, so that the tests do not know one another. */
  function attempt(statement: string): Promise<unknown> {
    return database.sql.begin(async (transaction) => {
      await transaction.unsafe(statement);
      throw new Error('accepted');
    });
  }

  it('start an operation as waiting, now, and not to be collected', async () => {
    const [row] = await database.sql`
      select state, gc_expiration_time as gc, created_on = last_state_update as same from operation where id = 'op'`;

    expect(row).toEqual({ state: 'Waiting', gc: 0, same: true });
  });

  it.each([
    ['an empty id', `insert into cluster_user (id, user_name) values ('', 'x')`, 'cluster_user_id_length'],
    [
      'an id of 25 letters that are 50 bytes',
      `insert into cluster_user (id, user_name) values (repeat('é', 25), 'x')`,
      'cluster_user_id_length',
    ],
    ['an unknown state', `update operation set state = 'Done'`, 'operation_state_value'],
    ['an unknown type', `update operation set resource_type = 'ClusterAccess'`, 'operation_resource_type_value'],
    [
      'an unknown desired state',
      `update sync_operation set desired_state = 'Paused'`,
      'sync_operation_desired_state_value',
    ],
    ['a blank revision', `update sync_operation set revision = ''`, 'sync_operation_revision_length'],
    [
      'a status of more than 262144 bytes',
      `update application_state set argocd_application_status = convert_to(repeat('x', 262145), 'UTF8')`,
      'application_state_argocd_application_status_length',
    ],
    [
      'credentials of a cluster that needs none',
      `update cluster_credentials set service_account_bearer_token = '\\x01'`,
      'cluster_credentials_local_has_no_secrets',
    ],
    [
      'a second user for a namespace',
      `insert into cluster_user (id, user_name) values ('v', 'namespace-uid')`,
      'cluster_user_user_name',
    ],
    [
      'a second mapping of an application',
      `insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id) values ('d2', 'd', 'ns', 'uid', 'app')`,
      'deployment_to_application_mapping_application',
    ],
    [
      'a second row for a namespace',
      `insert into kubernetes_to_db_resource_mapping values ('Namespace', 'uid', 'ManagedEnvironment', 'other')`,
      'kubernetes_to_db_resource_mapping_resource',
    ],
    [
      'a second resource for a row',
      `insert into api_cr_to_database_mapping values ('GitOpsDeploymentSyncRun', 'uid2', 'run', 'ns', 'nsuid', 'SyncOperation', 'sync')`,
      'api_cr_to_database_mapping_relation',
    ],
    [
      'a second owner of an environment',
      `insert into app_project_managed_environment (id, cluster_user_id, managed_environment_id) values ('x', 'cluster-agent-application-sync-user', 'env')`,
      'app_project_managed_environment_environment',
    ],
    [
      'the same repository twice for a user',
      `insert into app_project_repository (id, cluster_user_id, repo_url) values ('x', 'user', 'https://a/b')`,
      'app_project_repository_user_url',
    ],
    ['the end of an application that others point to', `delete from application`, '_application_id_fkey'],
    ['the end of a user that others point to', `delete from cluster_user where id = 'user'`, '_fkey'],
  ])('refuse %s', async (_what, statement, constraint) => {
    await expect(attempt(statement)).rejects.toMatchObject({ constraint_name: expect.stringContaining(constraint) });
  });

  it.each([
    ['an SSH key of today', `update repository_credentials set auth_ssh_key = convert_to(repeat('x', 16000), 'UTF8')`],
    ['the longest name of a Secret', `update repository_credentials set secret_name = repeat('s', 253)`],
    ['the longest name of a namespace', `update gitops_engine_instance set namespace_name = repeat('n', 63)`],
    ['an application without its environment', `update application set managed_environment_id = null`],
    [
      'a status of 262144 bytes',
      `update application_state set argocd_application_status = convert_to(repeat('x', 262144), 'UTF8')`,
    ],
    [
      'the end of everything, children first',
      [
        'sync_operation',
        'application_state',
        'deployment_to_application_mapping',
        'application_owner',
        'application',
        'operation',
        'cluster_access',
        'app_project_repository',
        'app_project_managed_environment',
        'repository_credentials',
        'gitops_engine_instance',
        'gitops_engine_cluster',
        'managed_environment',
        'cluster_credentials',
        'cluster_user',
      ]
        .map((table) => `delete from ${table};`)
        .join(' '),
    ],
  ])('accept %s', async (_what, statement) => {
    await expect(attempt(statement)).rejects.toThrow('accepted');
  });
});
