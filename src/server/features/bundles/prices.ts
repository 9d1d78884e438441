// What a bundle costs: by size or by variant, bought once and under each of its plans; and what may surprise the merchant.
import { sql } from 'kysely';
import {
  bundlePrice,
  isDiscountedOnce,
  presetDiscount,
  sizeWords,
  tierOf,
  type Bundle,
  type BundleDiscount,
  type PresetVariant,
} from '../../../domain/bundles/bundle.ts';
import { formatMoney, sum, toDecimal, toMinor } from '../../../domain/money/money.ts';
import { FULL_PRICE } from '../../../domain/money/pricing.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { engineOf, findVariants, nameOfVariant, type OfferedPlan, type SoldVariant } from '../../engine/index.ts';
import { firstPrice, isInStock, plansOfBundle, poolOf, readBundles } from './catalogue.ts';
import { filterValuesOf } from './filters.ts';
import { inFigures, intlLocale, t } from '../../../domain/text/t.ts';

type Way = {
  /** Null: bought once. */
  planId: number | null;
  title: string;
  from: string;
  /** The same as `from` where the contents are fixed. */
  to: string;
};
type PriceRow = {
  title: string;
  /** What is in it, in words: "6 pieces". */
  contents: string;
  discount: string | null;
  fullFrom: string;
  fullTo: string;
  ways: Way[];
  outOfStock: boolean;
};
type Piece = { price: number; quantity: number };

const sellsOnce = ({ purchaseType }: Bundle): boolean => purchaseType !== 'SUBSCRIPTION';
/** Platforms discount at most so many products by name; beyond, the order is discounted. */
const BY_NAME = 100;

/** The prices of a bundle as it is typed or kept, in the store's currency. */
export async function pricesOf(context: Context, bundle: Bundle): Promise<{ rows: PriceRow[]; warnings: string[]; currencyCode: string }> {
  const plans = bundle.purchaseType === 'ONETIME' ? [] : await plansOfBundle(context, bundle);
  const pieces = bundle.bundleType === 'PRESET' ? await presetRows(context, bundle, plans) : await boxRows(context, bundle, plans);
  return { ...pieces, currencyCode: context.store.currency_code };
}

/** The prices of cheapest and dearest contents, by each way to buy. */
function waysOf(
  { store }: Context,
  bundle: Bundle,
  plans: readonly OfferedPlan[],
  cheapest: readonly Piece[],
  dearest: readonly Piece[],
  discountOf: (pieces: readonly Piece[]) => BundleDiscount | undefined,
): Way[] {
  const currency = store.currency_code;
  const price = (pieces: readonly Piece[], rule = FULL_PRICE, isOnce = false): string =>
    toDecimal(bundlePrice(pieces, rule, isOnce && !isDiscountedOnce(bundle) ? undefined : discountOf(pieces), currency).total, currency);
  return [
    ...(sellsOnce(bundle)
      ? [{ planId: null, title: t`Bought once`, from: price(cheapest, FULL_PRICE, true), to: price(dearest, FULL_PRICE, true) }]
      : []),
    ...plans.map(plan => {
      const rule = firstPrice(store, plan);
      return { planId: plan.plan.lspId, title: plan.plan.name, from: price(cheapest, rule), to: price(dearest, rule) };
    }),
  ];
}

const cash = (value: string, currency: string): string => formatMoney(toMinor(value, currency), currency, intlLocale());
const words = (discount: BundleDiscount | undefined, currency: string): string | null =>
  discount === undefined
    ? null
    : discount.type === 'PERCENTAGE'
      ? t`${discount.value}% off`
      : discount.type === 'FIXED'
        ? t`${cash(discount.value, currency)} off`
        : t`${cash(discount.value, currency)} in all`;

async function presetRows(
  context: Context,
  bundle: Bundle,
  plans: readonly OfferedPlan[],
): Promise<{ rows: PriceRow[]; warnings: string[] }> {
  const currency = context.store.currency_code;
  const mapped = (bundle.variants ?? []).filter(one => typeof one.variantId === 'number');
  const known = await variantsOf(context, mapped);
  const warnings: string[] = [];
  const rows = mapped.map(variant => {
    const items = (variant.items ?? []).flatMap(({ variantId, quantity }) => {
      const child = known.get(variantId);
      return child ? [{ child, quantity: quantity || 1, price: child.price }] : [];
    });
    const title = variant.title || nameOfVariant(known.get(variant.variantId) ?? { product_title: bundle.name, title: '' });
    const discount = presetDiscount(bundle, variant);
    const full = sum(items.map(item => item.price * item.quantity));
    if (discount?.type === 'FIXED_PRICE' && toMinor(discount.value, currency) >= full && full > 0)
      warnings.push(t`${title}: this price does not reduce the total.`);
    const out = items.find(({ child, quantity }) => !isInStock(child, quantity));
    if (out) warnings.push(t`${title} can't be sold now: ${nameOfVariant(out.child)} is out of stock.`);
    return {
      title,
      contents: items.map(({ child, quantity }) => `${inFigures(quantity)} × ${nameOfVariant(child)}`).join(', '),
      discount: words(discount, currency),
      fullFrom: toDecimal(full, currency),
      fullTo: toDecimal(full, currency),
      ways: waysOf(context, bundle, plans, items, items, () => discount),
      outOfStock: out !== undefined,
    };
  });
  return { rows, warnings };
}

