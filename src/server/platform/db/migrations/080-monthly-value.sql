-- What a subscription brings in a month, for figures that are summed up by the database.

-- What a regular charge costs after the discounts that have no end, without shipping (minor units), where that differs from `subtotal`. The
-- engine keeps it with every change; null: nothing differs.
alter table contracts add column recurring_charge bigint;

-- What a charge of `amount` every `n` units is worth in a month: a month has 30.4368 days, a year 365.2422 (src/domain/money/metrics.ts says
-- the same). Rounded half up, so that 10.00 a week is 43.48.
create function monthly_value(amount bigint, unit text, n integer) returns bigint language sql immutable parallel safe as $$
  select round(amount * case unit when 'DAY' then 30.4368 when 'WEEK' then 4.3481 when 'MONTH' then 1.0 else 1.0 / 12 end / n)::bigint
$$;

-- Figures of a period read the events of its days.
create index events_happened on events (store_id, created_at) include (key, contract_id);
