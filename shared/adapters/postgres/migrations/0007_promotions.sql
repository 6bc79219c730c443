-- The ways that snapshots take from environment to environment, and what was seen on them.

-- The gist of what Argo CD said, beside the whole of it: who waits for a deployment asks for these words only.
alter table application_state add column sync_status text not null default ''
  constraint application_state_sync_status_length check (octet_length(sync_status) <= 512);
alter table application_state add column health text not null default ''
  constraint application_state_health_length check (octet_length(health) <= 512);
alter table application_state add column revision text not null default ''
  constraint application_state_revision_length check (octet_length(revision) <= 1024);
-- How far its last sync came: Running, Succeeded, Failed, Error.
alter table application_state add column operation text not null default ''
  constraint application_state_operation_length check (octet_length(operation) <= 512);
-- What is wrong, in the words of Argo CD.
alter table application_state add column trouble text not null default ''
  constraint application_state_trouble_length check (octet_length(trouble) <= 8192);

-- A PromotionRun. History: it stays when the object is gone.
create table promotion (
  -- The UID of the PromotionRun.
  id text primary key constraint promotion_id_length check (octet_length(id) between 1 and 48),
  namespace text not null constraint promotion_namespace_length check (octet_length(namespace) between 1 and 96),
  name text not null constraint promotion_name_length check (octet_length(name) between 1 and 256),
  application text not null,
  snapshot text not null,
  automated boolean not null,
  -- The environments that it names: until its turn comes, nothing else tells where it goes.
  begins_in text[] not null default '{}',
  -- What it was started by: a snapshot, or the run before it. Empty: a person.
  cause text not null default '',
  created_at timestamptz not null,
  state text not null constraint promotion_state_value check (state in ('Waiting', 'Active', 'Completed')),
  -- Empty until it is Completed. Deleted: somebody took it away before it came to its end.
  result text not null default '' constraint promotion_result_value check (result in ('', 'Success', 'Failure', 'Deleted')),
  reason text not null default '',
  message text not null default '',
  -- What it waits for: reason, message, since, until. Null: nothing.
  waiting jsonb,
  started_at timestamptz,
  completed_at timestamptz
);
-- One at a time: whoever comes second is told so by the database itself.
create unique index promotion_turn on promotion (namespace, application) where state = 'Active';
create index promotion_line on promotion (namespace, application, created_at desc, name);
create index promotion_open on promotion (namespace, application) where state <> 'Completed';
create index promotion_place on promotion (namespace, name);
create index promotion_listed on promotion (((namespace || '/' || name || ' ' || id) collate "C")) where state <> 'Completed';
create index promotion_completed on promotion (completed_at) where state = 'Completed';

-- One environment on the way of a promotion.
create table promotion_step (
  promotion_id text not null references promotion (id) on delete cascade,
  environment text not null,
  -- How many environments were passed before, and one: those of the same number go side by side.
  step integer not null,
  binding text not null,
  status text not null constraint promotion_step_status_value check (status in ('in-progress', 'success', 'failed')),
  reason text not null default '',
  message text not null default '',
  began_at timestamptz not null,
  -- When its place was ready: from then on its time runs.
  ready_at timestamptz,
  ended_at timestamptz,
  commit_id text not null default '',
  -- The commits that stood in the Binding when the step began, where somebody else renders.
  commits_before text not null default '',
  primary key (promotion_id, environment)
);

-- What Argo CD said of one component in one environment, when it was as it should be.
create table promotion_evidence (
  promotion_id text not null,
  environment text not null,
  component text not null,
  namespace text not null,
  -- The GitOpsDeployment.
  deployment text not null,
  -- The row of the Argo CD Application. Null, like the rest: it has not been seen yet.
  application_id text,
  revision text not null default '',
  sync_status text not null default '',
  health text not null default '',
  operation text not null default '',
  observed_at timestamptz,
  primary key (promotion_id, environment, component),
  foreign key (promotion_id, environment) references promotion_step (promotion_id, environment) on delete cascade
);
create index promotion_evidence_awaited on promotion_evidence (namespace, deployment) where observed_at is null;

