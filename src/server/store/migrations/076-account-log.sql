-- What was done to one record, newest first.
create index account_log_entity on account_log (store_id, entity, entity_id, id desc);
