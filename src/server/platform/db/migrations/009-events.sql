-- What happens is an event: the timeline of a subscription is a read of it, and consumers (messages, and what follows) take it from a queue.
alter table activity rename to events;
alter index activity_contract rename to events_contract;
alter table events alter column contract_id drop not null;
-- What it happened to, where that is not a subscription: a customer, a payment method.
alter table events add column subject text not null default 'subscription';
alter table events add column subject_id bigint;
-- Which e-mails may follow: ALL, CUSTOMER (none to the store's people) or NONE. Whoever changes many decides for all of them.
alter table events add column messages text not null default 'ALL' check (messages in ('ALL', 'CUSTOMER', 'NONE'));

-- Events that some consumer has not seen yet. Ids are given before a transaction commits, so a late one may become visible after a higher
-- id: consumers read in the order of transactions, and only those that are older than every transaction still under way.
-- Numbers of transactions count within one database server: after a restore into another one the epoch is raised, and what was queued
-- before comes first.
create table event_queue (
  store_id integer not null,
  epoch integer not null default 1,
  transaction_id xid8 not null default pg_current_xact_id(),
  event_id bigint not null,
  queued_at timestamptz not null default now(),
  primary key (store_id, epoch, transaction_id, event_id)
);

create table event_epoch (
  only_row boolean primary key default true check (only_row),
  epoch integer not null
);
insert into event_epoch (epoch) values (1);
create function current_event_epoch() returns integer language sql stable security definer set search_path = public
  as $$ select epoch from event_epoch $$;
revoke execute on function current_event_epoch() from public;
grant execute on function current_event_epoch() to perennial_app;

-- How far a consumer has come in a store. The effect of an event and this row are written in one transaction.
create table event_cursors (
  store_id integer not null,
  consumer text not null,
  epoch integer not null default 0,
  transaction_id xid8 not null default '0',
  event_id bigint not null default 0,
  moved_at timestamptz not null default now(),
  primary key (store_id, consumer)
);

-- Events whose effect failed: tried again by themselves a few times, and by hand.
create table event_failures (
  store_id integer not null,
  consumer text not null,
  event_id bigint not null,
  attempts integer not null default 1,
  reason text not null,
  retry_at timestamptz,
  failed_at timestamptz not null default now(),
  primary key (store_id, consumer, event_id)
);
create index event_failures_due on event_failures (retry_at) where retry_at is not null;

do $$
declare t text;
begin
  foreach t in array array['event_queue', 'event_cursors', 'event_failures'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store()))'
      ' with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;
