// Changes prices of products: to a price, by a percentage, or to that of the store.
import { minorDigits, toDecimal } from '../../../../domain/money/money.ts';
import { updatePrice as setPrice } from '../../edits/lines.ts';
import { updatePrices } from '../../edits/store-prices.ts';
import { pieceInCharge } from '../../price.ts';
import { skip, type ActionCode } from '../action.ts';
import { linesOf } from '../lines-of-variants.ts';

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

export const action: ActionCode<Price, { lineId: number; price: string }> = {
  variants: true,
  one: setPrice,
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
