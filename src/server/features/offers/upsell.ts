// What a subscription is offered to add: by the first upsell profile that fits it and has something to show.
import { sql } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { times, toDecimal } from '../../../domain/money/money.ts';
import { invalidState } from '../../platform/context.ts';
import { addLine, type Pricing } from '../../engine/index.ts';
import { acceptBundle } from './bundles.ts';
import { amountIn, showable, variantIds, type Choice } from './choices.ts';
import { note, productMembers } from './offer.ts';
import { activeProfiles, meetsConditions, takesUpsells, type Place, type PurchaseType, type Scope } from './profiles.ts';
import { popularProducts, smartProducts, type PopularMetric, type SmartStrategy } from './upsell-products.ts';
import { t } from '../../../domain/text/t.ts';

type DiscountType = 'NONE' | 'BASED_ON_SELLING_PLAN' | 'PERCENTAGE' | 'FIXED_AMOUNT';
export type UpsellItem = {
  productId: number;
  discountType?: DiscountType | 'PROFILE';
  discountValue?: string;
};
export type UpsellProfile = {
  id: number;
  name: string;
  conditions?: ConditionSet;
  productSource: 'MANUAL' | 'POPULAR' | 'SMART';
  items?: UpsellItem[];
  popularMetric?: PopularMetric;
  popularDays?: number;
  smartStrategy?: SmartStrategy;
  limit?: number;
  purchaseTypes?: PurchaseType[];
  discountType?: DiscountType;
  discountValue?: string;
  discountAppliesTo?: PurchaseType | 'BOTH';
};
type General = {
  bannerText: string;
  maxProducts: number;
  hideOwnedProducts: boolean;
  hideOutOfStock: boolean;
  excludedProductIds: number[];
  excludedCollectionIds: number[];
  priorityProductIds: number[];
  recommendedCollectionIds: number[];
};

/** A product that is offered, by each way in which it can be added. */
export interface UpsellOffer {
  profile: UpsellProfile;
  /** What stands above all upsells. */
  heading: string;
  ways: Partial<Record<PurchaseType, Choice & { pricing: Pricing }>>;
}

/** The discount of what is added; amounts are the store's, in the subscription's currency. Null where there is no rate for it. */
function pricingOf(scope: Scope, profile: UpsellProfile, productId: number, way: PurchaseType): Pricing | null {
  const item = profile.items?.find(one => one.productId === productId);
  const isOwn = item?.discountType !== undefined && item.discountType !== 'PROFILE' && profile.productSource === 'MANUAL';
  const applies = isOwn || [undefined, 'BOTH', way].includes(profile.discountAppliesTo);
  const type = isOwn ? item.discountType : profile.discountType;
  const value = isOwn ? item.discountValue : profile.discountValue;
  if (type === 'BASED_ON_SELLING_PLAN') return { discountType: 'SELLING_PLAN' };
  if (!applies || type === undefined || type === 'NONE' || type === 'PROFILE' || !value) return { discountType: 'NONE' };
  if (type === 'PERCENTAGE') return { discountType: 'PERCENTAGE', discountValue: value };
  const amount = amountIn(scope, value);
  return amount === null ? null : { discountType: 'FIXED_AMOUNT', discountValue: amount };
}

/** The products of a profile, in the order in which they are shown, without those that never are. */
async function productsOf(scope: Scope, profile: UpsellProfile, general: General): Promise<number[]> {
  const chosen =
    profile.productSource === 'MANUAL'
      ? (profile.items ?? []).map(item => item.productId)
      : [
          ...general.priorityProductIds,
          ...(await collected(scope, general.recommendedCollectionIds, true)),
          ...(profile.productSource === 'POPULAR'
            ? await popularProducts(scope, profile.popularMetric ?? 'UNITS_SOLD', profile.popularDays ?? 30)
            : await smartProducts(scope, profile.smartStrategy ?? 'BOUGHT_TOGETHER')),
        ];
  const never = new Set([
    ...general.excludedProductIds,
    ...(await collected(scope, general.excludedCollectionIds, false)),
    ...(general.hideOwnedProducts ? scope.subscription.lines.map(line => line.product_id) : []),
  ]);
  return [...new Set(chosen)].filter(id => !never.has(id));
}

