-- Totals in order within each currency: lists compare them by what they are worth, which is one walk for each currency that a store has.
-- It takes the place of the index over all currencies together, so that a write costs what it did.
create index contracts_currency_total on contracts (store_id, currency_code, total desc, id desc);
drop index contracts_total;
