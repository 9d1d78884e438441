// What a preset bundle of a subscription holds after its contents were changed: by single changes, or all that the bundle holds now.
import type { Bundle, BundleItem, PresetVariant } from '../../../domain/bundles/bundle.ts';
import type { BundleChildChange } from '../../../generated/entities.ts';
import { type Aggregate, type HeldBundle, heldBundles, type LineRow, linesOfBundle, type UnitOfWork } from '../../engine/index.ts';
import { contentsOf, refill } from './on-subscription.ts';

/** What a variant holds after changes; without any, what the bundle says now. A variant that was removed keeps what it had. */
function itemsAfter(
  variant: PresetVariant | undefined,
  lines: readonly LineRow[],
  held: HeldBundle,
  changes: readonly BundleChildChange[] | undefined,
): BundleItem[] {
  if (!changes) return variant?.items ?? [];
  const items = new Map(
    lines.flatMap(line => (line.variant_id === null ? [] : [[line.variant_id, line.quantity / held.quantity] as const])),
  );
  for (const { productVariantId, childProductId, oldQuantity, newQuantity, changeType } of changes) {
    if (productVariantId !== held.variantId || childProductId === undefined) continue;
    // A subscription that holds another number than the one that changes was changed by itself: it stays as it is (D029).
    if (changeType === 'quantityChange' && oldQuantity !== undefined && items.get(childProductId) !== oldQuantity) continue;
    if (changeType === 'childProductRemoved') items.delete(childProductId);
    else if (changeType === 'childProductAdded' || (changeType === 'quantityChange' && items.has(childProductId)))
      items.set(childProductId, newQuantity ?? 1);
  }
  return [...items].map(([variantId, quantity]) => ({ variantId, quantity }));
}

/** Brings the preset bundles of a subscription to what the bundle holds now, or by single changes. Whether anything changed. */
export async function applyPreset(
  work: UnitOfWork,
  subscription: Aggregate,
  bundle: Bundle,
  changes?: readonly BundleChildChange[],
): Promise<boolean> {
  let isChanged = false;
  for (const held of heldBundles(subscription)) {
    if (held.bundleId !== bundle.id || held.isOnce) continue;
    const lines = linesOfBundle(subscription, held.id);
    const items = itemsAfter(
      bundle.variants?.find(one => one.variantId === held.variantId),
      lines,
      held,
      changes,
    );
    const same =
      items.length === lines.length &&
      items.every(({ variantId, quantity }) =>
        lines.some(line => line.variant_id === variantId && line.quantity === quantity * held.quantity),
      );
    if (items.length === 0 || same) continue;
    await refill(work, subscription, bundle, held, await contentsOf(work, items, held.quantity));
    isChanged = true;
  }
  return isChanged;
}
