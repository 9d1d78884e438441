-- Taking an import back looks its rows up by what they made: a step of many must not look through all of them.
create index subscription_import_rows_contract on subscription_import_rows (store_id, contract_id) where status = 'IMPORTED';
create index subscription_import_rows_customer on subscription_import_rows (store_id, customer_id) where customer_id is not null;
