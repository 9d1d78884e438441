-- What the subscriptions of customers amount to is written in one statement for all customers of a change: one for each took half the time
-- of a bulk action.

create type customer_counts as (
  store_id integer, customer_id bigint, total bigint, active bigint, paused bigint, cancelled bigint, failing bigint
);

-- The counts follow contracts by what changed, so that two people at once add up. Customers are locked in the order of their ids.
create or replace function count_subscriptions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved customer_counts[];
begin
  if tg_op = 'INSERT' then
    moved := array(
      select (store_id, customer_id, count(*), count(*) filter (where status = 'ACTIVE'), count(*) filter (where status = 'PAUSED'),
        count(*) filter (where status = 'CANCELLED'),
        count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED'))::customer_counts
      from added group by store_id, customer_id);
  elsif tg_op = 'DELETE' then
    moved := array(
      select (store_id, customer_id, -count(*), -count(*) filter (where status = 'ACTIVE'), -count(*) filter (where status = 'PAUSED'),
        -count(*) filter (where status = 'CANCELLED'),
        -count(*) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED'))::customer_counts
      from removed group by store_id, customer_id);
  else
    moved := array(
      select one from (
        select (store_id, customer_id, sum(d), coalesce(sum(d) filter (where status = 'ACTIVE'), 0),
          coalesce(sum(d) filter (where status = 'PAUSED'), 0), coalesce(sum(d) filter (where status = 'CANCELLED'), 0),
          coalesce(sum(d) filter (where status in ('ACTIVE', 'PAUSED', 'FAILED') and last_payment_status = 'FAILED'), 0)
        )::customer_counts as one
        from (
          select store_id, customer_id, status, last_payment_status, 1 as d from added
          union all select store_id, customer_id, status, last_payment_status, -1 from removed) as both_sides
        group by store_id, customer_id) as sums
      where (one).total <> 0 or (one).active <> 0 or (one).paused <> 0 or (one).cancelled <> 0 or (one).failing <> 0);
  end if;
  if cardinality(moved) > 0 then
    update customers c set all_subscriptions_count = c.all_subscriptions_count + m.total,
      active_subscriptions_count = c.active_subscriptions_count + m.active,
      paused_subscriptions_count = c.paused_subscriptions_count + m.paused,
      cancelled_subscriptions_count = c.cancelled_subscriptions_count + m.cancelled,
      failing_subscriptions_count = c.failing_subscriptions_count + m.failing
    from (
      select one.* from unnest(moved) as one join customers k on k.store_id = one.store_id and k.id = one.customer_id
      order by one.store_id, one.customer_id for no key update of k) as m
    where c.store_id = m.store_id and c.id = m.customer_id;
  end if;
  return null;
end $$;
