// What can be bought of a variant now.
import { isOutOfStock } from '../../../domain/schedule/inventory.ts';
import type { SoldVariant } from '../../engine/index.ts';

/** Pieces that are left of a variant; undefined where it never runs out (D068). */
export const leftOf = (variant: SoldVariant): number | undefined =>
  isOutOfStock({ ...variant, quantity: Number.MAX_SAFE_INTEGER }) ? Math.max(0, variant.inventory_quantity) : undefined;
export const isSold = (variant: SoldVariant | undefined): variant is SoldVariant =>
  variant !== undefined && !variant.deleted_at && !variant.is_gift_card && variant.product_status === 'ACTIVE';
