-- What the product tells the people of a store. The popups that everybody may see stand in schemas/common/popups.json; a row here is one that support
-- wrote for this store alone, or its own wording of a common one (same id). A mark is what one person did with a popup or a piece of news.
create table popups (
  store_id integer not null references stores on delete cascade,
  id integer not null check (id > 0),
  header text not null,
  body text not null,
  primary_cta_text text not null,
  primary_cta_link text not null,
  -- The one page on which it is shown; null: any.
  page text,
  show_until timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null default '',
  primary key (store_id, id)
);
create table notice_marks (
  store_id integer not null,
  user_id bigint not null,
  kind text not null check (kind in ('popup', 'news')),
  key text not null,
  state text not null,
  at timestamptz not null default now(),
  primary key (store_id, user_id, kind, key),
  foreign key (store_id, user_id) references users on delete cascade
);

do $$
declare t text;
begin
  foreach t in array array['popups', 'notice_marks'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store())) with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;

-- The summary of payments counts orders by the day of their first attempt.
create index billing_attempts_first on billing_attempts (store_id, created_at) include (order_id, success, amount, currency_code) where attempt_number = 1;
-- Whether a payment ever failed.
create index billing_attempts_failed on billing_attempts (store_id, created_at) where success = false;
