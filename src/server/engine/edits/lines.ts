// Products of a contract: add, leave out, remove, swap, quantity, price and properties.

import { variantName } from '../../../domain/text/variant-name.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState, notFound } from '../../platform/context.ts';
import { type SoldVariant } from './catalogue.ts';
import type { Aggregate } from '../aggregate.ts';
import { mustBeDelivered } from '../delivery/contract-delivery.ts';
import { bundleNameOf, linesOfBundle, refuseBundled } from '../bundles.ts';
import { removeCodesAfterSwap } from './discounts.ts';
import { deleteLine } from './remove-line.ts';
import { LAST_PRODUCT } from '../guards.ts';
import { linesOfOrder, nameOf, pieceInCharge } from '../price.ts';
import type { LineRow } from '../rows.ts';
import { deliveriesPerCharge, nextPlanned, plannedOf } from '../schedule.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import {
  type VariantChoice,
  type Pricing,
  type Priced,
  saleable,
  quantityOf,
  priceVariant,
  refuse,
  keptPolicy,
  priceOf,
} from './line-prices.ts';
import { intlLocale, later, t, translated } from '../../../domain/text/t.ts';

/** Orders further ahead than this are not shown, so nothing is added to them. */
const FARTHEST = 200;
export const lineOf = (subscription: Aggregate, lineId: number): LineRow => {
  const line = subscription.lines.find(candidate => candidate.id === lineId);
  if (!line) throw notFound(later`product of the subscription`);
  return line;
};
/** A line that is changed by itself. @throws Refusal 404, 409 for a product of a bundle */
const ownLine = (subscription: Aggregate, lineId: number): LineRow => {
  const line = lineOf(subscription, lineId);
  refuseBundled(subscription, line);
  return line;
};
const recurring = (subscription: Aggregate): LineRow[] => subscription.lines.filter(line => !line.one_time_added);
/** The cycle that a one-time change is for: of the order named, else of the next one. */
export function cycleFor(work: UnitOfWork, subscription: Aggregate, orderId: number | undefined): number {
  if (orderId === undefined) return nextPlanned(subscription, work.zone)?.cycle ?? subscription.contract.next_cycle;
  const cycle = orderId % 10_000;
  const { id, next_cycle: next } = subscription.contract;
  // While nothing is planned (a pause), there is the next one alone; beyond the last order of a limited subscription there is none.
  const isThere =
    Math.floor(orderId / 10_000) === id &&
    cycle >= next &&
    cycle <= next + FARTHEST &&
    (subscription.contract.status === 'ACTIVE' ? plannedOf(subscription, work.zone, cycle) !== null : cycle === next);
  if (!isThere) throw notFound(later`order ahead`);
  return cycle;
}

export interface NewLine extends VariantChoice, Pricing {
  quantity?: number;
  type?: 'RECURRING' | 'ONE_TIME';
  orderId?: number;
  customAttributes?: { key: string; value: string }[];
  isUpsell?: boolean;
}

/** A row for a variant on the contract, not yet part of it. */
export async function makeLine(
  work: UnitOfWork,
  subscription: Aggregate,
  variant: SoldVariant,
  priced: Priced,
  rest: {
    quantity: number;
    attributes?: { key: string; value: string }[];
    isUpsell?: boolean;
    oneTimeCycle?: number | null;
    position?: number;
  },
): Promise<LineRow> {
  const id = await work.ids.next('contract_lines');
  return {
    store_id: work.context.storeId,
    id,
    contract_id: subscription.contract.id,
    shopify_id: `line-${id}`,
    product_id: variant.product_id,
    variant_id: variant.id,
    product_title: variant.product_title,
    variant_title: variantName(variant.title),
    sku: variant.sku,
    image: variant.image,
    quantity: rest.quantity,
    base_price: priced.basePrice,
    price: priced.price,
    price_is_manual: false,
    pricing_policy: priced.policy,
    selling_plan_id: priced.plan?.plan.lspId ?? null,
    plan_group_id: priced.plan?.groupId ?? null,
    selling_plan_name: priced.plan?.plan.name ?? null,
    selling_plan_group_name: priced.plan?.groupName ?? null,
    attributes: rest.attributes ?? [],
    one_time_added: rest.oneTimeCycle != null,
    one_time_removed_cycle: null,
    one_time_cycle: rest.oneTimeCycle ?? null,
    is_upsell: rest.isUpsell ?? false,
    bundle_transaction_id: null,
    weight_in_grams: variant.weight_in_grams,
    requires_shipping: variant.requires_shipping,
    taxable: variant.taxable,
    position: rest.position ?? Math.max(0, ...subscription.lines.map(other => other.position)) + 1,
    created_at: work.at,
  };
}

