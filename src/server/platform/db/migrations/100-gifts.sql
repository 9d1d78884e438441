-- Gifts: prepaid subscriptions (contracts) that one customer pays for and somebody else gets. The contract says products, dates, orders and
-- money; here stands who gives it to whom, and beside it what lists show.
create table gifts (
  store_id integer not null references stores on delete cascade,
  -- The contract's.
  id bigint not null,
  program_id bigint not null,
  -- Plan of the program, with its terms as it was sold.
  plan_id text not null,
  plan_label text not null,
  status text not null check (status in ('UPCOMING', 'ACTIVE', 'CANCELLED', 'COMPLETED')),
  recipient_first_name text not null,
  recipient_last_name text not null,
  recipient_email text not null,
  recipient_phone text,
  sender_name text not null,
  message text not null default '',
  thanks_message text not null default '',
  thanked_at timestamptz,
  -- Of the team.
  note text not null default '',
  total_orders integer not null check (total_orders between 1 and 52),
  -- What the giver paid, in minor units of the contract's currency.
  paid_amount bigint not null,
  -- The day on which the recipient hears of it; null in `received_at`: they have not.
  start_at timestamptz not null,
  received_at timestamptz,
  -- Whether they were told that all orders have come.
  farewell_at timestamptz,
  -- Secret of the recipient's page.
  portal_token text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Repeated from the contract, so that a list needs one table: kept by a trigger.
  version integer not null default 1,
  customer_id bigint not null,
  giver_name text not null default '',
  giver_email text not null default '',
  products text not null default '',
  currency_code text not null,
  completed_orders integer not null default 0,
  next_order_at timestamptz,
  completed_at timestamptz,
  recipient_name text generated always as (btrim(recipient_first_name || ' ' || recipient_last_name)) stored,
  search text generated always as (lower(id::text || ' ' || giver_name || ' ' || giver_email || ' ' || btrim(recipient_first_name || ' '
    || recipient_last_name) || ' ' || recipient_email || ' ' || products)) stored,
  primary key (store_id, id),
  foreign key (store_id, id) references contracts (store_id, id) on delete cascade
);
create index gifts_created on gifts (store_id, created_at desc, id desc);
create index gifts_status on gifts (store_id, status, created_at desc, id desc);
create index gifts_next on gifts (store_id, next_order_at, id);
create index gifts_program on gifts (store_id, program_id, status);
create index gifts_customer on gifts (store_id, customer_id);
create index gifts_search on gifts using gin (store_id, search gin_trgm_ops);
create index gifts_to_start on gifts (store_id, start_at) where received_at is null;
create index gifts_to_end on gifts (store_id, completed_at) where status = 'COMPLETED' and farewell_at is null;
alter table gifts enable row level security;
create policy own_store on gifts using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on gifts to perennial_app;

-- What a gift says of its contract: it begins when the recipient hears of it, and is complete when all its orders were placed.
create function gift_status(contract_status text, received timestamptz) returns text language sql immutable parallel safe as $$
  select case when contract_status = 'CANCELLED' then 'CANCELLED' when received is null then 'UPCOMING'
    when contract_status = 'EXPIRED' then 'COMPLETED' else 'ACTIVE' end
$$;
create function follow_contract_of_gift() returns trigger language plpgsql as $$
begin
  update gifts g set status = gift_status(new.status, g.received_at), version = new.version, customer_id = new.customer_id,
    giver_name = new.customer_name, giver_email = new.customer_email, products = new.products_label,
    completed_orders = g.total_orders - new.prepaid_credits, next_order_at = new.next_billing_at, completed_at = new.expired_at,
    updated_at = new.updated_at
  where g.store_id = new.store_id and g.id = new.id;
  return null;
end $$;
create trigger contracts_gift after update on contracts for each row when (new.source = 'GIFT') execute function follow_contract_of_gift();
