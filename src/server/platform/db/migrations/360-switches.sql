-- Switches that had no effect so far have one now: stores that are there keep what they could do.
update stores set feature_switches = (
  select array_agg(distinct name) from unnest(feature_switches || array[
    'PREPAIDV2_SWAP_PRODUCT', 'PREPAIDV2_UPDATE_FREQUENCY', 'PREPAIDV2_CANCELLATION_OFFER', 'PREPAIDV2_BULK_ACTIONS', 'PREPAIDV2_UPSELL',
    'PREPAIDV2_CUSTOM_PLAN', 'PREPAIDV2_RECALCULATE_DISCOUNTS', 'PREPAIDV2_QUICK_ACTIONS', 'PREPAIDV2_CAMPAIGN_ACTIONS',
    'PREPAIDV2_CHECKOUT_LINKS'
  ]) as name
);

-- What a store publishes for its shop follows its plan and its switches.
drop trigger stores_storefront_update on stores;
create trigger stores_storefront_update after update on stores for each row
  when ((new.currency_code, new.storefront_widget_version, new.details, new.billing_plan_id, new.plan_name, new.feature_switches)
    is distinct from (old.currency_code, old.storefront_widget_version, old.details, old.billing_plan_id, old.plan_name,
      old.feature_switches))
  execute function storefront_store_changed();
