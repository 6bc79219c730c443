-- The UID of the Snapshot that the step began with: one that is made again under its name is another one. Empty: nobody noted it.
alter table promotion_step add column snapshot_id text not null default ''
  constraint promotion_step_snapshot_id_length check (octet_length(snapshot_id) <= 48);
-- What stood before a step that is under way is kept as a digest from now on.
update promotion_step set commits_before = encode(sha256(convert_to(to_json(string_to_array(commits_before, ','))::text, 'UTF8')), 'hex')
where status = 'in-progress' and commits_before like '%=%';
