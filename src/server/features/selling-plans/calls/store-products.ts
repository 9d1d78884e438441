// What the calls about products ask of selling plans.
import { toDecimal } from '../../../../domain/money/money.ts';
import { ruleFor, unitPrice } from '../../../../domain/money/pricing.ts';
import { discountOf, pricesOf } from '../../../../domain/selling-plans/selling-plan.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { notFound, type Context } from '../../../platform/context.ts';
import { needGroup } from '../groups.ts';
import { plansOf } from '../../../../domain/selling-plans/plan-document.ts';
import { later } from '../../../../domain/text/t.ts';

/** The price of a variant under each plan of a group, order by order where it changes (C109). */
export async function discount(context: Context, { variantId, lspgId }: { variantId: number; lspgId: number }): Promise<JsonObject> {
  const variant = await context.trx
    .selectFrom('variants')
    .select(['id', 'price'])
    .where('store_id', '=', context.storeId)
    .where('id', '=', variantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!variant) throw notFound(later`variant`);
  const group = await needGroup(context, lspgId);
  const currency = context.store.currency_code;
  return {
    variantId,
    lspgId,
    price: toDecimal(variant.price, currency),
    currencyCode: currency,
    plans: plansOf(group.data as JsonObject).map(plan => {
      const prices = pricesOf(plan, currency);
      return {
        lspId: plan.lspId ?? null,
        name: plan.name,
        discount: discountOf(plan, 1, currency).label,
        prices: prices.map(({ afterCycle }) => ({
          fromOrder: afterCycle + 1,
          price: toDecimal(unitPrice(variant.price, ruleFor(prices, afterCycle + 1)), currency),
          discount: discountOf(plan, afterCycle + 1, currency).label,
        })),
      };
    }),
  };
}
