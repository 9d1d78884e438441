// Offers of the demo store: its swap profiles, and what subscribers took of them in the last weeks.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

const DAYS = 75;

interface Shelf {
  products(...handles: string[]): number[];
  variants(...skus: string[]): number[];
  collections(...handles: string[]): number[];
}
interface DemoProfile {
  kind: 'SWAP' | 'UPSELL' | 'UPGRADE';
  entity: string;
  data: JsonObject;
  /**
   * What became of it: contracts that have one of these variants, of a hundred so many; `cancels` marks the share of them that was about to
   * cancel, `putAway` how many of a hundred put it away.
   */
  taken?: { by: number[]; share: number; from: number[]; cancels?: number; putAway?: number };
}

const SWAPS = (shelf: Shelf): DemoProfile[] => [
  {
    kind: 'SWAP',
    entity: 'swap-profile',
    data: {
      name: 'Coffee drinkers stay with coffee',
      status: 'ACTIVE',
      matchType: 'PRODUCT',
      sourceProducts: { productIds: shelf.products('harbour-house-blend', 'ember-espresso', 'cloudline-colombia'), variantIds: [] },
      targetProducts: {
        productIds: shelf.products('first-light-ethiopia', 'slow-river-decaf', 'cloudline-colombia', 'ember-espresso'),
        variantIds: [],
      },
      targetCollectionIds: [],
      recommendedProductIds: shelf.products('first-light-ethiopia'),
      fallbackToGeneral: false,
      pricing: 'GENERAL',
      showIn: ['PORTAL', 'CANCELLATION_FLOW'],
      title: 'Another roast, same rhythm',
      description: 'Your next orders come with the coffee you choose here.',
      badge: 'Our roaster’s pick',
    },
    taken: {
      by: shelf.products('first-light-ethiopia', 'slow-river-decaf'),
      share: 20,
      from: shelf.variants('HHB-250-W', 'EE-250-W'),
      cancels: 25,
    },
  },
  {
    kind: 'SWAP',
    entity: 'swap-profile',
    data: {
      name: 'Tea instead of a second coffee',
      status: 'ACTIVE',
      matchType: 'BOTH',
      sourceProducts: { productIds: shelf.products('slow-river-decaf', 'night-watch-robusta'), variantIds: [] },
      conditions: { match: 'ALL', rows: [{ conditionKey: 'PRODUCT_QUANTITY', operator: 'GTE', value: 2 }] },
      targetProducts: { productIds: [], variantIds: [] },
      targetCollectionIds: shelf.collections('tea', 'coffee'),
      recommendedProductIds: shelf.products('moss-matcha'),
      fallbackToGeneral: true,
      pricing: 'SELLING_PLAN',
      showIn: ['PORTAL'],
      title: 'Something gentler?',
      badge: 'Recommended',
    },
    taken: { by: shelf.products('moss-matcha', 'orchard-rooibos'), share: 12, from: shelf.variants('SRD-250-W'), cancels: 0 },
  },
  {
    kind: 'SWAP',
    entity: 'swap-profile',
    data: {
      name: 'Wellness, a cheaper start',
      status: 'DRAFT',
      matchType: 'PRODUCT',
      sourceProducts: { productIds: shelf.products('marine-collagen', 'lions-mane-focus'), variantIds: [] },
      targetProducts: { productIds: shelf.products('daily-magnesium', 'sleep-drops'), variantIds: [] },
      targetCollectionIds: [],
      recommendedProductIds: [],
      fallbackToGeneral: false,
      pricing: 'KEEP_DISCOUNT',
      showIn: ['CANCELLATION_FLOW'],
      title: 'Before you go',
      badge: 'Recommended',
    },
  },
];

