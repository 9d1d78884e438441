-- Other apps of a store. What they are is in files (schemas/integrations); this is what a store has of them.
create table integrations (
  store_id integer not null,
  key text not null,
  category text not null default '',
  status text not null default 'NOT_CONNECTED' check (status in ('NOT_CONNECTED', 'PENDING', 'CONNECTED', 'ERROR')),
  -- Values of the form; of secrets their masks.
  settings jsonb not null default '{}',
  -- Events that it is not told of.
  muted text[] not null default '{}',
  -- Events whose e-mails it sends in place of the store's own; they come back when it is disconnected.
  instead text[] not null default '{}',
  connected_at timestamptz,
  connected_by text not null default '',
  last_sync_at timestamptz,
  last_error text,
  -- Refusals one after the other.
  refusals integer not null default 0,
  -- Of a person who was sent to the vendor.
  oauth_state text,
  oauth_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (store_id, key)
);
alter table integrations enable row level security;
create policy own_store on integrations using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on integrations to perennial_app;
