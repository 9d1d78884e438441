-- What a subscription was at a time, as far as figures are narrowed and split by it: a span is how long its country, frequency, plans and
-- products stayed the same. Orders, payments, offers and entries of the log are counted under the span in which they happened, so that a
-- month that is over stays as it was. A change writes a row; what changes nothing of this, as charges and pauses do, writes none.
create table contract_spans (
  store_id integer not null,
  contract_id bigint not null,
  -- From and until when; -infinity is the first, infinity the present one. What happens at the moment of a change belongs to what it made.
  from_at timestamptz not null,
  until_at timestamptz not null default 'infinity',
  -- The columns of `contracts` of the same names, as they were.
  customer_id bigint not null,
  created_at timestamptz not null,
  source text not null,
  currency_code text not null,
  country_code text not null,
  frequency text not null,
  is_prepaid boolean not null,
  is_returning boolean not null,
  plan_group_ids bigint[] not null,
  product_ids bigint[] not null,
  variant_ids bigint[] not null,
  -- Filled in afterwards: before the ledger of movements began, what it was is not known.
  is_estimated boolean not null default false,
  primary key (store_id, contract_id, from_at),
  foreign key (store_id, contract_id) references contracts on delete cascade
);
-- Figures say that the oldest were filled in.
create index contract_spans_estimated on contract_spans (store_id) where is_estimated;
alter table contract_spans enable row level security;
create policy own_store on contract_spans using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select on contract_spans to perennial_app;

-- The past out of the ledger: after each change the lines that it left, with their plan, product, country and frequency. What changed while
-- a subscription did not run is in no movement, and nothing was ordered then: the last span is as the subscription is now.
insert into contract_spans (store_id, contract_id, from_at, until_at, customer_id, created_at, source, currency_code, country_code, frequency,
  is_prepaid, is_returning, plan_group_ids, product_ids, variant_ids, is_estimated)
with changes as (
  select *, lead(change_no) over own is null as is_last, lag(change_no) over own is null as is_first from (
    select distinct on (store_id, contract_id, at) store_id, contract_id, change_no, at, is_estimated from (
      select store_id, contract_id, change_no, max(max(at)) over (partition by store_id, contract_id order by change_no) as at,
        bool_or(is_estimated) as is_estimated
      from movements group by 1, 2, 3) moves
    order by store_id, contract_id, at, change_no desc) steps
  window own as (partition by store_id, contract_id order by change_no)
), left_lines as (
  select s.store_id, s.contract_id, s.change_no, s.at, l.*
  from changes s cross join lateral (
    select distinct on (m.line_id) m.plan_group_id, m.product_id, m.variant_id, m.country_code, m.frequency, m.is_prepaid,
      m.change_no * 1000 + m.row_no as place, m.status_after in ('ACTIVE', 'PAUSED') and not m.runs_after as is_gone
    from movements m where m.store_id = s.store_id and m.contract_id = s.contract_id and m.change_no <= s.change_no
    order by m.line_id, m.change_no desc, m.row_no desc) l
  where not s.is_last and not l.is_gone
), states as (
  select store_id, contract_id, at, (array_agg(country_code order by place desc))[1] as country_code,
    (array_agg(frequency order by place desc))[1] as frequency, (array_agg(is_prepaid order by place desc))[1] as is_prepaid,
    coalesce(array_agg(distinct plan_group_id) filter (where plan_group_id is not null), '{}') as plan_group_ids,
    coalesce(array_agg(distinct product_id) filter (where product_id is not null), '{}') as product_ids,
    coalesce(array_agg(distinct variant_id) filter (where variant_id is not null), '{}') as variant_ids
  from left_lines group by store_id, contract_id, change_no, at
  union all
  select c.store_id, c.id, coalesce(s.at, c.created_at), c.country_code, c.frequency, c.is_prepaid,
    array(select distinct unnest(c.plan_group_ids) order by 1), array(select distinct unnest(c.product_ids) order by 1),
    array(select distinct unnest(c.variant_ids) order by 1)
  from contracts c left join changes s on s.store_id = c.store_id and s.contract_id = c.id and s.is_last
), turns as (
  select *, lag(what) over own as was, lag(what) over own is null as is_first
  from (select *, jsonb_build_array(country_code, frequency, is_prepaid, plan_group_ids, product_ids, variant_ids) as what from states) t
  window own as (partition by store_id, contract_id order by at)
), spans as (
  select *, case when is_first then '-infinity' else at end as from_at from turns where was is distinct from what
)
select s.store_id, s.contract_id, s.from_at,
  coalesce(lead(s.from_at) over (partition by s.store_id, s.contract_id order by s.from_at), 'infinity'), c.customer_id, c.created_at, c.source,
  c.currency_code, s.country_code, s.frequency, s.is_prepaid, c.is_returning, s.plan_group_ids, s.product_ids, s.variant_ids,
  s.is_first and coalesce((select h.is_estimated from changes h where h.store_id = s.store_id and h.contract_id = s.contract_id and h.is_first),
    false)
