// A gift or discount that comes with a charge which a customer asked for: both are one. It is given when the order is paid; when the charge
// is declined it leaves the subscription in the transaction that writes the decline down: no process that dies leaves one without it.
import type { Aggregate } from '../aggregate.ts';
import { deleteLine } from '../edits/remove-line.ts';
import { linesOfOrder, nameOf, priceOrder, type OrderLine } from '../price.ts';
import type { OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { CameWith } from './declined-links.ts';
import { keepRate } from './rate-of-day.ts';

/** Takes back what came with the charge of an order that was declined; the order costs what it did without. */
export function takeBack(work: UnitOfWork, subscription: Aggregate, order: OrderRow): void {
  const given = order.came_with as CameWith | null;
  order.came_with = null;
  if (!given || given.lineIds.length + given.discountIds.length === 0) return;
  for (const line of subscription.lines.filter(one => given.lineIds.includes(one.id))) {
    deleteLine(work, subscription, line);
    work.note(subscription, 'product_removed', { lineId: line.id, name: nameOf(line), quantity: line.quantity });
  }
  for (const { id, title } of subscription.discounts.filter(one => given.discountIds.includes(one.id)))
    work.note(subscription, 'discount_removed', { discountId: id, title, because: 'CHARGE_DECLINED' });
  subscription.discounts = subscription.discounts.filter(one => !given.discountIds.includes(one.id));
  const held = new Set((order.lines as OrderLine[]).map(line => line.lineId));
  const priced = priceOrder(subscription.contract, subscription.discounts, {
    lines: linesOfOrder(subscription.lines, order.cycle).filter(line => held.has(line.id)),
    orderNumber: order.order_number,
    isPrepaidDelivery: order.is_prepaid_delivery,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  const { lines, subtotal, discount, shipping, total } = priced;
  Object.assign(order, { lines, subtotal, discount, shipping, total });
  keepRate(work, order);
}
