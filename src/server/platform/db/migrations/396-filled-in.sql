-- Up to which day something of orders was filled in: tiles say it. Below row-level security an index serves `case`, but not `coalesce`.
drop index orders_estimated;
create index orders_estimated on orders (store_id, (case when processed_at is null then billing_at else processed_at end))
  where is_estimated;
