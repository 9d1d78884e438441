// Upsell profiles: what they brought in a period, and the discount of one of their products.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, notFound, Reply, type Context } from '../../../platform/context.ts';
import { listRecords } from '../../../platform/records/list/list.ts';
import { changePart } from '../../../platform/records/write-record.ts';
import { ofProfiles, periodOf, type FiguresInput } from '../figures.ts';
import type { UpsellItem } from '../upsell.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** A page of the profiles by priority, each with what it brought in the period (C303). @throws Refusal 422 */
export async function listOfPeriod(
  context: Context,
  { page = 1, limit = 25, ...period }: FiguresInput & { page?: number; limit?: number },
): Promise<Reply> {
  const { records, pageInfo } = await listRecords(context, context.shape('upsell-profile'), {
    page,
    size: limit,
    sort: 'priority',
    order: 'ASC',
  });
  const brought = await ofProfiles(
    context,
    'UPSELL',
    records.map(({ id }) => Number(id)),
    periodOf(context, period),
  );
  return new Reply(
    records.map((record, i) => ({ ...record, ...brought[i] })),
    { pageInfo },
  );
}

/** Gives one product of a profile another discount (C298). @throws Refusal 404, 409 STALE_VERSION, 422 */
export function updateItemDiscount(
  context: Context,
  { id, itemId, discountType, discountValue }: { id: number; itemId: number } & Required<Pick<UpsellItem, 'discountType'>> & UpsellItem,
): Promise<JsonObject> {
  return changePart(context, 'upsell-profile', id, record => {
    const items = (record.items ?? []) as UpsellItem[];
    if (!items.some(item => item.productId === itemId)) throw notFound(later`product of this profile`);
    const hasValue = discountType === 'PERCENTAGE' || discountType === 'FIXED_AMOUNT';
    const value = Number(discountValue ?? 0);
    if (hasValue && !(value > 0)) throw invalid([{ pointer: '/discountValue', rule: 'required', message: t`Enter a discount above 0.` }]);
    if (discountType === 'PERCENTAGE' && value > 100)
      throw invalid([{ pointer: '/discountValue', rule: 'maximum', message: t`Discount must be between 0 and 100%.` }]);
    const own = { discountType, ...(hasValue && discountValue !== undefined ? { discountValue } : {}) };
    return { items: items.map(item => (item.productId === itemId ? { productId: item.productId, ...own } : item)) as JsonValue };
  });
}
