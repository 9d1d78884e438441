// Prices, discounts, frequency, minimum and maximum.
import { minorDigits, toDecimal } from '../../../../domain/money/money.ts';
import type { IntervalUnit } from '../../../../domain/calendar/interval.ts';
import * as discounts from '../../subscriptions/engine/edits/discounts.ts';
import {
  recalculateDiscounts,
  updateBillingDetails,
  updateCycles,
  updateSellingPlan as changePlan,
} from '../../subscriptions/engine/edits/frequency.ts';
import { updatePrice as setPrice } from '../../subscriptions/engine/edits/lines.ts';
import { pieceInCharge } from '../../subscriptions/engine/price.ts';
import { skip, type BulkAction } from '../bulk-action.ts';
import { updatePrices } from '../updates/store-updates.ts';
import { linesOf } from './products.ts';
import { ahead } from './status.ts';

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

export const updatePrice: BulkAction<Price> = {
  key: 'UPDATE_PRICE',
  group: 'PRICE',
  label: 'Update price',
  description: 'Changes what products of subscriptions cost.',
  form: 'bulk-update-price',
  permission: 'subscriptionDiscount',
  action: 'updatePrice',
  variants: true,
  apply: (work, a, { products, variantId, rule, price = '0', percent = 0, rounding = 'NONE' }) => {
    const lines = products === 'ONE' ? linesOf(a, [variantId as number]) : a.lines.filter(line => !line.one_time_added);
    if (rule === 'STORE') {
      const { skipped } = updatePrices(
        work,
        a,
        { priceDirection: 'BOTH', graceDays: 0, excludeManualPrice: false, notifyCustomers: false },
        products === 'ONE' ? variantId : undefined,
      );
      if (skipped) throw skip(skipped);
      return;
    }
    const { currency_code: currency, completed_orders: orders } = a.contract;
    for (const line of lines) {
      const before = pieceInCharge(line, orders + 1, 1, currency);
      const after = rule === 'PRICE' ? price : toDecimal(changedBy(before, percent, rounding, currency), currency);
      if (toDecimal(before, currency) !== after) setPrice(work, a, { lineId: line.id, price: after });
    }
  },
};

export const addDiscount: BulkAction<discounts.NewDiscount & { kind: 'MANUAL' | 'CODE' }> = {
  key: 'ADD_DISCOUNT',
  group: 'PRICE',
  label: 'Add discount',
  description: 'Adds a discount code or a discount by hand.',
  form: 'bulk-add-discount',
  permission: 'subscriptionDiscount',
  action: 'addDiscount',
  check: ({ kind, type, value }) =>
    kind === 'MANUAL' && type === 'PERCENTAGE' && !Number.isInteger(Number(value))
      ? [{ pointer: '/value', rule: 'range', message: 'Enter a whole percentage, such as 10.' }]
      : [],
  apply: async (work, a, { kind, code, ...byHand }) => {
    if (kind === 'CODE' && a.discounts.some(one => one.code?.toLowerCase() === code?.trim().toLowerCase()))
      throw skip('This subscription has this discount code already.');
    await discounts.addDiscount(work, a, kind === 'CODE' ? { code } : byHand);
  },
};

export const removeDiscount: BulkAction<{ which: 'ALL' | 'CODE' | 'TITLE'; code?: string; title?: string }> = {
  key: 'REMOVE_DISCOUNT',
  group: 'PRICE',
  label: 'Remove discount',
  description: 'Takes discounts off subscriptions.',
  form: 'bulk-remove-discount',
  permission: 'subscriptionDiscount',
  action: 'removeDiscountCode',
  apply: (work, a, { which, code = '', title = '' }) => {
    const is = (text: string | null, wanted: string): boolean => text?.trim().toLowerCase() === wanted.trim().toLowerCase();
    const found = a.discounts.filter(
      one => which === 'ALL' || (which === 'CODE' ? is(one.code, code) : one.kind === 'MANUAL' && is(one.title, title)),
    );
    if (found.length === 0)
      throw skip(which === 'ALL' ? 'This subscription has no discount.' : 'This subscription does not have this discount.');
    for (const one of found) discounts.removeDiscount(work, a, { discountId: one.id });
  },
};

export const recalculate: BulkAction = {
  key: 'RECALCULATE_DISCOUNT',
  group: 'PRICE',
  label: 'Recalculate discounts',
  description: 'Gives every product the discount of its selling plan again. Prices set by hand go.',
  form: null,
  permission: 'subscriptionDiscount',
  action: 'updatePrice',
  apply: recalculateDiscounts,
};

interface Frequency {
  billingPolicy: { interval: IntervalUnit; intervalCount: number };
  isDeliveryOther?: boolean;
  deliveryPolicy?: { interval: IntervalUnit; intervalCount: number };
  nextBillingDateEpoch?: number;
  discountType?: 'OLD' | 'NEW';
}

export const updateFrequency: BulkAction<Frequency> = {
  key: 'UPDATE_FREQUENCY',
  group: 'SCHEDULE',
  label: 'Change frequency',
  description: 'Changes how often subscriptions are charged and delivered.',
  form: 'bulk-update-frequency',
  permission: 'subscriptionOrderActions',
  action: 'updateBillingDetails',
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, a, { billingPolicy, isDeliveryOther, deliveryPolicy, nextBillingDateEpoch, discountType }) =>
    updateBillingDetails(work, a, {
      billingPolicy,
      ...(isDeliveryOther && deliveryPolicy ? { deliveryPolicy } : {}),
      ...(nextBillingDateEpoch === undefined ? {} : { nextBillingDateEpoch }),
      discountType,
    }),
};

export const updateSellingPlan: BulkAction<{ sellingPlanId: number }> = {
  key: 'UPDATE_SELLING_PLAN',
  group: 'SCHEDULE',
  label: 'Change selling plan',
  description: 'Puts subscriptions on a published selling plan: its frequency, its minimum and maximum, its prices.',
  form: 'bulk-update-selling-plan',
  permission: 'subscriptionOrderActions',
  action: 'updateSellingPlan',
  apply: changePlan,
};

export const updateMinMax: BulkAction<{ minCycles?: number | null; maxCycles?: number | null; onlyIfEmpty?: boolean }> = {
  key: 'UPDATE_MIN_MAX_CYCLES',
  group: 'SCHEDULE',
  label: 'Minimum and maximum orders',
  description: 'Sets how many orders subscriptions have at least and at most.',
  form: 'bulk-update-min-max-cycles',
  permission: 'subscriptionOrderActions',
  action: 'updateBillingDetails',
  apply: (work, a, { minCycles = null, maxCycles = null, onlyIfEmpty = false }) => {
    const { min_cycles, max_cycles } = a.contract;
    updateCycles(work, a, {
      minCycles: onlyIfEmpty && min_cycles !== null ? undefined : minCycles,
      maxCycles: onlyIfEmpty && max_cycles !== null ? undefined : maxCycles,
    });
  },
};
