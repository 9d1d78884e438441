// Prices, discounts, frequency, minimum and maximum.
import { minorDigits, toDecimal } from '../../../../domain/money/money.ts';
import type { IntervalUnit } from '../../../../domain/calendar/interval.ts';
import {
  discounts,
  pieceInCharge,
  recalculateDiscounts,
  updateBillingDetails,
  updateCycles,
  updatePrice as setPrice,
} from '../../../engine/index.ts';
import { skip, type ActionCode } from '../bulk-action.ts';
import { updatePrices } from '../updates/store-updates.ts';
import { linesOf } from './products.ts';
import { ahead } from './status.ts';
import { t } from '../../../../domain/text/t.ts';

interface Price {
  products: 'ALL' | 'ONE';
  variantId?: number;
  rule: 'PRICE' | 'PERCENT' | 'STORE';
  price?: string;
  percent?: number;
  rounding?: 'NONE' | 'WHOLE' | 'ENDING_99';
}

/** A price in minor units changed by a percentage and rounded; never below zero. */
export function changedBy(minor: number, percent: number, rounding: Price['rounding'], currency: string): number {
  const exact = Math.max(0, Number(((minor * (100 + percent)) / 100).toFixed(6)));
  const unit = 10 ** minorDigits(currency);
  if (rounding === 'WHOLE') return Math.round(exact / unit) * unit;
  // The nearest amount that is a hundredth below a whole one; currencies without decimals have none.
  if (rounding === 'ENDING_99' && unit > 1) return Math.max(unit, Math.round((exact + unit / 100) / unit) * unit) - Math.round(unit / 100);
  return Math.round(exact);
}

export const updatePrice: ActionCode<Price> = {
  variants: true,
  apply: async (work, subscription, { products, variantId, rule, price = '0', percent = 0, rounding = 'NONE' }) => {
    const lines =
      products === 'ONE' ? linesOf(subscription, [variantId as number]) : subscription.lines.filter(line => !line.one_time_added);
    if (rule === 'STORE') {
      const { skipped } = await updatePrices(
        work,
        subscription,
        { priceDirection: 'BOTH', graceDays: 0, excludeManualPrice: false, notifyCustomers: false },
        products === 'ONE' ? variantId : undefined,
      );
      if (skipped) throw skip(skipped);
      return;
    }
    const { currency_code: currency, completed_orders: orders } = subscription.contract;
    for (const line of lines) {
      const before = pieceInCharge(line, orders + 1, 1, currency);
      const after = rule === 'PRICE' ? price : toDecimal(changedBy(before, percent, rounding, currency), currency);
      if (toDecimal(before, currency) !== after) setPrice(work, subscription, { lineId: line.id, price: after });
    }
  },
};

export const addDiscount: ActionCode<discounts.NewDiscount & { kind: 'MANUAL' | 'CODE' }> = {
  check: ({ kind, type, value }) =>
    kind === 'MANUAL' && type === 'PERCENTAGE' && !Number.isInteger(Number(value))
      ? [{ pointer: '/value', rule: 'range', message: t`Enter a whole percentage, such as 10.` }]
      : [],
  apply: async (work, subscription, { kind, code, ...byHand }) => {
    if (kind === 'CODE' && subscription.discounts.some(one => one.code?.toLowerCase() === code?.trim().toLowerCase()))
      throw skip(t`This subscription has this discount code already.`);
    await discounts.addDiscount(work, subscription, kind === 'CODE' ? { code } : byHand);
  },
};

export const removeDiscount: ActionCode<{ which: 'ALL' | 'CODE' | 'TITLE'; code?: string; title?: string }> = {
  apply: (work, subscription, { which, code = '', title = '' }) => {
    const is = (text: string | null, wanted: string): boolean => text?.trim().toLowerCase() === wanted.trim().toLowerCase();
    const found = subscription.discounts.filter(
      one =>
        one.kind !== 'BUNDLE' &&
        (which === 'ALL' || (which === 'CODE' ? is(one.code, code) : one.kind === 'MANUAL' && is(one.title, title))),
    );
    if (found.length === 0)
      throw skip(which === 'ALL' ? t`This subscription has no discount.` : t`This subscription does not have this discount.`);
    for (const one of found) discounts.removeDiscount(work, subscription, { discountId: one.id });
  },
};

export const recalculate: ActionCode = {
  apply: recalculateDiscounts,
};

interface Frequency {
  billingPolicy: { interval: IntervalUnit; intervalCount: number };
  isDeliveryOther?: boolean;
  deliveryPolicy?: { interval: IntervalUnit; intervalCount: number };
  nextBillingDateEpoch?: number;
  discountType?: 'OLD' | 'NEW';
}

export const updateFrequency: ActionCode<Frequency> = {
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, subscription, { billingPolicy, isDeliveryOther, deliveryPolicy, nextBillingDateEpoch, discountType }) =>
    updateBillingDetails(work, subscription, {
      billingPolicy,
      ...(isDeliveryOther && deliveryPolicy ? { deliveryPolicy } : {}),
      ...(nextBillingDateEpoch === undefined ? {} : { nextBillingDateEpoch }),
      discountType,
    }),
};

export const updateMinMax: ActionCode<{ minCycles?: number | null; maxCycles?: number | null; onlyIfEmpty?: boolean }> = {
  apply: (work, subscription, { minCycles = null, maxCycles = null, onlyIfEmpty = false }) => {
    const { min_cycles, max_cycles } = subscription.contract;
    updateCycles(work, subscription, {
      minCycles: onlyIfEmpty && min_cycles !== null ? undefined : minCycles,
      maxCycles: onlyIfEmpty && max_cycles !== null ? undefined : maxCycles,
    });
  },
};
