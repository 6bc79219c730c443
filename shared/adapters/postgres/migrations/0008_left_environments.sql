-- An environment that is gone, beside an Argo CD where Applications may still be deployed to it. Argo CD removes only what
-- the fence of the tenant lets it reach, so the environment keeps its place there until its cluster Secret goes.
create table left_environment (
  id text not null constraint left_environment_id_length check (octet_length(id) between 1 and 48),
  engine_instance_id text not null references gitops_engine_instance,
  cluster_user_id text not null references cluster_user,
  created_on timestamptz not null default now(),
  -- As its credentials had it: a comma-separated list; empty means all.
  namespaces text not null default '' constraint left_environment_namespaces_length check (octet_length(namespaces) <= 4096),
  primary key (id, engine_instance_id)
);
create index left_environment_engine_instance on left_environment (engine_instance_id);
create index left_environment_user on left_environment (cluster_user_id);
