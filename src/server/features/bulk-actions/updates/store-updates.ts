// The updates of all subscriptions that settings pages start: product prices, shipping prices, the billing hour and the order schedule.
import { sql } from 'kysely';
import { toDecimal } from '../../../../domain/money/money.ts';
import { atBillingHour, dayOf } from '../../../../domain/calendar/calendar.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import {
  type Aggregate,
  type LineRow,
  performOne,
  nameOf,
  policyOf,
  recurringShippingPrice,
  toCustomer,
  type UnitOfWork,
} from '../../../engine/index.ts';
import { presetBundles } from '../../bundles/preset-update.ts';
import { running, type ContractUpdate, type Outcome } from './contract-update.ts';
import { chargeOffsets, deliveryDateFields } from './order-schedule-update.ts';

const DAY_MS = 86_400_000;

export interface PriceSettings {
  priceDirection: 'BOTH' | 'INCREASE_ONLY' | 'DECREASE_ONLY';
  graceDays: number;
  excludeManualPrice: boolean;
  notifyCustomers: boolean;
}

/** Whether a line takes over the price of its variant (settings, auto updates). */
function takesOver(line: LineRow, price: number, { priceDirection, excludeManualPrice }: PriceSettings): boolean {
  if (line.one_time_added || line.base_price === price || (line.price_is_manual && excludeManualPrice)) return false;
  return priceDirection === 'BOTH' || (priceDirection === 'INCREASE_ONLY' ? price > line.base_price : price < line.base_price);
}

/** Gives a line the new price; its discount is applied again when the contract is written. */
function reprice(line: LineRow, price: number): void {
  if (!policyOf(line) && line.price === line.base_price) line.price = price;
  else if (!policyOf(line) && line.price_is_manual) line.price = price;
  line.base_price = price;
  line.price_is_manual = false;
}

