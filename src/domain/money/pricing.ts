/** Unit prices under a plan. Amounts are minor units; order 1 is the checkout order. */
import { formatMoney, percentOf, times, toMinor, wholeMinor } from './money.ts';
import { intlLocale, t } from '../text/t.ts';

/**
 * `value` is a percentage for PERCENTAGE, minor units for the others and meaningless for NONE. FIXED
 * is another word for FIXED_AMOUNT (D242).
 */
export type PriceRule = { type: 'NONE' | 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FIXED' | 'PRICE'; value: number };

/** The rule for the orders numbered above `afterCycle`: 0 for the price from the first order on. */
export type CyclePrice = { afterCycle: number; rule: PriceRule };

export const FULL_PRICE: PriceRule = { type: 'NONE', value: 0 };

/**
 * The rule that holds for an order: of those it is numbered above, the one with the highest `afterCycle`. Full price when there is none.
 */
export function ruleFor(prices: readonly CyclePrice[], orderNumber: number): PriceRule {
  let best: CyclePrice | null = null;
  for (const price of prices) {
    if (price.afterCycle < orderNumber && (!best || price.afterCycle > best.afterCycle)) best = price;
  }
  return best?.rule ?? FULL_PRICE;
}

/** Price of one unit: base x (1 - p/100), base - amount (never below 0) or the price itself; rounded half up per unit. */
export function unitPrice(base: number, rule: PriceRule): number {
  return chargePrice(base, rule, 1);
}

/**
 * Price of one unit in a charge that pays for several deliveries. `base`, percentage and PRICE are per delivery; an
 * amount off is off the whole charge, so that it is spread over the deliveries and none of it gets lost in rounding.
 */
export function chargePrice(base: number, rule: PriceRule, deliveriesPerCharge: number): number {
  switch (rule.type) {
    case 'NONE':
      return times(base, deliveriesPerCharge);
    case 'PERCENTAGE':
      return times(Math.max(0, percentOf(base, 100 - rule.value)), deliveriesPerCharge);
    case 'FIXED_AMOUNT':
    case 'FIXED':
      return Math.max(0, times(base, deliveriesPerCharge) - wholeMinor(rule.value));
    case 'PRICE':
      return times(Math.max(0, rule.value), deliveriesPerCharge);
  }
}

/** Reads a discount of the wire: money values are decimal strings or numbers in the currency, percentages plain numbers. */
export function priceRule(type: PriceRule['type'], value: string | number | null | undefined, currency: string): PriceRule {
  if (type === 'NONE' || value === null || value === undefined || value === '') return FULL_PRICE;
  if (type !== 'PERCENTAGE') return { type, value: toMinor(value, currency) };
  const percent = Number(value);
  if (!Number.isFinite(percent)) throw new RangeError(`"${value}" is not a percentage.`);
  return { type, value: percent };
}

/** "10% off", "$5.00 off", "$20.00 each" or "full price". */
export function ruleLabel(rule: PriceRule, currency: string, locale = intlLocale()): string {
  switch (rule.type) {
    case 'NONE':
      return t`full price`;
    case 'PERCENTAGE': {
      const percent = rule.value.toLocaleString(locale, { maximumFractionDigits: 6 });
      return t`${percent}% off`;
    }
    case 'FIXED_AMOUNT':
    case 'FIXED': {
      const value = formatMoney(rule.value, currency, locale);
      return t`${value} off`;
    }
    case 'PRICE': {
      const value = formatMoney(rule.value, currency, locale);
      return t`${value} each`;
    }
  }
}
