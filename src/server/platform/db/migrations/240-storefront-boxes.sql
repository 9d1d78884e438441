-- Boxes name what they may hold: a variant's title and picture are seen on pages of a shop too.
create or replace function storefront_variants_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into storefront_changes (store_id) select distinct n.store_id
    from changed n join before o on o.store_id = n.store_id and o.id = n.id
    where (n.price, n.compare_at_price, n.position, n.product_id, n.deleted_at, n.shopify_id, n.title, n.image,
        n.inventory_management is not null and lower(n.inventory_policy) = 'deny' and n.inventory_quantity < 1)
      is distinct from (o.price, o.compare_at_price, o.position, o.product_id, o.deleted_at, o.shopify_id, o.title, o.image,
        o.inventory_management is not null and lower(o.inventory_policy) = 'deny' and o.inventory_quantity < 1);
  return null;
end $$;

insert into storefront_changes (store_id) select id from stores;
