-- Where what is deployed is kept, what should stand there, and which commit holds which snapshot.

-- A branch of a repository that we write to. A tenant has rows of its own for a repository that others write to as well.
create table gitops_repository (
  -- A digest of what tells one from another.
  id text primary key constraint gitops_repository_id_length check (octet_length(id) between 1 and 64),
  namespace text not null constraint gitops_repository_namespace_length check (octet_length(namespace) between 1 and 96),
  url text not null constraint gitops_repository_url_length check (octet_length(url) between 1 and 512),
  branch text not null constraint gitops_repository_branch_length check (octet_length(branch) between 1 and 1024),
  -- The service made it, and opens it with its own credential. Nobody else's address is ever opened with that.
  made boolean not null,
  -- When all of it was last compared with what should stand there.
  checked_at timestamptz not null default now()
);

-- An Application: where it is kept, and the state of it that was frozen last.
create table application_place (
  -- The UID of the Application.
  id text primary key constraint application_place_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint application_place_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint application_place_name_length check (octet_length(name) between 1 and 256),
  -- Null: it has no place yet, or somebody else renders.
  repository_id text references gitops_repository (id),
  context text not null default '',
  -- Grows with every new snapshot of ours, by one.
  sequence bigint not null default 0,
  snapshot text not null default '',
  digest text not null default ''
);
create index application_place_place on application_place (namespace, name);
create index application_place_repository on application_place (repository_id) where repository_id is not null;
create index application_place_listed on application_place (((namespace || '/' || name || ' ' || id) collate "C"));

-- A Component that has, or had, a directory in a repository.
create table component_place (
  -- The UID of the Component.
  id text primary key constraint component_place_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint component_place_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint component_place_name_length check (octet_length(name) between 1 and 256),
  application text not null,
  repository_id text references gitops_repository (id),
  context text not null default '',
  -- The Component is no more: its directory is to go.
  gone boolean not null default false
);
create index component_place_place on component_place (namespace, name);
create index component_place_repository on component_place (repository_id) where repository_id is not null;
create index component_place_listed on component_place (((namespace || '/' || name || ' ' || id) collate "C"));

-- What a Binding wants to stand in the repository, and what stands there.
create table binding_overlay (
  -- The UID of the SnapshotEnvironmentBinding.
  id text primary key constraint binding_overlay_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint binding_overlay_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint binding_overlay_name_length check (octet_length(name) between 1 and 256),
  application text not null,
  environment text not null,
  repository_id text not null references gitops_repository (id),
  context text not null,
  -- The Binding is no more: what stands for it is to go.
  gone boolean not null default false,
  -- The Binding as it was when it asked: what it says by itself is rendered at once, what others say may wait.
  snapshot text not null,
  generation bigint not null,
  promotion text not null default '',
  -- Everything that is rendered, as JSON, sealed: users put passwords into variables.
  wanted bytea,
  wanted_digest text not null,
  requested_at timestamptz not null default now(),
  -- What it was asked for because of.
  cause text not null default '',
  rendered bytea,
  rendered_digest text,
  rendered_context text,
  -- Of each component: its directory and files, or what is wrong with it.
  results jsonb not null default '[]',
  commit_id text,
  rendered_at timestamptz,
  -- Why the repository could not be written, since when, and when it was last tried.
  trouble_reason text,
  trouble_message text,
  trouble_since timestamptz,
  trouble_at timestamptz
);
create index binding_overlay_place on binding_overlay (namespace, name);
create index binding_overlay_pair on binding_overlay (namespace, application, environment);
create index binding_overlay_repository on binding_overlay (repository_id);
create index binding_overlay_pending on binding_overlay (repository_id) where rendered_digest is distinct from wanted_digest;
create index binding_overlay_listed on binding_overlay (((namespace || '/' || name || ' ' || id) collate "C"));

-- Which commit was made of which snapshots, and the other way round. History: it stays when what it tells of is gone.
create table snapshot_commit (
  repository_id text not null,
  commit_id text not null,
  binding_id text not null,
  namespace text not null,
  application text not null,
  environment text not null,
  snapshot text not null,
  generation bigint not null,
  promotion text not null default '',
  url text not null,
  branch text not null,
  committed_at timestamptz not null default now(),
  primary key (repository_id, commit_id, binding_id, snapshot)
);
create index snapshot_commit_snapshot on snapshot_commit (namespace, snapshot);
create index snapshot_commit_commit on snapshot_commit (commit_id);
create index snapshot_commit_environment on snapshot_commit (namespace, application, environment, committed_at desc);

-- An Application for which the service made a repository has what opens that, for Argo CD to read it.
alter table api_cr_to_database_mapping drop constraint api_cr_mapping_api_resource_type_value;
alter table api_cr_to_database_mapping add constraint api_cr_mapping_api_resource_type_value check (api_resource_type in (
  'GitOpsDeploymentManagedEnvironment', 'GitOpsDeploymentSyncRun', 'GitOpsDeploymentRepositoryCredential', 'Application'));