const words = { heading: 'Goes well with your order', addButton: 'Add', successMessage: 'Added to your order.' };
const UPSELLS = (shelf: Shelf): DemoProfile[] => [
  {
    kind: 'UPSELL',
    entity: 'upsell-profile',
    data: {
      ...words,
      name: 'Something for the coffee corner',
      status: 'ACTIVE',
      conditions: { match: 'ALL', rows: [{ conditionKey: 'COLLECTION', operator: 'ANY_OF', value: shelf.collections('coffee') }] },
      productSource: 'MANUAL',
      items: [
        ...shelf.products('paper-filters').map(productId => ({ productId, discountType: 'PROFILE' })),
        ...shelf.products('oat-barista').map(productId => ({ productId, discountType: 'BASED_ON_SELLING_PLAN' })),
        ...shelf.products('everyday-mug').map(productId => ({ productId, discountType: 'PERCENTAGE', discountValue: '20' })),
      ],
      purchaseTypes: ['ONETIME', 'SUBSCRIPTION'],
      discountType: 'PERCENTAGE',
      discountValue: '10',
      discountAppliesTo: 'BOTH',
      subheading: 'Filters, oat milk and a mug, ten percent off for subscribers.',
    },
    taken: { by: shelf.products('paper-filters', 'oat-barista'), share: 30, from: [] },
  },
  {
    kind: 'UPSELL',
    entity: 'upsell-profile',
    data: {
      ...words,
      name: 'What others have with it',
      status: 'ACTIVE',
      productSource: 'SMART',
      smartStrategy: 'BOUGHT_TOGETHER',
      limit: 4,
      purchaseTypes: ['ONETIME', 'SUBSCRIPTION'],
      discountType: 'BASED_ON_SELLING_PLAN',
      discountAppliesTo: 'SUBSCRIPTION',
      heading: 'Often in the same parcel',
    },
    taken: { by: shelf.products('daily-magnesium', 'cacao-ritual'), share: 20, from: [] },
  },
  {
    kind: 'UPSELL',
    entity: 'upsell-profile',
    data: {
      ...words,
      name: 'Best sellers of the season',
      status: 'DRAFT',
      productSource: 'POPULAR',
      popularMetric: 'UNITS_SOLD',
      popularDays: 90,
      limit: 6,
      purchaseTypes: ['ONETIME'],
      discountType: 'NONE',
      discountAppliesTo: 'BOTH',
    },
  },
];

const by = (interval: string, intervalCount: number): JsonObject => ({ interval, intervalCount });
const larger = (shelf: Shelf, pairs: [string, string][]): JsonObject[] =>
  pairs.flatMap(([from, to]) => {
    const [oldVariantId, newVariantId] = shelf.variants(from, to);
    return oldVariantId && newVariantId ? [{ oldVariantId, newVariantId, newQuantity: 1 }] : [];
  });
const UPGRADES = (shelf: Shelf): DemoProfile[] => [
  {
    kind: 'UPGRADE',
    entity: 'upgrade-profile',
    data: {
      name: 'The kilo bag',
      status: 'ACTIVE',
      type: 'SKU_UPGRADE',
      productsMapping: larger(shelf, [
        ['HHB-250-W', 'HHB-1000-W'],
        ['HHB-250-E', 'HHB-1000-E'],
        ['EE-250-W', 'EE-1000-W'],
        ['EE-250-E', 'EE-1000-E'],
        ['SRD-250-W', 'SRD-1000-W'],
      ]),
      discount: { type: 'BASED_ON_SELLING_PLAN', value: '0' },
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'The kilo bag: same coffee, up to {{max_selling_plan_discount}} less' }],
      drawerTexts: [],
      shortDescriptionText: { fieldKey: 'upgradeShortDescription', value: 'One kilo in place of 250 g' },
      showAfterDismiss: { mode: 'ORDERS_COMPLETED', value: 3 },
    },
    taken: { by: shelf.products('harbour-house-blend', 'ember-espresso'), share: 16, from: shelf.variants('HHB-250-W'), putAway: 20 },
  },
  {
    kind: 'UPGRADE',
    entity: 'upgrade-profile',
    data: {
      name: 'A large pouch, less often',
      status: 'ACTIVE',
      type: 'SKU_UPGRADE_FREQUENCY_CHANGE',
      productsMapping: larger(shelf, [['MOS-30', 'MOS-100']]),
      frequencies: [{ oldFrequency: by('MONTH', 1), newFrequency: by('MONTH', 2) }],
      discount: { type: 'PERCENTAGE', value: '12' },
      bannerTexts: [],
      drawerTexts: [],
      shortDescriptionText: { fieldKey: 'upgradeShortDescription', value: '100 g every two months' },
      showAfterDismiss: { mode: 'TIME_DURATION_MONTHS', value: 2 },
    },
    taken: { by: shelf.products('moss-matcha'), share: 10, from: shelf.variants('MOS-30'), putAway: 12 },
  },
  {
    kind: 'UPGRADE',
    entity: 'upgrade-profile',
    data: {
      name: 'Decaf by the kilo, ground',
      status: 'DRAFT',
      type: 'SKU_UPGRADE',
      productsMapping: larger(shelf, [['SRD-250-F', 'SRD-1000-F']]),
      discount: { type: 'BASED_ON_SELLING_PLAN', value: '0' },
      bannerTexts: [],
      drawerTexts: [],
      showAfterDismiss: { mode: 'DO_NOT_SHOW' },
    },
  },
];

