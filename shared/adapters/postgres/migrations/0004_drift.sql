-- What the drift pass remembers: how far it has got, and what it found.

-- A pass over everything, in parts that take turns. This small row is all that a pass writes where nothing is wrong:
-- once for each tick that works on it.
create table drift_pass (
  id bigint primary key generated always as identity,
  began_at timestamptz not null default clock_timestamp(),
  -- Null while it is under way.
  ended_at timestamptz,
  -- The operator who asked for it; null where its time had come.
  asked_by text constraint drift_pass_asked_by_length check (octet_length(asked_by) <= 256),
  -- For each part: whether it is done, where to go on, how many it looked at, what stood in its way.
  parts jsonb not null default '{}',
  -- Seconds that ticks worked on it.
  worked_seconds double precision not null default 0,
  -- Who works on it just now. A worker that dies loses it when its time is over.
  holder text,
  held_until timestamptz
);
-- One at a time, however many hosts tick.
create unique index drift_pass_under_way on drift_pass ((true)) where ended_at is null;

-- One line of the report: what was wrong, and whom it was told to.
create table drift_finding (
  pass bigint not null references drift_pass,
  -- What is wrong, in one word for machines.
  finding text not null constraint drift_finding_finding_length check (octet_length(finding) between 1 and 64),
  -- The thing it is about, namespace/name.
  subject text not null constraint drift_finding_subject_length check (octet_length(subject) between 1 and 512),
  found_at timestamptz not null default clock_timestamp(),
  part text not null constraint drift_finding_part_length check (octet_length(part) between 1 and 64),
  -- The same in a sentence.
  what text not null constraint drift_finding_what_length check (octet_length(what) <= 1024),
  -- The message to whoever repairs it; null where nobody needs to be told.
  knock_type text,
  knock_subject jsonb,
  -- Null until it was sent, so that a crash in between loses nothing.
  knocked_at timestamptz,
  primary key (pass, finding, subject)
);
create index drift_finding_unsent on drift_finding (pass) where knocked_at is null and knock_type is not null;

-- The order in which the API server lists objects, so that a page of its list and the rows beside it are one range.
create index deployment_to_application_mapping_place on deployment_to_application_mapping
  (((namespace || '/' || name || ' ' || id) collate "C"));
create index deployment_trouble_place on deployment_trouble (((namespace || '/' || name || ' ' || id) collate "C"));
create index api_cr_to_database_mapping_place on api_cr_to_database_mapping
  (api_resource_type, ((api_resource_namespace || '/' || api_resource_name || ' ' || api_resource_uid) collate "C"));
create index application_engine_instance_id on application (engine_instance_id, (id collate "C"));
