-- How many active subscriptions each selling plan group has: counted as contracts change, so that the list of groups need not count.
-- The counter's name is "plans", its key the group's id.

create function count_plans() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'plans', g::text, pg_backend_pid() % 16, count(*) from added cross join unnest(plan_group_ids) g where status = 'ACTIVE' group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'plans', g::text, pg_backend_pid() % 16, -count(*) from removed cross join unnest(plan_group_ids) g where status = 'ACTIVE' group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'plans', g::text, pg_backend_pid() % 16, sum(d) from (
        select store_id, g, 1 as d from added cross join unnest(plan_group_ids) g where status = 'ACTIVE'
        union all select store_id, g, -1 from removed cross join unnest(plan_group_ids) g where status = 'ACTIVE') as moved
      group by 1, 3 having sum(d) <> 0 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger contracts_plans_insert after insert on contracts referencing new table as added for each statement execute function count_plans();
create trigger contracts_plans_update after update on contracts referencing new table as added old table as removed for each statement execute function count_plans();
create trigger contracts_plans_delete after delete on contracts referencing old table as removed for each statement execute function count_plans();

insert into counters (store_id, name, key, shard, n)
  select store_id, 'plans', g::text, 0, count(*) from contracts cross join unnest(plan_group_ids) g where status = 'ACTIVE' group by 1, 3;

create index plan_products_collection on plan_products (store_id, collection_id) where collection_id is not null;
create index plan_collections_collection on plan_collections (store_id, collection_id);
create index collection_products_product on collection_products (store_id, product_id);
create index runs_recent on runs (store_id, kind, id desc);
create index contract_lines_plan on contract_lines (store_id, selling_plan_id) where selling_plan_id is not null;
