// Money, numbers and moments as people read them. Moments are shown in the store's time zone.
import { digitsOf } from '../../domain/money/currency-digits.ts';
import { groupThousands } from '../../domain/money/numbers.ts';
import { intlLocale, t } from '../../domain/text/t.ts';

export { shortNumber as short } from '../../domain/money/numbers.ts';

const LOCALE = intlLocale();
const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function numbers(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  let found = cache.get(key) as Intl.NumberFormat | undefined;
  if (!found) cache.set(key, (found = new Intl.NumberFormat(LOCALE, options)));
  return found;
}
function dates(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  let found = cache.get(key) as Intl.DateTimeFormat | undefined;
  if (!found) cache.set(key, (found = new Intl.DateTimeFormat(LOCALE, options)));
  return found;
}

let ownCurrency = '';
/** Set once with the session: the store's currency, whose sign no other currency may be taken for. */
export function setCurrency(code: string): void {
  ownCurrency = code;
}

const signs = new Map<string, string>();
function signOf(currency: string, currencyDisplay: 'narrowSymbol' | 'symbol'): string {
  const key = `${currencyDisplay} ${currency}`;
  let sign = signs.get(key);
  if (sign === undefined)
    signs.set(
      key,
      (sign =
        new Intl.NumberFormat(LOCALE, { style: 'currency', currency, currencyDisplay })
          .formatToParts(0)
          .find(part => part.type === 'currency')?.value ?? currency),
    );
  return sign;
}
/**
 * How a currency is written: by its short sign, unless the store's own has the same one; then "A$12.00", and by
 * its code where even that is the store's.
 */
function displayOf(currency: string): 'narrowSymbol' | 'symbol' | 'code' {
  if (!ownCurrency || currency === ownCurrency || signOf(currency, 'narrowSymbol') !== signOf(ownCurrency, 'narrowSymbol'))
    return 'narrowSymbol';
  return signOf(currency, 'symbol') === signOf(ownCurrency, 'narrowSymbol') ? 'code' : 'symbol';
}

/**
 * "1234.5", "USD" -> "$1,234.50" (D280, D281), in the currency's own decimals: "¥1,235", "KWD 1.250". Without a currency the bare number.
 */
export function money(value: string | number | null | undefined, currency?: string): string {
  if (value === null || value === undefined || value === '') return '';
  if (!currency) return groupThousands(value);
  const digits = digitsOf(currency);
  const currencyDisplay = displayOf(currency);
  return numbers(`money ${currency} ${currencyDisplay}`, {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value as `${number}`);
}

/** "USD" -> "$": what stands before an amount, for axes. */
export const currencySign = (currency: string): string =>
  displayOf(currency) === 'code' ? `${currency} ` : signOf(currency, displayOf(currency) as 'narrowSymbol' | 'symbol');

/** 12480 -> "12,480" */
export const count = (value: number): string => numbers('count', { maximumFractionDigits: 3 }).format(value);
/** 47.1 -> "47.1%"; in German "47,1 %". `digits`: at least so many after the point. */
export const percent = (value: number, digits = 0): string =>
  numbers(`percent ${digits}`, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: 1 }).format(value / 100);
/** "1 subscription", "12,480 subscriptions" */
export const counted = (value: number, name: { one: string; many: string }): string =>
  `${count(value)} ${value === 1 ? name.one : name.many}`;

let zone = 'UTC';
/** Set once with the session: the store's time zone. */
export function setZone(name: string): void {
  try {
    new Intl.DateTimeFormat(LOCALE, { timeZone: name });
    zone = name;
  } catch {
    zone = 'UTC';
  }
}
export const storeZone = (): string => zone;

type Moment = number | string | Date;
/** Epoch seconds, an ISO text or a Date -> milliseconds; NaN when it is none. */
export const toMs = (value: Moment): number =>
  typeof value === 'number' ? value * 1000 : value instanceof Date ? value.getTime() : Date.parse(value);

/** "Nov 21, 2026" */
export const day = (value: Moment): string =>
  dates(`day ${zone}`, { timeZone: zone, year: 'numeric', month: 'short', day: 'numeric' }).format(toMs(value));
/** A calendar day ("2026-11-21") without a zone -> "Nov 21, 2026" */
export const plainDay = (value: string): string =>
  dates('plain-day', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' }).format(
    Date.parse(`${value.slice(0, 10)}T00:00:00Z`),
  );
/** A calendar day ("2026-11-21") without a zone -> "Nov 21", for axes whose years stand beside them. */
export const shortDay = (value: string): string =>
  dates('short-day', { timeZone: 'UTC', month: 'short', day: 'numeric' }).format(Date.parse(`${value.slice(0, 10)}T00:00:00Z`));
/** "Nov 21, 2026, 9:30 AM" */
export const dayTime = (value: Moment): string =>
  dates(`dayTime ${zone}`, { timeZone: zone, year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    toMs(value),
  );
/** "Nov 21, 2026, 9:30 AM EST" */
export const moment = (value: Moment): string =>
  dates(`moment ${zone}`, {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(toMs(value));
/** "Saturday, November 21, 2026 at 9:30:05 AM GMT+1": the whole instant, for hovering. */
export const instant = (value: Moment): string =>
  dates(`instant ${zone}`, {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(toMs(value));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
/** How far a moment is from another (ms): "3 hours ago", "in 2 days", "just now". */
export function relative(value: Moment, now: number): string {
  const far = toMs(value) - now;
  const [unit, size] = STEPS.find(([, ms]) => Math.abs(far) >= ms) ?? ['second', 60_000];
  if (unit === 'second') return t`just now`;
  return (ago ??= new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })).format(Math.round(far / size), unit);
}
let ago: Intl.RelativeTimeFormat | undefined;

/** "DE" -> "Germany" */
export function country(code: string): string {
  try {
    return (regions ??= new Intl.DisplayNames([LOCALE], { type: 'region' })).of(code) ?? code;
  } catch {
    return code;
  }
}

let languages: Intl.DisplayNames | undefined;
/** "de" -> "German", "pt-BR" -> "Brazilian Portuguese"; the code itself where there is no name. */
export function language(code: string): string {
  try {
    return (languages ??= new Intl.DisplayNames([LOCALE], { type: 'language' })).of(code) ?? code;
  } catch {
    return code;
  }
}
let regions: Intl.DisplayNames | undefined;

/** First letters for an avatar: "Ann Lee" -> "AL" */
export const initials = (name: string): string =>
  (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase())
    .join('');
