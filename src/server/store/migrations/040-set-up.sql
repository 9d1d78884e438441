-- How far a store is set up: what completes a task or a stage is asked of the store's data each time; here stands only what that data can't tell.

-- When a task of the set-up score came to the store, so that it can be marked as new for a while. What was there from the start is no news: introduced_at is null.
create table set_up_tasks (
  store_id integer not null references stores on delete cascade,
  task_key text not null,
  introduced_at timestamptz,
  primary key (store_id, task_key)
);

-- Stages of onboarding that were skipped, and since when a completed one has been seen to be complete.
create table onboarding_stages (
  store_id integer not null references stores on delete cascade,
  stage_key text not null,
  completed_at timestamptz,
  skipped_at timestamptz,
  primary key (store_id, stage_key)
);

do $$ declare t text; begin
  foreach t in array array['set_up_tasks', 'onboarding_stages'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store())) with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;
