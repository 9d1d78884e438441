-- Customers who were here before they were linked to one of the shop keep their address whatever the shop says. Of those who are linked
-- already it is not known: they keep theirs.
alter table platform_ids add column was_here boolean not null default true;

-- What orders that are paid and not made yet take of the stock is looked up with each product that is read.
create index platform_orders_open on platform_orders (store_id, id) where state <> 'MADE';
