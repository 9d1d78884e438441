// Bundles on a subscription: adding one, changing what is in it, leaving it out of one order, removing it. Prices follow from the plan of
// the bundle and its own discount, and are worked out again with every change.
import { randomBytes } from 'node:crypto';
import {
  boxProblems,
  isDiscountedOnce,
  presetDiscount,
  sizeFor,
  tierOf,
  type Bundle,
  type BundleDiscount,
  type BundleItem,
  type PresetVariant,
} from '../../../domain/bundles/bundle.ts';
import { sum, times, toDecimal, toMinor } from '../../../domain/money/money.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { invalid, invalidState, notFound } from '../../platform/context.ts';
import {
  type Aggregate,
  billingOf,
  cycleFor,
  deleteLine,
  deliveryOf,
  type DiscountRow,
  findVariants,
  hasFrequency,
  type HeldBundle,
  heldBundles,
  toContractCurrency,
  keepBundles,
  LAST_PRODUCT,
  type LineRow,
  linesOfBundle,
  linesOfOrder,
  makeLine,
  mustBeDelivered,
  mustFillOrders,
  mustNotPayAhead,
  nameOf,
  nameOfVariant,
  type OfferedPlan,
  policyOfPlan,
  type Priced,
  priceVariant,
  quantityOf,
  saleable,
  type SoldVariant,
  type UnitOfWork,
} from '../../engine/index.ts';
import { plansOfBundle, readBundles } from './catalogue.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);

/** A bundle that can be sold. @throws Refusal 404, 409 for a draft */
export async function bundleOf(work: UnitOfWork, bundleId: number): Promise<Bundle> {
  const [bundle] = await readBundles(work.context, { ids: [bundleId] });
  if (!bundle) throw notFound(later`bundle`);
  if (bundle.status !== 'ACTIVE') throw invalidState(t`“${bundle.name}” is a draft. Publish it first.`);
  return bundle;
}

/** The preset bundle that a variant is sold as, with what it holds. @throws Refusal 404, 409 */
export async function presetOf(work: UnitOfWork, variantId: number): Promise<{ bundle: Bundle; variant: PresetVariant }> {
  for (const bundle of await readBundles(work.context, { bundleType: 'PRESET', status: 'ACTIVE' })) {
    const variant = bundle.variants?.find(one => one.variantId === variantId);
    if (variant) return { bundle, variant };
  }
  throw notFound(later`bundle`);
}

/** The bundle's plan with the frequency of the subscription; without one it can be in one order only (bundles.md, section 15). */
export async function planFor(
  work: UnitOfWork,
  subscription: Pick<Aggregate, 'contract'>,
  bundle: Bundle,
): Promise<OfferedPlan | undefined> {
  if (bundle.purchaseType === 'ONETIME') return undefined;
  const [billing, delivery] = [billingOf(subscription.contract), deliveryOf(subscription.contract)];
  return (await plansOfBundle(work.context, bundle)).find(({ plan }) => hasFrequency(plan, billing, delivery));
}

interface Content {
  variant: SoldVariant;
  quantity: number;
}
/** What is wanted, each variant once. @throws Refusal 422 */
export async function contentsOf(work: UnitOfWork, items: readonly BundleItem[], times = 1): Promise<Content[]> {
  const wanted = new Map<number, number>();
  for (const { variantId, quantity } of items) wanted.set(variantId, (wanted.get(variantId) ?? 0) + quantity);
  const contents: Content[] = [];
  for (const [variantId, quantity] of wanted)
    contents.push({ variant: await saleable(work, { variantId }, '/items'), quantity: quantityOf(quantity * times, '/items') });
  return contents;
}

/** @throws Refusal 422 with all that is wrong with a box */
function mustFit(bundle: Bundle, contents: readonly Content[], boxSizeId: number | null | undefined): void {
  const items = contents.map(({ variant, quantity }) => ({
    variantId: variant.id,
    productId: variant.product_id,
    title: nameOfVariant(variant),
    quantity,
  }));
  const problems = boxProblems(bundle, items, { boxSizeId });
  if (problems.length) throw invalid(problems.map(message => ({ pointer: '/items', rule: 'box', message })));
}

/** How a product of a bundle is priced: by the bundle's plan, whatever it is sold with by itself. */
async function priced(work: UnitOfWork, subscription: Aggregate, variant: SoldVariant, plan: OfferedPlan | undefined): Promise<Priced> {
  const full = await priceVariant(work, subscription, variant, { discountType: 'NONE' });
  if (!plan) return { ...full, isCustom: false };
  return { ...full, policy: policyOfPlan(work.context.store, plan.plan, subscription.contract.currency_code), plan, isCustom: false };
}

