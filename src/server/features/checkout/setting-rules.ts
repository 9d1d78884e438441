// The widget in the checkout: which plans of the platform allow it, and what has to be there for it to show anything.
import { sql } from 'kysely';
import type { RuleContext, SettingRules } from '../../platform/records/rules.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

/** Plans of the platform with blocks in the checkout (upsell-swap-upgrade.md 3); development stores have all there is. */
const WITH_BLOCKS = ['shopify_plus', 'plus', 'enterprise', 'partner_test', 'affiliate', 'staff'];

type Reading = Pick<RuleContext, 'trx' | 'storeId'>;
const hasActive = async ({ trx, storeId }: Reading): Promise<boolean> => {
  const { rows } = await sql`select 1 from records where store_id = ${storeId}::integer and entity = 'checkout-upgrade'
    and deleted_at is null and data ->> 'status' = 'ACTIVE' limit 1`.execute(trx);
  return rows.length > 0;
};
const NOTHING_SHOWN = later`Nothing is shown yet: turn an upgrade on first.`;
const FIELD = '/isCheckoutWidgetPublished';

export const settingRules: Record<string, SettingRules> = {
  'checkout-widget': {
    async validate(page, context, before) {
      const { store } = context;
      if (page.isCheckoutWidgetPublished !== true) return [];
      if (!store.is_demo && !WITH_BLOCKS.includes(store.plan_name))
        return [{ pointer: FIELD, rule: 'plan', message: t`Your store plan does not allow checkout blocks.` }];
      const isPublishing = before.isCheckoutWidgetPublished !== true;
      return isPublishing && !(await hasActive(context)) ? [{ pointer: FIELD, rule: 'active', message: translated(NOTHING_SHOWN) }] : [];
    },
    async warn(page, context) {
      return page.isCheckoutWidgetPublished !== true || (await hasActive(context)) ? null : translated(NOTHING_SHOWN);
    },
  },
};
