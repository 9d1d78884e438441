// Bundles of the demo store: a box of coffees, a morning set in two sizes and one for the winter that is not finished; and the
// subscriptions that hold them, filled by the engine.
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { addBundle, bundleOf } from '../bundles/on-subscription.ts';
import { UnitOfWork } from '../../engine/index.ts';
import { METAFIELDS } from './catalogue.ts';
import { contextOf } from './gifts.ts';
import { planDocument } from './plans.ts';
import { random } from './random.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;
const COFFEES = [
  'harbour-house-blend',
  'ember-espresso',
  'first-light-ethiopia',
  'cloudline-colombia',
  'slow-river-decaf',
  'night-watch-robusta',
];
/** The selling plan group of bundles. */
const BUNDLE_PLANS = 'Boxes and sets';
/** Subscriptions that hold a box, and that hold a set. */
const HOLD = { box: 11, set: 8 };

/** Writes them for one store. Ids come from the sequences, which are past the seed's own by now. */
export async function writeBundles(trx: Kysely<Tables>, store: SeedStore, definitions: Definitions, now: number): Promise<void> {
  await sql`select set_config('app.counts_later', 'no', true), set_config('app.store', ${String(store.id)}, true)`.execute(trx);
  const ids = await idsBySku(trx, store.id);
  const coffees = COFFEES.flatMap(handle => ids.product(handle) ?? []);
  if (coffees.length < COFFEES.length) return;
  const since = new Date(now - 75 * DAY_MS);
  const record = async (entity: string, data: JsonObject): Promise<number> =>
    (
      await sql<{ id: number }>`insert into records (store_id, entity, data, created_at, updated_at, updated_by)
        values (${store.id}::integer, ${entity}, ${JSON.stringify(data)}::jsonb, ${since}::timestamptz, ${since}::timestamptz,
          ${store.email})
        returning id`.execute(trx)
    ).rows[0]!.id;
  for (const definition of METAFIELDS) await record('metafield-definition', definition);
  const set = await addSet(trx, store, since);
  const group = await record('selling-plan-group', {
    name: BUNDLE_PLANS,
    merchantCode: 'boxes-and-sets',
    optionLabel: 'Deliver',
    description: 'For bundles alone.',
    status: 'ACTIVE',
    type: 'STANDARD',
    sellingPlans: [],
  });
  const plans = (
    [
      [1, 10],
      [2, 5],
    ] as const
  ).map(([count, percent], n) =>
    planDocument(
      {
        name: count === 1 ? 'Delivered every month' : `Delivered every ${count} months`,
        option: count === 1 ? 'Every month' : `Every ${count} months`,
        billing: ['MONTH', count],
        discount: ['PERCENTAGE', percent],
      },
      group * 10 + n + 1,
      n + 1,
    ),
  );
  await sql`update records set data = data || ${JSON.stringify({ shopifyId: 3_300_000 + group, sellingPlans: plans })}::jsonb
    where store_id = ${store.id}::integer and entity = 'selling-plan-group' and id = ${group}::bigint`.execute(trx);
  await sql`insert into plan_products (store_id, group_id, product_id) select ${store.id}::integer, ${group}::bigint, p.id
    from unnest(${[...coffees, set.productId]}::bigint[]) as p(id)`.execute(trx);
  const common = {
    purchaseType: 'ALL',
    defaultPurchaseOption: 'SUBSCRIPTION',
    sellingPlanGroupId: group,
    applyDiscountOnOnetime: true,
    addToCartRedirection: 'CART',
  };
  const box = await record('bundle', {
    ...common,
    publicId: '5c0ffee5c0ffee5c0ffee5c0ffee5c0f',
    name: 'The tasting box',
    internalName: 'Coffee, six roasts',
    bundleType: 'BYOB',
    status: 'ACTIVE',
    description: '<p>Six roasts, your choice. The larger the box, the lower the price of each bag.</p>',
    imageUrl: '/demo/first-light-ethiopia.svg',
    productIds: coffees,
    excludedVariantIds: COFFEES.flatMap(handle => ids.large(handle)),
    details: [
      {
        productId: coffees[2]!,
        minQuantity: 0,
        maxQuantity: 2,
        shortDescription: 'Floral and light. Two bags at most: the harvest is small.',
      },
    ],
    categories: [
      { id: 1, name: 'Roasts for every day', minProducts: 1, maxProducts: 0, productIds: [coffees[0]!, coffees[1]!, coffees[3]!] },
      { id: 2, name: 'Something special', minProducts: 0, maxProducts: 4, productIds: [coffees[2]!, coffees[4]!, coffees[5]!] },
    ],
    filters: [
      { id: 1, name: 'Roast', source: 'METAFIELD', metafield: 'custom.roast', values: ['Light', 'Medium', 'Dark'] },
      { id: 2, name: 'Without caffeine', source: 'METAFIELD', metafield: 'custom.caffeine_free', values: ['Yes'] },
    ],
    type: 'FIXED',
    boxSizes: [
      { id: 1, name: 'Four bags', minSize: 4, maxSize: 4, defaultSelected: true },
      { id: 2, name: 'Six bags', minSize: 6, maxSize: 6, defaultSelected: false },
      { id: 3, name: 'A dozen', minSize: 12, maxSize: 12, defaultSelected: false },
    ],
    discountType: 'PERCENTAGE',
    discounts: [
      { id: 1, name: 'Four bags', conditionType: 'QUANTITY', minCartQuantity: 4, value: '5' },
      { id: 2, name: 'Six bags', conditionType: 'QUANTITY', minCartQuantity: 6, value: '10' },
      { id: 3, name: 'A dozen', conditionType: 'QUANTITY', minCartQuantity: 12, value: '15' },
    ],
  });
  const item = (sku: string, quantity = 1): JsonObject[] => ids.variant(sku).map(variantId => ({ variantId, quantity }));
  const morning = await record('bundle', {
    ...common,
    publicId: '0ddba110ddba110ddba110ddba110dd0',
    name: 'Morning set',
    bundleType: 'PRESET',
    status: 'ACTIVE',
    imageUrl: '/demo/everyday-mug.svg',
    productId: set.productId,
    discountType: 'FIXED_PRICE',
    variants: [
      { variantId: set.variantIds[0]!, title: 'For one', discountValue: '19.00', items: [...item('HHB-250-F'), ...item('PAP-FIL')] },
      { variantId: set.variantIds[1]!, title: 'For two', discountValue: '33.00', items: [...item('HHB-250-F', 2), ...item('PAP-FIL')] },
    ],
    hideContents: false,
    type: 'FIXED',
    boxSizes: [{ id: 1, name: 'Box of 6', minSize: 6, maxSize: 6, defaultSelected: true }],
  });
  await record('bundle', {
    ...common,
    publicId: 'ca11ab1eca11ab1eca11ab1eca11ab1e',
    name: 'Winter evenings',
    internalName: 'For November, not finished',
    bundleType: 'BYOB',
    status: 'DRAFT',
    productIds: ['quiet-hour-chamomile', 'orchard-rooibos', 'sleep-drops'].flatMap(handle => ids.product(handle) ?? []),
    type: 'RANGE',
    boxSizes: [{ id: 1, name: 'Three to eight', minSize: 3, maxSize: 8, defaultSelected: true }],
    discountType: 'NONE',
  });
  for (const [page, field] of [
    ['upsell-general', 'recommendedBundleIds'],
    ['swap-general', 'recommendedBundleIds'],
  ])
    await sql`update settings set data = data || jsonb_build_object(${field}::text, jsonb_build_array(${morning}::bigint))
      where store_id = ${store.id}::integer and name = ${page}`.execute(trx);
  // Their plans are for them alone.
  await sql`insert into settings (store_id, name, data, updated_by)
    values (${store.id}::integer, 'bundle-preferences', '{"hideBundleSellingPlans": true}'::jsonb, ${store.email})`.execute(trx);
  await sell(trx, store, definitions, now, { box, morning, ids, coffees });
}

