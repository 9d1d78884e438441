// Figures of product swaps (C309).
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { figures, topPairs, type FiguresInput } from '../figures.ts';

/** Swaps of a period and what they changed, of all profiles or of one; by default of the last 30 days. @throws Refusal 422 */
export async function analytics(context: Context, input: FiguresInput): Promise<JsonObject> {
  return {
    ...(await figures(context, 'SWAP', input, {
      swaps: 'accepted',
      uniqueSubscribers: 'subscribers',
      savedInCancellationFlow: 'savedInCancellationFlow',
      valueChange: 'monthlyChange',
    })),
    currencyCode: context.store.currency_code,
    topPairs: await topPairs(context, 'SWAP', input),
  };
}
