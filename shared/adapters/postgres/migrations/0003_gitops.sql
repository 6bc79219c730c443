-- What the GitOps service needs beyond the tables of the original: where a tenant is placed, and how far everything
-- that is written beside an Argo CD has got.
--
-- Ids follow from the UID of the object they stand for (decision 0010), so that doing a thing twice makes one row.

-- How an Argo CD is told what to do. queue: by us, at once. agent: by an Operation object, which its own agent works off.
alter table gitops_engine_instance
  add column transport text not null default 'queue' constraint gitops_engine_instance_transport_value
    check (transport in ('queue', 'agent')),
  -- False: it keeps the tenants it has and gets no new ones.
  add column accepts_tenants boolean not null default true;

-- The Argo CD that a tenant was placed on. It stays there as long as it has anything there.
alter table cluster_user add column engine_instance_id text references gitops_engine_instance;
create index cluster_user_engine_instance on cluster_user (engine_instance_id);
-- Who asks may know no more of a tenant than the name of its namespace.
create index cluster_user_display_name on cluster_user (display_name);

-- The certificate authority of the cluster. It is no secret.
alter table cluster_credentials add column certificate_authority text constraint cluster_credentials_certificate_authority_length
  check (octet_length(certificate_authority) <= 65536);

-- `revision` counts what was decided about the application, `applied_revision` says which of it Argo CD was told last;
-- 0 means that it was never told anything.
alter table application
  add column revision bigint not null default 1,
  add column applied_revision bigint not null default 0;

-- The value of the annotation stagecoach.dev/reconcile-at that was last acted upon; a new one asks for a look at everything.
alter table deployment_to_application_mapping add column reconcile_at text not null default ''
  constraint deployment_mapping_reconcile_at_length check (octet_length(reconcile_at) <= 256);

-- When Argo CD was last heard about it with anything new.
alter table application_state add column observed_at timestamptz not null default now();

-- The name of what is to be told when the operation has ended, for when its rows are gone: of the GitOpsDeployment, or of
-- whichever object of the API stands behind the resource.
alter table operation add column deployment_name text constraint operation_deployment_name_length
  check (octet_length(deployment_name) <= 256);
-- Few of a tenant's operations are open; those that ended are kept for a while.
create index operation_open on operation (owner_user_id) where state in ('Waiting', 'In_Progress');

alter table repository_credentials
  add column revision bigint not null default 1,
  add column applied_revision bigint not null default 0,
  -- When it last opened its repository.
  add column validated_at timestamptz not null default now();

-- The credentials that the cluster Secret beside that Argo CD was last written from; null: there is none.
alter table cluster_access add column applied_credentials_id text constraint cluster_access_applied_credentials_id_length
  check (octet_length(applied_credentials_id) <= 48);

-- What came of a sync that a user asked for.
alter table sync_operation
  add column phase text not null default '' constraint sync_operation_phase_value
    check (phase in ('', 'Running', 'Terminating', 'Succeeded', 'Failed', 'Error')),
  add column message text not null default '' constraint sync_operation_message_length check (octet_length(message) <= 4096),
  -- When Argo CD was asked, and when it was done.
  add column requested_at timestamptz,
  add column finished_at timestamptz,
  -- What the user asked for, word for word; `revision` is what that means. It must not change, and empty is a wish, too.
  add column revision_id text not null default '' constraint sync_operation_revision_id_length
    check (octet_length(revision_id) <= 256);
-- One after another, whoever races: of two that start at once, one is told to look again.
create unique index sync_operation_under_way on sync_operation (application_id)
  where requested_at is not null and finished_at is null;

-- The fence around a tenant's applications, as it was last written beside that Argo CD. The digest has no secret in it.
create table argo_project (
  cluster_user_id text not null references cluster_user,
  engine_instance_id text not null references gitops_engine_instance,
  digest text not null constraint argo_project_digest_length check (octet_length(digest) between 1 and 64),
  primary key (cluster_user_id, engine_instance_id)
);
create index argo_project_engine_instance on argo_project (engine_instance_id);

-- A ServiceAccount that was made on a tenant's cluster, with what is needed to take it away again. The row outlives the
-- environment until that is done.
create table target_service_account (
  -- The UID of the GitOpsDeploymentManagedEnvironment.
  id text primary key constraint target_service_account_id_length check (octet_length(id) between 1 and 48),
  seq_id bigint not null generated always as identity,
  created_on timestamptz not null default now(),
  -- The tenant's namespace and the name of the environment, for the ledger and the operator.
  namespace text not null constraint target_service_account_namespace_length check (octet_length(namespace) between 1 and 63),
  name text not null constraint target_service_account_name_length check (octet_length(name) between 1 and 253),
  host text not null constraint target_service_account_host_length check (octet_length(host) between 1 and 512),
  certificate_authority text constraint target_service_account_certificate_authority_length
    check (octet_length(certificate_authority) <= 65536),
  allow_insecure_skip_tls_verify boolean not null default false,
  -- Sealed.
  bearer_token bytea constraint target_service_account_bearer_token_length check (octet_length(bearer_token) <= 8256),
  -- Set when the environment is gone and the account has to go, too.
  unwanted_since timestamptz
);

-- A GitOpsDeployment whose user reads that something is wrong with it. One that was wrong from the start has no other row.
create table deployment_trouble (
  -- The UID of the GitOpsDeployment.
  id text primary key constraint deployment_trouble_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint deployment_trouble_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint deployment_trouble_name_length check (octet_length(name) between 1 and 256),
  since timestamptz not null default now()
);
create index deployment_trouble_deployment on deployment_trouble (name, namespace);
