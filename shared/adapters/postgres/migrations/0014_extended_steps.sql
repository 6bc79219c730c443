-- Nobody looked while the time of the step ran out: it has until then to show what has happened meanwhile. Null: its time is that
-- of its environment.
alter table promotion_step add column extended_to timestamptz;
