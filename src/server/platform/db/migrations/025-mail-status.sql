-- What became of an e-mail, as lists show it and are narrowed by it.
alter table outbox add column status text generated always as (
  case when failed_reason is not null then 'FAILED' when opened_at is not null then 'OPENED' when sent_at is not null then 'SENT'
    else 'WAITING' end) stored;
