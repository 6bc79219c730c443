-- What the service remembers about clusters, users, applications and credentials: the tables of the original
-- GitOps service, with snake_case names. The same tables in code are in ../tables; a test compares the two.
--
-- Lengths are limits in bytes, because that is how the original measures them; a column type would count characters.
-- A required text is never empty. Ids are text of at most 48 bytes: mostly UUIDs, but the special user
-- cluster-agent-application-sync-user has its name as its id.
-- Foreign keys are NO ACTION: rows are removed children first, on purpose and in a known order.
-- seq_id is the order of insertion, for reading in batches; it is not a key.
--
-- Columns of type bytea that hold a credential are sealed by ../cipher.ts (AES-256-GCM; the id of the key stands at the
-- start of the value) and are never written in clear. Their limits are those of the clear text plus 64 bytes.

create table cluster_credentials (
  id text primary key constraint cluster_credentials_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  host text constraint cluster_credentials_host_length check (octet_length(host) <= 512),
  -- Sealed.
  kube_config bytea constraint cluster_credentials_kube_config_length check (octet_length(kube_config) <= 65064),
  kube_config_context text constraint cluster_credentials_kube_config_context_length
    check (octet_length(kube_config_context) <= 64),
  -- Sealed. 8192 instead of 2048 bytes: tokens of identity providers that list groups are longer than that.
  service_account_bearer_token bytea constraint cluster_credentials_service_account_bearer_token_length
    check (octet_length(service_account_bearer_token) <= 8256),
  service_account_namespace text constraint cluster_credentials_service_account_namespace_length
    check (octet_length(service_account_namespace) <= 128),
  allow_insecure_skip_tls_verify boolean not null default false,
  -- A comma-separated list; empty means all.
  namespaces text not null default '' constraint cluster_credentials_namespaces_length
    check (octet_length(namespaces) <= 4096),
  cluster_resources boolean not null default false,
  -- The cluster that Argo CD runs in, which needs no credentials. The original marks it with a placeholder in place of the
  -- token; a sealed column cannot be compared with one.
  local boolean not null default false,
  constraint cluster_credentials_local_has_no_secrets
    check (not local or (kube_config is null and service_account_bearer_token is null))
);

-- A cluster that runs Argo CD.
create table gitops_engine_cluster (
  id text primary key constraint gitops_engine_cluster_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  cluster_credentials_id text not null references cluster_credentials
);
create index gitops_engine_cluster_credentials on gitops_engine_cluster (cluster_credentials_id);

-- One installation of Argo CD.
create table gitops_engine_instance (
  id text primary key constraint gitops_engine_instance_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  -- 63 instead of 48 bytes: the longest legal name of a namespace.
  namespace_name text not null constraint gitops_engine_instance_namespace_name_length
    check (octet_length(namespace_name) between 1 and 63),
  namespace_uid text not null constraint gitops_engine_instance_namespace_uid_length
    check (octet_length(namespace_uid) between 1 and 48),
  engine_cluster_id text not null references gitops_engine_cluster,
  constraint gitops_engine_instance_namespace unique (namespace_name, namespace_uid, engine_cluster_id)
);
create index gitops_engine_instance_cluster on gitops_engine_instance (engine_cluster_id);

-- Where a tenant deploys to.
create table managed_environment (
  id text primary key constraint managed_environment_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  name text not null constraint managed_environment_name_length check (octet_length(name) between 1 and 256),
  cluster_credentials_id text not null references cluster_credentials
);
create index managed_environment_credentials on managed_environment (cluster_credentials_id);

-- One row per namespace of the API: user_name is the namespace's UID, display_name its name.
create table cluster_user (
  id text primary key constraint cluster_user_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  user_name text not null constraint cluster_user_user_name_length check (octet_length(user_name) between 1 and 256),
  display_name text constraint cluster_user_display_name_length check (octet_length(display_name) <= 128),
  constraint cluster_user_user_name unique (user_name)
);

-- This user may use this environment through this Argo CD. The primary key also serves look-ups by (user, environment).
create table cluster_access (
  user_id text not null references cluster_user,
  managed_environment_id text not null references managed_environment,
  gitops_engine_instance_id text not null references gitops_engine_instance,
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  primary key (user_id, managed_environment_id, gitops_engine_instance_id)
);
create index cluster_access_user_instance on cluster_access (user_id, gitops_engine_instance_id);
create index cluster_access_managed_environment on cluster_access (managed_environment_id);
create index cluster_access_instance on cluster_access (gitops_engine_instance_id);

