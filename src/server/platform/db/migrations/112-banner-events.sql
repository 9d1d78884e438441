-- What subscribers do with banners stands beside what they do with other offers.
alter table offer_events drop constraint offer_events_kind_check;
alter table offer_events add constraint offer_events_kind_check check (kind in ('SWAP', 'UPSELL', 'UPGRADE', 'BANNER'));
