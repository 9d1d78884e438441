// Preset bundles as offers: after the products of an upsell, or in place of a product. Which ones, the general settings of both say.
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
  removeLine,
  type SoldVariant,
  presentValue,
} from '../../engine/index.ts';
import { amountIn } from './choices.ts';
import { note } from './offer.ts';
import { takesUpsells, type Place, type Scope } from './profiles.ts';
import { t } from '../../../domain/text/t.ts';

type General = {
  recommendedBundleIds?: number[];
  excludedBundleIds?: number[];
  hideOutOfStock: boolean;
  hideOwnedProducts?: boolean;
  isEnabled?: boolean;
};
export interface BundleOffer {
  bundle: Bundle;
  variant: PresetVariant;
  image: string | null;
  /** For one order, in minor units of the subscription's currency. */
  price: number;
  fullPrice: number;
  /** Sold with the frequency of the subscription. */
  isForGood: boolean;
  mayBeOnce: boolean;
}

/** What a bundle costs the subscription; null without a rate for its currency. */
function priceOf(scope: Scope, bundle: Bundle, variant: PresetVariant, children: Map<number, SoldVariant>, plan: OfferedPlan | undefined) {
  const { context, subscription } = scope;
  const { store } = context;
  const currency = subscription.contract.currency_code;
  const pieces: { price: number; quantity: number }[] = [];
  for (const { variantId, quantity } of variant.items) {
    const price = convert(store, children.get(variantId)?.price ?? 0, store.currency_code, currency);
    if (price === null) return null;
    pieces.push({ price, quantity });
  }
  const rules = plan
    ? policyOfPlan(store, plan.plan, currency).cycleDiscounts.map(({ afterCycle, adjustmentType, adjustmentValue }) => ({
        afterCycle,
        rule: priceRule(adjustmentType, adjustmentValue, currency),
      }))
    : [];
  const discount = presetDiscount(bundle, variant);
  const value = discount && (discount.type === 'PERCENTAGE' ? discount.value : amountIn(scope, discount.value));
  if (value === null) return null;
  return bundlePrice(
    pieces,
    plan ? ruleFor(rules, subscription.contract.completed_orders + 1) : FULL_PRICE,
    discount && { ...discount, value: value ?? '0' },
    currency,
  );
}

/** The preset bundles of a list that the subscription can have, in their order: in stock, at its frequency or once. */
async function offersOf(scope: Scope, general: General): Promise<BundleOffer[]> {
  const { context, work, subscription } = scope;
  const ids = (general.recommendedBundleIds ?? []).filter(id => !(general.excludedBundleIds ?? []).includes(id));
  if (ids.length === 0 || !accessOf(context.session).planHas('bundles')) return [];
  const bundles = await readBundles(context, { ids, status: 'ACTIVE', bundleType: 'PRESET' });
  const wanted = bundles.flatMap(one =>
    (one.variants ?? []).flatMap(({ variantId, items }) => [variantId, ...items.map(item => item.variantId)]),
  );
  const known = new Map((await findVariants(work.context, { ids: wanted })).map(one => [one.id, one]));
  const offers: BundleOffer[] = [];
  for (const id of ids) {
    const bundle = bundles.find(one => one.id === id);
    if (!bundle || (general.hideOwnedProducts !== false && heldBundles(subscription).some(held => held.bundleId === id))) continue;
    const variant = bundle.variants?.find(({ items }) =>
      items.every(item => {
        const child = known.get(item.variantId);
        return child && !child.deleted_at && (!general.hideOutOfStock || isInStock(child, item.quantity));
      }),
    );
    const plan = await planFor(work, subscription, bundle);
    if (!variant || (!plan && bundle.purchaseType === 'SUBSCRIPTION')) continue;
    const price = priceOf(scope, bundle, variant, known, plan);
    if (!price) continue;
    offers.push({
      bundle,
      variant,
      image: bundle.imageUrl ?? known.get(variant.variantId)?.image ?? null,
      price: price.total,
      fullPrice: price.full,
      isForGood: plan !== undefined,
      mayBeOnce: bundle.purchaseType !== 'SUBSCRIPTION',
    });
  }
  return offers;
}

const general = async ({ context }: Scope, page: string): Promise<General> => (await context.setting(page)) as General;
export const bundleUpsells = async (scope: Scope): Promise<BundleOffer[]> =>
  takesUpsells(scope) ? offersOf(scope, await general(scope, 'upsell-general')) : [];

/** Bundles that a product may be swapped for: those that come with every order. */
export async function bundleSwaps(scope: Scope, line: LineRow): Promise<BundleOffer[]> {
  const settings = await general(scope, 'swap-general');
  if (settings.isEnabled === false || line.one_time_added || line.bundle_transaction_id) return [];
  return (await offersOf(scope, settings)).filter(one => one.isForGood);
}

/** An offer of a bundle as it goes over the wire, with what it would cost more. */
export function bundleMembers(scope: Scope, offer: BundleOffer, line?: LineRow): JsonObject {
  const { bundle, variant, image, price, fullPrice, isForGood, mayBeOnce } = offer;
  const currency = scope.subscription.contract.currency_code;
  return {
    id: line ? `SWAP-${line.id}-BUNDLE-${bundle.id}` : `UPSELL-BUNDLE-${bundle.id}`,
    kind: line ? 'SWAP' : 'UPSELL',
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
    ...(line
      ? { isRecommended: true, mayBeOnce: false }
      : { purchaseTypes: [...(isForGood ? ['SUBSCRIPTION'] : []), ...(mayBeOnce ? ['ONETIME'] : [])], heading: '' }),
  };
}

interface Taken {
  bundleId: number;
  place: Place;
  quantity?: number;
  isOnce?: boolean;
  line?: LineRow;
}

/** Takes a bundle that is offered: added, or in place of a product. @throws Refusal 409 where it is not offered any more */
export async function acceptBundle(scope: Scope, { bundleId, place, quantity = 1, isOnce = false, line }: Taken): Promise<void> {
  const { work, subscription } = scope;
  const offers = line ? await bundleSwaps(scope, line) : await bundleUpsells(scope);
  const offer = offers.find(one => one.bundle.id === bundleId && (isOnce ? one.mayBeOnce : one.isForGood));
  if (!offer) throw invalidState(t`This bundle is not offered to the subscription any more.`);
  const before = line ? presentValue(scope.subscription, line) : 0;
  const fromVariantId = line?.variant_id ?? null;
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
    before,
    after: offer.price * quantity,
  });
}
