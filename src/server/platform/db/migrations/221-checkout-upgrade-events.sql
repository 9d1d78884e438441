-- That an upgrade was shown in the checkout, once for each cart, and that it was bought: rows of their own, for which no purchase waits.
create table checkout_upgrade_events (
  store_id integer not null references stores on delete cascade,
  id bigint generated always as identity,
  upgrade_id bigint not null,
  kind text not null check (kind in ('VIEW', 'PURCHASE')),
  at timestamptz not null,
  primary key (store_id, id)
);
create index checkout_upgrade_events_upgrade on checkout_upgrade_events (store_id, upgrade_id, kind);
alter table checkout_upgrade_events enable row level security;
create policy own_store on checkout_upgrade_events using (store_id = (select current_store()))
  with check (store_id = (select current_store()));
grant select, insert, update, delete on checkout_upgrade_events to perennial_app;
