// Facts about a store's data that complete a set-up task or a stage and are more than a count of records or a saved page.
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../platform/context.ts';
import { eligibilityOf } from '../../../domain/payments/eligibility.ts';

type Asked = Pick<Context, 'store' | 'storeId' | 'session'>;
/** A part of a SELECT, or what is known without asking. */
type Fact = (context: Asked) => RawBuilder<boolean> | boolean;

interface Details {
  widgetStatus?: string;
  /** How the store came into being here, where no platform knows it. */
  openedBy?: string;
}
/** At the platform, stores on these plans need no payment provider (S129). */
const EXEMPT_PLANS = ['partner_test', 'affiliate'];

const appConnected = (storeId: number, category: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from integrations where store_id = ${storeId} and category = ${category} and status = 'CONNECTED')`;

export const FACTS: Record<string, Fact> = {
  formSaved: ({ store }) => store.onboarding !== null,
  canCharge: ({ store }) => eligibilityOf(store).canCharge || EXEMPT_PLANS.includes(store.plan_name),
  /** A shop elsewhere takes the first payment. */
  hasShop: ({ storeId }) => sql<boolean>`exists (select 1 from store_connections where store_id = ${storeId})`,
  /** No platform tells of providers. */
  standsAlone: ({ store }) => ((store.details ?? {}) as Details).openedBy !== undefined,
  /** A product belongs to a plan group, published or not. */
  productsMapped: ({ storeId }) =>
    sql<boolean>`exists (select 1 from plan_products p join records g on g.store_id = p.store_id and g.id = p.group_id
        and g.entity = 'selling-plan-group' and g.deleted_at is null where p.store_id = ${storeId})`,
  /** A product can be bought on subscription: it belongs to a published group. */
  productsOnSale: ({ storeId }) =>
    sql<boolean>`exists (select 1 from plan_products p join records g on g.store_id = p.store_id and g.id = p.group_id
        and g.entity = 'selling-plan-group' and g.deleted_at is null and g.data ->> 'status' = 'ACTIVE' where p.store_id = ${storeId})`,
  /** Version 1: the widget was switched on. Version 2: a widget of the library is active. */
  widgetLive: ({ store, storeId }) =>
    store.storefront_widget_version === 1
      ? ((store.details ?? {}) as Details).widgetStatus === 'ACTIVE'
      : sql<boolean>`exists (select 1 from records where store_id = ${storeId} and entity = 'storefront-widget' and deleted_at is null
        and data ->> 'status' = 'ACTIVE' and data ->> 'type' is distinct from 'CHECKOUT')`,
  /** The theme that shoppers see has both parts for bundles. */
  bundlesInstalled: ({ storeId }) =>
    sql<boolean>`exists (select 1 from store_themes where store_id = ${storeId} and role = 'MAIN'
        and snippets @> array['bundle-script', 'bundle-cart'])`,
  subscribed: ({ storeId }) => sql<boolean>`exists (select 1 from contracts where store_id = ${storeId})`,
  /** More than the free plan, with which every store begins. */
  planChosen: ({ session }) => session.plan.rank > 1,
  teamInvited: ({ storeId }) =>
    sql<boolean>`(select count(*) from (select 1 from users where store_id = ${storeId} and removed_at is null and type <> 'LOOP_USER'
        limit 2) as team) >= 2`,
  /** The e-mail before an order is on, as it is until it is switched off. */
  upcomingOrderSent: ({ storeId }) =>
    sql<boolean>`not exists (select 1 from settings where store_id = ${storeId} and name = 'messages'
      and (data -> 'UPCOMING_ORDER' ->> 'isOff')::boolean)`,
  marketingAppConnected: ({ storeId }) => appConnected(storeId, 'EMAIL_SMS'),
  loyaltyAppConnected: ({ storeId }) => appConnected(storeId, 'LOYALTY'),
  /** The form says that no subscriptions run elsewhere, or they were moved. */
  nothingToMigrate: ({ store, storeId }) => {
    const form = store.onboarding as { previousSubscriptionPlatformName?: string } | null;
    return form !== null && !form.previousSubscriptionPlatformName
      ? true
      : sql<boolean>`exists (select 1 from contracts where store_id = ${storeId} and source = 'MIGRATION')`;
  },
};
