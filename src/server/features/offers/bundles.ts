// Preset bundles (ready-made sets of products) as offers to one subscription: to add one as an upsell, or to swap a product for one. The
// settings pages "upsell-general" and "swap-general" name the bundles that are offered.
import { bundlePrice, presetDiscount, type Bundle, type PresetVariant } from '../../../domain/bundles/bundle.ts';
import { priceRule, ruleFor, FULL_PRICE } from '../../../domain/money/pricing.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { accessOf } from '../../../contract/access.ts';
import { invalidState } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import { isInStock, readBundles } from '../bundles/catalogue.ts';
import { addBundle, planFor } from '../bundles/on-subscription.ts';
import {
  findVariants,
  heldBundles,
  type LineRow,
  type OfferedPlan,
  policyOfPlan,
  presentValue,
  removeLine,
  type SoldVariant,
} from '../../engine/index.ts';
import { amountIn } from './choices.ts';
import { note } from './offer.ts';
import { takesUpsells, type Place, type PurchaseType, type Scope } from './profiles.ts';
import { t } from '../../../domain/text/t.ts';

/** A preset bundle that a subscription can have now. */
export interface BundleOffer {
  bundle: Bundle;
  /** The variant of the bundle that is offered: the first one whose products are all available. */
  variant: PresetVariant;
  image: string | null;
  /** What one bundle costs in the next order, with the discounts of its plan and its own: minor units of the subscription's currency. */
  price: number;
  /** The same without discounts. */
  fullPrice: number;
  /** SUBSCRIPTION: with every order; ONETIME: with the next order alone. One of them at least. */
  purchaseTypes: PurchaseType[];
}

/** The bundles to add to the subscription, in the order of the settings; none where it takes no upsells. */
export const bundleUpsells = async (scope: Scope): Promise<BundleOffer[]> =>
  takesUpsells(scope) ? findOffers(scope, await settingsOf(scope, 'upsell-general')) : [];

/**
 * The bundles that a product may be swapped for, in the order of the settings: only those that come with every order. None while swaps are
 * off, for a product that comes once, and for one that is part of a bundle.
 */
export async function bundleSwaps(scope: Scope, line: LineRow): Promise<BundleOffer[]> {
  const settings = await settingsOf(scope, 'swap-general');
  if (settings.isEnabled === false || line.one_time_added || line.bundle_transaction_id) return [];
  return (await findOffers(scope, settings)).filter(offer => offer.purchaseTypes.includes('SUBSCRIPTION'));
}

/** How one bundle is taken. */
interface Acceptance {
  bundleId: number;
  /** Where it was offered. */
  place: Place;
  quantity?: number;
  purchaseType?: PurchaseType;
  /** The product that it replaces; without one it is added. */
  line?: LineRow;
}

/**
 * Adds an offered bundle to the subscription, or puts it in the place of a product, and records that the offer was accepted.
 * @throws Refusal 409 if it is not offered any more, at least not in this way
 */
export async function acceptBundle(
  scope: Scope,
  { bundleId, place, quantity = 1, purchaseType = 'SUBSCRIPTION', line }: Acceptance,
): Promise<void> {
  const { work, subscription } = scope;
  const offers = line ? await bundleSwaps(scope, line) : await bundleUpsells(scope);
  const offer = offers.find(({ bundle, purchaseTypes }) => bundle.id === bundleId && purchaseTypes.includes(purchaseType));
  if (!offer) throw invalidState(t`This bundle is not offered to the subscription any more.`);
  // Both are read first, because removing the line changes them.
  const valueBefore = line ? presentValue(subscription, line) : 0;
  const fromVariantId = line?.variant_id ?? null;
  const isOnce = purchaseType === 'ONETIME';
  await addBundle(work, subscription, { bundle: offer.bundle, variant: offer.variant, quantity, once: isOnce, isUpsell: !line });
  if (line) removeLine(work, subscription, { lineId: line.id });
  await note(scope, {
    kind: line ? 'SWAP' : 'UPSELL',
    profileId: 0,
    happened: 'ACCEPTED',
    place,
    isOnce,
    fromVariantId,
    toVariantId: offer.variant.variantId,
    quantity,
    before: valueBefore,
    after: offer.price * quantity,
  });
}

/**
 * An offer as calls answer it (schemas/entities/offer.json), amounts as decimals. `difference` is what the next order then costs more.
 * @param line the product that the bundle would replace; without one the offer is an upsell
 */
