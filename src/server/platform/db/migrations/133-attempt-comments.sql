-- What a customer wrote on the way to cancel; null: they were not asked yet.
alter table cancellation_attempts add column comment text;
