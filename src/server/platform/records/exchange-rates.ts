// Amounts of one currency in another, by the rates of the store: `details.usdRates` has the US dollars for one unit of each currency.
import { minorDigits, ratio, scaled } from '../../../domain/money/money.ts';

/** The rates among a store's details. */
export interface RateDetails {
  /** US dollars for one unit of each currency. */
  usdRates?: Record<string, number>;
}

/** What a store must say of itself to be asked for a rate. */
export interface StoreRates {
  currency_code: string;
  details: unknown;
}

/** The US dollars for one unit of a currency; 0 where the store has no rate for it. */
export const usdRate = (store: StoreRates, currency: string): number =>
  currency === 'USD' ? 1 : ((store.details as RateDetails | null)?.usdRates?.[currency] ?? 0);

/**
 * An amount in another currency, rounded half up once; both are minor units of their currency. Null where
 * the store has no rate for one of the two.
 */
export function convert(store: StoreRates, minor: number, from: string, to: string): number | null {
  if (from === to) return minor;
  const [rate, unit] = [usdRate(store, from), usdRate(store, to)];
  return rate > 0 && unit > 0 ? scaled(minor, [rate, 10 ** minorDigits(to)], [unit, 10 ** minorDigits(from)]) : null;
}

/**
 * What is kept with something that happens now in a currency: units of the store's own for one of it, by which the database converts it
 * whenever it is summed up (`booked`). Null where there is nothing to convert, or the store has no rate for one of the two.
 */
export function rateOfNow(store: StoreRates, currency: string): string | null {
  if (currency === store.currency_code) return null;
  const [rate, unit] = [usdRate(store, currency), usdRate(store, store.currency_code)];
  return rate > 0 && unit > 0 ? ratio(rate, unit) : null;
}

/** Whether the store's own amounts can be converted into a currency. */
export const hasRate = (store: StoreRates, currency: string): boolean =>
  currency === store.currency_code || (usdRate(store, currency) > 0 && usdRate(store, store.currency_code) > 0);

/** An amount of any currency in the store's own, for sums: an amount without a rate counts as nothing. */
export const inStoreCurrency = (store: StoreRates, minor: number, currency: string): number =>
  convert(store, minor, currency, store.currency_code) ?? 0;
