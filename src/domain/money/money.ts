/** Amounts of money: whole minor units inside, decimal strings on the wire, never floating point. */
import * as iso4217 from 'dinero.js/currencies';

/**
 * Codes whose digits differ from the currency data: ISO 4217 gives ariary and ouguiya two; the others are
 * withdrawn but still found in old orders.
 */
const DIGITS_BY_HAND: Readonly<Record<string, number>> = { MGA: 2, MRU: 2, ANG: 2, CUC: 2, HRK: 2, SLL: 2, ZWL: 2 };

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...Object.values(iso4217).map((currency): [string, number] => [currency.code, currency.exponent]),
  ...Object.entries(DIGITS_BY_HAND),
]);

/** Every currency code that we can count in, in alphabetical order (D271: about 150). */
export const CURRENCY_CODES: readonly string[] = [...DIGITS.keys()].sort();

/** Decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. Throws a RangeError for an unknown code. */
export function minorDigits(currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw new RangeError(`"${currency}" is not a currency code. Use an ISO 4217 code such as USD.`);
  return digits;
}

/** Name of a currency for people, such as "US Dollar" (D271). */
export function currencyName(currency: string, locale = 'en-US'): string {
  minorDigits(currency);
  return new Intl.DisplayNames([locale], { type: 'currency' }).of(currency) ?? currency;
}

/** Symbol of a currency, such as "$" or "€"; the code itself where no symbol exists (D271). */
export function currencySymbol(currency: string, locale = 'en-US'): string {
  minorDigits(currency);
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  return parts.find(part => part.type === 'currency')?.value ?? currency;
}

/** An amount beyond what is counted exactly, where everything else about it is right. */
export class AmountTooLarge extends RangeError {}

/**
 * Reads a decimal amount as minor units: `toMinor("24.00", "USD")` is 2400.
 * Zeros behind the currency's last decimal are harmless ("500.00" is 500 yen); other digits there are an error, as are
 * signs of grouping, exponents and amounts too large to be exact. Throws a RangeError that says what is wrong.
 */
export function toMinor(amount: string | number, currency: string): number {
  const digits = minorDigits(currency);
  const text = String(amount).trim();
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new RangeError(`"${text}" is not an amount of money. Write it like ${toDecimal(2400, currency)}.`);
  const [, sign = '', whole = '', decimals = ''] = match;
  if (/[1-9]/.test(decimals.slice(digits))) {
    const allowed = digits === 0 ? 'no decimals' : digits === 1 ? 'at most 1 decimal' : `at most ${digits} decimals`;
    throw new RangeError(`"${text}" has too many decimals. Amounts in ${currency} have ${allowed}.`);
  }
  const minor = Number(sign + whole + decimals.slice(0, digits).padEnd(digits, '0'));
  if (!Number.isSafeInteger(minor)) throw new AmountTooLarge(`"${text}" is too large to be an amount in ${currency}.`);
  return minor === 0 ? 0 : minor;
}

/** Writes minor units as the decimal string of the wire: `toDecimal(2400, "USD")` is "24.00". */
export function toDecimal(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(Math.abs(wholeMinor(minor))).padStart(digits + 1, '0');
  const split = text.length - digits;
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, split)}.${text.slice(split)}`;
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Money for people, in the currency's own decimals: "$1,234.50" (D280, D281), "¥1,235", "KWD 1.250". */
export function formatMoney(minor: number, currency: string, locale = 'en-US'): string {
  const key = `${locale} ${currency}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    const digits = minorDigits(currency);
    formatter = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(key, formatter);
  }
  // The decimal string is formatted as it is, so large amounts keep their last digit.
  return formatter.format(toDecimal(minor, currency) as `${number}`);
}

