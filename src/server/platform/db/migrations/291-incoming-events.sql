-- Events of other servers, each once: what they say is a hint, and what it is about is read again.
create table incoming_events (
  store_id integer not null references stores on delete cascade,
  kind text not null,
  event_id text not null,
  type text not null,
  -- What is needed to find here what it is about; nothing personal.
  subject jsonb not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'DONE', 'FAILED')),
  tries integer not null default 0,
  try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (store_id, kind, event_id)
);
create index incoming_events_waiting on incoming_events (try_at) where status = 'WAITING';
create index incoming_events_created on incoming_events (created_at);
alter table incoming_events enable row level security;
create policy own_store on incoming_events using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on incoming_events to perennial_app;

-- The mask of the secret by which a provider signs its events; the secret is sealed among the secrets.
alter table payment_providers add column webhook_secret text not null default '';

-- What an event names is found by it.
create index billing_attempts_reference on billing_attempts (store_id, gateway_reference) where gateway = 'STRIPE';
create index payment_methods_stripe on payment_methods (store_id, split_part(gateway_token, ':', 3)) where gateway_token like 'moved\_stripe:%';
create index card_setups_reference on card_setups (store_id, reference) where reference is not null;
