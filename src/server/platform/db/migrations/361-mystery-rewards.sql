-- What a campaign keeps secret is drawn by number: which one of all that were opened it is. Two customers never have the same.
alter table link_events add column draw integer;
create unique index link_events_draw on link_events (store_id, action_id, draw) where draw is not null;

-- A surprise is a section of the portal. It says nothing where no campaign holds one for the customer: every theme has it.
create or replace function first_portal_theme(store integer) returns void language sql security definer set search_path = public as $$
  insert into records (store_id, entity, position, data) values (store, 'portal-theme', 1, jsonb_build_object(
    'nanoId', left(replace(gen_random_uuid()::text, '-', ''), 21), 'name', 'Standard', 'themeType', 'CUSTOMER_PORTAL', 'status', 'LIVE',
    'isCustomised', false, 'followsDarkMode', true,
    'sections', (select jsonb_agg(jsonb_build_object('id', key, 'key', key, 'isVisible', true) order by place) from unnest(array[
      'upgrade_banner', 'next_order', 'streak_banner', 'mystery_reward', 'loyalty', 'products', 'upsell', 'discounts', 'delivery_details',
      'payment_details', 'schedule_actions', 'subscription_actions', 'order_history', 'other_subscriptions', 'gifts_given', 'help'])
      with ordinality s (key, place))))
$$;
update records set version = version + 1,
  data = jsonb_set(data, '{sections}', (data -> 'sections') || '[{"id": "mystery_reward", "key": "mystery_reward", "isVisible": true}]')
  where entity = 'portal-theme' and jsonb_array_length(data -> 'sections') between 1 and 29
    and not data -> 'sections' @> '[{"key": "mystery_reward"}]';
