-- Purchases in the shop that are paid on a page of the payment provider.
alter table shop_purchases add column gateway text not null default 'TEST' check (gateway in ('TEST', 'STRIPE'));
-- What the provider calls the page of the present try.
alter table shop_purchases add column page text;
create index shop_purchases_page on shop_purchases (store_id, page) where page is not null;

-- The charge that paid an order which was bought in the shop, so that it can be given back: { gateway, reference }. Others have attempts.
alter table orders add column charged jsonb;
create index orders_charged on orders (store_id, (charged ->> 'reference')) where charged is not null;
create index refunds_charge on refunds (store_id, charge_reference);
