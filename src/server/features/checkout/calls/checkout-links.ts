// Selling plans that products of a checkout link are offered on.
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { engineOf, planWords, readCatalogue } from '../../../engine/index.ts';

/** Each plan once, in the order of the products. */
export async function planChoices(context: Context, { variantIds = [] }: { variantIds?: (number | null)[] }): Promise<JsonValue> {
  const ids = variantIds.filter(id => id !== null);
  const { plans } = await readCatalogue(engineOf(context), { ids });
  const found = new Map(ids.flatMap(id => plans.get(id) ?? []).map(one => [one.plan.lspId, one]));
  return [...found.values()].map(({ groupName, plan }) => ({ id: plan.lspId, ...planWords(groupName, plan) }));
}