/** What events say of a line. */
const eventData = (line: LineRow): JsonObject => ({ lineId: line.id, name: nameOf(line), quantity: line.quantity });
const sameAttributes = (line: LineRow, attributes: readonly { key: string; value: string }[]): boolean =>
  JSON.stringify(line.attributes) === JSON.stringify(attributes);

/** Adds a product for good, or to one order. The same variant with the same properties raises the quantity of its line. */
export async function addLine(work: UnitOfWork, subscription: Aggregate, input: NewLine): Promise<void> {
  const variant = await saleable(work, input);
  const quantity = quantityOf(input.quantity ?? 1);
  const attributes = input.customAttributes ?? [];
  const isOnce = input.type === 'ONE_TIME';
  const known = isOnce
    ? undefined
    : recurring(subscription).find(
        line => line.variant_id === variant.id && !line.bundle_transaction_id && sameAttributes(line, attributes),
      );
  if (known) {
    const before = known.quantity;
    known.quantity = quantityOf(before + quantity);
    work.note(subscription, 'quantity_updated', {
      lineId: known.id,
      name: nameOf(known),
      before: { quantity: before },
      after: { quantity: known.quantity },
    });
    return;
  }
  const priced = await priceVariant(work, subscription, variant, input);
  const line = await makeLine(work, subscription, variant, priced, {
    quantity,
    attributes,
    isUpsell: input.isUpsell,
    oneTimeCycle: isOnce ? cycleFor(work, subscription, input.orderId) : null,
  });
  subscription.lines.push(line);
  await mustBeDelivered(work, subscription);
  if (!isOnce && priced.isCustom) subscription.contract.has_custom_plan = true;
  work.note(subscription, isOnce ? 'product_added_once' : 'product_added_subscription', {
    ...eventData(line),
    price: toDecimal(
      pieceInCharge(line, subscription.contract.completed_orders + 1, 1, subscription.contract.currency_code),
      subscription.contract.currency_code,
    ),
    currencyCode: subscription.contract.currency_code,
    ...(isOnce ? { orderId: subscription.contract.id * 10_000 + (line.one_time_cycle as number) } : {}),
  });
}

/**
 * The order that pays for several deliveries holds all that is in them: left out of it alone, a product would come with the others and
 * never be paid.
 */
export function mustNotPayAhead(work: UnitOfWork, subscription: Aggregate, cycle: number): void {
  if (deliveriesPerCharge(subscription.contract) === 1) return;
  const planned = plannedOf(subscription, work.zone, cycle);
  if (planned ? planned.isPrepaidDelivery : subscription.contract.prepaid_credits > 0) return;
  throw invalidState(
    t`This order pays for the deliveries after it too. Remove or swap the product for good, or choose a delivery that is paid already.`,
  );
}

/** Leaves a product out of one order; another one stays in it. */
export function skipLine(work: UnitOfWork, subscription: Aggregate, { lineId, orderId }: { lineId: number; orderId?: number }): void {
  const line = ownLine(subscription, lineId);
  if (line.one_time_added) throw invalidState(t`This product is in one order only. Remove it instead.`);
  const cycle = cycleFor(work, subscription, orderId);
  if (line.one_time_removed_cycle === cycle) throw invalidState(t`This product is already left out of that order.`);
  mustNotPayAhead(work, subscription, cycle);
  if (!linesOfOrder(subscription.lines, cycle).some(other => other !== line))
    throw invalidState(t`At least one other product must stay in the order. Skip the order instead.`);
  line.one_time_removed_cycle = cycle;
  work.note(subscription, 'product_removed_once', { ...eventData(line), orderId: subscription.contract.id * 10_000 + cycle });
}

/**
 * What stands in the place of a product for one order, or whose place it stands in: both are in the same place and about the same order.
 */
