-- Lists of hundreds of thousands of customers: what their subscriptions amount to stands beside them, kept as contracts change, so that the list needs one table.

alter table customers
  add column name text not null generated always as (coalesce(nullif(btrim(first_name || ' ' || last_name), ''), email)) stored,
  add column active_subscriptions_count integer not null default 0,
  add column paused_subscriptions_count integer not null default 0,
  add column cancelled_subscriptions_count integer not null default 0,
  add column all_subscriptions_count integer not null default 0,
  -- Those that are not over and whose last payment failed.
  add column failing_subscriptions_count integer not null default 0;
alter table customers
  add column subscriber_status text not null generated always as (
    case when active_subscriptions_count > 0 then 'ACTIVE' when paused_subscriptions_count > 0 then 'PAUSED' when all_subscriptions_count > 0 then 'FORMER' else 'NONE' end) stored,
  add column has_failed_payment boolean not null generated always as (failing_subscriptions_count > 0) stored;

update customers k set active_subscriptions_count = c.active, paused_subscriptions_count = c.paused, cancelled_subscriptions_count = c.cancelled, all_subscriptions_count = c.n, failing_subscriptions_count = c.failing
from (select store_id, customer_id, count(*) as n, count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'PAUSED') as paused, count(*) filter (where status = 'CANCELLED') as cancelled,
    count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED') as failing
  from contracts group by 1, 2) c
where k.store_id = c.store_id and k.id = c.customer_id;

-- Found by number and phone too, with and without the signs between its digits.
update customers set search = concat_ws(' ', search, id::text, phone, nullif(regexp_replace(phone, '[^0-9+]', '', 'g'), phone));

-- The counts follow contracts by what changed, so that two people at once add up. Rows are locked in the order of their ids.
create function count_subscriptions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved record;
begin
  if tg_op = 'INSERT' then
    for moved in select store_id, customer_id, count(*) as n, count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'PAUSED') as paused, count(*) filter (where status = 'CANCELLED') as cancelled,
        count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED') as failing
      from added group by 1, 2 order by 1, 2 loop
      update customers set all_subscriptions_count = all_subscriptions_count + moved.n, active_subscriptions_count = active_subscriptions_count + moved.active, paused_subscriptions_count = paused_subscriptions_count + moved.paused,
        cancelled_subscriptions_count = cancelled_subscriptions_count + moved.cancelled, failing_subscriptions_count = failing_subscriptions_count + moved.failing where store_id = moved.store_id and id = moved.customer_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for moved in select store_id, customer_id, count(*) as n, count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'PAUSED') as paused, count(*) filter (where status = 'CANCELLED') as cancelled,
        count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED') as failing
      from removed group by 1, 2 order by 1, 2 loop
      update customers set all_subscriptions_count = all_subscriptions_count - moved.n, active_subscriptions_count = active_subscriptions_count - moved.active, paused_subscriptions_count = paused_subscriptions_count - moved.paused,
        cancelled_subscriptions_count = cancelled_subscriptions_count - moved.cancelled, failing_subscriptions_count = failing_subscriptions_count - moved.failing where store_id = moved.store_id and id = moved.customer_id;
    end loop;
  else
    for moved in select store_id, customer_id, sum(d) as n, coalesce(sum(d) filter (where status = 'ACTIVE'), 0) as active, coalesce(sum(d) filter (where status = 'PAUSED'), 0) as paused,
        coalesce(sum(d) filter (where status = 'CANCELLED'), 0) as cancelled, coalesce(sum(d) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED'), 0) as failing
      from (select store_id, customer_id, status, last_payment_status, 1 as d from added union all select store_id, customer_id, status, last_payment_status, -1 from removed) as moved_rows
      group by 1, 2 order by 1, 2 loop
      if moved.n <> 0 or moved.active <> 0 or moved.paused <> 0 or moved.cancelled <> 0 or moved.failing <> 0 then
        update customers set all_subscriptions_count = all_subscriptions_count + moved.n, active_subscriptions_count = active_subscriptions_count + moved.active, paused_subscriptions_count = paused_subscriptions_count + moved.paused,
          cancelled_subscriptions_count = cancelled_subscriptions_count + moved.cancelled, failing_subscriptions_count = failing_subscriptions_count + moved.failing where store_id = moved.store_id and id = moved.customer_id;
      end if;
    end loop;
  end if;
  return null;
end $$;
-- Writing a whole store counts once at its end.
create trigger contracts_customers_insert after insert on contracts referencing new table as added for each statement when (current_setting('app.counts_later', true) is distinct from 'yes') execute function count_subscriptions();
create trigger contracts_customers_update after update on contracts referencing new table as added old table as removed for each statement execute function count_subscriptions();
create trigger contracts_customers_delete after delete on contracts referencing old table as removed for each statement execute function count_subscriptions();

-- Tabs: customers by what their subscriptions amount to, and those with a failed payment under the name "customers_failing".
drop trigger customers_counted_insert on customers;
drop trigger customers_counted_delete on customers;
create function count_customers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers', subscriber_status, pg_backend_pid() % 16, count(*) from added group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers_failing', 'ALL', pg_backend_pid() % 16, count(*) from added where has_failed_payment group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers', subscriber_status, pg_backend_pid() % 16, -count(*) from removed group by 1, 3 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers_failing', 'ALL', pg_backend_pid() % 16, -count(*) from removed where has_failed_payment group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers', subscriber_status, pg_backend_pid() % 16, sum(d) from (
        select store_id, subscriber_status, 1 as d from added union all select store_id, subscriber_status, -1 from removed) as moved
      group by 1, 3 having sum(d) <> 0 order by 1, 3
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, 'customers_failing', 'ALL', pg_backend_pid() % 16, sum(d) from (
        select store_id, 1 as d from added where has_failed_payment union all select store_id, -1 from removed where has_failed_payment) as moved
      group by 1 having sum(d) <> 0 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger customers_counted_insert after insert on customers referencing new table as added for each statement execute function count_customers();
create trigger customers_counted_update after update on customers referencing new table as added old table as removed for each statement execute function count_customers();
create trigger customers_counted_delete after delete on customers referencing old table as removed for each statement execute function count_customers();

delete from counters where name = 'customers';
insert into counters (store_id, name, key, shard, n) select store_id, 'customers', subscriber_status, 0, count(*) from customers group by 1, 3;
insert into counters (store_id, name, key, shard, n) select store_id, 'customers_failing', 'ALL', 0, count(*) from customers where has_failed_payment group by 1;

create index customers_created on customers (store_id, created_at desc, id desc);
create index customers_status on customers (store_id, subscriber_status, created_at desc, id desc);
create index customers_failing on customers (store_id, created_at desc, id desc) where has_failed_payment;
create index customers_country on customers (store_id, country_code, created_at desc, id desc);
create index customers_name on customers (store_id, name, id);
create index customers_subscriptions on customers (store_id, all_subscriptions_count, id);
create index customers_tags on customers using gin (store_id, tags);
-- Any of them and any two are counted from it alone.
create index customers_facets on customers (store_id, subscriber_status, has_failed_payment, country_code);
