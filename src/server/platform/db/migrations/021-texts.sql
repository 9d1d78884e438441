-- Words of a store for the texts that its customers read, in each of its languages. What is not here is as the product says, or as the
-- primary language has it.
create table texts (
  store_id integer not null references stores on delete cascade,
  -- "store", "theme" or "widget" for the texts of schemas/texts, else the entity whose record they belong to.
  owner_kind text not null,
  owner_id text not null default '',
  key text not null,
  locale text not null,
  -- What customers read; empty while there is only a proposal.
  value text,
  -- What a machine proposes; becomes the value when somebody publishes it.
  draft text,
  run_id bigint,
  updated_at timestamptz not null default now(),
  updated_by text not null default '',
  primary key (store_id, locale, owner_kind, owner_id, key),
  check (value is not null or draft is not null)
);
alter table texts enable row level security;
create policy own_store on texts using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on texts to perennial_app;

-- Every store has a primary language from its first day on.
create function primary_language() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into records (store_id, entity, position, data)
    values (new.id, 'store-language', 1, '{"locale": "en", "name": "English", "isPrimary": true, "isPublished": true}');
  return new;
end $$;
create trigger stores_primary_language after insert on stores for each row execute function primary_language();
insert into records (store_id, entity, position, data)
  select id, 'store-language', 1, '{"locale": "en", "name": "English", "isPrimary": true, "isPublished": true}' from stores;