const counterpartOf = (subscription: Aggregate, line: LineRow): LineRow | undefined =>
  subscription.lines.find(
    other =>
      other.position === line.position &&
      (line.one_time_added
        ? !other.one_time_added && other.one_time_removed_cycle !== null && other.one_time_removed_cycle === line.one_time_cycle
        : other.one_time_added && other.one_time_cycle !== null && other.one_time_cycle === line.one_time_removed_cycle),
  );

/** Takes a one-time change back: a product left out comes again, one added once goes; of a swap for one order, both. */
export function undoOneTime(work: UnitOfWork, subscription: Aggregate, { lineId }: { lineId: number }): void {
  const line = lineOf(subscription, lineId);
  const other = counterpartOf(subscription, line);
  if (!line.one_time_added && line.one_time_removed_cycle === null) throw invalidState(t`This product has no one-time change to undo.`);
  if (line.bundle_transaction_id !== null) {
    undoOneTimeBundle(work, subscription, line, line.bundle_transaction_id);
    return;
  }
  for (const one of [line, other]) {
    if (one?.one_time_added) deleteLine(work, subscription, one);
    else if (one) one.one_time_removed_cycle = null;
  }
  mustFillOrders(work, subscription);
  const [left, instead] = line.one_time_added && other ? [other, line] : [line, other];
  work.note(subscription, 'one_time_change_undone', {
    ...eventData(left),
    wasAdded: left.one_time_added,
    ...(instead ? { instead: nameOf(instead) } : {}),
  });
}

/** All products of a bundle come back, or go, together. */
function undoOneTimeBundle(work: UnitOfWork, subscription: Aggregate, line: LineRow, bundle: string): void {
  const name = bundleNameOf(subscription, line) ?? nameOf(line);
  for (const one of linesOfBundle(subscription, bundle)) {
    if (one.one_time_added) deleteLine(work, subscription, one);
    else one.one_time_removed_cycle = null;
  }
  mustFillOrders(work, subscription);
  work.note(subscription, 'one_time_change_undone', { ...eventData(line), name, wasAdded: line.one_time_added });
}

/**
 * Every order ahead from which something is left out holds something else. An order without products would be skipped without anybody
 * having asked for it.
 */
export function mustFillOrders(work: UnitOfWork, subscription: Aggregate): void {
  for (const cycle of new Set(subscription.lines.flatMap(line => line.one_time_removed_cycle ?? []))) {
    if (cycle < subscription.contract.next_cycle || linesOfOrder(subscription.lines, cycle).length > 0) continue;
    const planned = plannedOf(subscription, work.zone, cycle);
    if (planned?.status === 'SCHEDULED')
      throw invalidState(
        t`The order on ${dateLabel(planned.billingAt, work.zone, intlLocale())} would have no product left. Put one back that is left out
          of it, or skip the order.`,
      );
  }
}

export function removeLine(
  work: UnitOfWork,
  subscription: Aggregate,
  { lineId, once = false, orderId }: { lineId: number; once?: boolean; orderId?: number },
): void {
  const line = ownLine(subscription, lineId);
  if (once && !line.one_time_added) {
    skipLine(work, subscription, { lineId, orderId });
    return;
  }
  if (!line.one_time_added && recurring(subscription).length === 1) throw invalidState(translated(LAST_PRODUCT));
  // What it stood in for comes back.
  if (line.one_time_added && counterpartOf(subscription, line)) {
    undoOneTime(work, subscription, { lineId });
    return;
  }
  deleteLine(work, subscription, line);
  mustFillOrders(work, subscription);
  work.note(subscription, 'product_removed', eventData(line));
}

export interface Swap extends VariantChoice {
  lineId: number;
  quantity?: number;
  pricingType?: 'OLD' | 'NEW' | 'NONE' | 'PRESENT_PRICE';
  once?: boolean;
  orderId?: number;
}

/** How a swap of a line is priced: its own discount stays as it is, not priced again. */
function swapPricing(subscription: Aggregate, line: LineRow, type: Swap['pricingType']): Pricing {
  if (type === 'NEW') return { discountType: 'SELLING_PLAN' };
  if (type !== 'PRESENT_PRICE') return { discountType: 'NONE' };
  const currency = subscription.contract.currency_code;
  return {
    discountType: 'PRICE',
    discountValue: toDecimal(pieceInCharge(line, subscription.contract.completed_orders + 1, 1, currency), currency),
  };
}

