// The products of a subscription that an action is for.
import { t } from '../../../domain/text/t.ts';
import type { Aggregate } from '../aggregate.ts';
import type { LineRow } from '../rows.ts';
import { skip } from './action.ts';

/** Recurring lines of any of these variants. @throws Refusal when there is none */
export function linesOf(subscription: Aggregate, variantIds: readonly number[]): LineRow[] {
  const found = subscription.lines.filter(line => !line.one_time_added && line.variant_id !== null && variantIds.includes(line.variant_id));
  if (found.length === 0)
    throw skip(variantIds.length === 1 ? t`This product is not in the subscription.` : t`None of these products is in the subscription.`);
  return found;
}
