-- E-mails that somebody has sent by a call, which are limited: to one address, and of one store.
alter table outbox add column by_hand boolean not null default false;
create index outbox_by_hand on outbox (store_id, template, created_at) where by_hand;