-- The Snapshots that were considered for a promotion of their own, once each.
create table promotion_start (
  -- The UID of the Snapshot.
  id text primary key constraint promotion_start_id_length check (octet_length(id) between 1 and 48),
  namespace text not null,
  name text not null,
  application text not null,
  created_at timestamptz not null,
  -- The PromotionRun that was made for it. Empty: none was needed.
  run text not null default ''
);
create index promotion_start_place on promotion_start (namespace, name);
create index promotion_start_listed on promotion_start (((namespace || '/' || name || ' ' || id) collate "C"));
create index promotion_start_line on promotion_start (namespace, application, created_at desc);

-- What people are told of promotions changed: the sequence says so to whoever asks again and again. No column of the rows
-- grows with every change (some are deleted, some commit late), a counter in a row would make all writers wait for one
-- another, and the number of the last transaction moves with every lease. Nobody waits for anybody at a sequence; but a number
-- is taken before its change can be seen, so version_of_promotions also names whoever is still at it. It is for the primary:
-- a standby hears of a sequence by and by.
create sequence promotion_told;
create function tell_of_promotions() returns trigger language plpgsql as $$
begin
  perform nextval('promotion_told');
  return null;
end $$;
create trigger promotion_told after insert or update or delete on promotion
  for each row execute function tell_of_promotions();
create trigger promotion_step_told after insert or update or delete on promotion_step
  for each row execute function tell_of_promotions();
create trigger promotion_evidence_told after insert or update or delete on promotion_evidence
  for each row execute function tell_of_promotions();
create trigger snapshot_commit_told after insert or update or delete on snapshot_commit
  for each row execute function tell_of_promotions();
create trigger deployment_mapping_told after insert or delete on deployment_to_application_mapping
  for each row execute function tell_of_promotions();
create trigger binding_overlay_told after insert or delete on binding_overlay
  for each row execute function tell_of_promotions();
-- Argo CD and the repositories are heard of all the time with what is no news here.
create trigger binding_overlay_changed_told after update on binding_overlay for each row when (
  (old.application, old.environment, old.gone, old.snapshot, old.wanted_digest, old.requested_at, old.rendered_digest, old.results,
   old.commit_id, old.rendered_at, old.trouble_reason, old.trouble_message, old.trouble_since) is distinct from
  (new.application, new.environment, new.gone, new.snapshot, new.wanted_digest, new.requested_at, new.rendered_digest, new.results,
   new.commit_id, new.rendered_at, new.trouble_reason, new.trouble_message, new.trouble_since))
  execute function tell_of_promotions();
create trigger application_state_told after insert or delete on application_state
  for each row execute function tell_of_promotions();
create trigger application_state_changed_told after update on application_state for each row when (
  (old.sync_status, old.health, old.revision, old.operation, old.trouble) is distinct from
  (new.sync_status, new.health, new.revision, new.operation, new.trouble))
  execute function tell_of_promotions();

-- First the number, then who writes: a change that has a number by now is either to be seen already, or whoever makes it
-- holds the lock of a writer and is named. It keeps that until the change can be seen, and has another name the next time.
create function version_of_promotions() returns text language plpgsql volatile as $$
declare
  told bigint;
  writers text;
begin
  -- The first number is there before anybody has taken it.
  select case when is_called then last_value else 0 end into told from promotion_told;
  select string_agg(distinct virtualtransaction, ',' order by virtualtransaction) into writers from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and pid is distinct from pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and relation in ('promotion'::regclass, 'promotion_step'::regclass, 'promotion_evidence'::regclass,
        'snapshot_commit'::regclass, 'deployment_to_application_mapping'::regclass, 'binding_overlay'::regclass,
        'application_state'::regclass);
  return told || coalesce(' ' || writers, '');
end $$;
