-- Figures of orders go by the day on which an order was paid, or was due where it was not.
create index orders_paid_or_due on orders (store_id, coalesce(processed_at, billing_at));
