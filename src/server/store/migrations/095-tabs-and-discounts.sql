-- Tabs of products and of the account log say how many they hold: counted as rows come, change and go, as subscriptions and customers are, so that
-- a long catalogue or log costs no more than a short one. Products that were deleted are no longer listed and not counted.

create function count_products() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'products', status, pg_backend_pid() % 16, count(*) from added where deleted_at is null group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'products', status, pg_backend_pid() % 16, -count(*) from removed where deleted_at is null group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'products', status, pg_backend_pid() % 16, sum(d) from (
        select store_id, status, 1 as d from added where deleted_at is null union all select store_id, status, -1 from removed where deleted_at is null) as moved
      group by 1, 3 having sum(d) <> 0 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger products_counted_insert after insert on products referencing new table as added for each statement execute function count_products();
create trigger products_counted_update after update on products referencing new table as added old table as removed for each statement execute function count_products();
create trigger products_counted_delete after delete on products referencing old table as removed for each statement execute function count_products();

-- Entries of the log never change: they are written, and deleted when they are a year old.
create function count_log() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'account_log', source, pg_backend_pid() % 16, count(*) from added group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'account_log', source, pg_backend_pid() % 16, -count(*) from removed group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger account_log_counted_insert after insert on account_log referencing new table as added for each statement execute function count_log();
create trigger account_log_counted_delete after delete on account_log referencing old table as removed for each statement execute function count_log();

insert into counters (store_id, name, key, shard, n) select store_id, 'products', status, 0, count(*) from products where deleted_at is null group by 1, 3;
insert into counters (store_id, name, key, shard, n) select store_id, 'account_log', source, 0, count(*) from account_log group by 1, 3;

-- Subscriptions with a discount of their own, code or by hand: kept by the engine as the other facts of a contract are.
alter table contracts add column has_discount boolean not null default false;
update contracts c set has_discount = true where exists (select 1 from contract_discounts d where d.store_id = c.store_id and d.contract_id = c.id);
create index contracts_discounted on contracts (store_id, created_at desc, id desc) where has_discount;
