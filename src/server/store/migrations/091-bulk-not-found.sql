-- Rows of ids that belong to nobody: they fail before anything runs, and trying them again would help nothing.
alter table bulk_actions add column not_found integer not null default 0;
update bulk_actions b set not_found = r.n from (
  select store_id, bulk_action_id, count(*) as n from bulk_action_rows where status = 'FAILED' and contract_id is null group by store_id, bulk_action_id) r
where r.store_id = b.store_id and r.bulk_action_id = b.id;
