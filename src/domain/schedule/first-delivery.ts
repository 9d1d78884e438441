/** When a newly bought subscription ships and is charged again: anchors, cut-off and behaviour before the anchor. */
import { anchorFor, firstAnchor, nthAnchor, type Anchor } from '../calendar/anchor.ts';
import { atBillingHour, clockOf, dayNumber, dayOf, instant, stepDate, type Day } from '../calendar/calendar.ts';
import { multipleOf, type Interval } from '../calendar/interval.ts';

export type PreAnchorBehavior = 'ASAP' | 'NEXT';

export type DeliveryTerms = {
  billing: Interval;
  delivery: Interval;
  anchor: Anchor | null;
  /** ASAP ships the checkout order at once, NEXT on the anchor. */
  preAnchorBehavior: PreAnchorBehavior;
  /** Days before an anchor day in which an order comes too late for it. */
  cutOffDays: number;
};

export type FirstDelivery = {
  /** When the checkout order ships. */
  shipsAt: number;
  /** The delivery after it, which is cycle 2 of the subscription. */
  nextDeliveryAt: number;
  /** The next charge; the same as `nextDeliveryAt` unless the plan is prepaid. */
  nextChargeAt: number;
  /**
   * Where the schedule of the subscription starts from: the order itself (cycle 1), so that a subscription bought on the
   * 31st keeps the 31st; with an anchor the next delivery (cycle 2), which lies on it.
   */
  baseAt: number;
  baseCycle: number;
};

/**
 * Dates of the first orders, all epoch ms, computed in the store's zone at the billing hour (null: the clock time of the
 * order). An order inside the cut-off misses the nearest anchor. An order placed on an anchor day counts as that
 * anchor's order. A prepaid plan charges again when the deliveries paid at checkout are sent.
 */
export function firstDelivery(orderedAt: number, terms: DeliveryTerms, zone: string, billingHour: number | null): FirstDelivery {
  const { billing, delivery } = terms;
  const anchor = anchorFor(terms.anchor, delivery.interval);
  if (!anchor) {
    return {
      shipsAt: orderedAt,
      nextDeliveryAt: stepDate(orderedAt, delivery, 1, zone, billingHour),
      nextChargeAt: stepDate(orderedAt, billing, 1, zone, billingHour),
      baseAt: atBillingHour(orderedAt, zone, billingHour),
      baseCycle: 1,
    };
  }
  const at = (day: Day, like = orderedAt) => instant(day, clockOf(like, zone, billingHour), zone);
  const deliveriesPerCharge = multipleOf(billing, delivery) ?? 1;
  const orderDay = dayOf(orderedAt, zone);
  const nearest = firstAnchor(orderDay, anchor);
  const daysToAnchor = dayNumber(nearest) - dayNumber(orderDay);
  const isTooLate = daysToAnchor > 0 && daysToAnchor <= terms.cutOffDays;
  const target = isTooLate ? nthAnchor(nearest, anchor, 1) : nearest;
  const isOnAnchorDay = daysToAnchor === 0;

  // From here on everything is counted in anchors from the target: ASAP takes the target as delivery 2, NEXT as delivery 1.
  const isShippedBefore = terms.preAnchorBehavior === 'ASAP' && !isOnAnchorDay;
  const afterTarget = (deliveries: number) => nthAnchor(target, anchor, deliveries * delivery.intervalCount);
  const nextDeliveryAt = at(afterTarget(isShippedBefore ? 0 : 1));
  return {
    shipsAt: isShippedBefore || isOnAnchorDay ? orderedAt : at(target),
    nextDeliveryAt,
    // Like the schedule, which keeps the time of its base: on a day whose clock skips the hour of the order that is an hour later.
    nextChargeAt: at(afterTarget(isShippedBefore ? deliveriesPerCharge - 1 : deliveriesPerCharge), nextDeliveryAt),
    baseAt: nextDeliveryAt,
    baseCycle: 2,
  };
}