/** Returns the amount when it is a whole, exactly representable number of minor units; throws a RangeError otherwise. */
export function wholeMinor(minor: number): number {
  if (Number.isFinite(minor) && Math.abs(minor) > Number.MAX_SAFE_INTEGER)
    throw new AmountTooLarge(`${minor} is not a whole number of minor units that can be counted exactly.`);
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is not a whole number of minor units.`);
  return minor;
}

/** Percentages are exact to six decimals. */
const PERCENT_SCALE = 1_000_000;

/** `percent` of an amount, rounded half up (towards plus infinity at exactly one half) to the minor unit. */
export function percentOf(minor: number, percent: number): number {
  if (!Number.isFinite(percent)) throw new RangeError(`${percent} is not a percentage.`);
  const numerator = BigInt(wholeMinor(minor)) * BigInt(Math.round(percent * PERCENT_SCALE));
  return wholeMinor(Number(divideHalfUp(numerator, BigInt(PERCENT_SCALE) * 100n)));
}

/** A number as it is written in decimals, as a fraction: 1.1 is 11 / 10. */
function fraction(value: number): readonly [bigint, bigint] {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!match) throw new RangeError(`${value} is not a number to calculate with.`);
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = match;
  const digits = BigInt(`${sign}${whole}${decimals}`);
  const shift = Number(exponent) - decimals.length;
  return shift < 0 ? [digits, 10n ** BigInt(-shift)] : [digits * 10n ** BigInt(shift), 1n];
}

/**
 * An amount times the one numbers and over the others, as it is done by hand: decimals are what they are written as, and it is rounded
 * once, half up, at the end. `scaled(20, [3.25], [10])` is 7. The divisors are above 0.
 */
export function scaled(minor: number, by: readonly number[], over: readonly number[] = []): number {
  let [top, bottom] = [BigInt(wholeMinor(minor)), 1n];
  for (const value of by) {
    const [n, d] = fraction(value);
    top *= n;
    bottom *= d;
  }
  for (const value of over) {
    const [n, d] = fraction(value);
    top *= d;
    bottom *= n;
  }
  if (bottom <= 0n) throw new RangeError('An amount is only divided by numbers above 0.');
  const result = Number(divideHalfUp(top, bottom));
  return result === 0 ? 0 : wholeMinor(result);
}

/** A number over another above 0 as a decimal text, to 20 digits after the point: `ratio(1.1, 2)` is "0.55". */
export function ratio(over: number, under: number): string {
  const [[n, d], [m, e]] = [fraction(over), fraction(under)];
  if (m <= 0n) throw new RangeError('A number is only divided by one above 0.');
  const digits = divideHalfUp(n * e * 10n ** 20n, d * m)
    .toString()
    .padStart(21, '0');
  const [whole, decimals] = [digits.slice(0, -20), digits.slice(-20)];
  const length = [...decimals].findLastIndex(digit => digit !== '0') + 1;
  return length === 0 ? whole : `${whole}.${decimals.slice(0, length)}`;
}

/** Amount times a whole number; throws a RangeError when the product is too large to be exact. */
export function times(minor: number, count: number): number {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} is not a whole number.`);
  const product = wholeMinor(minor) * count;
  return product === 0 ? 0 : wholeMinor(product);
}

/** Sum of amounts; throws a RangeError when it is too large to be exact. */
export function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total = wholeMinor(total + wholeMinor(amount));
  return total;
}

/**
 * Splits an amount in proportion to whole, non-negative weights so that the parts add up exactly (largest remainder,
 * ties to the earlier part). No part is larger than its weight when the amount is not larger than the sum of the
 * weights. Weights that are all 0 share equally.
 */
export function allocate(minor: number, weights: readonly number[]): number[] {
  wholeMinor(minor);
  if (weights.length === 0) {
    if (minor === 0) return [];
    throw new RangeError('An amount cannot be split over no parts.');
  }
  if (weights.some(weight => !Number.isSafeInteger(weight) || weight < 0)) {
    throw new RangeError('Weights must be whole numbers of 0 or more.');
  }
  const shares = weights.every(weight => weight === 0) ? weights.map(() => 1n) : weights.map(BigInt);
  const whole = shares.reduce((a, b) => a + b, 0n);
  const amount = BigInt(Math.abs(minor));
  const parts = shares.map((share, index) => ({ index, floor: (amount * share) / whole, rest: (amount * share) % whole }));
  let left = Number(amount - parts.reduce((total, part) => total + part.floor, 0n));
  const result = parts.map(part => Number(part.floor));
  for (const part of [...parts].sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))) {
    if (left === 0) break;
    result[part.index] = (result[part.index] ?? 0) + 1;
    left -= 1;
  }
  return minor < 0 ? result.map(part => (part === 0 ? 0 : -part)) : result;
}

/** Quotient rounded half up, for a positive divisor. */
function divideHalfUp(numerator: bigint, divisor: bigint): bigint {
  const doubled = 2n * numerator + divisor;
  const quotient = doubled / (2n * divisor);
  // Bigint division cuts towards zero; below zero the floor is one less unless it divides evenly.
  return doubled < 0n && doubled % (2n * divisor) !== 0n ? quotient - 1n : quotient;
}