/**
 * Puts another product in the place of one, for good or in one order: with the discount it had (OLD), the plan of the new product (NEW), no
 * discount (NONE) or what the product cost so far (PRESENT_PRICE).
 */
export async function swapLine(work: UnitOfWork, subscription: Aggregate, input: Swap): Promise<void> {
  const line = ownLine(subscription, input.lineId);
  const variant = await saleable(work, input);
  const quantity = quantityOf(input.quantity ?? line.quantity);
  if (variant.id === line.variant_id && quantity === line.quantity)
    throw refuse('/variantId', 'same', t`Choose another product than the present one.`);
  const before = eventData(line);
  const pricing = input.pricingType ?? 'OLD';
  const asPriced = await priceVariant(work, subscription, variant, swapPricing(subscription, line, pricing));
  const priced = pricing === 'OLD' ? { ...asPriced, policy: keptPolicy(line), isCustom: false } : asPriced;
  if (input.once && !line.one_time_added) {
    const cycle = cycleFor(work, subscription, input.orderId);
    if (line.one_time_removed_cycle === cycle) throw invalidState(t`This product is already left out of that order.`);
    mustNotPayAhead(work, subscription, cycle);
    line.one_time_removed_cycle = cycle;
    const added = await makeLine(work, subscription, variant, priced, { quantity, oneTimeCycle: cycle, position: line.position });
    subscription.lines.push(added);
    await mustBeDelivered(work, subscription);
    work.note(subscription, 'product_swapped_once', {
      before,
      after: eventData(added),
      orderId: subscription.contract.id * 10_000 + cycle,
    });
    return;
  }
  const made = await makeLine(work, subscription, variant, priced, {
    quantity,
    attributes: line.attributes as { key: string; value: string }[],
    isUpsell: line.is_upsell,
    oneTimeCycle: line.one_time_cycle,
    position: line.position,
  });
  const productBefore = line.product_id;
  const keepsPlan = pricing !== 'NEW';
  Object.assign(
    line,
    {
      ...made,
      id: line.id,
      shopify_id: line.shopify_id,
      one_time_added: line.one_time_added,
      created_at: line.created_at,
      price_is_manual: false,
    },
    keepsPlan
      ? {
          selling_plan_id: line.selling_plan_id,
          plan_group_id: line.plan_group_id,
          selling_plan_name: line.selling_plan_name,
          selling_plan_group_name: line.selling_plan_group_name,
        }
      : {},
  );
  await mustBeDelivered(work, subscription);
  work.note(subscription, 'product_swapped', { before, after: eventData(line), pricingType: pricing });
  removeCodesAfterSwap(work, subscription, line, productBefore);
}

export function updateQuantity(
  work: UnitOfWork,
  subscription: Aggregate,
  { lineId, quantity }: { lineId: number; quantity: number },
): void {
  const line = ownLine(subscription, lineId);
  const before = line.quantity;
  line.quantity = quantityOf(quantity);
  if (before !== quantity)
    work.note(subscription, 'quantity_updated', { lineId, name: nameOf(line), before: { quantity: before }, after: { quantity } });
}

/** Sets the price of one piece by hand; plans and auto updates leave it alone from then on. */
export function updatePrice(work: UnitOfWork, subscription: Aggregate, { lineId, price }: { lineId: number; price: string }): void {
  const line = lineOf(subscription, lineId);
  const currency = subscription.contract.currency_code;
  const minor = priceOf(price, currency);
  const before = toDecimal(line.price, currency);
  line.price = minor;
  line.price_is_manual = true;
  subscription.contract.has_custom_plan = true;
  work.note(subscription, 'price_updated', {
    lineId,
    name: nameOf(line),
    currencyCode: currency,
    before: { price: before },
    after: { price: toDecimal(minor, currency) },
  });
}

/** Replaces the whole list of a line's properties. */
export function updateLineAttributes(
  work: UnitOfWork,
  subscription: Aggregate,
  { lineId, attributes }: { lineId: number; attributes: { key: string; value: string }[] },
): void {
  const line = lineOf(subscription, lineId);
  const before = line.attributes as JsonObject[];
  line.attributes = attributes;
  work.note(subscription, 'line_attributes_updated', { lineId, name: nameOf(line), before, after: attributes });
}