/** The product that stands for the set, in two sizes. */
async function addSet(trx: Kysely<Tables>, store: SeedStore, at: Date): Promise<{ productId: number; variantIds: number[] }> {
  const image = '/demo/everyday-mug.svg';
  const { rows } = await sql<{
    id: number;
  }>`insert into products (store_id, shopify_id, handle, title, vendor, product_type, description, status,
      tags, image, options, search, created_at, updated_at)
    select ${store.id}::integer, 8100900000 + ${store.id}::bigint, 'morning-set', 'Morning set', 'Fern & Ember Roastery', 'Set',
      '<p>Coffee and filters for a month of mornings.</p>', 'ACTIVE', array['set'], ${image},
      '[{"name": "Size", "values": ["For one", "For two"]}]'::jsonb, 'morning set morning-set', ${at}::timestamptz, ${at}::timestamptz
    returning id`.execute(trx);
  const productId = rows[0]!.id;
  const made = await sql<{
    id: number;
  }>`insert into variants (store_id, product_id, shopify_id, title, sku, price, image, position, option_values,
      inventory_policy, weight_in_grams)
    select ${store.id}::integer, ${productId}::bigint, 8100950000 + ${store.id}::bigint * 10 + v.n, v.title, v.sku, v.price, ${image}, v.n,
      to_jsonb(array[v.title]), 'continue', v.grams
    from (values (1, 'For one', 'MOR-SET-1', 2100, 370), (2, 'For two', 'MOR-SET-2', 3500, 620)) as v(n, title, sku, price, grams)
    returning id`.execute(trx);
  return { productId, variantIds: made.rows.map(row => row.id) };
}

