// Which banners a store sees, where, and over which days its payments are summed up. Pure.
import { addDays, besideBefore, type Compared } from '../../../../domain/calendar/plain-days.ts';
import type { JsonValue } from '../../../../contract/types.ts';
import { at } from '../../../../contract/paths.ts';

/** S264 to S266: `expired` true says that the store may go on; false, or nothing, that the limit of the free plan is exceeded. */
export const isLimitExceeded = (answer: JsonValue): boolean => at(answer, 'expired') !== true;

/** S270. */
export const isEligibleAnswer = (answer: JsonValue): boolean => at(answer, 'shop.features.eligibleForSubscriptions') === true;

/** PayPal is the only way to charge, and was asked for recurring charges: nothing is charged again until it answers. */
export const isPaypalPending = (answer: JsonValue): boolean =>
  at(answer, 'shop.isPaypalOnly') === true && at(answer, 'shop.paypalStatus') === 'APPROVAL_REQUESTED';
/** The page that tells of it has it already. */
export const showsPaypal = (isPending: boolean, path: string): boolean => isPending && !/^\/settings\/paypal\/?$/.test(path);

/** Apps to reconnect; their own page tells of it already. */
export const showsApps = (rejected: readonly string[], path: string): boolean => rejected.length > 0 && !/^\/integrations(\/|$)/.test(path);

/** Stores of partners and affiliates sell nothing, so they are not asked to set up payments (S179, S180). */
const EXEMPT_PLANS = ['partner_test', 'affiliate'];
/** Where a store works on becoming eligible, or on something that needs no eligibility (S121, S122). */
const WITHOUT_ELIGIBILITY = [/^\/selling-plans\/?$/, /^\/widgets\/storefront\/[^/]+\/?$/];

/** S178 to S180, S121, S122. */
export const showsEligibility = (isEligible: boolean, planName: string, path: string): boolean =>
  !isEligible && !EXEMPT_PLANS.includes(planName) && !WITHOUT_ELIGIBILITY.some(page => page.test(path));

/** Where payments are what the merchant came for. */
export const showsPayments = (path: string): boolean =>
  ['/dashboard', '/settings/paymentRecovery', '/analytics/payments'].includes(path.replace(/(.)\/$/, '$1'));

/** The last 30 days ending yesterday and the 30 days before, each date YYYY-MM-DD (S283 to S285). `today` is the store's calendar day. */
export const bannerPeriods = (today: string): Compared => besideBefore({ startDate: addDays(today, -30), endDate: addDays(today, -1) });
