// What the engine knows of products and plans, as it is read.
import type { SellingPlan } from '../../../domain/selling-plans/selling-plan.ts';
import type { VariantRow } from '../rows.ts';

export interface SoldVariant extends Pick<
  VariantRow,
  | 'id'
  | 'shopify_id'
  | 'product_id'
  | 'title'
  | 'sku'
  | 'price'
  | 'image'
  | 'weight_in_grams'
  | 'requires_shipping'
  | 'taxable'
  | 'inventory_management'
  | 'inventory_policy'
  | 'inventory_quantity'
  | 'deleted_at'
> {
  product_title: string;
  product_status: string;
  product_image: string | null;
  is_gift_card: boolean;
}

export interface OfferedPlan {
  groupId: number;
  groupName: string;
  plan: SellingPlan & { lspId: number };
}

/** Variants and the plans they are offered on, read at once for many contracts. */
export interface Catalogue {
  byId: ReadonlyMap<number, SoldVariant>;
  byShopifyId: ReadonlyMap<number, SoldVariant>;
  plans: ReadonlyMap<number, OfferedPlan[]>;
}
