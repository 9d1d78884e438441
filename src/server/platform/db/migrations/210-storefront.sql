-- What pages of a shop read, without signing in: one small index for each store, and the files that it names. A file is named by its
-- content, so that it never changes; one that the index names no more is still answered for a day.
drop table storefront_snapshots;
create table storefronts (
  store_id integer primary key references stores on delete cascade,
  -- JSON in the words in which it is sent.
  content text not null,
  built_at timestamptz not null,
  -- Who pressed the button; empty: it was built because something had changed.
  built_by text not null default ''
);
create table storefront_files (
  store_id integer not null references stores on delete cascade,
  -- "widget-3f9a1c2b4d5e6f70.json"
  name text not null,
  content text not null,
  -- Since when the index names it no more.
  replaced_at timestamptz,
  primary key (store_id, name)
);
create index storefront_files_replaced on storefront_files (replaced_at) where replaced_at is not null;

-- A row for each change of what these files are made of, written in the transaction of the change. Who builds takes away the rows that it
-- sees before it reads anything, so no change is missed, and no transaction waits for another one.
create table storefront_changes (
  store_id integer not null,
  id bigint generated always as identity,
  primary key (store_id, id)
);

do $$ declare t text; begin
  foreach t in array array['storefronts', 'storefront_files', 'storefront_changes'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store()))
      with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;

-- With arguments: rows of these entities alone.
create function storefront_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_nargs = 0 then
    insert into storefront_changes (store_id) select s.id from stores s where s.id in (select c.store_id from changed c);
  else
    insert into storefront_changes (store_id)
      select s.id from stores s where s.id in (select c.store_id from changed c where c.entity = any(tg_argv));
  end if;
  return null;
end $$;

-- Variants change with each order, and few of these changes are seen: a price, or that something is sold out.
create function storefront_variants_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storefront_changes (store_id) select distinct n.store_id
    from changed n join before o on o.store_id = n.store_id and o.id = n.id
    where (n.price, n.compare_at_price, n.position, n.product_id, n.deleted_at, n.shopify_id,
        n.inventory_management is not null and lower(n.inventory_policy) = 'deny' and n.inventory_quantity < 1)
      is distinct from (o.price, o.compare_at_price, o.position, o.product_id, o.deleted_at, o.shopify_id,
        o.inventory_management is not null and lower(o.inventory_policy) = 'deny' and o.inventory_quantity < 1);
  return null;
end $$;

create function storefront_store_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storefront_changes (store_id) values (new.id);
  return null;
end $$;

-- Lets changes of a table build the files again; `entities`: those of some entities alone.
create procedure watch_for_storefront(watched text, entities text[] default '{}') language plpgsql as $$
declare given text := (select coalesce(string_agg(quote_literal(one), ', '), '') from unnest(entities) one);
begin
  execute format('create trigger %I after insert on %I referencing new table as changed for each statement
    execute function storefront_changed(%s)', watched || '_storefront_insert', watched, given);
  execute format('create trigger %I after delete on %I referencing old table as changed for each statement
    execute function storefront_changed(%s)', watched || '_storefront_delete', watched, given);
  if watched = 'variants' then
    create trigger variants_storefront_update after update on variants referencing new table as changed old table as before
      for each statement execute function storefront_variants_changed();
  else
    execute format('create trigger %I after update on %I referencing new table as changed for each statement
      execute function storefront_changed(%s)', watched || '_storefront_update', watched, given);
  end if;
end $$;

call watch_for_storefront('records', array['storefront-widget', 'storefront-banner', 'gift-widget', 'selling-plan-group', 'bundle',
  'script-tag', 'store-language']);
call watch_for_storefront('products');
call watch_for_storefront('variants');
call watch_for_storefront('plan_products');
call watch_for_storefront('texts');
call watch_for_storefront('settings');
call watch_for_storefront('store_themes');
call watch_for_storefront('theme_templates');
call watch_for_storefront('widget_mappings');
create trigger stores_storefront_insert after insert on stores for each row execute function storefront_store_changed();
create trigger stores_storefront_update after update on stores for each row
  when ((new.currency_code, new.storefront_widget_version, new.details) is distinct from
    (old.currency_code, old.storefront_widget_version, old.details))
  execute function storefront_store_changed();

insert into storefront_changes (store_id) select id from stores;
