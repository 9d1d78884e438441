-- What a bulk action did can be taken back for a day, by a bulk action that is linked to it.
alter table bulk_actions add column undo_of bigint;
alter table bulk_actions add column undone_by bigint;
-- The version that the row's change gave its subscription, and what takes the change back; empty: it can't be taken back exactly.
alter table bulk_action_rows add column version integer;
alter table bulk_action_rows add column undo jsonb;
