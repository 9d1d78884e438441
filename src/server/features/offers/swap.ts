// What a product of a subscription may be swapped for: by the first swap profile that fits it, else by the general settings.
import { sql } from 'kysely';
import { times, toDecimal } from '../../../domain/money/money.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState } from '../../platform/context.ts';
import { lineOf, type LineRow, type Pricing, type Swap, swapLine, presentPiece, presentValue } from '../../engine/index.ts';
import { acceptBundle } from './bundles.ts';
import { showable, variantIds, type Choice } from './choices.ts';
import { note, productMembers } from './offer.ts';
import { activeProfiles, meetsConditions, type Chosen, type Place, type Scope } from './profiles.ts';
import { t } from '../../../domain/text/t.ts';

type SwapPricing = 'SELLING_PLAN' | 'KEEP_DISCOUNT' | 'KEEP_PRICE' | 'NO_DISCOUNT';
export type SwapProfile = {
  id: number;
  name: string;
  matchType: 'PRODUCT' | 'CONDITION' | 'BOTH';
  sourceProducts?: Chosen;
  conditions?: ConditionSet;
  targetProducts?: Chosen;
  targetCollectionIds?: number[];
  recommendedProductIds?: number[];
  fallbackToGeneral?: boolean;
  pricing?: SwapPricing | 'GENERAL';
  showIn?: ('PORTAL' | 'CANCELLATION_FLOW')[];
};
type General = {
  isEnabled: boolean;
  scope: 'ALL_PRODUCTS' | 'SAME_SELLING_PLAN' | 'SAME_PRODUCT_VARIANTS' | 'SELECTED';
  pricing: SwapPricing;
  minPriceRule: 'NONE' | 'EQUAL_OR_HIGHER';
  onetimeSwapEnabled: boolean;
  hideOutOfStock: boolean;
  showPriceDifference: boolean;
  priorityProductIds: number[];
  priorityCollectionIds: number[];
  excludedProductIds: number[];
};

/** How the engine prices a swap, by what the merchant chose. */
const ENGINE: Record<SwapPricing, NonNullable<Swap['pricingType']>> = {
  SELLING_PLAN: 'NEW',
  KEEP_DISCOUNT: 'OLD',
  KEEP_PRICE: 'PRESENT_PRICE',
  NO_DISCOUNT: 'NONE',
};

/** A swap that is offered. `profileId` 0: by the general settings. */
export interface SwapOffer extends Choice {
  line: LineRow;
  profileId: number;
  profileName: string;
  pricing: SwapPricing;
  isRecommended: boolean;
  mayBeOnce: boolean;
  /** Whether subscribers read what it costs more or less; the team always does. */
  saysDifference: boolean;
}

const names = (chosen: Chosen | undefined, line: LineRow): boolean =>
  (chosen?.productIds ?? []).includes(line.product_id ?? 0) || (chosen?.variantIds ?? []).includes(line.variant_id ?? 0);

async function fits(scope: Scope, profile: SwapProfile, line: LineRow, place: Place): Promise<boolean> {
  const shown: readonly Place[] = profile.showIn ?? [];
  if (!shown.includes(place === 'ADMIN' ? 'PORTAL' : place)) return false;
  if (profile.matchType !== 'CONDITION' && !names(profile.sourceProducts, line)) return false;
  return profile.matchType === 'PRODUCT' || meetsConditions(scope, profile.conditions);
}

/**
 * The swaps of a product, in the order in which they are shown: of the first profile that fits and has something to show, and where that
 * says so, or where none fits, of the general settings.
 */
export async function swapsOf(scope: Scope, line: LineRow, place: Place, profiles?: readonly SwapProfile[]): Promise<SwapOffer[]> {
  if (line.one_time_added || line.bundle_transaction_id) return [];
  const general = (await scope.context.setting('swap-general')) as General;
  for (const profile of profiles ?? (await activeProfiles<SwapProfile>(scope.context, 'swap-profile'))) {
    if (!(await fits(scope, profile, line, place))) continue;
    const own = await ofProfile(scope, line, profile, general);
    if (own.length === 0) continue;
    const seen = new Set(own.map(({ variant }) => variant.id));
    const others = profile.fallbackToGeneral && general.isEnabled ? await ofGeneral(scope, line, general) : [];
    return [...own, ...others.filter(({ variant }) => !seen.has(variant.id))];
  }
  return general.isEnabled ? ofGeneral(scope, line, general) : [];
}

/** The discount that a variant would have in place of the line. */
const pricingOf = (scope: Scope, line: LineRow, how: SwapPricing): Pricing =>
  how === 'SELLING_PLAN'
    ? { discountType: 'SELLING_PLAN' }
    : how === 'KEEP_PRICE'
      ? {
          discountType: 'PRICE',
          discountValue: toDecimal(presentPiece(scope.subscription, line), scope.subscription.contract.currency_code),
        }
      : { discountType: 'NONE' };

async function choicesFor(scope: Scope, line: LineRow, ids: readonly number[], general: General, how: SwapPricing): Promise<Choice[]> {
  const found = await showable(
    scope,
    ids.filter(id => id !== line.variant_id),
    {
      pieces: general.hideOutOfStock ? line.quantity : 0,
      needsPlan: true,
      excludedProductIds: general.excludedProductIds,
      pricing: () => pricingOf(scope, line, how),
    },
  );
  if (how !== 'KEEP_DISCOUNT' || line.base_price === 0) return found;
  // The discount that the product has, said of the price of the new one.
  const share = presentPiece(scope.subscription, line) / line.base_price;
  return found.map(choice => ({ ...choice, price: Math.round(choice.basePrice * share) }));
}

