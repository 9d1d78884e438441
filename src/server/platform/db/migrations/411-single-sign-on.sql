-- The team of a store signs in at a service of its own (OpenID Connect). Which addresses that is for, and whether it is the only way,
-- stands beside the store too, because signing in happens before a store is known.
alter table stores add column sso_domains text[] not null default '{}', add column sso_required boolean not null default false;
create index stores_sso_domains on stores using gin (sso_domains);

-- Whom the service means: "<issuer> <subject>", from the first time on. An address may be given to another person.
alter table users add column sso_subject text;
create unique index users_sso_subject on users (store_id, sso_subject) where removed_at is null;

alter table sessions add column by_sso boolean not null default false;

-- People who are at the service and not yet back.
create table sso_flows (
  store_id integer not null references stores on delete cascade,
  state_hash bytea primary key,
  nonce text not null,
  verifier text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index sso_flows_store on sso_flows (store_id);
alter table sso_flows enable row level security;
create policy own_store on sso_flows using ((select current_store()) is null or store_id = (select current_store()))
  with check ((select current_store()) is null or store_id = (select current_store()));
grant select, insert, update, delete on sso_flows to perennial_app;
