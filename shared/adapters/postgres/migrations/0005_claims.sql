-- Who could have which target. Truth is on the cluster; these rows spare whoever binds to list everything there is.

create table deployment_target (
  -- The UID of the DeploymentTarget.
  id text primary key constraint deployment_target_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint deployment_target_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint deployment_target_name_length check (octet_length(name) between 1 and 256),
  -- The cluster revision that was seen; nothing older replaces it.
  version bigint not null,
  created_at timestamptz not null,
  class_name text not null,
  arch text not null,
  -- The claim that has it, or that it is kept for.
  claim_name text,
  claim_uid text,
  -- May be bound by a claim that does not name it.
  free boolean not null,
  -- What it offers, in billionths; 0 where it does not say.
  requests_cpu numeric not null,
  requests_memory numeric not null,
  limits_cpu numeric not null,
  limits_memory numeric not null,
  -- Whatever else it offers, the same, by name.
  other_amounts jsonb not null
);
create index deployment_target_place on deployment_target (namespace, name);
create index deployment_target_claim on deployment_target (namespace, claim_name) where claim_name is not null;
-- In the order in which they are given away: the smallest, then the oldest, then by name.
create index deployment_target_free on deployment_target
  (namespace, class_name, requests_cpu, requests_memory, limits_cpu, limits_memory, created_at, name) where free;

-- A claim that would take a target as soon as one is there.
create table waiting_claim (
  -- The UID of the DeploymentTargetClaim.
  id text primary key constraint waiting_claim_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint waiting_claim_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint waiting_claim_name_length check (octet_length(name) between 1 and 256),
  created_at timestamptz not null,
  class_name text not null,
  -- The one target that it wants; empty: any that fits.
  target_name text not null,
  arch text not null,
  requests_cpu numeric not null,
  requests_memory numeric not null,
  limits_cpu numeric not null,
  limits_memory numeric not null,
  other_amounts jsonb not null
);
create index waiting_claim_place on waiting_claim (namespace, name);
create index waiting_claim_line on waiting_claim (namespace, class_name, created_at, name);
create index waiting_claim_named on waiting_claim (namespace, target_name) where target_name <> '';

-- What an Environment looks at, so that a change there wakes it.
create table environment_use (
  -- The UID of the Environment.
  id text primary key constraint environment_use_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint environment_use_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint environment_use_name_length check (octet_length(name) between 1 and 256),
  claim_name text,
  -- The Secret that opens its target. Only its name.
  secret_name text
);
create index environment_use_place on environment_use (namespace, name);
create index environment_use_claim on environment_use (namespace, claim_name) where claim_name is not null;
create index environment_use_secret on environment_use (namespace, secret_name) where secret_name is not null;

-- As in 0004_drift.sql: the order in which the API server lists objects.
create index deployment_target_listed on deployment_target (((namespace || '/' || name || ' ' || id) collate "C"));
create index environment_use_listed on environment_use (((namespace || '/' || name || ' ' || id) collate "C"));
