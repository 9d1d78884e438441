// What should be known about a change before it is made, one sentence each.
import type { JsonObject } from '../../../contract/types.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { type Aggregate, type ContractRow, isUsable, methodById, nameOf, type UnitOfWork } from '../../engine/index.ts';
import { intlLocale, t } from '../../../domain/text/t.ts';

export interface State {
  status: string;
  resumeDateEpoch: number | null;
  orders: JsonObject[];
}

export interface Before extends State {
  contract: ContractRow;
  /** Of each line. */
  quantities: Map<number, number>;
  variants: Map<number, number | null>;
  letters: readonly { recipient: string; subject: string }[];
}
export interface Change {
  before: Before;
  after: State;
  notes: readonly { key: string; data: JsonObject }[];
  /** Other subscriptions that change too; undefined where that was not asked for. */
  others: number | undefined;
  input: JsonObject;
  /** Minor units in words. */
  say: (minor: number) => string;
}

export function warningsOf(work: UnitOfWork, subscription: Aggregate, change: Change): string[] {
  return [
    ...ofDiscounts(change),
    ...ofStock(work, subscription, change),
    ...ofPlan(subscription, change),
    ...ofEnded(work, change),
    ...ofDates(subscription, change),
    ...ofMoney(work, subscription, change),
    ...ofOthers(change),
    ...ofLetters(subscription, change),
  ];
}

const ofDiscounts = ({ notes }: Change): string[] =>
  notes.flatMap(({ key, data }) => {
    if (key === 'discount_removed' && data.because === 'PRODUCT_SWAPPED')
      return [t`The discount code “${String(data.code)}” isn't for the new product and no longer applies to it.`];
    if (key === 'discount_removed' && data.because === 'LAST_LINE_REMOVED')
      return [t`The discount “${String(data.title)}” was for this product alone and goes with it.`];
    const replaced = data.replaced as JsonObject | undefined;
    return key === 'discount_added' && replaced
      ? [t`It takes the place of the code ${String(replaced.code ?? replaced.title)}: one code is kept at a time.`]
      : [];
  });

/** Products that are new or more than before, and not there. */
const ofStock = (work: UnitOfWork, subscription: Aggregate, { before }: Change): string[] =>
  subscription.lines.flatMap(line => {
    const variant = line.variant_id === null ? undefined : work.variants.get(line.variant_id);
    const isMore = before.variants.get(line.id) !== line.variant_id || line.quantity > (before.quantities.get(line.id) ?? 0);
    if (!isMore || !variant?.inventory_management || variant.inventory_policy !== 'deny' || variant.inventory_quantity >= line.quantity)
      return [];
    return [
      variant.inventory_quantity > 0
        ? t`Only ${variant.inventory_quantity} of ${nameOf(line)} are in stock.`
        : t`${nameOf(line)} is out of stock. Orders with it follow your inventory settings.`,
    ];
  });

function ofPlan(subscription: Aggregate, { before }: Change): string[] {
  return !before.contract.has_custom_plan && subscription.contract.has_custom_plan
    ? [t`The subscription leaves its published selling plan: prices or frequency are then its own.`]
    : [];
}

/** What was arranged for single orders and ends with this, with the dates that the log will name. */
const ofEnded = (work: UnitOfWork, { notes }: Change): string[] =>
  notes.flatMap(({ data }) => {
    const { skipped = [], moved = [] } = (data.ended ?? {}) as { skipped?: number[]; moved?: number[] };
    const on = (epochSeconds: number): string => dateLabel(epochSeconds * 1000, work.zone, intlLocale());
    return [
      ...skipped.map(date => t`The skipped order of ${on(date)} stays skipped and can't be put back any more.`),
      ...moved.map(date => t`The order that was moved to ${on(date)} loses its own date.`),
    ];
  });

function ofDates(subscription: Aggregate, { after }: Change): string[] {
  if (subscription.contract.status !== 'ACTIVE') return [];
  const planned = after.orders.filter(order => order.status === 'SCHEDULED').length;
  return [
    ...(subscription.contract.max_cycles !== null && planned < 3
      ? [
          planned === 0
            ? t`No order is left: it has reached its maximum.`
            : planned === 1
              ? t`It ends by itself after one more order.`
              : t`It ends by itself after ${planned} more orders.`,
        ]
      : []),
  ];
}

function ofMoney(work: UnitOfWork, subscription: Aggregate, { before, after, input, say }: Change): string[] {
  const [from, to] = [before.contract.delivery_price, subscription.contract.delivery_price];
  const first = after.orders.find(order => order.status === 'SCHEDULED' && order.isPrepaidDelivery !== true);
  const was = before.orders.find(order => order.status === 'SCHEDULED' && order.isPrepaidDelivery !== true);
  const left = before.contract.prepaid_credits;
  const method = methodById(subscription, subscription.contract.payment_method_id);
  return [
    ...(from !== to && input.deliveryPrice === undefined
      ? [t`Shipping changes from ${from === 0 ? t`free` : say(from)} to ${to === 0 ? t`free` : say(to)}.`]
      : []),
    ...(first && Number(first.total) === 0 && was && Number(was.total) > 0 ? [t`The next order costs nothing then.`] : []),
    ...(before.contract.status === 'CANCELLED' && left > 0 && subscription.contract.prepaid_credits === 0
      ? [
          left === 1
            ? t`One delivery that was paid before the cancellation is not restored.`
            : t`${left} deliveries that were paid before the cancellation are not restored.`,
        ]
      : []),
    ...(input.chargeAtOnce === true ? [t`The first order is charged at once, and the dates are counted from then.`] : []),
    ...(before.contract.status !== 'ACTIVE' &&
    subscription.contract.status === 'ACTIVE' &&
    subscription.contract.prepaid_credits === 0 &&
    (!method ||
      !isUsable(method, {
        at: first ? new Date(Number(first.billingDateEpoch) * 1000) : subscription.contract.updated_at,
        zone: work.zone,
      }))
      ? [t`The payment method can't be charged any more when the first order is due.`]
      : []),
  ];
}

const ofOthers = ({ others }: Change): string[] =>
  others === undefined
    ? []
    : [
        others === 0
          ? t`No other subscription of the customer goes to this address.`
          : others === 1
            ? t`One other subscription of the customer changes too.`
            : t`${others} other subscriptions of the customer change too.`,
      ];

const ofLetters = (subscription: Aggregate, { before }: Change): string[] =>
  before.letters
    .filter(one => one.recipient === subscription.contract.customer_email)
    .map(one => t`${subscription.contract.customer_name} gets an e-mail: “${one.subject}”.`);