async function ofProfile(scope: Scope, line: LineRow, profile: SwapProfile, general: General): Promise<SwapOffer[]> {
  const pricing = !profile.pricing || profile.pricing === 'GENERAL' ? general.pricing : profile.pricing;
  const recommended = new Set(profile.recommendedProductIds);
  const ids = await variantIds(scope, { ...profile.targetProducts, collectionIds: profile.targetCollectionIds ?? [] });
  const offers = (await choicesFor(scope, line, ids, general, pricing)).map(choice => ({
    ...choice,
    line,
    profileId: profile.id,
    profileName: profile.name,
    pricing,
    isRecommended: recommended.has(choice.variant.product_id),
    mayBeOnce: general.onetimeSwapEnabled,
    saysDifference: general.showPriceDifference,
  }));
  return [...offers.filter(one => one.isRecommended), ...offers.filter(one => !one.isRecommended)];
}

async function ofGeneral(scope: Scope, line: LineRow, general: General): Promise<SwapOffer[]> {
  const wanted = await variantIds(scope, { productIds: general.priorityProductIds, collectionIds: general.priorityCollectionIds });
  // What comes first is of what may be offered at all; where only chosen products are, it is these.
  const within = general.scope === 'SELECTED' ? wanted : await inScope(scope, line, general.scope, wanted);
  const first = wanted.filter(id => within.includes(id));
  const ids = [...new Set([...first, ...(await inScope(scope, line, general.scope))])];
  const present = presentPiece(scope.subscription, line);
  return (await choicesFor(scope, line, ids, general, general.pricing))
    .filter(({ price }) => general.minPriceRule === 'NONE' || price >= present)
    .map(choice => ({
      ...choice,
      line,
      profileId: 0,
      profileName: '',
      pricing: general.pricing,
      isRecommended: false,
      mayBeOnce: general.onetimeSwapEnabled,
      saysDifference: general.showPriceDifference,
    }));
}

async function inScope(
  { context: { trx, storeId }, subscription }: Scope,
  line: LineRow,
  scope: General['scope'],
  among?: readonly number[],
): Promise<number[]> {
  if (scope === 'SELECTED') return [];
  const groups = line.plan_group_id === null ? subscription.contract.plan_group_ids : [line.plan_group_id];
  const which =
    scope === 'SAME_PRODUCT_VARIANTS'
      ? sql`v.product_id = ${line.product_id}::bigint`
      : sql`exists (select 1 from plan_products m where m.store_id = v.store_id and m.product_id = v.product_id
          and (m.variant_id is null or m.variant_id = v.id)
          ${scope === 'SAME_SELLING_PLAN' ? sql`and m.group_id = any(${groups}::bigint[])` : sql``})`;
  const { rows } = await sql<{ id: number }>`select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.deleted_at is null and p.deleted_at is null and p.status = 'ACTIVE' and ${which}
      ${among ? sql`and v.id = any(${[...among]}::bigint[])` : sql``}
    order by (v.product_id = ${line.product_id}::bigint) desc, lower(p.title), v.id limit ${among?.length ?? 100}`.execute(trx);
  return rows.map(row => row.id);
}

/** An offer of a swap as it goes over the wire. */
export function swapMembers(scope: Scope, offer: SwapOffer, place: Place): JsonObject {
  const currency = scope.subscription.contract.currency_code;
  const present = presentPiece(scope.subscription, offer.line);
  return {
    id: `SWAP-${offer.line.id}-${offer.variant.id}`,
    kind: 'SWAP',
    profileId: offer.profileId,
    profileName: offer.profileName,
    lineId: offer.line.id,
    insteadOf: offer.line.product_title,
    quantity: offer.line.quantity,
    ...productMembers(scope, offer),
    difference: place === 'ADMIN' || offer.saysDifference ? toDecimal(offer.price - present, currency) : null,
    isRecommended: offer.isRecommended,
    mayBeOnce: offer.mayBeOnce,
  };
}

export interface SwapInput {
  id: number;
  lineId: number;
  variantId: number;
  once?: boolean;
  place?: Place;
  /** A preset bundle in place of the product. */
  bundleId?: number | null;
}

/** Swaps a product as the profile that applies now says. @throws Refusal 409 where nothing offers that swap any more */
export async function acceptSwap(scope: Scope, input: SwapInput): Promise<void> {
  const { work, subscription } = scope;
  const line = lineOf(subscription, input.lineId);
  const place = input.place ?? 'ADMIN';
  if (input.bundleId) {
    await acceptBundle(scope, { bundleId: input.bundleId, place, line });
    return;
  }
  const offer = (await swapsOf(scope, line, place)).find(({ variant }) => variant.id === input.variantId);
  if (!offer) throw invalidState(t`This swap is not allowed.`);
  if (input.once && !offer.mayBeOnce) throw invalidState(t`Swaps for one order alone are off in the settings of product swaps.`);
  const [before, fromVariantId] = [presentValue(scope.subscription, line), line.variant_id];
  await swapLine(work, subscription, {
    lineId: line.id,
    variantId: input.variantId,
    quantity: line.quantity,
    pricingType: ENGINE[offer.pricing],
    once: input.once ?? false,
  });
  await note(scope, {
    kind: 'SWAP',
    profileId: offer.profileId,
    happened: 'ACCEPTED',
    place,
    isOnce: input.once ?? false,
    fromVariantId,
    toVariantId: input.variantId,
    quantity: line.quantity,
    before,
    after: input.once ? times(offer.price, line.quantity) : presentValue(scope.subscription, line),
  });
}
