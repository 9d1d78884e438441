// Upgrading a product of a contract: a bigger pack in its place, and with it, if wished, another frequency of the whole contract.
import type { Interval } from '../../../domain/calendar/interval.ts';
import { frequencyLabel, sameInterval } from '../../../domain/calendar/interval.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { refuseBundled } from '../bundles.ts';
import { mustBeDelivered } from '../delivery/contract-delivery.ts';
import { removeCodesAfterSwap } from './discounts.ts';
import { updateBillingDetails } from './frequency.ts';
import { lineOf, makeLine } from './lines.ts';
import { priceVariant, quantityOf, saleable, type LineDiscountType, type VariantChoice } from './line-prices.ts';
import { mailUpgraded } from '../mails.ts';
import { frequencyOf, nameOf, pieceInCharge } from '../price.ts';
import type { LineRow } from '../rows.ts';
import { billingOf } from '../schedule.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

/** D063: the product alone, or the product and the frequency. */
export type UpgradeType = 'SKU_UPGRADE' | 'SKU_UPGRADE_FREQUENCY_CHANGE';
export interface Upgrade extends VariantChoice {
  lineId: number;
  type?: UpgradeType;
  quantity?: number;
  frequency?: Interval;
  /** D066: of the selling plan, unless another is given. */
  discountType?: LineDiscountType;
  discountValue?: string | null;
  notifyCustomer?: boolean;
}
const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);

/** What events say of a line, before and after an upgrade. */
const eventData = (subscription: Aggregate, line: LineRow): JsonObject => ({
  lineId: line.id,
  name: nameOf(line),
  quantity: line.quantity,
  frequency: frequencyOf(subscription.contract),
  price: toDecimal(
    pieceInCharge(line, subscription.contract.completed_orders + 1, 1, subscription.contract.currency_code),
    subscription.contract.currency_code,
  ),
});

/**
 * Puts the better product in the place of one line. A new frequency moves the whole contract, so every product needs a selling plan with
 * it; plans are never made on the way. @throws Refusal 422 when nothing would differ, a plan is missing, or the product is sold out
 */
export async function upgrade(work: UnitOfWork, subscription: Aggregate, input: Upgrade): Promise<void> {
  const line = lineOf(subscription, input.lineId);
  refuseBundled(subscription, line);
  if (line.one_time_added) throw refuse('/lineId', 'ONE_TIME', t`This product is in one order only. Swap it instead.`);
  const variant = await saleable(work, input);
  const quantity = quantityOf(input.quantity ?? line.quantity);
  const frequency = input.type === 'SKU_UPGRADE_FREQUENCY_CHANGE' ? input.frequency : undefined;
  if (input.type === 'SKU_UPGRADE_FREQUENCY_CHANGE' && !frequency) throw refuse('/frequency', 'required', t`Choose the new frequency.`);
  if (frequency && subscription.contract.is_prepaid)
    throw refuse('/type', 'PREPAID', t`The frequency of a prepaid subscription is changed by itself. Upgrade the product alone.`);
  if (frequency && sameInterval(frequency, billingOf(subscription.contract)))
    throw refuse('/frequency', 'same', t`New frequency must differ from the old one.`);
  if (!frequency && variant.id === line.variant_id && quantity === line.quantity)
    throw refuse('/variantId', 'same', t`Old and new product are identical.`);
  if (variant.inventory_management && variant.inventory_policy === 'deny' && variant.inventory_quantity < quantity)
    throw refuse('/variantId', 'OUT_OF_STOCK', t`${variant.product_title} is out of stock.`);

  const before = eventData(subscription, line);
  const productBefore = line.product_id;
  const type = input.discountType ?? 'BASED_ON_SELLING_PLAN';
  // The product first: the plans of the new frequency are those of what is bought from now on.
  const bare = await priceVariant(work, subscription, variant, { discountType: 'NONE' });
  place(
    line,
    await makeLine(work, subscription, variant, bare, {
      quantity,
      attributes: line.attributes as { key: string; value: string }[],
      isUpsell: line.is_upsell,
      position: line.position,
    }),
  );
  if (frequency) await changeFrequency(work, subscription, frequency);
  const priced = await priceVariant(work, subscription, variant, { discountType: type, discountValue: input.discountValue ?? null });
  place(
    line,
    await makeLine(work, subscription, variant, priced, {
      quantity,
      attributes: line.attributes as { key: string; value: string }[],
      isUpsell: line.is_upsell,
      position: line.position,
    }),
  );
  await mustBeDelivered(work, subscription);
  if (priced.isCustom) subscription.contract.has_custom_plan = true;
  work.note(subscription, 'subscription_upgraded', {
    type: input.type ?? 'SKU_UPGRADE',
    currencyCode: subscription.contract.currency_code,
    before,
    after: eventData(subscription, line),
  });
  removeCodesAfterSwap(work, subscription, line, productBefore);
  // The e-mail reads a column that is otherwise brought up to date when the work is written.
  subscription.contract.frequency = frequencyOf(subscription.contract);
  if (input.notifyCustomer) mailUpgraded(work, subscription, nameOf(line));
}

const place = (line: LineRow, made: LineRow): void => {
  Object.assign(line, {
    ...made,
    id: line.id,
    shopify_id: line.shopify_id,
    created_at: line.created_at,
    one_time_removed_cycle: line.one_time_removed_cycle,
  });
};

async function changeFrequency(work: UnitOfWork, subscription: Aggregate, frequency: Interval): Promise<void> {
  try {
    await updateBillingDetails(work, subscription, { billingPolicy: frequency, discountType: 'NEW' });
  } catch (error) {
    if (
      error instanceof Error &&
      'errors' in error &&
      Array.isArray(error.errors) &&
      (error.errors[0] as { rule?: string }).rule === 'PLAN_DOES_NOT_EXIST'
    ) {
      throw refuse(
        '/frequency',
        'PLAN_DOES_NOT_EXIST',
        t`Not every product of this subscription has a selling plan for ${inSentence(frequencyLabel(frequency))}.`,
      );
    }
    throw error;
  }
}
