// The mutations of the Admin API by which Perennial makes an order that was paid there, whole or not at all and once for its key, and writes
// down what was given back of it.
'use strict';
const { Args, Mutation, Resolver } = require('@nestjs/graphql');
const {
  Allow,
  Ctx,
  CustomerService,
  isGraphQlErrorResult,
  Order,
  OrderService,
  Payment,
  Permission,
  Refund,
  RequestContext,
  ShippingLine,
  Transaction,
  TransactionalConnection,
  UserInputError,
} = require('@vendure/core');
const { parse } = require('graphql');
const { decorate } = require('./decorate.js');

const schema = parse(`
  input PerennialOrderLineInput {
    variantId: ID!
    quantity: Int!
  }
  input PerennialOrderInput {
    "Perennial's own: there is one order for each."
    key: String!
    customerId: ID
    customer: CreateCustomerInput!
    lines: [PerennialOrderLineInput!]!
    "Where it is sent; none for what is not sent."
    address: CreateAddressInput
    "What was paid, taxes included."
    total: Money!
    "By which charge."
    payment: String!
  }
  input PerennialRefundInput {
    orderId: ID!
    "Perennial's own: there is one refund for each."
    key: String!
    amount: Money!
  }
  extend type Mutation {
    placePerennialOrder(input: PerennialOrderInput!): Order!
    "Money that was given back with Perennial: the books of the shop follow, no money moves."
    refundPerennialOrder(input: PerennialRefundInput!): Refund!
  }
`);

/** What a service made. @throws UserInputError with the reason where it refused; that takes all of the order back */
function made(result) {
  if (isGraphQlErrorResult(result)) throw new UserInputError(result.transitionError ?? result.message);
  return result;
}

class PlaceOrderResolver {
  constructor(connection, orders, customers) {
    Object.assign(this, { connection, orders, customers });
  }

  async placePerennialOrder(ctx, { input }) {
    const { key, lines, address, total, payment } = input;
    const known = await this.connection.getRepository(ctx, Order).findOne({ where: { customFields: { perennialKey: key } } });
    if (known) return this.orders.findOne(ctx, known.id);
    const { id } = await this.orders.createDraft(ctx);
    await this.orders.updateCustomFields(ctx, id, { perennialKey: key });
    for (const { variantId, quantity } of lines) made(await this.orders.addItemToOrder(ctx, id, variantId, quantity));
    await this.orders.addCustomerToOrder(ctx, id, await this.customerOf(ctx, input));
    if (address) {
      await this.orders.setShippingAddress(ctx, id, address);
      await this.orders.setBillingAddress(ctx, id, address);
    }
    const [way] = await this.orders.getEligibleShippingMethods(ctx, id);
    if (way) made(await this.orders.setShippingMethod(ctx, id, [way.id]));
    await this.settleTotal(ctx, id, total);
    made(await this.orders.transitionToState(ctx, id, 'ArrangingPayment'));
    made(await this.orders.addManualPaymentToOrder(ctx, { orderId: id, method: 'perennial', transactionId: payment, metadata: { key } }));
    const order = await this.orders.findOne(ctx, id);
    // Where there is nothing to pay no payment moves it on.
    return order.state === 'ArrangingPayment' ? made(await this.orders.transitionToState(ctx, id, 'PaymentSettled')) : order;
  }

  async refundPerennialOrder(ctx, { input: { orderId, key, amount } }) {
    // One after the other, so that two of the same key see each other.
    await this.connection.getRepository(ctx, Order).findOneOrFail({ where: { id: orderId }, lock: { mode: 'pessimistic_write' } });
    const payments = await this.connection.getRepository(ctx, Payment).find({ where: { order: { id: orderId } }, relations: ['refunds'] });
    const refunds = payments.flatMap(payment => payment.refunds.filter(one => one.state !== 'Failed'));
    const mark = `[${key}]`;
    const known = refunds.find(one => one.reason?.endsWith(mark));
    if (known) return known;
    // Somebody wrote it down here before.
    const same = refunds.find(one => one.total === amount && !/\[refund-[^\]]*\]$/.test(one.reason ?? ''));
    if (same) {
      same.reason = `${same.reason ?? ''} ${mark}`.trim();
      return this.connection.getRepository(ctx, Refund).save(same);
    }
    const left = ({ amount: paid, refunds: of }) =>
      paid - of.filter(one => one.state !== 'Failed').reduce((sum, one) => sum + one.total, 0);
    const payment = payments.find(one => one.method === 'perennial' && one.state === 'Settled' && left(one) >= amount);
    if (!payment) throw new UserInputError('No payment of this order is left that this much can be given back of.');
    const input = { paymentId: payment.id, amount, reason: `Perennial ${mark}`, lines: [], shipping: 0, adjustment: 0 };
    const refund = made(await this.orders.refundOrder(ctx, input));
    return refund.state === 'Pending' ? made(await this.orders.settleRefund(ctx, { id: refund.id, transactionId: key })) : refund;
  }

  async customerOf(ctx, { customerId, customer }) {
    const known = customerId ? await this.customers.findOne(ctx, customerId) : undefined;
    return known ?? made(await this.customers.createOrUpdate(ctx, customer));
  }

  /** The order comes to what was paid: discounts and shipping are those of the subscription. */
  async settleTotal(ctx, id, total) {
    const { subTotalWithTax, shippingWithTax, lines } = await this.orders.findOne(ctx, id, ['lines']);
    // Goods can't come to less than nothing: Vendure would find no way to send them any more. Then shipping is free.
    const isFree = total < shippingWithTax;
    const difference = total - subTotalWithTax - (isFree ? 0 : shippingWithTax);
    if (difference !== 0)
      await this.orders.addSurchargeToOrder(ctx, id, {
        sku: 'SUBSCRIPTION',
        description: difference < 0 ? 'Subscription: discounts and shipping' : 'Subscription: shipping',
        listPrice: difference,
        listPriceIncludesTax: true,
        taxLines: [{ description: 'Subscription', taxRate: lines[0]?.taxRate ?? 0 }],
      });
    if (isFree) await this.shipFree(ctx, id);
  }

  /** After all that works prices out again. */
  async shipFree(ctx, id) {
    const order = await this.connection.getEntityOrThrow(ctx, Order, id, { relations: ['shippingLines'] });
    for (const line of order.shippingLines) line.listPrice = 0;
    await this.connection.getRepository(ctx, ShippingLine).save(order.shippingLines, { reload: false });
    await this.connection.getRepository(ctx, Order).update(id, { shipping: 0, shippingWithTax: 0 });
  }
}

Reflect.defineMetadata('design:paramtypes', [TransactionalConnection, OrderService, CustomerService], PlaceOrderResolver);
for (const [name, type, permission] of [
  ['placePerennialOrder', Order, Permission.CreateOrder],
  ['refundPerennialOrder', Refund, Permission.UpdateOrder],
])
  decorate(PlaceOrderResolver, name, [Transaction(), Mutation(() => type), Allow(permission)], [RequestContext, Object], [Ctx(), Args()]);
Resolver()(PlaceOrderResolver);

module.exports = { PlaceOrderResolver, schema };
