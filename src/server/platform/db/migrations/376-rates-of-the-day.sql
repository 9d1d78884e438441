-- Orders and tries to charge carry the rate of their day, and a try the kind and brand of what was charged: neither rates that move nor a
-- card that is replaced change what is over.
alter table orders
  -- Units of the store's currency for one of `currency_code` on the day on which it was paid, or tried; null: there was no rate, or the order
  -- is in the store's own currency.
  add column rate numeric,
  -- Filled in afterwards, with a rate that is not of its day.
  add column is_estimated boolean not null default false;
alter table billing_attempts
  add column rate numeric,
  add column method_type text,
  add column method_brand text,
  -- Filled in afterwards: with a rate that is not of its day, or with a method that was changed since.
  add column is_estimated boolean not null default false;

-- Rates that don't end in decimals are kept to many digits: what is short of a half by less than any rate can tell is a half.
create or replace function booked(amount bigint, code text, rate numeric, own text) returns bigint language sql immutable parallel safe as $$
  select case when code = own then amount
    else coalesce(round(round(amount * rate * 10::numeric ^ (minor_digits(own) - minor_digits(code)), 8))::bigint, 0) end
$$;

-- An order says what it came to in US dollars on its day. In stores of another currency the ledger may have the rate of that day, of the
-- order's currency or of the dollar; else it is today's, as figures had it so far.
update orders o set rate = f.rate, is_estimated = f.is_estimated
from (
  with days as (
    select m.store_id, m.currency_code, m.day, (array_agg(m.rate order by m.at desc))[1] as rate
    from movements m join stores s on s.id = m.store_id
    where m.currency_code <> s.currency_code and m.rate is not null and not m.is_estimated group by 1, 2, 3
  ), foreign_orders as (
    select o.store_id, o.id, o.currency_code, s.currency_code as own, rate_of_store(s, o.currency_code) as now,
      rate_of_store(s, 'USD') as dollar_now, (coalesce(o.processed_at, o.billing_at) at time zone s.timezone)::date as day,
      case when o.currency_code = 'USD' then 1 when o.total > 0 and o.total_usd > 0
        then o.total_usd::numeric(40, 20) / o.total * 10::numeric ^ (minor_digits(o.currency_code) - 2) end as in_dollars
    from orders o join stores s on s.id = o.store_id where o.currency_code <> s.currency_code and o.status <> 'SCHEDULED'
  )
  select f.store_id, f.id, coalesce(case when f.own = 'USD' then f.in_dollars end, d.rate, f.in_dollars * u.rate, f.in_dollars * f.dollar_now,
      f.now) as rate,
    coalesce(case when f.own = 'USD' then f.in_dollars end, d.rate, f.in_dollars * u.rate) is null as is_estimated
  from foreign_orders f
    left join days d on d.store_id = f.store_id and d.currency_code = f.currency_code and d.day = f.day
    left join days u on u.store_id = f.store_id and u.currency_code = 'USD' and u.day = f.day
) f where o.store_id = f.store_id and o.id = f.id;

update billing_attempts t set method_type = w.type, method_brand = w.brand, is_estimated = w.updated_at > t.created_at
  from payment_methods w where w.store_id = t.store_id and w.id = t.payment_method_id;
update billing_attempts t set rate = o.rate, is_estimated = t.is_estimated or o.is_estimated
  from orders o, stores s
  where o.store_id = t.store_id and o.id = t.order_id and s.id = t.store_id and t.currency_code <> s.currency_code;

-- Figures say up to which day something was filled in.
create index orders_estimated on orders (store_id, (coalesce(processed_at, billing_at))) where is_estimated;
create index billing_attempts_estimated on billing_attempts (store_id, created_at) where is_estimated;
-- The summary of payments adds up amounts by the rates of their days.
drop index billing_attempts_first;
create index billing_attempts_first on billing_attempts (store_id, created_at)
  include (order_id, success, amount, currency_code, rate) where attempt_number = 1;
