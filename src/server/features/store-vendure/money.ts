// Vendure counts all money with the same decimals, two unless the shop was set up otherwise, whatever the currency has: 100 yen are 10000.
import { minorDigits, toDecimal } from '../../../domain/money/money.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopLink } from '../../platform/store-platform/store-platform.ts';

type Counted = Pick<ShopLink, 'currency' | 'precision'>;

/** The shop's amount in our minor units, rounded half up where it has more decimals than the currency. */
export function fromShop({ currency, precision }: Counted, there: number): number {
  const more = minorDigits(currency) - precision;
  return more >= 0 ? there * 10 ** more : Math.round(there / 10 ** -more);
}

/** Our minor units as the shop counts them. @throws ShopError WRONG for an amount that it has too few decimals for */
export function toShop({ currency, precision }: Counted, minor: number): number {
  const more = precision - minorDigits(currency);
  if (more >= 0) return minor * 10 ** more;
  const there = minor / 10 ** -more;
  if (!Number.isInteger(there))
    throw new ShopError('WRONG', 'TOO_FINE', { amount: toDecimal(minor, currency), currency, decimals: precision });
  return there;
}
