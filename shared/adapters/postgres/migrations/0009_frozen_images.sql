-- What was frozen of each Component: uid, image, commit. One whose image goes bad keeps it, though its Snapshot be deleted.
alter table application_place add column frozen jsonb not null default '[]';