export function bundleMembers(scope: Scope, offer: BundleOffer, line?: LineRow): JsonObject {
  const { bundle, variant, image, price, fullPrice, purchaseTypes } = offer;
  const currency = scope.subscription.contract.currency_code;
  return {
    id: line ? `SWAP-${line.id}-BUNDLE-${bundle.id}` : `UPSELL-BUNDLE-${bundle.id}`,
    kind: line ? 'SWAP' : 'UPSELL',
    // Bundles are named by the general settings, not by a profile of offers.
    profileId: 0,
    profileName: '',
    lineId: line?.id ?? null,
    insteadOf: line?.product_title ?? null,
    quantity: 1,
    bundleId: bundle.id,
    productId: bundle.productId ?? null,
    variantId: variant.variantId,
    name: bundle.name,
    image,
    price: toDecimal(price, currency),
    fullPrice: toDecimal(fullPrice, currency),
    currencyCode: currency,
    difference: toDecimal(line ? price - presentValue(scope.subscription, line) : price, currency),
    ...(line ? { isRecommended: true, mayBeOnce: false } : { purchaseTypes, heading: '' }),
  };
}

/** What the settings pages of upsells and swaps say about bundles. */
interface BundleSettings {
  recommendedBundleIds?: number[];
  /** Only of upsells. */
  excludedBundleIds?: number[];
  hideOutOfStock: boolean;
  /** Only of upsells; with swaps, bundles that the subscription has are always left out. */
  hideOwnedProducts?: boolean;
  /** Only of swaps. */
  isEnabled?: boolean;
}
const settingsOf = async ({ context }: Scope, page: 'upsell-general' | 'swap-general'): Promise<BundleSettings> =>
  (await context.setting(page)) as unknown as BundleSettings;

/** The bundles of the settings that the subscription can have, in their order; none if the store's plan has no bundles. */
async function findOffers(scope: Scope, settings: BundleSettings): Promise<BundleOffer[]> {
  const { context, work, subscription } = scope;
  const ids = (settings.recommendedBundleIds ?? []).filter(id => !(settings.excludedBundleIds ?? []).includes(id));
  if (ids.length === 0 || !accessOf(context.session).planHas('bundles')) return [];
  const bundles = await readBundles(context, { ids, status: 'ACTIVE', bundleType: 'PRESET' });
  const variantIds = bundles.flatMap(bundle =>
    (bundle.variants ?? []).flatMap(({ variantId, items }) => [variantId, ...items.map(item => item.variantId)]),
  );
  const variants = new Map((await findVariants(work.context, { ids: variantIds })).map(variant => [variant.id, variant]));
  const hidesOwned = settings.hideOwnedProducts !== false;
  const offers: BundleOffer[] = [];
  for (const id of ids) {
    const bundle = bundles.find(one => one.id === id);
    if (!bundle || (hidesOwned && heldBundles(subscription).some(held => held.bundleId === id))) continue;
    const available = bundle.variants?.find(({ items }) =>
      items.every(item => {
        const product = variants.get(item.variantId);
        return product && !product.deleted_at && (!settings.hideOutOfStock || isInStock(product, item.quantity));
      }),
    );
    const plan = await planFor(work, subscription, bundle);
    const purchaseTypes: PurchaseType[] = [
      ...(plan ? ['SUBSCRIPTION' as const] : []),
      ...(bundle.purchaseType === 'SUBSCRIPTION' ? [] : ['ONETIME' as const]),
    ];
    if (!available || purchaseTypes.length === 0) continue;
    const price = priceOf(scope, bundle, available, variants, plan);
    if (!price) continue;
    offers.push({
      bundle,
      variant: available,
      image: bundle.imageUrl ?? variants.get(available.variantId)?.image ?? null,
      price: price.total,
      fullPrice: price.full,
      purchaseTypes,
    });
  }
  return offers;
}

/**
 * What one bundle costs in the next order, in minor units of the subscription's currency: `full` without discounts, `total` with those of
 * the plan and the bundle. Null without an exchange rate.
 * @param variants the products in the bundle, by id
 * @param plan the plan with the subscription's frequency; without one the bundle is bought once
 */
function priceOf(scope: Scope, bundle: Bundle, variant: PresetVariant, variants: Map<number, SoldVariant>, plan: OfferedPlan | undefined) {
  const { context, subscription } = scope;
  const { store } = context;
  const currency = subscription.contract.currency_code;
  const pieces: { price: number; quantity: number }[] = [];
  for (const { variantId, quantity } of variant.items) {
    const price = convert(store, variants.get(variantId)?.price ?? 0, store.currency_code, currency);
    if (price === null) return null;
    pieces.push({ price, quantity });
  }
  const planRules = plan
    ? policyOfPlan(store, plan.plan, currency).cycleDiscounts.map(({ afterCycle, adjustmentType, adjustmentValue }) => ({
        afterCycle,
        rule: priceRule(adjustmentType, adjustmentValue, currency),
      }))
    : [];
  const planRule = plan ? ruleFor(planRules, subscription.contract.completed_orders + 1) : FULL_PRICE;
  const discount = presetDiscount(bundle, variant);
  if (!discount) return bundlePrice(pieces, planRule, undefined, currency);
  const value = discount.type === 'PERCENTAGE' ? discount.value : amountIn(scope, discount.value);
  return value === null ? null : bundlePrice(pieces, planRule, { ...discount, value }, currency);
}