interface Known {
  product(handle: string): number | undefined;
  variant(sku: string): number[];
  /** The variants of a coffee in the large bag. */
  large(handle: string): number[];
  small(productId: number): number[];
}
async function idsBySku(trx: Kysely<Tables>, storeId: number): Promise<Known> {
  const { rows } = await sql<{ handle: string; product: number; id: number; sku: string; title: string }>`
    select p.handle, p.id as product, v.id, v.sku, v.title from variants v
      join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.deleted_at is null order by v.id`.execute(trx);
  return {
    product: handle => rows.find(row => row.handle === handle)?.product,
    variant: sku => rows.filter(row => row.sku === sku).map(row => row.id),
    large: handle => rows.filter(row => row.handle === handle && row.title.startsWith('1 kg')).map(row => row.id),
    small: product => rows.filter(row => row.product === product && row.title.startsWith('250 g')).map(row => row.id),
  };
}

interface Sold {
  box: number;
  morning: number;
  ids: Known;
  coffees: number[];
}
/** Some of the monthly subscriptions got one by the team in the last weeks. */
async function sell(trx: Kysely<Tables>, store: SeedStore, definitions: Definitions, now: number, sold: Sold): Promise<void> {
  const contextAt = await contextOf(trx, store.id, definitions);
  const chance = random(store.id).fork('bundles');
  const { rows } = await sql<{ id: number }>`select c.id from contracts c where c.store_id = ${store.id}::integer and c.status = 'ACTIVE'
      and c.billing_interval = 'MONTH' and c.billing_interval_count = 1 and c.delivery_interval = 'MONTH' and c.delivery_interval_count = 1
      and c.delivery_type = 'SHIPPING' and c.currency_code = 'USD' and c.dunning is null
      and c.created_at < ${new Date(now - 60 * DAY_MS)}::timestamptz and c.next_billing_at > ${new Date(now)}::timestamptz
      and not exists (select 1 from orders o where o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PROCESSING')
    order by (c.id * 7919) % 1009, c.id limit ${HOLD.box + HOLD.set}`.execute(trx);
  const work = await UnitOfWork.open({ ...contextAt(now), source: 'Admin portal', userEmail: store.email, mails: 'NONE' });
  const [box, morning] = [await bundleOf(work, sold.box), await bundleOf(work, sold.morning)];
  const loaded = await work.load(rows.map(row => row.id));
  await work.loadVariants(loaded);
  // After all that happened to it so far, so that its activity stays in order.
  const heard = await sql<{ id: number; at: Date }>`select contract_id as id, max(created_at) as at from events
    where store_id = ${store.id}::integer and contract_id = any(${rows.map(row => row.id)}::bigint[]) group by 1`.execute(trx);
  const lastOf = new Map(heard.rows.map(row => [row.id, row.at.getTime()]));
  for (const [i, subscription] of loaded.entries()) {
    const mine = chance.fork(i);
    const last = lastOf.get(subscription.contract.id) ?? now - DAY_MS;
    work.at = new Date(last + ((now - last) * mine.between(5, 95)) / 100);
    subscription.at = work.at;
    const transactionId = createHash('sha256').update(`${store.domain} ${subscription.contract.id}`).digest('hex').slice(0, 32);
    if (i < HOLD.set) {
      await addBundle(work, subscription, { bundle: morning, variant: morning.variants![i % 2]!, transactionId });
      continue;
    }
    const size = [4, 6, 6, 12][i % 4]!;
    const grind = mine.between(0, 2);
    const items = Array.from({ length: size }, (_, n) => sold.ids.small(sold.coffees[[0, 1, 3, 4, 5][(i + n) % 5]!]!)[grind]!);
    const counted = [...new Set(items)].map(variantId => ({ variantId, quantity: items.filter(one => one === variantId).length }));
    await addBundle(work, subscription, { bundle: box, items: counted, transactionId });
  }
  await work.flush();
}
