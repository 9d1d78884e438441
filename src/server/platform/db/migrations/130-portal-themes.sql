-- Themes of the customer portal are documents in the table records. Each store has a live one from its first day on; it says and looks as
-- the product does until somebody changes it.
create unique index records_portal_theme on records ((data ->> 'nanoId')) where entity = 'portal-theme' and deleted_at is null;

create function first_portal_theme(store integer) returns void language sql security definer set search_path = public as $$
  insert into records (store_id, entity, position, data) values (store, 'portal-theme', 1, jsonb_build_object(
    'nanoId', left(replace(gen_random_uuid()::text, '-', ''), 21), 'name', 'Standard', 'themeType', 'CUSTOMER_PORTAL', 'status', 'LIVE',
    'isCustomised', false, 'followsDarkMode', true,
    'sections', (select jsonb_agg(jsonb_build_object('id', key, 'key', key, 'isVisible', true) order by place) from unnest(array[
      'next_order', 'products', 'upsell', 'discounts', 'delivery_details', 'payment_details', 'schedule_actions', 'subscription_actions',
      'order_history', 'other_subscriptions', 'help']) with ordinality s (key, place))))
$$;
create function portal_theme_of_new_store() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform first_portal_theme(new.id);
  return new;
end $$;
revoke execute on function first_portal_theme(integer), portal_theme_of_new_store() from public;
create trigger stores_portal_theme after insert on stores for each row execute function portal_theme_of_new_store();
select first_portal_theme(id) from stores;
