-- The UID of the Snapshot that the step began with: one that is made again under its name is another one. Empty: nobody noted it.
alter table promotion_step add column snapshot_id text not null default ''
  constraint promotion_step_snapshot_id_length check (octet_length(snapshot_id) <= 48);
