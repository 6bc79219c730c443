-- The number of the Snapshot among the states of its Application: several may be made in one second. 0: nobody has counted it.
alter table promotion_start add column sequence integer not null default 0;