/** The products of collections; of those that are shown the newest alone. */
async function collected({ context }: Scope, ids: readonly number[], isShown: boolean): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`select p.id from collection_products m
    join products p on p.store_id = m.store_id and p.id = m.product_id
    where m.store_id = ${context.storeId}::integer and m.collection_id = any(${[...ids]}::bigint[])
    order by array_position(${[...ids]}::bigint[], m.collection_id), p.created_at desc, p.id desc
    ${isShown ? sql`limit 50` : sql``}`.execute(context.trx);
  return rows.map(row => row.id);
}

/** What a profile shows to a subscription: one variant of each product, with the ways in which it can be added. */
async function ofProfile(scope: Scope, profile: UpsellProfile, general: General): Promise<UpsellOffer[]> {
  const products = await productsOf(scope, profile, general);
  const ids = await variantIds(scope, { productIds: products });
  const byProduct = new Map<number, UpsellOffer>();
  for (const way of profile.purchaseTypes ?? []) {
    const seen = new Set<number>();
    const choices = await showable(scope, ids, {
      pieces: general.hideOutOfStock ? 1 : 0,
      needsPlan: way === 'SUBSCRIPTION',
      pricing: variant => pricingOf(scope, profile, variant.product_id, way),
    });
    for (const choice of choices) {
      const { product_id: productId } = choice.variant;
      const offer = byProduct.get(productId) ?? { profile, heading: general.bannerText, ways: {} };
      const before = Object.values(offer.ways)[0];
      if (seen.has(productId) || (before && before.variant.id !== choice.variant.id)) continue;
      seen.add(productId);
      const pricing = pricingOf(scope, profile, productId, way) as Pricing;
      byProduct.set(productId, { ...offer, ways: { ...offer.ways, [way]: { ...choice, pricing } } });
    }
  }
  const most = Math.min(general.maxProducts, profile.productSource === 'MANUAL' ? 50 : (profile.limit ?? 6));
  return products.flatMap(id => byProduct.get(id) ?? []).slice(0, most);
}

/** The upsells of a subscription, in the order in which they are shown. */
export async function upsellsOf(scope: Scope): Promise<UpsellOffer[]> {
  if (!takesUpsells(scope)) return [];
  const general = (await scope.context.setting('upsell-general')) as General;
  for (const profile of await activeProfiles<UpsellProfile>(scope.context, 'upsell-profile')) {
    if (!(await meetsConditions(scope, profile.conditions))) continue;
    const offers = await ofProfile(scope, profile, general);
    if (offers.length > 0) return offers;
  }
  return [];
}

/** An upsell as it goes over the wire; its price is that of the first way in which it can be added. */
export function upsellMembers(scope: Scope, { profile, heading, ways }: UpsellOffer): JsonObject[] {
  const [first] = Object.values(ways);
  if (!first) return [];
  return [
    {
      id: `UPSELL-${first.variant.id}`,
      kind: 'UPSELL',
      profileId: profile.id,
      profileName: profile.name,
      lineId: null,
      insteadOf: null,
      quantity: 1,
      ...productMembers(scope, first),
      difference: toDecimal(first.price, scope.subscription.contract.currency_code),
      purchaseTypes: Object.keys(ways),
      heading,
    },
  ];
}

export interface UpsellInput {
  id: number;
  variantId: number;
  purchaseType: PurchaseType;
  quantity?: number;
  place?: Place;
  /** A preset bundle, which the variant stands for. */
  bundleId?: number | null;
}

/** Adds what the profile that applies now offers, at its price. @throws Refusal 409 where nothing offers it any more */
export async function acceptUpsell(
  scope: Scope,
  { variantId, purchaseType, quantity = 1, place = 'ADMIN', bundleId }: UpsellInput,
): Promise<void> {
  if (bundleId) {
    await acceptBundle(scope, { bundleId, place, quantity, purchaseType });
    return;
  }
  const offer = (await upsellsOf(scope)).find(one => one.ways[purchaseType]?.variant.id === variantId);
  const way = offer?.ways[purchaseType];
  if (!offer || !way) throw invalidState(t`This product is not offered to the subscription any more.`);
  const isOnce = purchaseType === 'ONETIME';
  await addLine(scope.work, scope.subscription, {
    variantId,
    quantity,
    type: isOnce ? 'ONE_TIME' : 'RECURRING',
    ...way.pricing,
    isUpsell: true,
  });
  await note(scope, {
    kind: 'UPSELL',
    profileId: offer.profile.id,
    happened: 'ACCEPTED',
    place,
    isOnce,
    toVariantId: variantId,
    quantity,
    after: times(way.price, quantity),
  });
}
