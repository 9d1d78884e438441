-- Orders that were paid here and are to be made in the shop: one row each, written with what follows the payment, so none is forgotten.
create table platform_orders (
  store_id integer not null references stores on delete cascade,
  -- The order's id here.
  id bigint not null,
  version integer not null default 1,
  contract_id bigint not null,
  -- WAITING: on its way, or tried again; MADE: the shop has it; STUCK: a person has to act.
  state text not null default 'WAITING' check (state in ('WAITING', 'MADE', 'STUCK')),
  tries integer not null default 0,
  -- When it is tried next (real time).
  try_at timestamptz not null default now(),
  error text,
  -- The shop's id and number of it.
  platform_id text,
  number text,
  -- On the store's clock.
  created_at timestamptz not null,
  made_at timestamptz,
  primary key (store_id, id)
);
create index platform_orders_due on platform_orders (store_id, try_at) where state = 'WAITING';
create index platform_orders_contract on platform_orders (store_id, contract_id, id desc);
alter table platform_orders enable row level security;
create policy own_store on platform_orders using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on platform_orders to perennial_app;