from spans s join contracts c on c.store_id = s.store_id and c.id = s.contract_id;

-- A new subscription begins with a span that has no beginning: whatever is brought along of it from before belongs there.
create function begin_spans() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into contract_spans (store_id, contract_id, from_at, customer_id, created_at, source, currency_code, country_code, frequency,
      is_prepaid, is_returning, plan_group_ids, product_ids, variant_ids)
    select store_id, id, '-infinity', customer_id, created_at, source, currency_code, country_code, frequency, is_prepaid, is_returning,
      plan_group_ids, product_ids, variant_ids
    from added;
  return null;
end $$;
create trigger contracts_spans_begin after insert on contracts referencing new table as added
  for each statement execute function begin_spans();

-- One that changed goes on in another span from the moment of its change on, or from now on where it has no new version. Where that moment
-- has a span already, is when the subscription began, or lies before the present span because a clock was set back, it changes that span.
create function go_on_in_span() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := case when new.version <> old.version then new.updated_at
    else (select now() + clock_offset_ms * interval '1 millisecond' from stores where id = new.store_id) end;
begin
  update contract_spans set until_at = at
    where store_id = new.store_id and contract_id = new.id and until_at = 'infinity' and from_at < at and new.created_at < at;
  if found then
    insert into contract_spans (store_id, contract_id, from_at, customer_id, created_at, source, currency_code, country_code, frequency,
        is_prepaid, is_returning, plan_group_ids, product_ids, variant_ids)
      values (new.store_id, new.id, at, new.customer_id, new.created_at, new.source, new.currency_code, new.country_code, new.frequency,
        new.is_prepaid, new.is_returning, new.plan_group_ids, new.product_ids, new.variant_ids);
  else
    update contract_spans set (customer_id, created_at, source, currency_code, country_code, frequency, is_prepaid, is_returning,
        plan_group_ids, product_ids, variant_ids)
      = (new.customer_id, new.created_at, new.source, new.currency_code, new.country_code, new.frequency, new.is_prepaid,
        new.is_returning, new.plan_group_ids, new.product_ids, new.variant_ids)
      where store_id = new.store_id and contract_id = new.id and until_at = 'infinity';
  end if;
  return null;
end $$;
create trigger contracts_spans_go_on after update of customer_id, created_at, source, currency_code, country_code, frequency, is_prepaid,
    is_returning, plan_group_ids, product_ids, variant_ids on contracts
  for each row when ((old.customer_id, old.created_at, old.source, old.currency_code, old.country_code, old.frequency, old.is_prepaid,
      old.is_returning, old.plan_group_ids, old.product_ids, old.variant_ids)
    is distinct from (new.customer_id, new.created_at, new.source, new.currency_code, new.country_code, new.frequency, new.is_prepaid,
      new.is_returning, new.plan_group_ids, new.product_ids, new.variant_ids))
  execute function go_on_in_span();