async function variantsOf(context: Context, mapped: readonly PresetVariant[]): Promise<Map<number, SoldVariant>> {
  const ids = mapped.flatMap(({ variantId, items = [] }) => [variantId, ...items.map(item => item.variantId)]);
  return new Map((await findVariants(engineOf(context), { ids: ids.filter(Number.isSafeInteger) })).map(one => [one.id, one]));
}

async function boxRows(context: Context, bundle: Bundle, plans: readonly OfferedPlan[]): Promise<{ rows: PriceRow[]; warnings: string[] }> {
  const currency = context.store.currency_code;
  const pool = await findVariants(engineOf(context), { ids: await poolOf(context, bundle) });
  const warnings = await boxWarnings(context, bundle, plans);
  if (pool.length === 0) return { rows: [], warnings };
  const prices = pool.map(one => one.price);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const worth = (threshold: string): number => toMinor(threshold || '0', currency);
  const rows = (bundle.boxSizes ?? []).flatMap((size): PriceRow[] => {
    if (!Number.isSafeInteger(size.minSize) || size.minSize < 1) return [];
    const [cheapest, dearest] = [[{ price: lowest, quantity: size.minSize }], [{ price: highest, quantity: size.minSize }]];
    const discountOf = (pieces: readonly Piece[]): BundleDiscount | undefined =>
      tierOf(bundle, { quantity: sum(pieces.map(one => one.quantity)), value: sum(pieces.map(one => one.price * one.quantity)) }, worth);
    const discount = discountOf(cheapest);
    if (discount?.type === 'FIXED_PRICE' && toMinor(discount.value, currency) >= lowest * size.minSize)
      warnings.push(t`${size.name}: this price does not reduce the total.`);
    return [
      {
        title: size.name,
        contents: size.minSize === 1 && size.maxSize === 1 ? t`1 piece` : t`${sizeWords(size)} pieces`,
        discount: words(discount, currency),
        fullFrom: toDecimal(lowest * size.minSize, currency),
        fullTo: toDecimal(highest * size.minSize, currency),
        ways: waysOf(context, bundle, plans, cheapest, dearest, discountOf),
        outOfStock: !pool.some(one => isInStock(one, 1)),
      },
    ];
  });
  return { rows, warnings };
}

/** Products that the plan does not sell, a plan that discounts twice, and boxes that are too large to be discounted by product. */
async function boxWarnings(context: Context, bundle: Bundle, plans: readonly OfferedPlan[]): Promise<string[]> {
  const { trx, storeId } = context;
  const { sellingPlanGroupId, productIds = [] } = bundle;
  const warnings: string[] = [];
  if (productIds.length > BY_NAME && bundle.discountType !== 'NONE')
    warnings.push(t`With more than 100 products the discount is taken off the order, not off single products.`);
  for (const { filter, values } of await filterValuesOf(context, bundle))
    if (filter.name && productIds.length > 0 && values.size === 0)
      warnings.push(t`The filter “${filter.name}” finds none of the products.`);
  if (!sellingPlanGroupId || plans.length === 0) return warnings;
  // Products that stand for preset bundles are sold with a bundle's plans as they should be.
  const sets = (await readBundles(context, { bundleType: 'PRESET' })).flatMap(one => one.productId ?? []);
  const own = [...productIds, ...sets];
  const { rows } = await sql<{ missing: number; outside: number }>`
    select (select count(*) from unnest(${productIds}::bigint[]) as o(id) where not exists (select 1 from plan_products m
        where m.store_id = ${storeId}::integer and m.group_id = ${sellingPlanGroupId}::bigint and m.product_id = o.id))::integer as missing,
      (select count(distinct m.product_id) from plan_products m where m.store_id = ${storeId}::integer
        and m.group_id = ${sellingPlanGroupId}::bigint and m.product_id <> all(${own}::bigint[]))::integer as outside`.execute(trx);
  const { missing = 0, outside = 0 } = rows[0] ?? {};
  const group = plans[0]?.groupName ?? '';
  const n = inFigures(missing);
  if (missing > 0)
    warnings.push(
      missing === 1
        ? t`1 product is not sold with the plan group “${group}”: the builder leaves it out. Add it to the group.`
        : t`${n} products are not sold with the plan group “${group}”: the builder leaves them out. Add them to it.`,
    );
  const takesOff = plans.some(({ plan }) => plan.fixedDiscountType !== 'NONE');
  if (outside > 0 && takesOff && bundle.discountType !== 'NONE')
    warnings.push(t`The plan group “${group}” sells other products too, with its discount. Use a group for this bundle alone.`);
  return warnings;
}

export const wire = (prices: Awaited<ReturnType<typeof pricesOf>>): JsonObject => prices as JsonObject;
