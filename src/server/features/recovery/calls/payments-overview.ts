// The summary of payments that the banner shows.
import type { Compared } from '../../../../domain/calendar/plain-days.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { beforeOf, checkPeriods } from '../../../platform/records/store-days.ts';
import { summarise } from '../payment-summary.ts';

/** S282 to S286: what was charged, paid, recovered, is still being tried and was lost, in both periods. @throws Refusal 422 */
export async function paymentSummaryInfoForBanner(
  context: Context,
  { dataType, ...periods }: Compared & { dataType: 'revenue' },
): Promise<JsonObject> {
  checkPeriods(periods);
  const { startDate, endDate, comparisonStartDate, comparisonEndDate } = periods;
  const summary = await summarise(context.trx, context.store, periods, beforeOf(periods));
  return {
    dataType,
    currencyCode: context.store.currency_code,
    startDate,
    endDate,
    comparisonStartDate,
    comparisonEndDate,
    ...summary,
  } as JsonObject;
}