/** The discount of a bundle by what is in it now. */
function discountFor(
  work: UnitOfWork,
  subscription: Aggregate,
  bundle: Bundle,
  held: HeldBundle,
  lines: readonly LineRow[],
): BundleDiscount | undefined {
  if (held.isOnce && !isDiscountedOnce(bundle)) return undefined;
  const currency = subscription.contract.currency_code;
  if (bundle.bundleType === 'PRESET') {
    const variant = bundle.variants?.find(one => one.variantId === held.variantId);
    return variant && presetDiscount(bundle, variant);
  }
  const box = { quantity: sum(lines.map(line => line.quantity)), value: sum(lines.map(line => line.base_price * line.quantity)) };
  return tierOf(bundle, box, threshold => {
    const value = toContractCurrency(work, subscription, threshold);
    return value === null ? null : toMinor(value, currency);
  });
}

/** Brings the discount of a bundle up to date: one row, on its lines. */
async function keepDiscount(work: UnitOfWork, subscription: Aggregate, bundle: Bundle, held: HeldBundle): Promise<void> {
  const lines = linesOfBundle(subscription, held.id);
  const ids = lines.map(line => line.id);
  const before = subscription.discounts.find(row => row.kind === 'BUNDLE' && row.line_ids.some(id => ids.includes(id)));
  const discount = discountFor(work, subscription, bundle, held, lines);
  const value = discount && valueOf(work, subscription, discount, held.quantity);
  if (!discount || !value) {
    if (before) subscription.discounts = subscription.discounts.filter(row => row !== before);
    return;
  }
  const made = {
    title: discount.name === held.name ? held.name : `${held.name}: ${discount.name}`,
    type: discount.type === 'FIXED' ? 'FIXED_AMOUNT' : discount.type,
    value,
    line_ids: ids,
  };
  if (before) {
    Object.assign(before, made);
    return;
  }
  const row: DiscountRow = {
    store_id: work.context.storeId,
    id: await work.ids.next('contract_discounts'),
    contract_id: subscription.contract.id,
    kind: 'BUNDLE',
    code: null,
    applies_on_each_item: false,
    target_type: 'LINE_ITEM',
    order_limit: null,
    usage_count: 0,
    rejection_reason: null,
    created_at: work.at,
    ...made,
  };
  subscription.discounts = [...subscription.discounts, row];
}

/** A percentage, or an amount for so many pieces of the bundle in the currency of the subscription; null where the store has no rate. */
function valueOf(work: UnitOfWork, subscription: Aggregate, { type, value }: BundleDiscount, quantity: number): string | null {
  if (type === 'PERCENTAGE') return value;
  const currency = work.context.store.currency_code;
  return toContractCurrency(work, subscription, toDecimal(times(toMinor(value, currency), quantity), currency));
}

const lineSummary = (lines: readonly LineRow[]): JsonValue => lines.map(line => ({ name: nameOf(line), quantity: line.quantity }));

/**
 * Puts contents into a bundle: products that stay keep their line and its price, new ones are priced by the bundle's plan, others go.
 * `cycle`: the order that a bundle for one order is for.
 */
async function setContents(
  work: UnitOfWork,
  subscription: Aggregate,
  held: HeldBundle,
  contents: readonly Content[],
  { plan, cycle }: { plan: OfferedPlan | undefined; cycle: number | null },
): Promise<void> {
  const { showBundleName } = await work.context.setting('bundle-preferences');
  const before = linesOfBundle(subscription, held.id);
  let position = before[0]?.position ?? Math.max(0, ...subscription.lines.map(line => line.position)) + 1;
  const noted = work.notes.length;
  for (const line of before) if (!contents.some(({ variant }) => variant.id === line.variant_id)) deleteLine(work, subscription, line);
  // That the bundle's own discount goes with its last line is no news: it comes again with the new ones.
  work.clearNotes(noted);
  for (const { variant, quantity } of contents) {
    const known = before.find(line => line.variant_id === variant.id);
    if (known) {
      known.quantity = quantity;
      position = known.position;
      continue;
    }
    const line = await makeLine(work, subscription, variant, await priced(work, subscription, variant, plan), {
      quantity,
      attributes: showBundleName === true ? [{ key: 'Bundle', value: held.name }] : [],
      oneTimeCycle: cycle,
      position,
    });
    line.bundle_transaction_id = held.id;
    line.one_time_removed_cycle = before[0]?.one_time_removed_cycle ?? null;
    subscription.lines.push(line);
  }
}