-- What the side of Argo CD is asked to do.
create table operation (
  id text primary key constraint operation_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  instance_id text not null references gitops_engine_instance,
  resource_id text not null constraint operation_resource_id_length check (octet_length(resource_id) between 1 and 48),
  resource_type text not null constraint operation_resource_type_value check (
    resource_type in ('ManagedEnvironment', 'SyncOperation', 'Application', 'RepositoryCredentials', 'GitOpsEngineInstance')),
  owner_user_id text references cluster_user,
  created_on timestamptz not null default now(),
  last_state_update timestamptz not null default now(),
  state text not null default 'Waiting' constraint operation_state_value check (
    state in ('Waiting', 'In_Progress', 'Completed', 'Failed')),
  human_readable_state text not null default '' constraint operation_human_readable_state_length
    check (octet_length(human_readable_state) <= 1024),
  -- Seconds after the last change of state; 0 means that it is not collected.
  gc_expiration_time integer not null default 0 constraint operation_gc_expiration_time_value check (gc_expiration_time >= 0)
);
create index operation_resource on operation (resource_id, resource_type, owner_user_id);
create index operation_instance on operation (instance_id);
create index operation_owner on operation (owner_user_id);

-- An Argo CD Application as it should be.
create table application (
  id text primary key constraint application_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  name text not null constraint application_name_length check (octet_length(name) between 1 and 256),
  -- 65536 instead of 16384 bytes: sync options are a list without a limit.
  spec_field text not null constraint application_spec_field_length check (octet_length(spec_field) between 1 and 65536),
  engine_instance_id text not null references gitops_engine_instance,
  -- Null when the environment was deleted: the application is then not valid.
  managed_environment_id text references managed_environment
);
create index application_engine_instance on application (engine_instance_id);
create index application_managed_environment on application (managed_environment_id);

-- What Argo CD last said: its whole status as YAML, compressed with gzip.
create table application_state (
  application_id text primary key references application,
  argocd_application_status bytea constraint application_state_argocd_application_status_length
    check (octet_length(argocd_application_status) <= 262144)
);

create table application_owner (
  application_id text not null references application,
  user_id text not null references cluster_user,
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  primary key (application_id, user_id)
);
create index application_owner_user on application_owner (user_id);

-- A sync that a user asked for.
create table sync_operation (
  id text primary key constraint sync_operation_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  -- Null when the application is gone.
  application_id text references application,
  deployment_name text not null constraint sync_operation_deployment_name_length
    check (octet_length(deployment_name) between 1 and 256),
  revision text not null constraint sync_operation_revision_length check (octet_length(revision) between 1 and 256),
  desired_state text not null constraint sync_operation_desired_state_value check (desired_state in ('Running', 'Terminated'))
);
create index sync_operation_application on sync_operation (application_id);

-- From a GitOpsDeployment, whose UID is the id, to its application.
create table deployment_to_application_mapping (
  id text primary key constraint deployment_mapping_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  name text not null constraint deployment_mapping_name_length check (octet_length(name) between 1 and 256),
  namespace text not null constraint deployment_mapping_namespace_length
    check (octet_length(namespace) between 1 and 96),
  namespace_uid text not null constraint deployment_mapping_namespace_uid_length
    check (octet_length(namespace_uid) between 1 and 48),
  application_id text not null references application,
  constraint deployment_to_application_mapping_application unique (application_id)
);
create index deployment_to_application_mapping_namespace on deployment_to_application_mapping (namespace_uid);
create index deployment_to_application_mapping_name on deployment_to_application_mapping (name, namespace, namespace_uid);

-- From the UID of a namespace to a row. For a cluster the namespace is kube-system.
create table kubernetes_to_db_resource_mapping (
  kubernetes_resource_type text not null constraint kubernetes_mapping_kubernetes_resource_type_value
    check (kubernetes_resource_type in ('Namespace')),
  kubernetes_resource_uid text not null constraint kubernetes_mapping_kubernetes_resource_uid_length
    check (octet_length(kubernetes_resource_uid) between 1 and 64),
  db_relation_type text not null constraint kubernetes_mapping_db_relation_type_value
    check (db_relation_type in ('ManagedEnvironment', 'GitopsEngineCluster', 'GitopsEngineInstance')),
  db_relation_key text not null constraint kubernetes_mapping_db_relation_key_length
    check (octet_length(db_relation_key) between 1 and 64),
  seq_id bigint not null generated always as identity,
  primary key (kubernetes_resource_type, kubernetes_resource_uid, db_relation_type, db_relation_key),
  constraint kubernetes_to_db_resource_mapping_relation unique (db_relation_type, db_relation_key, kubernetes_resource_type),
  constraint kubernetes_to_db_resource_mapping_resource unique (kubernetes_resource_type, kubernetes_resource_uid, db_relation_type)
);

