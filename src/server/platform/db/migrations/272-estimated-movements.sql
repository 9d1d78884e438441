-- Figures say up to which day the amounts of the ledger were worked out afterwards.
create index movements_estimated on movements (store_id, day) where is_estimated;