export interface NewBundle {
  bundle: Bundle;
  /** Of a preset bundle. */
  variant?: PresetVariant;
  /** Of a box. */
  items?: readonly BundleItem[];
  boxSizeId?: number | null;
  quantity?: number;
  /** In the next order only. */
  once?: boolean;
  isUpsell?: boolean;
  /** The id that its lines share, where it has one already: that of the cart. */
  transactionId?: string;
  /** It is bought with a subscription that is being made: by which plan (null: once). How it is delivered is chosen afterwards. */
  bought?: OfferedPlan | null;
}

/**
 * Adds a bundle for good, where it is sold with the frequency of the subscription, else to the next order. @throws Refusal 409, 422 for a
 * box that does not fit, and for what is not sold that way
 */
export async function addBundle(work: UnitOfWork, subscription: Aggregate, given: NewBundle): Promise<HeldBundle> {
  const { bundle, variant, quantity = 1 } = given;
  const isBought = given.bought !== undefined;
  const plan = isBought ? (given.bought ?? undefined) : await planFor(work, subscription, bundle);
  const isOnce = given.once === true || plan === undefined;
  if (isOnce && bundle.purchaseType === 'SUBSCRIPTION')
    throw refuse(
      given.once ? '/once' : '/bundleId',
      'FREQUENCY',
      given.once
        ? t`“${bundle.name}” is sold on subscription only.`
        : t`“${bundle.name}” is not sold with the frequency of this subscription.`,
    );
  const contents = await contentsOf(work, variant?.items ?? given.items ?? [], quantity);
  if (!variant) mustFit(bundle, contents, given.boxSizeId);
  const pieces = sum(contents.map(one => one.quantity));
  const size = variant ? undefined : sizeFor(bundle.boxSizes ?? [], pieces, given.boxSizeId);
  const held: HeldBundle = {
    id: given.transactionId ?? randomBytes(16).toString('hex'),
    bundleId: bundle.id,
    name: bundle.name,
    bundleType: bundle.bundleType,
    variantId: variant?.variantId ?? null,
    boxSizeId: size?.id ?? null,
    boxName: size?.name ?? variant?.title ?? null,
    quantity,
    isOnce,
    ...(bundle.hideContents ? { isSecret: true } : {}),
  };
  keepBundles(subscription.contract, [...heldBundles(subscription), held]);
  const cycle = isOnce ? (isBought ? subscription.contract.next_cycle : cycleFor(work, subscription, undefined)) : null;
  await setContents(work, subscription, held, contents, { plan: isOnce ? undefined : plan, cycle });
  if (!isBought) await mustBeDelivered(work, subscription);
  for (const line of linesOfBundle(subscription, held.id)) if (given.isUpsell) line.is_upsell = true;
  await keepDiscount(work, subscription, bundle, held);
  work.note(subscription, 'bundle_added', { name: held.name, isOnce, after: lineSummary(linesOfBundle(subscription, held.id)) });
  return held;
}

/** The bundle of a subscription by its transaction. @throws Refusal 404 */
export function needHeld(subscription: Aggregate, id: string): HeldBundle {
  const held = heldBundles(subscription).find(one => one.id === id);
  if (!held) throw notFound(later`bundle of the subscription`);
  return held;
}

/** Gives a bundle of the subscription these contents, at the price of now. */
export async function refill(
  work: UnitOfWork,
  subscription: Aggregate,
  bundle: Bundle,
  held: HeldBundle,
  contents: readonly Content[],
): Promise<void> {
  const before = linesOfBundle(subscription, held.id);
  const was = lineSummary(before);
  const cycle = held.isOnce ? (before[0]?.one_time_cycle ?? null) : null;
  keepBundles(
    subscription.contract,
    heldBundles(subscription).map(one => (one.id === held.id ? held : one)),
  );
  await setContents(work, subscription, held, contents, {
    plan: held.isOnce ? undefined : await planFor(work, subscription, bundle),
    cycle,
  });
  await mustBeDelivered(work, subscription);
  await keepDiscount(work, subscription, bundle, held);
  work.note(subscription, 'bundle_updated', {
    lineId: linesOfBundle(subscription, held.id)[0]?.id ?? null,
    name: held.name,
    before: was,
    after: lineSummary(linesOfBundle(subscription, held.id)),
  });
}

