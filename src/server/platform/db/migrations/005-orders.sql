-- Orders, the charges for them, and the payments ahead.

-- One row per cycle that happened or that differs from the computed schedule (skipped, moved).
-- The id is contract_id * 10000 + cycle, so a cycle can never have two orders.
create table orders (
  store_id integer not null,
  id bigint not null,
  contract_id bigint not null,
  customer_id bigint not null,
  cycle integer not null,
  order_number integer not null,
  shopify_id bigint,
  shopify_order_number integer,
  status text not null check (status in ('SCHEDULED','SKIPPED','PROCESSING','PAID','FAILED')),
  order_type text not null default 'RECURRING',
  is_prepaid_delivery boolean not null default false,
  is_rescheduled boolean not null default false,
  scheduled_at timestamptz not null,
  billing_at timestamptz not null,
  delivery_at timestamptz not null,
  processed_at timestamptz,
  currency_code text not null,
  subtotal bigint not null default 0,
  discount bigint not null default 0,
  shipping bigint not null default 0,
  tax bigint not null default 0,
  total bigint not null default 0,
  total_usd bigint not null default 0,
  refunded bigint not null default 0,
  lines jsonb not null default '[]',
  omitted_lines jsonb not null default '[]',
  shipping_address jsonb,
  custom_attributes jsonb not null default '[]',
  note text not null default '',
  tags text[] not null default '{}',
  skip_reason text,
  error_code text,
  error_message text,
  error_category text,
  attempts integer not null default 0,
  next_retry_at timestamptz,
  retry jsonb,
  idempotency_key text,
  fulfillment_status text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (store_id, id)
);
create index orders_contract on orders (store_id, contract_id, cycle desc);
create index orders_billing on orders (store_id, billing_at desc, id desc);
create index orders_retry on orders (store_id, next_retry_at) where next_retry_at is not null;
create index orders_processing on orders (store_id, updated_at) where status = 'PROCESSING';
-- Subscriptions are found by the number of one of their orders, as customers know it from the store.
create unique index orders_number on orders (store_id, shopify_order_number) where shopify_order_number is not null;
create unique index orders_shopify on orders (store_id, shopify_id) where shopify_id is not null;

-- Order numbers are a store's own, from 1001 on: a sequence for each store, so that billing workers never wait for one another, and no
-- store learns from its numbers how much the others sell. A transaction that is taken back leaves a gap.
create function make_order_numbers() returns trigger language plpgsql security definer set search_path = public as $$
begin
  execute format('create sequence order_numbers_%s as integer minvalue 1001', new.id);
  return null;
end $$;
create trigger stores_order_numbers after insert on stores for each row execute function make_order_numbers();
create function drop_order_numbers() returns trigger language plpgsql security definer set search_path = public as $$
begin
  execute format('drop sequence if exists order_numbers_%s', old.id);
  return null;
end $$;
create trigger stores_no_order_numbers after delete on stores for each row execute function drop_order_numbers();
-- The next numbers of the store of this transaction.
create function next_order_numbers(how_many integer) returns setof integer language sql security definer set search_path = public as $$
  select nextval(format('order_numbers_%s', current_store())::regclass)::integer from generate_series(1, how_many)
$$;
-- Goes on after the numbers that a store's orders have already, for who writes orders with numbers of their own.
create function continue_order_numbers(of_store integer) returns void language sql security definer set search_path = public as $$
  select setval(format('order_numbers_%s', of_store)::regclass, greatest(1000, max(shopify_order_number)) + 1, false)
  from orders where store_id = of_store
$$;

-- Orders are counted under the key ALL.
create function count_all() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, tg_table_name, 'ALL', pg_backend_pid() % 16, count(*) from added group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  else
    insert into counters as c (store_id, name, key, shard, n)
      select store_id, tg_table_name, 'ALL', pg_backend_pid() % 16, -count(*) from removed group by 1 order by 1
      on conflict (store_id, name, key, shard) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;
create trigger orders_counted_insert after insert on orders referencing new table as added for each statement execute function count_all();
create trigger orders_counted_delete after delete on orders referencing old table as removed
  for each statement execute function count_all();

create table billing_attempts (
  store_id integer not null,
  id bigint generated by default as identity,
  order_id bigint not null,
  contract_id bigint not null,
  attempt_number integer not null,
  trigger text not null,
  -- Who set it off by hand: the e-mail address of a person of the store, the name of a token. Null: the schedule, a retry or the customer.
  started_by text,
  idempotency_key text not null,
  payment_method_id bigint,
  is_backup boolean not null default false,
  amount bigint not null,
  currency_code text not null,
  ready boolean not null default false,
  success boolean,
  error_code text,
  error_message text,
  error_category text,
  next_action_url text,
  gateway_reference text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (store_id, id)
);
create unique index billing_attempts_key on billing_attempts (store_id, idempotency_key);
create index billing_attempts_order on billing_attempts (store_id, order_id);
create index billing_attempts_contract on billing_attempts (store_id, contract_id, created_at desc);
-- The last guard against charging twice: an order has at most one successful attempt.
create unique index billing_attempts_one_success on billing_attempts (store_id, order_id) where success;
-- The summary of payments counts orders by the day of their first attempt.
create index billing_attempts_first on billing_attempts (store_id, created_at)
  include (order_id, success, amount, currency_code) where attempt_number = 1;
-- Whether a payment ever failed.
create index billing_attempts_failed on billing_attempts (store_id, created_at) where success = false;

