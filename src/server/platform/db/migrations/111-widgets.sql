-- Where widgets stand: on one template of one theme, one of each kind. (The widgets themselves are documents in the table records.)
create table widget_mappings (
  store_id integer not null,
  theme_id integer not null,
  template_key text not null,
  -- PRODUCT, COLLECTION, GIFT or STOREFRONT_BANNER.
  type text not null,
  widget_id bigint not null,
  mapped_at timestamptz not null default now(),
  primary key (store_id, theme_id, template_key, type),
  foreign key (store_id, theme_id, template_key) references theme_templates (store_id, theme_id, key) on delete cascade
);
create index widget_mappings_widget on widget_mappings (store_id, widget_id);

-- What the pages of the storefront read, in one piece and as it was when it was put together last.
create table storefront_snapshots (
  store_id integer not null references stores on delete cascade,
  kind text not null check (kind in ('STORE', 'PRESET_BUNDLES', 'GIFT')),
  data jsonb not null,
  refreshed_at timestamptz not null,
  refreshed_by text not null default '',
  primary key (store_id, kind)
);

do $$ declare t text; begin
  foreach t in array array['widget_mappings', 'storefront_snapshots'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store()))
      with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;
