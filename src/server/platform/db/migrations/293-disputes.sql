-- A payment that its customer disputes at their bank, as the provider says it: { reference, amount, reason, status, openedEpoch, dueEpoch }.
alter table orders add column dispute jsonb;
create index orders_disputed on orders (store_id, (dispute ->> 'status')) where dispute is not null;
