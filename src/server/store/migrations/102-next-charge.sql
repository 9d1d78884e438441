-- What the next try will charge (minor units) where that differs from the total of the order that failed, or of a regular one: products added or left out once,
-- discounts that begin or end, changes since the last try. The engine keeps it with every change of a subscription; null says that nothing differs.
alter table contracts add column next_charge bigint;

-- The hour of later orders where the clock jumped over it on the very day that they are counted from; null: the hour of that date.
alter table contracts add column base_hour smallint check (base_hour between 0 and 23);

-- Products that are in one order only, or left out of one.
create index contract_lines_once on contract_lines (store_id, contract_id) where one_time_added or one_time_removed_cycle is not null;

create or replace view upcoming_payments with (security_invoker = true) as
select store_id, id, shopify_id, status, customer_id, customer_name, customer_email, currency_code, search, last_payment_status, payment_at, state, order_id, order_status, amount,
  attempts_made, attempts_max, retries_left, error_category, first_failed_at, final_action, payment_method_id, method_type, method_brand, last_digits, paypal_account_email, expiry_month, expiry_year, method_status,
  case
    when method_status in ('EXPIRED', 'REVOKED') or is_hard_decline or (state = 'IN_RECOVERY' and retries_left <= 1) then 'HIGH'
    when expires_before or last_payment_status = 'FAILED' then 'MEDIUM'
    else 'LOW'
  end as risk_level,
  coalesce(payment_at <= clock + interval '30 days', false) as is_due_soon,
  -- Ten-thousandths of a US dollar; without a rate, of its own unit.
  round(amount * 10::numeric ^ (4 - minor_digits(currency_code)) * rate)::bigint as worth
from (
  select ahead.*,
    coalesce(expiry_year * 12 + expiry_month < extract(year from payment_at at time zone local_zone)::integer * 12 + extract(month from payment_at at time zone local_zone)::integer, false) as expires_before,
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
      case when o.id is not null and c.dunning ->> 'state' = 'LOST' then o.total else coalesce(c.next_charge, o.total, c.total) end as amount,
      case when o.id is not null then (c.dunning ->> 'attemptsMade')::integer else 0 end as attempts_made,
      case when o.id is not null then (c.dunning ->> 'attemptsMax')::integer end as attempts_max,
      case when o.id is not null then (c.dunning ->> 'retriesLeft')::integer end as retries_left,
      case when o.id is not null then c.dunning ->> 'lastErrorCategory' end as error_category,
      case when o.id is not null then to_timestamp((c.dunning ->> 'firstFailedAtEpoch')::bigint) end as first_failed_at,
      case when o.id is not null then c.dunning ->> 'finalAction' end as final_action,
      coalesce(o.id is not null and c.last_payment_status = 'FAILED' and (c.dunning ->> 'isHardDecline')::boolean, false) as is_hard_decline,
      c.payment_method_id, m.type as method_type, m.brand as method_brand, m.last_digits, m.paypal_account_email, m.expiry_month, m.expiry_year, coalesce(m.inactive, false) as inactive, m.revoked_at,
      now() + s.clock_offset_ms * interval '1 millisecond' as clock,
      s.timezone as local_zone, coalesce((s.details -> 'usdRates' ->> c.currency_code)::numeric, 1) as rate,
      extract(year from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone s.timezone)::integer * 12 + extract(month from (now() + s.clock_offset_ms * interval '1 millisecond') at time zone s.timezone)::integer as month_now
    from contracts c
    join stores s on s.id = c.store_id
    left join payment_methods m on m.store_id = c.store_id and m.id = c.payment_method_id
    left join orders o on o.store_id = c.store_id and o.id = (c.dunning ->> 'orderId')::bigint and c.dunning ->> 'state' in ('IN_RECOVERY', 'LOST')
    where c.status = 'ACTIVE' or c.dunning ->> 'state' = 'LOST'
  ) ahead
) risk;
