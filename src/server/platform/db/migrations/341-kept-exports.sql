-- Files of reports can be fetched again for seven days by who asked for them: they hold what that person may see.
alter table report_exports add column file_name text not null default '';
-- Null: nothing is kept of it, because it did not end well, or is too large.
alter table report_exports add column kept_until timestamptz;
create table report_export_pieces (
  store_id integer not null,
  export_id bigint not null,
  no integer not null,
  -- gzip; the pieces one after the other are the file.
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (store_id, export_id, no),
  foreign key (store_id, export_id) references report_exports on delete cascade
);
alter table report_export_pieces enable row level security;
create policy own_store on report_export_pieces using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on report_export_pieces to perennial_app;
