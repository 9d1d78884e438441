-- What visitors of a shop saw of widgets and boxes, and touched: each once a day, without a cookie. `visitor` and `network` are hashes that
-- mean nothing on another day, so nothing about a person can be read from them.
create table seen_on_pages (
  store_id integer not null references stores on delete cascade,
  record_id bigint not null,
  day date not null,
  happened text not null check (happened in ('SEEN', 'TOUCHED')),
  visitor text not null check (length(visitor) = 22),
  network text not null check (length(network) = 22),
  primary key (store_id, record_id, day, happened, visitor)
);
create index seen_on_pages_network on seen_on_pages (store_id, day, network);
alter table seen_on_pages enable row level security;
create policy own_store on seen_on_pages using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on seen_on_pages to perennial_app;
-- Since when a store counts: what was before is not known.
alter table stores add column seen_counted_since timestamptz not null default now();
