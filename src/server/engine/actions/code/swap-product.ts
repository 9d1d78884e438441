// Puts a product in the place of others.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';
import { linesOf } from '../lines-of-variants.ts';

interface Swap {
  variantIds: number[];
  toVariantId: number;
  quantityRule: 'KEEP' | 'SET' | 'RATIO';
  quantity?: number;
  ratio?: number;
  priceRule: 'KEEP' | 'PLAN' | 'CUSTOM';
  price?: string;
}

export const action: ActionCode<Swap, lines.Swap> = {
  // A price by hand is the right to change prices.
  alsoNeeds: input => ('priceRule' in input && input.priceRule === 'CUSTOM' ? ['subscriptionDiscount'] : []),
  one: lines.swapLine,
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
