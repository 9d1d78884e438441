// What each `format` accepts. Shared by the validators compiled at build time, the server's and the checks.
import { isDomain, isEmail, isMerchantToken } from './patterns.ts';

export interface Format {
  type: 'string' | 'number';
  validate: (value: never) => boolean;
  compare?: (a: string, b: string) => number;
}

const text = (validate: (value: string) => boolean, compare?: (a: string, b: string) => number): Format => ({
  type: 'string',
  validate,
  ...(compare ? { compare } : {}),
});
const alphabetical = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isDate = (value: string): boolean => {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
};
const isTime = (value: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value);
const isInstant = (value: string): boolean => {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?([Zz]|[+-](\d\d):?(\d\d))$/.exec(value);
  return (
    !!match &&
    isDate(match[1] as string) &&
    isTime(match[2] as string) &&
    (match[4] === undefined || (Number(match[4]) <= 23 && Number(match[5]) <= 59))
  );
};
const isLink = (value: string): boolean => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);

/** Decimal string of money: at most 13 digits before and 4 after the point ("12.50", "-3"). */
export const isMoney = (value: string): boolean => /^-?\d{1,13}(\.\d{1,4})?$/.test(value);
const tenThousandths = (value: string): bigint => {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!match) return 0n;
  const n = BigInt(match[2] + (match[3] ?? '').padEnd(4, '0').slice(0, 4));
  return match[1] ? -n : n;
};
const compareMoney = (a: string, b: string): number => {
  const d = tenThousandths(a) - tenThousandths(b);
  return d < 0n ? -1 : d > 0n ? 1 : 0;
};

const isTimezone = (value: string): boolean => {
  if (!/^[A-Za-z][A-Za-z\d_+\-/]*$/.test(value)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
};
/** What an upload answers, a picture of the product's own, or a link. */
const isPicture = (value: string): boolean => /^\/(?:media|demo)\/[\w-]+(?:[./][\w-]+)*$/.test(value) || isLink(value);
const isColor = (value: string): boolean => /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(value);
/** Markup without what runs: no script, no handlers, no javascript addresses. It is sanitised besides wherever it is shown. */
const isHtml = (value: string): boolean => !/<\s*script|\son[a-z]{3,20}\s*=|javascript:/i.test(value);

export const formats: Record<string, Format> = {
  email: text(isEmail),
  domain: text(isDomain),
  'merchant-token': text(isMerchantToken),
  uri: text(isLink),
  date: text(isDate, alphabetical),
  time: text(isTime, alphabetical),
  'date-time': text(isInstant, (a, b) => Date.parse(a) - Date.parse(b)),
  money: text(isMoney, compareMoney),
  timezone: text(isTimezone),
  color: text(isColor),
  html: text(isHtml),
  /** Read by the server alone (own-css.ts): a parser of CSS is too large for a page. */
  css: text(() => true),
  picture: text(isPicture),
  epoch: { type: 'number', validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= 253402300799 },
};