/** The bundle behind one that a subscription holds, a draft too. @throws Refusal 409 for a deleted one */
async function definitionOf(work: UnitOfWork, held: HeldBundle): Promise<Bundle> {
  const [bundle] = await readBundles(work.context, { ids: [held.bundleId] });
  if (!bundle) throw invalidState(t`The bundle “${held.name}” was deleted. What is in it stays as it is.`);
  return bundle;
}

/** Replaces what is in a box. @throws Refusal 404, 409 for preset bundles, 422 for a box that does not fit */
export async function changeContents(
  work: UnitOfWork,
  subscription: Aggregate,
  { bundleTransactionId, items }: { bundleTransactionId: string; items: readonly BundleItem[] },
): Promise<void> {
  const held = needHeld(subscription, bundleTransactionId);
  if (held.bundleType === 'PRESET') throw invalidState(t`What is in “${held.name}” is fixed. Remove it, or change how many there are.`);
  const bundle = await definitionOf(work, held);
  const contents = await contentsOf(work, items);
  mustFit(bundle, contents, undefined);
  const size = sizeFor(bundle.boxSizes ?? [], sum(contents.map(one => one.quantity)));
  await refill(work, subscription, bundle, { ...held, boxSizeId: size?.id ?? null, boxName: size?.name ?? null }, contents);
}

/** Changes how many of a preset bundle there are. @throws Refusal 404, 409 for boxes, 422 */
export async function changeBundleQuantity(
  work: UnitOfWork,
  subscription: Aggregate,
  { bundleTransactionId, quantity }: { bundleTransactionId: string; quantity: number },
): Promise<void> {
  const held = needHeld(subscription, bundleTransactionId);
  if (held.bundleType !== 'PRESET') throw invalidState(t`“${held.name}” is a box. Change what is in it, or add another one.`);
  const bundle = await definitionOf(work, held);
  const lines = linesOfBundle(subscription, held.id);
  const variants = await findVariants(work.context, { ids: lines.flatMap(line => line.variant_id ?? []) });
  const contents = lines.flatMap(line => {
    const variant = variants.find(one => one.id === line.variant_id);
    return variant ? [{ variant, quantity: quantityOf(Math.max(1, Math.round((line.quantity / held.quantity) * quantity))) }] : [];
  });
  await refill(work, subscription, bundle, { ...held, quantity }, contents);
}

/** Removes a bundle with all its products. @throws Refusal 404, 409 where nothing else is left */
export function removeBundle(work: UnitOfWork, subscription: Aggregate, { bundleTransactionId }: { bundleTransactionId: string }): void {
  const held = needHeld(subscription, bundleTransactionId);
  const lines = linesOfBundle(subscription, held.id);
  if (!held.isOnce && subscription.lines.every(line => line.one_time_added || lines.includes(line)))
    throw invalidState(translated(LAST_PRODUCT));
  const before = lineSummary(lines);
  const notes = work.notes.length;
  for (const line of lines) deleteLine(work, subscription, line);
  work.clearNotes(notes);
  keepBundles(
    subscription.contract,
    heldBundles(subscription).filter(one => one.id !== held.id),
  );
  mustFillOrders(work, subscription);
  work.note(subscription, 'bundle_removed', { name: held.name, before });
}

/** C239: leaves a bundle out of the next order. @throws Refusal 404, 409 */
export function deleteOnce(
  work: UnitOfWork,
  subscription: Aggregate,
  { bundleTransactionId, orderId }: { bundleTransactionId: string; orderId?: number },
): void {
  const held = needHeld(subscription, bundleTransactionId);
  const lines = linesOfBundle(subscription, held.id);
  if (held.isOnce) throw invalidState(t`This bundle is in one order only. Remove it instead.`);
  const cycle = cycleFor(work, subscription, orderId);
  if (lines.some(line => line.one_time_removed_cycle === cycle)) throw invalidState(t`This bundle is already left out of that order.`);
  mustNotPayAhead(work, subscription, cycle);
  if (!linesOfOrder(subscription.lines, cycle).some(other => !lines.includes(other)))
    throw invalidState(t`At least one other product must stay in the order. Skip the order instead.`);
  for (const line of lines) line.one_time_removed_cycle = cycle;
  work.note(subscription, 'bundle_removed_once', { name: held.name, orderId: subscription.contract.id * 10_000 + cycle });
}
