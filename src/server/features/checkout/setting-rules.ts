// The widget in the checkout: which plans of the platform allow it, and what has to be there for it to show anything.
import { sql } from 'kysely';
import type { SettingRules } from '../../platform/records/rules.ts';
import { t } from '../../../domain/text/t.ts';

/** Plans of the platform with blocks in the checkout (upsell-swap-upgrade.md 3); development stores have all there is. */
const WITH_BLOCKS = ['shopify_plus', 'plus', 'enterprise', 'partner_test', 'affiliate', 'staff'];

export const settingRules: Record<string, SettingRules> = {
  'checkout-widget': {
    validate: (page, { store }) =>
      page.isCheckoutWidgetPublished === true && !store.is_demo && !WITH_BLOCKS.includes(store.plan_name)
        ? [{ pointer: '/isCheckoutWidgetPublished', rule: 'plan', message: t`Your store plan does not allow checkout blocks.` }]
        : [],
    async warn(page, { trx, storeId }) {
      if (page.isCheckoutWidgetPublished !== true) return null;
      const { rows } = await sql`select 1 from records where store_id = ${storeId}::integer and entity = 'checkout-upgrade'
        and deleted_at is null and data ->> 'status' = 'ACTIVE' limit 1`.execute(trx);
      return rows.length > 0 ? null : t`Nothing is shown yet: turn an upgrade on first.`;
    },
  },
};
