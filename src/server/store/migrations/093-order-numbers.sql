-- Subscriptions are found by the number of one of their orders, as customers know it from the store.
create index orders_number on orders (store_id, shopify_order_number) where shopify_order_number is not null;
