-- Bundles that a subscription holds: [{id, bundleId, name, bundleType, variantId, boxSizeId, boxName, quantity, isOnce}]. What is in one are
-- its lines with the same bundle_transaction_id. Null: none, as with most.
alter table contracts add column bundles jsonb;
-- The bundles by their ids, for filters and counts.
alter table contracts add column bundle_ids bigint[];
create index contracts_bundled on contracts (store_id, id) where bundle_ids is not null;
