-- What came with a charge that a customer asked for: a gift or discount is given when the order is paid, and taken back when it is declined.
-- {"lineIds": [1], "discountIds": [2]}; null for every other order.
alter table orders add column came_with jsonb;
-- The order that the use of a link charged. While it is not paid, the use does not count: a decline removes it, so that the link works again.
alter table link_events add column order_id bigint;
create index link_events_order on link_events (store_id, order_id) where order_id is not null;
