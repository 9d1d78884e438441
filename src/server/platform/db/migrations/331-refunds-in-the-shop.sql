-- Money that was given back here for an order that the shop has: the shop's books follow, once for each refund.
create table platform_refunds (
  store_id integer not null references stores on delete cascade,
  -- The refund's id here.
  id bigint not null,
  version integer not null default 1,
  order_id bigint not null,
  contract_id bigint not null,
  -- Minor units.
  amount bigint not null,
  currency_code text not null,
  -- As for platform_orders.
  state text not null default 'WAITING' check (state in ('WAITING', 'MADE', 'STUCK')),
  tries integer not null default 0,
  try_at timestamptz not null default now(),
  error text,
  platform_id text,
  created_at timestamptz not null,
  made_at timestamptz,
  primary key (store_id, id)
);
create index platform_refunds_due on platform_refunds (store_id, try_at) where state = 'WAITING';
create index platform_refunds_order on platform_refunds (store_id, order_id);
create index platform_refunds_contract on platform_refunds (store_id, contract_id, id desc);
alter table platform_refunds enable row level security;
create policy own_store on platform_refunds using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on platform_refunds to perennial_app;

-- What the shop did with an order by itself: cancelled it, or gave money back (minor units) that was not given back here.
alter table platform_orders
  add column there text check (there in ('CANCELLED', 'REFUNDED')),
  add column refunded_there bigint not null default 0;
