-- Since when the gateway can't tell whether the order was charged: it did not answer and forgets keys.
-- A person of the store says what happened. Only while the order is PROCESSING.
alter table orders add column unclear_since timestamptz;
