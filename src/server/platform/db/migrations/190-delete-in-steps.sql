-- Rows of an import go after it, a page at a time: deleting an import must not delete a quarter of a million rows in its own transaction.
do $$
declare name text;
begin
  select conname into strict name from pg_constraint where conrelid = 'subscription_import_rows'::regclass and contype = 'f';
  execute format('alter table subscription_import_rows drop constraint %I', name);
end $$;
alter table subscription_import_rows add foreign key (store_id) references stores on delete cascade;

-- Since when upgrades that subscribers put away are shown to them again: what has a number up to this one does not count any more.
create table upgrade_resets (
  store_id integer not null references stores on delete cascade,
  -- 0: all upgrades.
  profile_id bigint not null,
  last_event bigint not null,
  primary key (store_id, profile_id)
);
alter table upgrade_resets enable row level security;
create policy own_store on upgrade_resets using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on upgrade_resets to perennial_app;
create index offer_events_put_away on offer_events (store_id, kind, profile_id, id) where happened = 'DISMISSED';
