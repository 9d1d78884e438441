// Products by which preset bundles are bought, at the price of the bundle. Its contents are no part of it.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { bundlePrice, isDiscountedOnce, presetDiscount, type Bundle, type BundleDiscount } from '../../../domain/bundles/bundle.ts';
import { FULL_PRICE, type PriceRule } from '../../../domain/money/pricing.ts';
import { isOutOfStock } from '../../../domain/schedule/inventory.ts';
import { deliveriesPerCharge } from '../../../domain/selling-plans/selling-plan.ts';
import type { PublishedProduct, PublishedVariant } from '../../../domain/widgets/published.ts';
import type { OfferedPlan } from '../../engine/index.ts';
import { firstPrice, readBundles } from '../bundles/catalogue.ts';
import type { KeptPlan } from '../../../domain/selling-plans/plan-document.ts';
import type { Reading } from './widgets.ts';

export interface PresetBundle {
  id: number;
  name: string;
  productShopifyId: number;
  product: PublishedProduct;
}

interface Sold {
  id: number;
  shopifyId: number;
  productId: number;
  productShopifyId: number;
  price: number;
  management: string | null;
  policy: string;
  stock: number;
}

/** Active preset bundles whose product is there. */
export async function presetBundles(context: Reading, plans: readonly OfferedPlan[]): Promise<PresetBundle[]> {
  const bundles = await readBundles(context, { status: 'ACTIVE', bundleType: 'PRESET' });
  const ids = bundles.flatMap(({ variants = [] }) => variants.flatMap(one => [one.variantId, ...one.items.map(item => item.variantId)]));
  const known = new Map((await variantsOf(context, ids)).map(one => [one.id, one]));
  return bundles.flatMap((bundle): PresetBundle[] => {
    const own = bundle.purchaseType === 'ONETIME' ? [] : plans.filter(({ groupId }) => groupId === bundle.sellingPlanGroupId);
    const variants = (bundle.variants ?? []).flatMap((variant): (PublishedVariant & { of: Sold })[] => {
      const sold = known.get(variant.variantId);
      const pieces = variant.items.flatMap(({ variantId, quantity }) => {
        const child = known.get(variantId);
        return child ? [{ child, price: child.price, quantity: quantity || 1 }] : [];
      });
      if (!sold || pieces.length !== variant.items.length) return [];
      const discount = presetDiscount(bundle, variant);
      const priceOf = (rule: PriceRule, taken: BundleDiscount | undefined, deliveries = 1): number =>
        bundlePrice(pieces, rule, taken, context.store.currency_code, deliveries).total;
      const once = priceOf(FULL_PRICE, isDiscountedOnce(bundle) ? discount : undefined);
      const full = priceOf(FULL_PRICE, undefined);
      const isOut = pieces.some(({ child, quantity }) => isOutOfStock({ ...stockOf(child), quantity }));
      return [
        {
          of: sold,
          id: sold.shopifyId,
          price: once,
          ...(full > once ? { compareAt: full } : {}),
          ...(isOut ? { isSoldOut: true as const } : {}),
          groups: own.length && bundle.sellingPlanGroupId ? [bundle.sellingPlanGroupId] : [],
          planPrices: Object.fromEntries(
            own.map(offered => {
              const plan = offered.plan as KeptPlan;
              const charged = priceOf(firstPrice(context.store, offered), discount, deliveriesPerCharge(plan) ?? 1);
              return [String(plan.shopifyId ?? plan.lspId), charged];
            }),
          ),
        },
      ];
    });
    const sold = variants[0]?.of;
    if (!sold) return [];
    return [
      {
        ...{ id: bundle.id, name: bundle.name, productShopifyId: sold.productShopifyId },
        product: {
          ...(isSubscriptionOnly(bundle) ? { isSubscriptionOnly: true } : {}),
          variants: variants.map(({ of: _of, ...variant }) => variant),
        },
      },
    ];
  });
}

const isSubscriptionOnly = ({ purchaseType }: Bundle): boolean => purchaseType === 'SUBSCRIPTION';
const stockOf = ({ management, policy, stock }: Sold) => ({
  inventory_management: management,
  inventory_policy: policy,
  inventory_quantity: stock,
});

async function variantsOf({ trx, storeId }: Reading, ids: readonly number[]): Promise<Sold[]> {
  const { rows } = await sql<Sold>`select v.id::float8 as id, v.shopify_id::float8 as "shopifyId", v.product_id::float8 as "productId",
      p.shopify_id::float8 as "productShopifyId", v.price::float8 as price, v.inventory_management as management,
      v.inventory_policy as policy, v.inventory_quantity as stock
    from variants v join products p on p.store_id = v.store_id and p.id = v.product_id and p.deleted_at is null
    where v.store_id = ${storeId}::integer and v.deleted_at is null and v.id = any(${[...new Set(ids)]}::bigint[])`.execute(trx);
  return rows;
}

/** What pages learn of them besides: which products they are. */
export const bundlesOf = (bundles: readonly PresetBundle[]): JsonObject => ({
  hasPresetBundles: bundles.length > 0,
  presetBundleShopifyProductIds: bundles.map(one => one.productShopifyId),
  presetBundles: bundles.map(({ id, name, productShopifyId }) => ({ id, name, productShopifyId })),
});
