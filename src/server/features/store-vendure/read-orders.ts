// Vendure's orders in the words of the port.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { ShopAddress, ShopLink, ShopRefund, SoldOrder } from '../../platform/store-platform/store-platform.ts';
import { id, list, object, text, whole } from './ask.ts';
import { fromShop } from './money.ts';
import { readCustomer } from './read-customers.ts';

/** How a refund that is made for us says which: its reason ends with it. */
const REFUND_KEY = /\[(refund-[\w-]{1,100})\]$/;

const instant = (value: JsonValue | undefined, what: string): Date => new Date(text(value, what, 40));
const line = (value: JsonValue | undefined): string => text(value ?? '', 'an address').trim();

function readAddress(given: JsonObject): ShopAddress | null {
  const countryCode = line(given.countryCode);
  if (!/^[A-Z]{2}$/.test(countryCode)) return null;
  return {
    name: line(given.fullName),
    company: line(given.company),
    street: line(given.streetLine1),
    street2: line(given.streetLine2),
    city: line(given.city),
    province: line(given.province),
    postalCode: line(given.postalCode),
    countryCode,
    phone: line(given.phoneNumber),
  };
}

function readRefund(link: ShopLink, given: JsonObject): ShopRefund {
  const state = text(given.state, 'the state of a refund');
  return {
    id: id(given.id, 'a refund'),
    amount: fromShop(link, whole(given.total, 'a refund')),
    state: state === 'Settled' ? 'DONE' : state === 'Failed' ? 'FAILED' : 'PENDING',
    key: REFUND_KEY.exec(text(given.reason ?? '', 'the reason of a refund', 1000))?.[1] ?? null,
  };
}

function readOrder(link: ShopLink, given: JsonObject): SoldOrder {
  const state = text(given.state, 'the state of an order');
  const payments = list(given.payments ?? [], 'payments').filter(one => one.state === 'Settled');
  const paid = payments.reduce((sum, one) => sum + whole(one.amount, 'a payment'), 0);
  const isPlaced = given.orderPlacedAt !== null;
  const money = (value: JsonValue | undefined): number => fromShop(link, whole(value, 'an amount'));
  return {
    id: id(given.id, 'an order'),
    number: text(given.code, 'the number of an order', 100),
    key: text(object(given.customFields, 'an order').perennialKey ?? '', 'the key of an order') || null,
    state: state === 'Cancelled' ? 'CANCELLED' : isPlaced && paid >= whole(given.totalWithTax, 'a total') ? 'PAID' : 'OPEN',
    placedAt: isPlaced ? instant(given.orderPlacedAt, 'when an order was placed') : null,
    changedAt: instant(given.updatedAt, 'when an order was changed'),
    currency: text(given.currencyCode, 'the currency of an order', 3),
    customer: given.customer === null ? null : readCustomer(object(given.customer, 'the customer of an order')),
    address: given.shippingAddress === null ? null : readAddress(object(given.shippingAddress, 'an address')),
    shipping: {
      title: list(given.shippingLines, 'shipping')
        .map(one => text(object(one.shippingMethod, 'shipping').name, 'shipping'))
        .join(', '),
      price: money(given.shippingWithTax),
    },
    lines: list(given.lines, 'the lines of an order').map(one => {
      const { perennialPlan, perennialWidget } = object(one.customFields, 'a line of an order');
      return {
        variant: id(object(one.productVariant, 'a line of an order').id, 'a variant'),
        quantity: whole(one.quantity, 'a quantity'),
        plan: text(perennialPlan ?? '', 'a plan') || null,
        widget: text(perennialWidget ?? '', 'a widget') || null,
        price: money(one.unitPriceWithTax),
        paid: money(one.proratedLinePriceWithTax),
      };
    }),
    payments: payments.map(one => ({
      id: id(one.id, 'a payment'),
      method: text(one.method, 'a payment'),
      reference: text(one.transactionId ?? '', 'a payment'),
      amount: money(one.amount),
      refunds: list(one.refunds ?? [], 'refunds').map(refund => readRefund(link, refund)),
    })),
  };
}

/** @throws ShopError WRONG */
export function readOrders(link: ShopLink, data: JsonObject): { items: SoldOrder[]; total: number } {
  const { items, totalItems } = object(data.orders, 'orders');
  return {
    items: list(items, 'orders').map(one => readOrder(link, one)),
    total: whole(totalItems, 'how many orders there are'),
  };
}
