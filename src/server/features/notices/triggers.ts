// When each popup is due, from what is true in the store's data now. All of it is read in one statement; the rules themselves are pure.
import { sql, type Kysely } from 'kysely';
import { hasSite } from '../../platform/storefront-url.ts';
import type { Tables } from '../../../generated/tables.ts';

export interface StoreState {
  /** Contracts of any state, and those that count towards a plan's limit (active and paused). */
  contracts: number;
  running: number;
  subscriptionLimit: number | undefined;
  groups: number;
  /** The first group, and the first product that was put into one, with its first variant. */
  group: { id: number; shopifyId: number | null } | undefined;
  product: { title: string; handle: string; variantShopifyId: number | null } | undefined;
  /** Since when the storefront widget is shown (ms); undefined when it is not. */
  widgetShownAt: number | undefined;
  /** Attempts that failed, counted up to 4. */
  failedPayments: number;
  isRecoverySaved: boolean;
  /** The store has a site at its domain, which popups lead to. */
  hasSite: boolean;
  now: number;
}

const DAY = 86_400_000;
/** A test order is asked for when none came for this long. */
const WIDGET_ALONE = 2 * DAY;

const hasNoOrders = (state: StoreState): boolean => state.hasSite && state.product !== undefined && state.contracts === 0;

/** Trigger -> whether it holds. The names are those of schemas/common/popups.json. */
export const TRIGGERS: Record<string, (state: StoreState) => boolean> = {
  noSellingPlan: state => state.groups === 0,
  planWithoutProducts: state => state.groups > 0 && state.product === undefined,
  widgetMissing: state => hasNoOrders(state) && state.widgetShownAt === undefined,
  widgetLive: state => hasNoOrders(state) && state.widgetShownAt !== undefined && state.now - state.widgetShownAt < WIDGET_ALONE,
  noOrderYet: state => hasNoOrders(state) && state.widgetShownAt !== undefined && state.now - state.widgetShownAt >= WIDGET_ALONE,
  firstSubscription: state => state.contracts >= 1 && state.contracts <= 2,
  nearPlanLimit: state =>
    state.subscriptionLimit !== undefined && state.running >= state.subscriptionLimit * 0.8 && state.running <= state.subscriptionLimit,
  firstFailedPayment: state => state.failedPayments >= 1 && state.failedPayments <= 3 && !state.isRecoverySaved,
};

/** What fills the double-brace placeholders (S149); null where the store has no such thing yet. The last two are ours. */
export function placeholders(state: StoreState, domain: string): Record<string, string | null> {
  const text = (value: string | number | null | undefined): string | null =>
    value === null || value === undefined || value === '' ? null : String(value);
  return {
    myshopify_domain: domain,
    product_title: text(state.product?.title),
    sellingPlanGroup_shopify_id: text(state.group?.shopifyId),
    variant_id: text(state.product?.variantShopifyId),
    sellingPlanGroup_id: text(state.group?.id),
    product_handle: text(state.product?.handle),
  };
}

/** Reads the state of a store. `limit`: the subscriptions its plan allows. */
export async function readState(
  trx: Kysely<Tables>,
  store: { id: number; is_demo: boolean; details: unknown },
  limit: number | undefined,
  now: Date,
): Promise<StoreState> {
  const { rows } = await sql<{
    contracts: number;
    running: number;
    groups: number;
    group_id: number | null;
    group_shopify_id: number | null;
    title: string | null;
    handle: string | null;
    variant: number | null;
    failed: number;
    recovery: boolean;
  }>`
    with mapped as (select product_id from plan_products where store_id = ${store.id}::integer order by created_at, product_id limit 1),
      first_group as (select id, (data->>'shopifyId')::bigint as shopify_id from records where store_id = ${store.id}::integer
        and entity = 'selling-plan-group' and deleted_at is null order by id limit 1)
    select
      (select coalesce(sum(n), 0)::bigint from counters where store_id = ${store.id}::integer and name = 'contracts') as contracts,
      (select coalesce(sum(n), 0)::bigint from counters where store_id = ${store.id}::integer and name = 'contracts'
        and key in ('ACTIVE', 'PAUSED')) as running,
      (select count(*) from records where store_id = ${store.id}::integer and entity = 'selling-plan-group'
        and deleted_at is null) as groups,
      (select id from first_group) as group_id, (select shopify_id from first_group) as group_shopify_id,
      (select p.title from products p join mapped m on m.product_id = p.id where p.store_id = ${store.id}::integer) as title,
      (select p.handle from products p join mapped m on m.product_id = p.id where p.store_id = ${store.id}::integer) as handle,
      (select v.shopify_id from variants v join mapped m on m.product_id = v.product_id where v.store_id = ${store.id}::integer
        and v.deleted_at is null order by v.position, v.id limit 1) as variant,
      (select count(*) from (select 1 from billing_attempts where store_id = ${store.id}::integer and success = false limit 4) f) as failed,
      exists (select 1 from settings where store_id = ${store.id}::integer and name = 'paymentRecovery') as recovery`.execute(trx);
  const row = rows[0] as (typeof rows)[number];
  const { widgetStatus, widgetShownAt } = (store.details ?? {}) as { widgetStatus?: string; widgetShownAt?: string };
  const shownAt = widgetStatus === 'ACTIVE' && widgetShownAt ? Date.parse(widgetShownAt) : Number.NaN;
  return {
    contracts: row.contracts,
    running: row.running,
    subscriptionLimit: limit,
    groups: row.groups,
    group: row.group_id === null ? undefined : { id: row.group_id, shopifyId: row.group_shopify_id },
    product: row.title === null ? undefined : { title: row.title, handle: row.handle ?? '', variantShopifyId: row.variant },
    widgetShownAt: Number.isNaN(shownAt) ? undefined : shownAt,
    failedPayments: row.failed,
    isRecoverySaved: row.recovery,
    hasSite: hasSite(store),
    now: now.getTime(),
  };
}
