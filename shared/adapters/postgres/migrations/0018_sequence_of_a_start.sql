-- As which state of its Application a Snapshot was considered: several may be made in one second, and one may come again. 0:
-- as none, or as one of before this column.
alter table promotion_start add column sequence bigint not null default 0;
-- What is the newest state now was considered as that, and is not new again.
update promotion_start s set sequence = a.sequence from application_place a
where a.namespace = s.namespace and a.name = s.application and a.snapshot = s.name;
