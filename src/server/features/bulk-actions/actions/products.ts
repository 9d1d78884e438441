// Products of subscriptions: swap, add, remove, quantity.
import { type Aggregate, type LineRow, lines } from '../../../engine/index.ts';
import { skip, type ActionCode } from '../bulk-action.ts';
import { t } from '../../../../domain/text/t.ts';

/** Recurring lines of any of these variants. @throws Refusal when there is none */
export function linesOf(subscription: Aggregate, variantIds: readonly number[]): LineRow[] {
  const found = subscription.lines.filter(line => !line.one_time_added && line.variant_id !== null && variantIds.includes(line.variant_id));
  if (found.length === 0)
    throw skip(variantIds.length === 1 ? t`This product is not in the subscription.` : t`None of these products is in the subscription.`);
  return found;
}

interface Swap {
  variantIds: number[];
  toVariantId: number;
  quantityRule: 'KEEP' | 'SET' | 'RATIO';
  quantity?: number;
  ratio?: number;
  priceRule: 'KEEP' | 'PLAN' | 'CUSTOM';
  price?: string;
}

export const swapProduct: ActionCode<Swap> = {
  // A price by hand is the right to change prices.
  alsoNeeds: ({ priceRule }) => (priceRule === 'CUSTOM' ? ['subscriptionDiscount'] : []),
  apply: async (work, subscription, { variantIds, toVariantId, quantityRule, quantity = 1, ratio = 1, priceRule, price }) => {
    for (const line of linesOf(
      subscription,
      variantIds.filter(id => id !== toVariantId),
    )) {
      // A ratio such as 1.1 must not turn 10 pieces into 12 by a rounding error.
      const pieces =
        quantityRule === 'KEEP'
          ? line.quantity
          : quantityRule === 'SET'
            ? quantity
            : Math.max(1, Math.ceil(Number((line.quantity * ratio).toFixed(6))));
      await lines.swapLine(work, subscription, {
        lineId: line.id,
        variantId: toVariantId,
        quantity: pieces,
        pricingType: priceRule === 'PLAN' ? 'NEW' : 'OLD',
      });
      if (priceRule === 'CUSTOM' && price !== undefined) lines.updatePrice(work, subscription, { lineId: line.id, price });
    }
  },
};

export const addProduct: ActionCode<lines.NewLine> = {
  apply: (work, subscription, { variantId, quantity, type, discountType, discountValue }) =>
    lines.addLine(work, subscription, { variantId, quantity, type, discountType, discountValue }),
};

export const removeProduct: ActionCode<{ variantId: number; once?: boolean }> = {
  apply: (work, subscription, { variantId, once = false }) => {
    for (const line of linesOf(subscription, [variantId])) lines.removeLine(work, subscription, { lineId: line.id, once });
  },
};

export const updateQuantity: ActionCode<{ variantId: number; quantity: number }> = {
  apply: (work, subscription, { variantId, quantity }) => {
    for (const line of linesOf(subscription, [variantId])) lines.updateQuantity(work, subscription, { lineId: line.id, quantity });
  },
};
