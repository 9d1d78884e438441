// Who a customer is, kept from people who may look at figures and not at subscriptions.
import { accessOf } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Context } from '../context.ts';

/** What of a row says who the customer is, or by which card or account they pay. */
export const PERSONAL: readonly string[] = ['customerId', 'customerName', 'customerEmail', 'lastDigits', 'paypalAccountEmail'];

/** The area of cards and accounts that customers pay with. */
export const CARDS = 'subscriptionPaymentDetails';

/** Whether a person may know whose a subscription is: needs the right to see subscriptions. */
export const seesCustomers = (context: Pick<Context, 'session'>): boolean => accessOf(context.session).can('subscriptionDetails', 'READ');

/** Rows as the person may have them; `also` are more fields to leave out of theirs. */
export function maskPersonalData(
  context: Pick<Context, 'session'>,
  rows: readonly JsonObject[],
  also: readonly string[] = [],
): JsonObject[] {
  if (seesCustomers(context)) return [...rows];
  const hidden = new Set([...PERSONAL, ...also]);
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))));
}
