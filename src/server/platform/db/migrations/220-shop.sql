-- Carts of the shop (docs/shop.md). Who knows the secret in the browser's cookie has the cart; here is its hash.
create table shop_carts (
  store_id integer not null references stores on delete cascade,
  id text not null,
  -- What is in it, who buys and where it goes: src/server/features/shop/cart.ts.
  data jsonb not null,
  -- Counts the purchases of the browser: each is made once.
  round integer not null default 1,
  -- From where it was made, as limits count it.
  network text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (store_id, id)
);
create index shop_carts_network on shop_carts (store_id, network, created_at);
create index shop_carts_updated on shop_carts (updated_at);
alter table shop_carts enable row level security;
create policy own_store on shop_carts using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on shop_carts to perennial_app;

-- Purchases in the shop: written down before the payment gateway charges, then paid or declined.
create table shop_purchases (
  store_id integer not null references stores on delete cascade,
  id bigint generated always as identity,
  cart_id text not null,
  round integer not null,
  status text not null check (status in ('CHARGING', 'PAID', 'DECLINED')),
  -- Tries to pay: each has a key of its own at the gateway.
  attempt integer not null default 1,
  -- Minor units.
  total bigint not null,
  currency_code text not null,
  -- What is bought, by whom, and how it is paid: src/server/features/shop/purchase.ts. Emptied once it is paid.
  data jsonb not null,
  -- What the thank-you page says.
  outcome jsonb,
  -- By the store's clock, which may be moved; the last try by the machine's.
  created_at timestamptz not null,
  made_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (store_id, id),
  unique (store_id, cart_id, round)
);
create index shop_purchases_open on shop_purchases (made_at) where status = 'CHARGING';
alter table shop_purchases enable row level security;
create policy own_store on shop_purchases using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on shop_purchases to perennial_app;
