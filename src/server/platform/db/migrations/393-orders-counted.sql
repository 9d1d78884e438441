-- When an order counts: paid, or else due. Below row-level security an index serves what the planner knows to give nothing away: that is
-- `case`, but not `coalesce`: with that it read all orders of a store for those of a month.
drop index orders_paid_or_due;
create index orders_counted on orders (store_id, (case when processed_at is null then billing_at else processed_at end));