-- What the embedded test gateway charged, kept apart from our books so that tests can compare both.
create table gateway_charges (
  store_id integer not null,
  idempotency_key text not null,
  token text not null,
  amount bigint not null,
  currency_code text not null,
  outcome jsonb not null,
  at timestamptz not null default now(),
  primary key (store_id, idempotency_key)
);

-- What was announced to a customer, once each: a card that expires (subject: method and month, with the days before), an order ahead
-- (subject: its local day). A row without `sent` was not needed: the customer had just heard of it otherwise.
create table reminders (
  store_id integer not null references stores on delete cascade,
  contract_id bigint not null,
  kind text not null check (kind in ('CARD_EXPIRING', 'UPCOMING_ORDER')),
  subject text not null,
  sent boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (store_id, contract_id, kind, subject)
);

-- Decimals of the minor unit of a currency, after ISO 4217 (src/contract/domain/currency-digits.ts).
create function minor_digits(code text) returns integer language sql immutable parallel safe as $$
  select case
    when code in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF')
      then 0
    when code in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    when code in ('CLF', 'UYW') then 4
    else 2
  end
$$;

-- One row for each subscription that is charged ahead, is being recovered, or lost its last payment; by the store's own clock. A card is
-- good until the last day of its month ends in the store, so that months are those of the store's calendar, as they are when it is charged.
create view upcoming_payments with (security_invoker = true) as
select store_id, id, shopify_id, status, customer_id, customer_name, customer_email, currency_code, search, last_payment_status, payment_at,
  state, order_id, order_status, amount, attempts_made, attempts_max, retries_left, error_category, first_failed_at, final_action,
  payment_method_id, method_type, method_brand, last_digits, paypal_account_email, expiry_month, expiry_year, method_status,
  case
    when method_status in ('EXPIRED', 'REVOKED') or is_hard_decline or (state = 'IN_RECOVERY' and retries_left <= 1) then 'HIGH'
    when expires_before or last_payment_status = 'FAILED' then 'MEDIUM'
    else 'LOW'
  end as risk_level,
  coalesce(payment_at <= clock + interval '30 days', false) as is_due_soon,
  -- Payments of several currencies are put in order by what they are worth, by the rates of the store: ten-thousandths of a US dollar;
  -- without a rate, of its own unit.
  round(amount * 10::numeric ^ (4 - minor_digits(currency_code)) * rate)::bigint as worth
from (
  select ahead.*,
    coalesce(
      expiry_year * 12 + expiry_month
        < extract(year from payment_at at time zone local_zone)::integer * 12
          + extract(month from payment_at at time zone local_zone)::integer,
      false) as expires_before,
    case
      when payment_method_id is null or inactive or revoked_at is not null then 'REVOKED'
      when expiry_year is null or expiry_month is null then 'ACTIVE'
      when expiry_year * 12 + expiry_month < month_now then 'EXPIRED'
      when expiry_year * 12 + expiry_month <= month_now + 1 then 'EXPIRING'
      else 'ACTIVE'
    end as method_status
  from (
    select c.store_id, c.id, c.shopify_id, c.status, c.customer_id, c.customer_name, c.customer_email, c.currency_code, c.search,
      c.last_payment_status,
      next_payment_at(c.status, c.dunning, c.prepaid_credits, c.next_billing_at) as payment_at,
      case when c.dunning ->> 'state' in ('IN_RECOVERY', 'LOST') then c.dunning ->> 'state' end as state,
      o.id as order_id, o.status as order_status,
      case
        when o.id is not null and c.dunning ->> 'state' = 'LOST' then o.total
        else coalesce(c.next_charge, o.total, c.total)
      end as amount,
      case when o.id is not null then (c.dunning ->> 'attemptsMade')::integer else 0 end as attempts_made,
      case when o.id is not null then (c.dunning ->> 'attemptsMax')::integer end as attempts_max,
      case when o.id is not null then (c.dunning ->> 'retriesLeft')::integer end as retries_left,
      case when o.id is not null then c.dunning ->> 'lastErrorCategory' end as error_category,
      case when o.id is not null then to_timestamp((c.dunning ->> 'firstFailedAtEpoch')::bigint) end as first_failed_at,
      case when o.id is not null then c.dunning ->> 'finalAction' end as final_action,
      coalesce(o.id is not null and c.last_payment_status = 'FAILED' and (c.dunning ->> 'isHardDecline')::boolean, false)
        as is_hard_decline,
      c.payment_method_id, m.type as method_type, m.brand as method_brand, m.last_digits, m.paypal_account_email,
      m.expiry_month, m.expiry_year, coalesce(m.inactive, false) as inactive, m.revoked_at,
      now() + s.clock_offset_ms * interval '1 millisecond' as clock,
      s.timezone as local_zone, coalesce((s.details -> 'usdRates' ->> c.currency_code)::numeric, 1) as rate,
      extract(year from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone s.timezone)::integer * 12
        + extract(month from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone s.timezone)::integer as month_now
    from contracts c
    join stores s on s.id = c.store_id
    left join payment_methods m on m.store_id = c.store_id and m.id = c.payment_method_id
    left join orders o on o.store_id = c.store_id and o.id = (c.dunning ->> 'orderId')::bigint
      and c.dunning ->> 'state' in ('IN_RECOVERY', 'LOST')
    where c.status = 'ACTIVE' or c.dunning ->> 'state' = 'LOST'
  ) ahead
) risk;
