-- The UID of the promotion that asked for it: one that is made again under its name is another one. Empty: a person has asked.
alter table binding_overlay add column promotion_id text not null default ''
  constraint binding_overlay_promotion_id_length check (octet_length(promotion_id) <= 48);
