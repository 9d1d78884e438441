-- What happened to a customer, for who became a subscriber or was lost in some days: their ledger is read, not that of all.
create index movements_customer on movements (store_id, customer_id);
