// Products of subscriptions: swap, add, remove, quantity.
import * as lines from '../../subscriptions/engine/edits/lines.ts';
import type { Aggregate } from '../../subscriptions/engine/aggregate.ts';
import type { LineRow } from '../../subscriptions/engine/rows.ts';
import { skip, type BulkAction } from '../bulk-action.ts';

/** Recurring lines of any of these variants. @throws Refusal when there is none */
export function linesOf(a: Aggregate, variantIds: readonly number[]): LineRow[] {
  const found = a.lines.filter(line => !line.one_time_added && line.variant_id !== null && variantIds.includes(line.variant_id));
  if (found.length === 0)
    throw skip(variantIds.length === 1 ? 'This product is not in the subscription.' : 'None of these products is in the subscription.');
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

export const swapProduct: BulkAction<Swap> = {
  key: 'SWAP_PRODUCT',
  group: 'PRODUCT',
  label: 'Swap product',
  description: 'Puts another product in the place of one.',
  form: 'bulk-swap-product',
  permission: 'subscriptionProduct',
  action: 'swapLine',
  // A price by hand is the right to change prices.
  alsoNeeds: ({ priceRule }) => (priceRule === 'CUSTOM' ? ['subscriptionDiscount'] : []),
  apply: async (work, a, { variantIds, toVariantId, quantityRule, quantity = 1, ratio = 1, priceRule, price }) => {
    for (const line of linesOf(
      a,
      variantIds.filter(id => id !== toVariantId),
    )) {
      // A ratio such as 1.1 must not turn 10 pieces into 12 by a rounding error.
      const pieces =
        quantityRule === 'KEEP'
          ? line.quantity
          : quantityRule === 'SET'
            ? quantity
            : Math.max(1, Math.ceil(Number((line.quantity * ratio).toFixed(6))));
      await lines.swapLine(work, a, {
        lineId: line.id,
        variantId: toVariantId,
        quantity: pieces,
        pricingType: priceRule === 'PLAN' ? 'NEW' : 'OLD',
      });
      if (priceRule === 'CUSTOM' && price !== undefined) lines.updatePrice(work, a, { lineId: line.id, price });
    }
  },
};

export const addProduct: BulkAction<lines.NewLine> = {
  key: 'ADD_PRODUCT',
  group: 'PRODUCT',
  label: 'Add product',
  description: 'Adds a product to subscriptions.',
  form: 'bulk-add-product',
  permission: 'subscriptionProduct',
  action: 'addLine',
  apply: (work, a, { variantId, quantity, type, discountType, discountValue }) =>
    lines.addLine(work, a, { variantId, quantity, type, discountType, discountValue }),
};

export const removeProduct: BulkAction<{ variantId: number; once?: boolean }> = {
  key: 'REMOVE_PRODUCT',
  group: 'PRODUCT',
  label: 'Remove product',
  description: 'Takes a product out of subscriptions. The last product of a subscription stays.',
  form: 'bulk-remove-product',
  permission: 'subscriptionProduct',
  action: 'removeLine',
  apply: (work, a, { variantId, once = false }) => {
    for (const line of linesOf(a, [variantId])) lines.removeLine(work, a, { lineId: line.id, once });
  },
};

export const updateQuantity: BulkAction<{ variantId: number; quantity: number }> = {
  key: 'UPDATE_QUANTITY',
  group: 'PRODUCT',
  label: 'Change quantity',
  description: 'Sets the quantity of a product.',
  form: 'bulk-update-quantity',
  permission: 'subscriptionProduct',
  action: 'updateQuantity',
  apply: (work, a, { variantId, quantity }) => {
    for (const line of linesOf(a, [variantId])) lines.updateQuantity(work, a, { lineId: line.id, quantity });
  },
};
