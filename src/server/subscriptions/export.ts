// Subscriptions as CSV, with every column of their list unless some are named.
import type { Context, Reply } from '../context.ts';
import { exportRecords, type ExportInput } from '../verbs/export.ts';

const USUAL = [
  'id',
  'shopifyId',
  'status',
  'customerName',
  'customerEmail',
  'products',
  'frequency',
  'nextBillingDateEpoch',
  'total',
  'currencyCode',
  'completedOrdersCount',
  'lastPaymentStatus',
  'paymentFailureReason',
  'countryCode',
  'deliveryType',
  'tags',
  'source',
  'note',
  'createdAtEpoch',
  'updatedAtEpoch',
];

/** The file; `input` is what the list call takes, and which columns. */
export const exportSubscriptions = (context: Context, input: ExportInput): Promise<Reply> =>
  exportRecords(context, 'subscription', input, USUAL);
