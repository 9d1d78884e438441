-- How often checkout links were opened, by day of the store's time zone.
create table checkout_visits (
  store_id integer not null references stores on delete cascade,
  link_id bigint not null,
  day date not null,
  visits integer not null default 0,
  primary key (store_id, link_id, day)
);
alter table checkout_visits enable row level security;
create policy own_store on checkout_visits using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on checkout_visits to perennial_app;
