-- The work of payment recovery: what each subscription is charged next and how likely that is to fail, and the reminders that were sent ahead of it.

-- What was announced to a customer, once each: a card that expires (subject: method and month, with the days before), an order ahead (subject: its local day).
-- A row without `sent` was not needed: the customer had just heard of it otherwise.
create table reminders (
  store_id integer not null references stores on delete cascade,
  contract_id bigint not null,
  kind text not null check (kind in ('CARD_EXPIRING', 'UPCOMING_ORDER')),
  subject text not null,
  sent boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (store_id, contract_id, kind, subject)
);

-- Sessions of the embedded card vault: what may be shown of a card and the token to charge it by, never its number. Used once, and soon.
create table card_vault_sessions (
  store_id integer not null references stores on delete cascade,
  id text not null,
  brand text not null,
  last_digits text not null,
  name text not null,
  expiry_month integer not null,
  expiry_year integer not null,
  gateway_token text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (store_id, id)
);

do $$ declare t text; begin
  foreach t in array array['reminders', 'card_vault_sessions'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store())) with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;

-- When a contract is charged next: its open retry, else its next order, if that is not paid in advance.
create function next_payment_at(status text, dunning jsonb, prepaid_credits integer, next_billing_at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select case
    when dunning ->> 'state' = 'IN_RECOVERY' and dunning ->> 'nextRetryDateEpoch' is not null then to_timestamp((dunning ->> 'nextRetryDateEpoch')::bigint)
    when status = 'ACTIVE' and prepaid_credits = 0 then next_billing_at
  end
$$;
create index contracts_payment on contracts (store_id, next_payment_at(status, dunning, prepaid_credits, next_billing_at), id)
  where status = 'ACTIVE' or dunning ->> 'state' = 'LOST';
create index contracts_dunning on contracts (store_id, (dunning ->> 'state'), id) where dunning is not null;
create index contracts_unpaid on contracts (store_id, id) where successive_failed_cycles > 0;
create index contracts_method on contracts (store_id, payment_method_id) where payment_method_id is not null;
create index contracts_backup on contracts (store_id, backup_payment_method_id) where backup_payment_method_id is not null;

-- One row for each subscription that is charged ahead, is being recovered, or lost its last payment; by the store's own clock.
create view upcoming_payments with (security_invoker = true) as
select store_id, id, shopify_id, status, customer_id, customer_name, customer_email, currency_code, search, last_payment_status, payment_at, state, order_id, order_status, amount,
  attempts_made, attempts_max, retries_left, error_category, first_failed_at, final_action, payment_method_id, method_type, method_brand, last_digits, paypal_account_email, expiry_month, expiry_year, method_status,
  case
    when method_status in ('EXPIRED', 'REVOKED') or is_hard_decline or (state = 'IN_RECOVERY' and retries_left <= 1) then 'HIGH'
    when expires_before or last_payment_status = 'FAILED' then 'MEDIUM'
    else 'LOW'
  end as risk_level,
  coalesce(payment_at <= clock + interval '30 days', false) as is_due_soon
from (
  select ahead.*,
    coalesce(expiry_year * 12 + expiry_month < extract(year from payment_at at time zone 'UTC')::integer * 12 + extract(month from payment_at at time zone 'UTC')::integer, false) as expires_before,
    case
      when payment_method_id is null or inactive or revoked_at is not null then 'REVOKED'
      when expiry_year is null or expiry_month is null then 'ACTIVE'
      when expiry_year * 12 + expiry_month < month_now then 'EXPIRED'
      when expiry_year * 12 + expiry_month <= month_now + 1 then 'EXPIRING'
      else 'ACTIVE'
    end as method_status
  from (
    select c.store_id, c.id, c.shopify_id, c.status, c.customer_id, c.customer_name, c.customer_email, c.currency_code, c.search, c.last_payment_status,
      next_payment_at(c.status, c.dunning, c.prepaid_credits, c.next_billing_at) as payment_at,
      case when c.dunning ->> 'state' in ('IN_RECOVERY', 'LOST') then c.dunning ->> 'state' end as state,
      o.id as order_id, o.status as order_status,
      coalesce(o.total, c.total) as amount,
      case when o.id is not null then (c.dunning ->> 'attemptsMade')::integer else 0 end as attempts_made,
      case when o.id is not null then (c.dunning ->> 'attemptsMax')::integer end as attempts_max,
      case when o.id is not null then (c.dunning ->> 'retriesLeft')::integer end as retries_left,
      case when o.id is not null then c.dunning ->> 'lastErrorCategory' end as error_category,
      case when o.id is not null then to_timestamp((c.dunning ->> 'firstFailedAtEpoch')::bigint) end as first_failed_at,
      case when o.id is not null then c.dunning ->> 'finalAction' end as final_action,
      coalesce(o.id is not null and c.last_payment_status = 'FAILED' and (c.dunning ->> 'isHardDecline')::boolean, false) as is_hard_decline,
      c.payment_method_id, m.type as method_type, m.brand as method_brand, m.last_digits, m.paypal_account_email, m.expiry_month, m.expiry_year, coalesce(m.inactive, false) as inactive, m.revoked_at,
      now() + s.clock_offset_ms * interval '1 millisecond' as clock,
      extract(year from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone 'UTC')::integer * 12 + extract(month from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone 'UTC')::integer as month_now
    from contracts c
    join stores s on s.id = c.store_id
    left join payment_methods m on m.store_id = c.store_id and m.id = c.payment_method_id
    left join orders o on o.store_id = c.store_id and o.id = (c.dunning ->> 'orderId')::bigint and c.dunning ->> 'state' in ('IN_RECOVERY', 'LOST')
    where c.status = 'ACTIVE' or c.dunning ->> 'state' = 'LOST'
  ) ahead
) risk;
grant select on upcoming_payments to perennial_app;