/** Writes the profiles of one store with what they brought. */
export async function writeOffers(trx: Kysely<Tables>, store: SeedStore, now: number): Promise<void> {
  const shelf = await shelfOf(trx, store.id);
  if (shelf.products('harbour-house-blend').length === 0) return;
  const since = new Date(now - DAYS * 86_400_000);
  const places = new Map<string, number>();
  for (const { kind, entity, data, taken } of [...SWAPS(shelf), ...UPSELLS(shelf), ...UPGRADES(shelf)]) {
    const position = (places.get(entity) ?? 0) + 1;
    places.set(entity, position);
    const {
      rows: [made],
    } = await sql<{ id: number }>`insert into records (store_id, entity, position, data, created_at, updated_at, updated_by)
      values (${store.id}::integer, ${entity}, ${position}, ${JSON.stringify(data)}::jsonb, ${since}, ${since}, ${store.email})
      returning id`.execute(trx);
    if (made && taken) await writeTaken(trx, store.id, { kind, profileId: made.id, now: new Date(now), taken });
  }
  const pages = {
    'swap-general': {
      pricing: 'SELLING_PLAN',
      onetimeSwapEnabled: true,
      priorityProductIds: shelf.products('first-light-ethiopia', 'moss-matcha'),
      excludedProductIds: shelf.products('gift-card', 'hand-grinder'),
    },
    'upsell-general': { priorityProductIds: shelf.products('cacao-ritual'), excludedProductIds: shelf.products('gift-card') },
  };
  for (const [name, data] of Object.entries(pages))
    await sql`insert into settings (store_id, name, data, updated_by)
      values (${store.id}::integer, ${name}, ${JSON.stringify(data)}::jsonb, ${store.email})`.execute(trx);
}

async function shelfOf(trx: Kysely<Tables>, storeId: number): Promise<Shelf> {
  const by = async (query: RawBuilder<{ name: string; id: number }>): Promise<(...names: string[]) => number[]> => {
    const ids = new Map((await query.execute(trx)).rows.map(row => [row.name, row.id]));
    return (...names) => names.flatMap(name => ids.get(name) ?? []);
  };
  return {
    products: await by(sql`select handle as name, id from products where store_id = ${storeId}::integer and deleted_at is null`),
    variants: await by(sql`select sku as name, id from variants where store_id = ${storeId}::integer and deleted_at is null`),
    collections: await by(sql`select lower(title) as name, id from collections where store_id = ${storeId}::integer`),
  };
}

export interface Taken {
  kind: DemoProfile['kind'] | 'BANNER';
  profileId: number;
  now: Date;
  taken: NonNullable<DemoProfile['taken']>;
}

/** Some of the subscriptions that have what the profile offers took it by its offer, spread over the last weeks; more of them saw it. */
export async function writeTaken(trx: Kysely<Tables>, storeId: number, { kind, profileId, now, taken }: Taken): Promise<void> {
  const from = taken.from[0] ?? null;
  const monthly = sql`case c.delivery_interval when 'DAY' then 30.4368 when 'WEEK' then 4.3481 when 'YEAR' then 1 / 12.0 else 1 end
    / c.delivery_interval_count`;
  await sql`insert into offer_events (store_id, kind, profile_id, contract_id, happened, place, day, is_once,
      from_variant_id, to_variant_id, quantity, value_before, value_after, monthly_change, created_at)
    select ${storeId}::integer, ${kind}, ${profileId}::bigint, x.id, e.happened,
      case when e.happened = 'ACCEPTED' and x.n % 100 < ${taken.cancels ?? 0} then 'CANCELLATION_FLOW'
        else ${kind === 'BANNER' ? 'STOREFRONT' : 'PORTAL'}::text end,
      (x.at at time zone (select timezone from stores where id = ${storeId}::integer))::date, false,
      ${from}::bigint, x.variant_id, x.quantity, e.took * x.before, e.took * x.after, e.took * round((x.after - x.before) * x.monthly), x.at
    from (
      select c.id, l.variant_id, l.quantity, l.base_price * l.quantity as after, ${monthly} as monthly,
        coalesce((select v.price from variants v where v.store_id = c.store_id and v.id = ${from}::bigint), 0) * l.quantity as before,
        (c.id * 7919 + ${profileId}::bigint * 31) % 100 as n,
        ${now}::timestamptz - make_interval(days => floor(${DAYS} * power(((c.id * 7349) % 997) / 997.0, 1.5))::integer,
          mins => ((c.id * 53) % 600)::integer) as at
      from contracts c join contract_lines l on l.store_id = c.store_id and l.contract_id = c.id
      where c.store_id = ${storeId}::integer and l.product_id = any(${taken.by}::bigint[]) and not l.one_time_added
        and c.created_at < ${now}::timestamptz - make_interval(days => ${DAYS})
    ) x cross join lateral (values ('VIEWED', 0), ('OPENED', 0), ('DISMISSED', 0), ('ACCEPTED', 1)) as e(happened, took)
    where case when e.happened = 'DISMISSED' then 99 - x.n < ${taken.putAway ?? 0}
      else x.n < ${taken.share} * case e.happened when 'VIEWED' then 4 when 'OPENED' then 2 else 1 end end
    on conflict do nothing`.execute(trx);
}
