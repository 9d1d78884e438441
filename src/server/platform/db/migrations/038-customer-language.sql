-- The language that a customer reads: from the checkout, or as the store changed it. Empty: the store's primary one. A subscription carries
-- it beside the customer's name and address, so that whoever writes an e-mail about it needs no other row.
alter table customers add column locale text;
alter table contracts add column customer_locale text;

-- Words of records (e-mails, selling plans) in one language as they were: each change of them is a version of that record in that language.
create table text_versions (
  store_id integer not null references stores on delete cascade,
  locale text not null,
  owner_kind text not null,
  owner_id text not null,
  version integer not null,
  key text not null,
  -- Empty: from then on it falls back.
  value text,
  changed_at timestamptz not null,
  changed_by text not null default '',
  primary key (store_id, locale, owner_kind, owner_id, version, key)
);
alter table text_versions enable row level security;
create policy own_store on text_versions using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on text_versions to perennial_app;
