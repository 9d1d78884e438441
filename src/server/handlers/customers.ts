// Customers of the store; list is the generic verb.
import { Reply, type Context } from '../context.ts';
import type { JsonValue } from '../../contract/types.ts';
import { exportRecords, type ExportInput } from '../verbs/export.ts';
import { listTexts } from '../verbs/list.ts';
import { countersOf, tabCounts } from '../verbs/totals.ts';

/** One page of all customers, newest first, found by words of their name, e-mail address and phone. */
export async function all(
  context: Context,
  { q, page = 1, pageSize = 25 }: { q?: string; page?: number; pageSize?: number },
): Promise<Reply> {
  return new Reply(null, await listTexts(context, context.shape('customer'), { q, page, size: pageSize }));
}

/** How many customers each tab has, from counters that are kept as customers and their subscriptions change. */
export async function counts(context: Context): Promise<JsonValue> {
  const by = await tabCounts(context, 'customers', ['ACTIVE', 'PAUSED', 'FORMER', 'NONE']);
  const failing = await countersOf(context.trx, context.storeId, 'customers_failing');
  return { ...by, failing: failing.get('ALL') ?? 0 };
}

const USUAL = [
  'id',
  'shopifyId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'countryCode',
  'subscriberStatus',
  'hasFailedPayment',
  'activeSubscriptionsCount',
  'pausedSubscriptionsCount',
  'cancelledSubscriptionsCount',
  'allSubscriptionsCount',
  'tags',
  'createdAtEpoch',
];

/** The list as CSV, with every column of it unless some are named. */
export const exportCustomers = (context: Context, input: ExportInput): Promise<Reply> => exportRecords(context, 'customer', input, USUAL);
export { exportCustomers as export };