-- From a resource of the API to a row.
create table api_cr_to_database_mapping (
  api_resource_type text not null constraint api_cr_mapping_api_resource_type_value check (api_resource_type in (
    'GitOpsDeploymentManagedEnvironment', 'GitOpsDeploymentSyncRun', 'GitOpsDeploymentRepositoryCredential')),
  api_resource_uid text not null constraint api_cr_mapping_api_resource_uid_length
    check (octet_length(api_resource_uid) between 1 and 64),
  api_resource_name text not null constraint api_cr_mapping_api_resource_name_length
    check (octet_length(api_resource_name) between 1 and 256),
  api_resource_namespace text not null constraint api_cr_mapping_api_resource_namespace_length
    check (octet_length(api_resource_namespace) between 1 and 256),
  api_resource_namespace_uid text not null constraint api_cr_mapping_api_resource_namespace_uid_length
    check (octet_length(api_resource_namespace_uid) between 1 and 64),
  db_relation_type text not null constraint api_cr_mapping_db_relation_type_value
    check (db_relation_type in ('ManagedEnvironment', 'SyncOperation', 'RepositoryCredential')),
  db_relation_key text not null constraint api_cr_mapping_db_relation_key_length
    check (octet_length(db_relation_key) between 1 and 64),
  seq_id bigint not null generated always as identity,
  primary key (api_resource_type, api_resource_uid, db_relation_type, db_relation_key),
  constraint api_cr_to_database_mapping_resource unique (api_resource_type, api_resource_uid, db_relation_type),
  constraint api_cr_to_database_mapping_relation unique (db_relation_type, db_relation_key, api_resource_type)
);
create index api_cr_to_database_mapping_name on api_cr_to_database_mapping (
  api_resource_type, api_resource_name, api_resource_namespace, api_resource_namespace_uid, db_relation_type);
create index api_cr_to_database_mapping_namespace on api_cr_to_database_mapping (api_resource_namespace_uid);

-- What opens a private repository.
create table repository_credentials (
  id text primary key constraint repository_credentials_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  user_id text not null references cluster_user,
  url text not null constraint repository_credentials_url_length check (octet_length(url) between 1 and 512),
  -- Sealed, as some hosts take a token as the user name.
  auth_username bytea constraint repository_credentials_auth_username_length check (octet_length(auth_username) <= 320),
  -- Sealed. 8192 instead of 1024 bytes: tokens that carry claims are longer than that.
  auth_password bytea constraint repository_credentials_auth_password_length check (octet_length(auth_password) <= 8256),
  -- Sealed. 16384 instead of 1024 bytes, which is too short for every RSA key of today.
  auth_ssh_key bytea constraint repository_credentials_auth_ssh_key_length check (octet_length(auth_ssh_key) <= 16448),
  -- 253 instead of 48 bytes: the longest legal name of a Secret.
  secret_name text not null constraint repository_credentials_secret_name_length
    check (octet_length(secret_name) between 1 and 253),
  engine_instance_id text not null references gitops_engine_instance
);
create index repository_credentials_user on repository_credentials (user_id);
create index repository_credentials_engine_instance on repository_credentials (engine_instance_id);

-- A repository that a user may deploy from.
create table app_project_repository (
  id text primary key constraint app_project_repository_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  cluster_user_id text not null references cluster_user,
  -- 512 instead of 256 bytes, as for the credentials of the same repository.
  repo_url text not null constraint app_project_repository_repo_url_length check (octet_length(repo_url) between 1 and 512),
  -- Serves look-ups by user, too.
  constraint app_project_repository_user_url unique (cluster_user_id, repo_url)
);

-- An environment that a user may deploy to. An environment has one owner: the original has no constraint that says so, and
-- fails when it reads a second row.
create table app_project_managed_environment (
  id text primary key constraint app_project_managed_environment_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  cluster_user_id text not null references cluster_user,
  managed_environment_id text not null references managed_environment,
  constraint app_project_managed_environment_environment unique (managed_environment_id)
);
create index app_project_managed_environment_user on app_project_managed_environment (cluster_user_id);
