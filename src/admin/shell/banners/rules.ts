// Which banners a store sees, where, and over which days its payments are summed up. Pure.
import type { JsonValue } from '../../../contract/types.ts';
import { at } from '../../../contract/paths.ts';

/** S264 to S266: `expired` true says that the store may go on; false, or nothing, that the limit of the free plan is exceeded. */
export const isLimitExceeded = (answer: JsonValue): boolean => at(answer, 'expired') !== true;

/** S270. */
export const isEligibleAnswer = (answer: JsonValue): boolean => at(answer, 'shop.features.eligibleForSubscriptions') === true;

/** Stores of partners and affiliates sell nothing, so they are not asked to set up payments (S179, S180). */
const EXEMPT_PLANS = ['partner_test', 'affiliate'];
/** Where a store works on becoming eligible, or on something that needs no eligibility (S121, S122). */
const WITHOUT_ELIGIBILITY = [/^\/selling-plans\/?$/, /^\/widgets\/storefront\/[^/]+\/?$/];

/** S178 to S180, S121, S122. */
export const showsEligibility = (isEligible: boolean, planName: string, path: string): boolean =>
  !isEligible && !EXEMPT_PLANS.includes(planName) && !WITHOUT_ELIGIBILITY.some(page => page.test(path));

/** Where payments are what the merchant came for. */
export const showsPayments = (path: string): boolean => ['/dashboard', '/settings/paymentRecovery', '/analytics/payments'].includes(path.replace(/(.)\/$/, '$1'));

const DAY = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export interface Periods { startDate: string; endDate: string; comparisonStartDate: string; comparisonEndDate: string }
/** The last 30 days ending yesterday and the 30 days before, each date YYYY-MM-DD (S283 to S285). `today` is the store's calendar day. */
export function bannerPeriods(today: string): Periods {
  const now = Date.parse(`${today}T00:00:00Z`);
  return { startDate: dayOf(now - 30 * DAY), endDate: dayOf(now - DAY), comparisonStartDate: dayOf(now - 60 * DAY), comparisonEndDate: dayOf(now - 31 * DAY) };
}
/** The calendar day of a moment in a time zone, YYYY-MM-DD. */
export const calendarDay = (ms: number, zone: string): string => {
  const parts = Object.fromEntries(new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(ms).map(part => [part.type, part.value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
};
