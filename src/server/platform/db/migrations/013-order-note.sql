-- A note for the next order alone: it goes onto the order that is placed next, and is gone from the contract then.
alter table contracts add column next_order_note text not null default '';