export const productPrices: ContractUpdate = {
  kind: 'UPDATE_PRODUCT_PRICE',
  // Only contracts with a line whose variant costs something else now.
  async candidates(trx, storeId, after, limit) {
    const { rows } = await sql<{ id: number }>`select c.id from contracts c
      where c.store_id = ${storeId} and c.status in ('ACTIVE', 'PAUSED') and c.id > ${after} and exists (
        select 1 from contract_lines l join variants v on v.store_id = l.store_id and v.id = l.variant_id and v.deleted_at is null
        where l.store_id = ${storeId} and l.contract_id = c.id and not l.one_time_added and l.base_price <> v.price)
      order by c.id limit ${limit}`.execute(trx);
    return rows.map(row => row.id);
  },
  async count(trx, storeId) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from contracts c
      where c.store_id = ${storeId} and c.status in ('ACTIVE', 'PAUSED') and exists (
        select 1 from contract_lines l join variants v on v.store_id = l.store_id and v.id = l.variant_id and v.deleted_at is null
        where l.store_id = ${storeId} and l.contract_id = c.id and not l.one_time_added and l.base_price <> v.price)`.execute(trx);
    return rows[0]?.n ?? 0;
  },
  async apply(work, aggregates) {
    await work.loadVariants(aggregates);
    const settings = (await work.context.setting('auto-updates')) as unknown as PriceSettings;
    const outcomes: Outcome[] = [];
    for (const subscription of aggregates) outcomes.push(await updatePrices(work, subscription, settings));
    return outcomes;
  },
};

/**
 * Gives lines of a contract (all recurring ones, or those of one variant) the present prices of their variants, which are loaded before.
 */
export async function updatePrices(
  work: UnitOfWork,
  subscription: Aggregate,
  settings: PriceSettings,
  variantId?: number,
): Promise<Outcome> {
  const { contract } = subscription;
  const nothing: Outcome = { contractId: contract.id, changed: false };
  const lines = subscription.lines.flatMap(line => {
    const price =
      line.variant_id === null || (variantId !== undefined && line.variant_id !== variantId)
        ? undefined
        : work.variants.get(line.variant_id)?.price;
    return price !== undefined && takesOver(line, price, settings) ? [{ line, price }] : [];
  });
  if (lines.length === 0) return nothing;
  // Variants have a price in the store's currency only.
  if (contract.currency_code !== work.context.store.currency_code)
    return { ...nothing, skipped: `There is no price in ${contract.currency_code}.` };
  const next = contract.next_billing_at?.getTime();
  if (settings.graceDays > 0 && next !== undefined && next <= work.at.getTime() + settings.graceDays * DAY_MS)
    return { ...nothing, skipped: `Its next order is due within ${settings.graceDays} ${settings.graceDays === 1 ? 'day' : 'days'}.` };
  const money = (minor: number): string => toDecimal(minor, contract.currency_code);
  const before = contract.total;
  const changes = lines.map(({ line, price }): JsonObject => ({
    lineId: line.id,
    title: nameOf(line),
    before: money(line.base_price),
    after: money(price),
  }));
  // The totals are those of the new prices once it is done.
  const done = await performOne(work, subscription, {
    action: null,
    apply: () => {
      for (const { line, price } of lines) reprice(line, price);
    },
  });
  if ('refused' in done) return { ...nothing, skipped: done.refused };
  work.note(subscription, 'price_updated', {
    isAutomatic: true,
    lines: changes,
    totalBefore: money(before),
    totalAfter: money(contract.total),
    currencyCode: contract.currency_code,
  });
  if (settings.notifyCustomers && contract.customer_email) mailPrices(work, subscription, before);
  return { contractId: contract.id, changed: true };
}

/** One letter per contract and day. */
function mailPrices(work: UnitOfWork, subscription: Aggregate, before: number): void {
  const { contract } = subscription;
  const day = dayOf(work.at.getTime(), work.zone);
  toCustomer(work, subscription, 'PRICE_UPDATED', `${contract.id}:${day.year}-${day.month}-${day.day}`, say => ({
    before: say.money(before, contract.currency_code),
    after: say.money(contract.total, contract.currency_code),
  }));
}

export const shippingPrices: ContractUpdate = {
  kind: 'UPDATE_SHIPPING_PRICE',
  ...running,
  async apply(work, aggregates) {
    return aggregates.map(subscription => recomputeShipping(work, subscription));
  },
};

/** Works the shipping price of a contract out again, by the present rates. */
export function recomputeShipping(work: UnitOfWork, subscription: Aggregate): Outcome {
  const { contract, lines } = subscription;
  const price = recurringShippingPrice(
    work.context.store,
    contract,
    lines.filter(line => !line.one_time_added),
  );
  if (price === null || price === contract.delivery_price) return { contractId: contract.id, changed: false };
  const money = (minor: number): string => toDecimal(minor, contract.currency_code);
  work.note(subscription, 'shipping_price_updated', {
    before: money(contract.delivery_price),
    after: money(price),
    currencyCode: contract.currency_code,
    isAutomatic: true,
  });
  contract.delivery_price = price;
  return { contractId: contract.id, changed: true };
}

/** Moves every order ahead to the billing hour of its day, in the store's time zone. The hour is that of the run's start. */
export const billingHours: ContractUpdate = {
  kind: 'UPDATE_BILLING_HOUR',
  ...running,
  async apply(work, aggregates, input) {
    const hour = Number(input.billingHour);
    const move = (at: Date): Date => new Date(atBillingHour(at.getTime(), work.zone, hour));
    return aggregates.map((subscription): Outcome => {
      const { contract } = subscription;
      const next = contract.next_billing_at;
      if (contract.base_at) contract.base_at = move(contract.base_at);
      if (contract.resume_at) contract.resume_at = move(contract.resume_at);
      for (const order of subscription.orders) {
        if (order.cycle < contract.next_cycle || order.status !== 'SCHEDULED' || !order.is_rescheduled) continue;
        order.billing_at = move(order.billing_at);
        order.delivery_at = move(order.delivery_at);
        order.scheduled_at = move(order.scheduled_at);
      }
      const changed = next !== null && move(next).getTime() !== next.getTime();
      if (changed) work.note(subscription, 'order_schedule_preferences', { billingHour: hour, isAutomatic: true });
      return { contractId: contract.id, changed };
    });
  },
};

export const UPDATES: Record<string, ContractUpdate> = Object.fromEntries(
  [productPrices, shippingPrices, billingHours, chargeOffsets, deliveryDateFields, presetBundles].map(update => [update.kind, update]),
);
