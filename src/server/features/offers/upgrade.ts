// What products of a subscription may be upgraded to: by each upgrade that is on and fits, the first one for a product.
import { sql, type RawBuilder } from 'kysely';
import { sameInterval, type Interval } from '../../../domain/calendar/interval.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { times, toDecimal, toMinor } from '../../../domain/money/money.ts';
import { invalidState } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import {
  billingOf,
  hasFrequency,
  type LineRow,
  type Pricing,
  readCatalogue,
  upgrade,
  type UpgradeType,
  presentPiece,
  presentValue,
} from '../../engine/index.ts';
import { amountIn, showable, type Choice } from './choices.ts';
import { note, productMembers } from './offer.ts';
import { activeProfiles, meetsConditions, type Place, type Scope } from './profiles.ts';
import { t } from '../../../domain/text/t.ts';

export type TextEntry = {
  fieldKey: string;
  value: string;
};
export type UpgradeProfile = {
  id: number;
  name: string;
  type: UpgradeType;
  conditions?: ConditionSet;
  productsMapping?: { oldVariantId: number; newVariantId: number; newQuantity?: number | null }[];
  frequencies?: { oldFrequency: Interval; newFrequency: Interval }[];
  discount?: { type: 'BASED_ON_SELLING_PLAN' | 'NONE' | 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE'; value?: string };
  bannerTexts?: TextEntry[];
  drawerTexts?: TextEntry[];
  shortDescriptionText?: { fieldKey?: string; value?: string };
  showAfterDismiss?: { mode: string; value?: number };
};
export interface UpgradeOffer extends Choice {
  profile: UpgradeProfile;
  line: LineRow;
  quantity: number;
  /** The whole subscription's, where it changes. */
  frequency: Interval | undefined;
  pricing: Pricing;
  /** The subscriber put it away: it is not shown by itself, and can be had all the same. */
  isPutAway: boolean;
}

/** The subscription as it would be at another frequency, to price products for it. */
const atFrequency = (scope: Scope, frequency: Interval | undefined): Scope =>
  frequency
    ? {
        ...scope,
        subscription: {
          ...scope.subscription,
          contract: {
            ...scope.subscription.contract,
            billing_interval: frequency.interval,
            billing_interval_count: frequency.intervalCount,
            delivery_interval: frequency.interval,
            delivery_interval_count: frequency.intervalCount,
          },
        },
      }
    : scope;

/** The discount of an upgrade; amounts are the store's, in the subscription's currency. Null where there is no rate for it. */
function pricingOf(scope: Scope, { discount }: UpgradeProfile): Pricing | null {
  const type = discount?.type ?? 'BASED_ON_SELLING_PLAN';
  if (type === 'BASED_ON_SELLING_PLAN' || type === 'NONE') return { discountType: type };
  if (type === 'PERCENTAGE') return { discountType: type, discountValue: discount?.value ?? '0' };
  const amount = amountIn(scope, discount?.value ?? '0');
  return amount === null ? null : { discountType: type, discountValue: amount };
}

/** Whether every other product of the subscription is sold at the new frequency: that moves all of them. */
async function othersFollow({ work, subscription }: Scope, line: LineRow, frequency: Interval): Promise<boolean> {
  const ids = subscription.lines.flatMap(one => (one === line || one.one_time_added ? [] : (one.variant_id ?? [])));
  if (ids.length === 0) return true;
  const { plans } = await readCatalogue(work.context, { ids });
  return ids.every(id => (plans.get(id) ?? []).some(({ plan }) => hasFrequency(plan, frequency, frequency)));
}

/** Of an event (`e`) of an upgrade: neither it nor all of them were reset since. */
export const sinceReset = (storeId: number): RawBuilder<boolean> =>
  sql`not exists (select 1 from upgrade_resets r where r.store_id = ${storeId}::integer and r.profile_id in (0, e.profile_id)
    and r.last_event >= e.id)`;

/** Whether a subscriber put the upgrade away and may not see it yet: it counts from the last time they did. */
async function isPutAway({ context, subscription }: Scope, { id, showAfterDismiss }: UpgradeProfile): Promise<boolean> {
  const { rows } = await sql<{ at: Date }>`select created_at as at from offer_events e where store_id = ${context.storeId}::integer
    and contract_id = ${subscription.contract.id}::bigint and kind = 'UPGRADE' and profile_id = ${id}::bigint and happened = 'DISMISSED'
    and ${sinceReset(context.storeId)} order by id desc limit 1`.execute(context.trx);
  const last = rows[0]?.at;
  if (!last) return false;
  const { mode, value = 1 } = showAfterDismiss ?? { mode: 'DO_NOT_SHOW' };
  if (mode === 'ORDERS_COMPLETED') {
    const orders = await sql<{ n: number }>`select count(*)::integer as n from orders where store_id = ${context.storeId}::integer
      and contract_id = ${subscription.contract.id}::bigint and status = 'PAID' and processed_at > ${last}::timestamptz`.execute(
      context.trx,
    );
    return (orders.rows[0]?.n ?? 0) < value;
  }
  if (mode === 'AMOUNT_COMPLETED') {
    const { rows: paid } = await sql<{ total: number }>`select coalesce(sum(total), 0)::float8 as total from orders
      where store_id = ${context.storeId}::integer and contract_id = ${subscription.contract.id}::bigint and status = 'PAID'
        and processed_at > ${last}::timestamptz`.execute(context.trx);
    const own = context.store.currency_code;
    const sum = convert(context.store, paid[0]?.total ?? 0, subscription.contract.currency_code, own);
    return sum === null || sum < toMinor(String(value), own);
  }
  const days = { TIME_DURATION_DAYS: 1, TIME_DURATION_WEEKS: 7, TIME_DURATION_MONTHS: 30 }[mode];
  return days === undefined || context.now().getTime() < addDays(last.getTime(), days * value, context.store.timezone);
}

async function offerFor(
  scope: Scope,
  profile: UpgradeProfile,
  line: LineRow,
  isAway: () => Promise<boolean>,
): Promise<UpgradeOffer | undefined> {
  const pair = (profile.productsMapping ?? []).find(one => one.oldVariantId === line.variant_id);
  if (!pair || line.one_time_added || line.bundle_transaction_id) return undefined;
  const present = billingOf(scope.subscription.contract);
  const frequency =
    profile.type === 'SKU_UPGRADE_FREQUENCY_CHANGE'
      ? profile.frequencies?.find(({ oldFrequency }) => sameInterval(oldFrequency, present))?.newFrequency
      : undefined;
  if (profile.type === 'SKU_UPGRADE_FREQUENCY_CHANGE' && (!frequency || scope.subscription.contract.is_prepaid)) return undefined;
  if (frequency && !(await othersFollow(scope, line, frequency))) return undefined;
  const quantity = pair.newQuantity ?? line.quantity;
  const then = atFrequency(scope, frequency);
  const pricing = pricingOf(scope, profile);
  const [choice] = await showable(then, [pair.newVariantId], { pieces: quantity, needsPlan: true, pricing: () => pricing });
  return choice && pricing ? { ...choice, profile, line, quantity, frequency, pricing, isPutAway: await isAway() } : undefined;
}

/** The upgrades of a subscription that are shown by themselves: the team sees those that the subscriber put away as well. */
export const upgradesOf = async (scope: Scope, place: Place): Promise<UpgradeOffer[]> =>
  (await allUpgradesOf(scope)).filter(one => place === 'ADMIN' || !one.isPutAway);

/** The upgrades of a subscription, in the order of their priority; a product has the first one that fits it. */
export async function allUpgradesOf(scope: Scope): Promise<UpgradeOffer[]> {
  if (scope.subscription.contract.status !== 'ACTIVE') return [];
  const offers: UpgradeOffer[] = [];
  for (const profile of await activeProfiles<UpgradeProfile>(scope.context, 'upgrade-profile')) {
    if (!(await meetsConditions(scope, profile.conditions))) continue;
    let away: Promise<boolean> | undefined;
    const isAway = (): Promise<boolean> => (away ??= isPutAway(scope, profile));
    for (const line of scope.subscription.lines) {
      if (offers.some(offer => offer.line === line)) continue;
      const offer = await offerFor(scope, profile, line, isAway);
      if (offer) offers.push(offer);
    }
  }
  return offers;
}

/** An upgrade as it stands among the offers of a subscription. */
export function upgradeMembers(scope: Scope, offer: UpgradeOffer): JsonObject {
  const { profile, line, quantity } = offer;
  const difference = times(offer.price, quantity) - times(presentPiece(scope.subscription, line), line.quantity);
  return {
    id: `UPGRADE-${line.id}-${offer.variant.id}`,
    kind: 'UPGRADE',
    profileId: profile.id,
    profileName: profile.name,
    lineId: line.id,
    insteadOf: line.product_title,
    quantity,
    ...productMembers(scope, offer),
    difference: toDecimal(difference, scope.subscription.contract.currency_code),
    frequency: offer.frequency ?? null,
  };
}

/** Upgrades a product as the profile says now. @throws Refusal 409 where it offers that no more */
export async function acceptUpgrade(
  scope: Scope,
  {
    profileId,
    lineId,
    notifyCustomer = false,
    place = 'ADMIN',
  }: { profileId: number; lineId: number; notifyCustomer?: boolean; place?: Place },
): Promise<void> {
  const { work, subscription } = scope;
  const offer = (await allUpgradesOf(scope)).find(one => one.profile.id === profileId && one.line.id === lineId);
  if (!offer) throw invalidState(t`This upgrade is not offered to the product any more.`);
  const [before, fromVariantId] = [presentValue(scope.subscription, offer.line), offer.line.variant_id];
  await upgrade(work, subscription, {
    lineId,
    variantId: offer.variant.id,
    quantity: offer.quantity,
    type: offer.profile.type,
    ...(offer.frequency ? { frequency: offer.frequency } : {}),
    ...(offer.pricing.discountType ? { discountType: offer.pricing.discountType } : {}),
    discountValue: offer.pricing.discountValue === undefined ? null : String(offer.pricing.discountValue),
    notifyCustomer,
  });
  await note(scope, {
    kind: 'UPGRADE',
    profileId,
    happened: 'ACCEPTED',
    place,
    fromVariantId,
    toVariantId: offer.variant.id,
    quantity: offer.quantity,
    before,
    after: presentValue(scope.subscription, offer.line),
  });
}
