-- The UID of the promotion that asked for it: one that is made again under its name is another one. Empty: nobody noted it.
alter table snapshot_commit add column promotion_id text not null default ''
  constraint snapshot_commit_promotion_id_length check (octet_length(promotion_id) <= 48);
