// The summary of payments that the banner shows.
import type { JsonObject } from '../../contract/types.ts';
import { invalid, type Context } from '../context.ts';
import { summarise } from '../notices/payments.ts';

interface Input { startDate: string; endDate: string; comparisonStartDate: string; comparisonEndDate: string; dataType: 'revenue' }
/** The longest period that is summed up at once (days). */
const LONGEST = 366;

const days = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** S282 to S286: what was charged, paid, recovered, is still being tried and was lost, in both periods. @throws Refusal 422 */
export async function paymentSummaryInfoForBanner(context: Context, { startDate, endDate, comparisonStartDate, comparisonEndDate, dataType }: Input): Promise<JsonObject> {
  const errors = ([['/endDate', startDate, endDate], ['/comparisonEndDate', comparisonStartDate, comparisonEndDate]] as const).flatMap(([pointer, from, to]) => {
    const length = days(from, to);
    return length < 0 ? [{ pointer, rule: 'order', message: 'The last day comes before the first one.' }] : length >= LONGEST ? [{ pointer, rule: 'maximum', message: `Choose at most ${LONGEST} days.` }] : [];
  });
  if (errors.length) throw invalid(errors);
  const summary = await summarise(context.trx, context.store, { startDate, endDate }, { startDate: comparisonStartDate, endDate: comparisonEndDate });
  return { dataType, currencyCode: context.store.currency_code, startDate, endDate, comparisonStartDate, comparisonEndDate, ...summary } as unknown as JsonObject;
}
