// Prices of the store taken over by a subscription: those of its products, and that of shipping.
import { toDecimal } from '../../../domain/money/money.ts';
import { dayOf } from '../../../domain/calendar/calendar.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { performOne } from '../actions/perform.ts';
import type { Aggregate } from '../aggregate.ts';
import { recurringShippingPrice } from '../delivery/delivery-options.ts';
import { toCustomer } from '../mails.ts';
import { nameOf, policyOf } from '../price.ts';
import type { LineRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** What an update did to a subscription: whether it changed, or why it was left alone. */
export type Outcome = { contractId: number; changed: boolean; skipped?: string };

const DAY_MS = 86_400_000;

export type PriceSettings = {
  priceDirection: 'BOTH' | 'INCREASE_ONLY' | 'DECREASE_ONLY';
  graceDays: number;
  excludeManualPrice: boolean;
  notifyCustomers: boolean;
};

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
