// What the next try to charge a subscription will ask for: the order that is tried again, else the next one, with what is added, left out
// and taken off for it alone.
import type { UpcomingOrder } from '../../../domain/schedule/schedule.ts';
import { isOpen, orderById, orderIdOf, type Aggregate } from '../aggregate.ts';
import { linesOfOrder, priceOrder, type OrderLine, type PricedOrder } from '../price.ts';
import type { LineRow, OrderRow } from '../rows.ts';
import { nextPlanned, openCharges } from '../schedule.ts';
import type { EngineSettings } from '../settings.ts';
import { dunningOf } from '../status.ts';
import { retryOf } from './stock.ts';

type Parts = Pick<Aggregate, 'contract' | 'lines' | 'discounts' | 'orders'>;
type Shipping = EngineSettings['prepaidShippingCharge'];

/** Products added once that go with an order under way, and with no later one. */
const underWay = (subscription: Parts): Set<number> =>
  new Set(
    subscription.orders
      .filter(order => order.cycle < subscription.contract.next_cycle && isOpen(order))
      .flatMap(order => linesOfOrder(subscription.lines, order.cycle).filter(line => line.one_time_added))
      .map(line => line.id),
  );

/**
 * Orders as planned, each with what it will be charged: a product added once stands in the first that it may go with, a discount for three
 * orders in three.
 */
export function* pricedAhead(
  subscription: Parts,
  planned: Iterable<UpcomingOrder>,
  prepaidShippingCharge: Shipping,
): Generator<{ planned: UpcomingOrder; priced: PricedOrder }, void, undefined> {
  const gone = underWay(subscription);
  let ordersAhead = openCharges(subscription);
  for (const one of planned) {
    const left = subscription.lines.filter(line => !gone.has(line.id));
    const lines = linesOfOrder(left, one.cycle);
    yield {
      planned: one,
      priced: priceOrder(subscription.contract, subscription.discounts, {
        lines,
        orderNumber: one.orderNumber,
        isPrepaidDelivery: one.isPrepaidDelivery,
        ordersAhead,
        prepaidShippingCharge,
      }),
    };
    if (one.status !== 'SCHEDULED') continue;
    for (const line of lines) if (line.one_time_added) gone.add(line.id);
    if (!one.isPrepaidDelivery) ordersAhead += 1;
  }
}

/**
 * The lines of an order that failed, as it would be filled now: what stock or the store kept out of it stays out, what was added since is
 * in it.
 */
function linesAgain(subscription: Parts, order: OrderRow): LineRow[] {
  const tried = new Set((order.lines as OrderLine[]).map(line => line.lineId));
  const state = retryOf(order);
  const since = state?.lastAttemptAt ?? state?.firstFailedAt ?? 0;
  return linesOfOrder(subscription.lines, order.cycle).filter(line => tried.has(line.id) || line.created_at.getTime() > since);
}

/** Minor units that an order comes to when its payment is tried again now. */
export function chargeAgain(subscription: Aggregate, order: OrderRow, prepaidShippingCharge: Shipping): number {
  const { contract } = subscription;
  const isPrepaidDelivery = order.is_prepaid_delivery && contract.prepaid_credits > 0;
  return priceOrder(contract, subscription.discounts, {
    lines: linesAgain(subscription, order),
    orderNumber: isPrepaidDelivery ? order.order_number : contract.completed_orders + 1,
    isPrepaidDelivery,
    prepaidShippingCharge,
  }).total;
}

/** The order in recovery, which waits for its payment. */
function inRecovery(subscription: Aggregate): OrderRow | undefined {
  const open = dunningOf(subscription);
  const order = open?.state === 'IN_RECOVERY' ? orderById(subscription, open.orderId) : undefined;
  return order?.status === 'FAILED' ? order : undefined;
}

/** The order that a customer pays for by ordering now, and what it comes to in minor units. */
export interface OrderedNow {
  orderId: number;
  total: number;
}

/**
 * What a customer pays for by ordering now: the order whose payment is still tried, else the next one; the one behind an unpaid order would
 * be a second one. Undefined where there is none.
 */
export function orderedNow(subscription: Aggregate, zone: string, prepaidShippingCharge: Shipping): OrderedNow | undefined {
  const unpaid = inRecovery(subscription);
  if (unpaid) return { orderId: unpaid.id, total: chargeAgain(subscription, unpaid, prepaidShippingCharge) };
  const next = pricedNext(subscription, zone, prepaidShippingCharge);
  return next && { orderId: orderIdOf(subscription.contract.id, next.planned.cycle), total: next.priced.total };
}

/** The next order of the schedule with what it will be charged: nothing for a delivery that is paid, perhaps but for its shipping. */
export function pricedNext(
  subscription: Aggregate,
  zone: string,
  prepaidShippingCharge: Shipping,
): { planned: UpcomingOrder; priced: PricedOrder } | undefined {
  const planned = nextPlanned(subscription, zone);
  return planned ? [...pricedAhead(subscription, [planned], prepaidShippingCharge)][0] : undefined;
}

/** Minor units of the next charge where they differ from what order or contract say already; else null. */
export function nextCharge(subscription: Aggregate, zone: string, prepaidShippingCharge: Shipping): number | null {
  const { contract } = subscription;
  const open = dunningOf(subscription);
  if (open?.state === 'IN_RECOVERY') {
    const order = inRecovery(subscription);
    if (!order) return null;
    const total = chargeAgain(subscription, order, prepaidShippingCharge);
    return total === order.total ? null : total;
  }
  const isPlain =
    !subscription.lines.some(line => line.one_time_added || line.one_time_removed_cycle !== null) && openCharges(subscription) === 0;
  const planned = isPlain ? null : nextPlanned(subscription, zone);
  if (!planned || planned.isPrepaidDelivery) return null;
  const [next] = pricedAhead(subscription, [planned], prepaidShippingCharge);
  return !next || next.priced.total === contract.total ? null : next.priced.total;
}
