// Where rules of a subscription meet: paid deliveries that are taken away, products that are in one order only, limits that are given in
// part.
import { describe, expect, it } from 'vitest';
import { act } from '../../../src/server/engine/actions/act.ts';
import { addDiscount } from '../../../src/server/engine/edits/discounts.ts';
import { adjustCredits } from '../../../src/server/engine/edits/details.ts';
import { updateBillingDetails, updateCycles } from '../../../src/server/engine/edits/frequency.ts';
import { addLine, skipLine, swapLine } from '../../../src/server/engine/edits/lines.ts';
import { updateMethod } from '../../../src/server/engine/edits/payment-methods.ts';
import { chargeNow, rescheduleOneOrder, skipOrder } from '../../../src/server/engine/edits/orders.ts';
import { agendaOf } from '../../../src/server/engine/charging/due.ts';
import { remind } from '../../../src/server/engine/charging/run-due.ts';
import { cancel, markForCancellation, pause } from '../../../src/server/engine/status.ts';
import { readContract } from '../../../src/server/engine/contract-response.ts';
import { scheduleView } from '../../../src/server/engine/orders-response.ts';
import { reactivateAsAsked } from '../../../src/server/engine/edits/state-changes.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import { ADDRESS, MONTHLY, type Shop } from './shop.ts';

const PREPAID = { billingPolicy: { interval: 'MONTH', intervalCount: 3 }, deliveryPolicy: MONTHLY } as const;

describe.each(oneEngine)('edges on %s', engine => {
  let shop: Shop;
  const shops = eachShop(engine, given => {
    shop = given;
  });

  /** A prepaid subscription whose first charge was made: two deliveries are left. */
  const paidAhead = async (more: Parameters<Shop['contract']>[0] = {}): Promise<number> => {
    const id = await shop.contract({ first: '2026-01-12T15:00:00Z', ...PREPAID, ...more });
    await shop.until('2026-01-13T00:00:00Z');
    expect((await shop.get(id)).contract).toMatchObject({ prepaid_credits: 2, completed_orders: 1 });
    return id;
  };

  it('a prepaid subscription that was to end after its paid deliveries ends when the last of them is taken away', async () => {
    const id = await paidAhead();
    await shop.act(id, 'markForCancellation', (work, subscription) => markForCancellation(work, subscription, true));
    await shop.act(id, 'adjustCredits', (work, subscription) => adjustCredits(work, subscription, { credits: -2, reason: 'Refunded' }));
    expect((await shop.get(id)).contract).toMatchObject({
      status: 'CANCELLED',
      prepaid_credits: 0,
      next_billing_at: null,
      is_marked_for_cancellation: false,
    });
    expect(await shop.log(id)).toContain('subscription_cancelled');
  });

  it('a limited prepaid subscription expires when the last of its paid deliveries is taken away', async () => {
    const id = await paidAhead({ billingPolicy: { ...PREPAID.billingPolicy, maxCycles: 1 } });
    await shop.act(id, 'adjustCredits', (work, subscription) => adjustCredits(work, subscription, { credits: -2, reason: 'Refunded' }));
    expect((await shop.get(id)).contract).toMatchObject({ status: 'EXPIRED', prepaid_credits: 0, next_billing_at: null });
    expect(await shop.log(id)).toContain('subscription_expired');
  });

  it('deliveries that were paid for are not restored when a cancelled subscription is reactivated', async () => {
    const id = await paidAhead();
    await shop.act(id, 'cancel', (work, subscription) =>
      cancel(work, subscription, { reason: 'Other', comment: null, source: 'MERCHANT', notifyCustomer: false }),
    );
    await shop.act(id, 'reactivate', (work, subscription) => reactivateAsAsked(work, subscription, {}));
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ status: 'ACTIVE', prepaid_credits: 0, completed_orders: 1 });
    // One interval from today, three months, and it is a charge.
    expect(contract.next_billing_at?.toISOString().slice(0, 10)).toBe('2026-04-12');
  });

  it('the maximum of orders stays above the minimum, whichever of the two is given', async () => {
    const id = await shop.contract({ billingPolicy: { ...MONTHLY, minCycles: 6 } });
    await expect(
      shop.act(id, 'updateBillingDetails', (work, subscription) =>
        updateBillingDetails(work, subscription, { billingPolicy: { ...MONTHLY, maxCycles: 4 } }),
      ),
    ).rejects.toMatchObject({ errors: [{ pointer: '/billingPolicy/maxCycles' }] });
    await shop.act(id, 'updateBillingDetails', (work, subscription) => updateCycles(work, subscription, { minCycles: null, maxCycles: 5 }));
    await expect(
      shop.act(id, 'updateBillingDetails', (work, subscription) =>
        updateBillingDetails(work, subscription, { billingPolicy: { ...MONTHLY, minCycles: 5 } }),
      ),
    ).rejects.toMatchObject({ errors: [{ rule: 'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES' }] });
    expect((await shop.get(id)).contract).toMatchObject({ min_cycles: null, max_cycles: 5 });
  });

  it('the maximum that a reactivation raises stays above the minimum, and the log tells of it', async () => {
    const id = await shop.contract({ first: '2026-01-12T15:00:00Z', billingPolicy: { ...MONTHLY, maxCycles: 1 } });
    await shop.until('2026-01-13T00:00:00Z');
    await shop.act(id, 'updateNote', (_work, subscription) => {
      subscription.contract.min_cycles = 4;
    });
    expect((await shop.get(id)).contract.status).toBe('EXPIRED');
    await expect(
      shop.act(id, 'reactivate', (work, subscription) => reactivateAsAsked(work, subscription, { maxCycles: 3 })),
    ).rejects.toMatchObject({
      errors: [{ pointer: '/maxCycles' }],
    });
    await shop.act(id, 'reactivate', (work, subscription) => reactivateAsAsked(work, subscription, { maxCycles: 6 }));
    const told = (await shop.activity(id)).at(-1);
    expect(told?.key).toBe('subscription_reactivated');
    expect(told?.data).toMatchObject({ before: { status: 'EXPIRED', maxCycles: 1 }, after: { status: 'ACTIVE', maxCycles: 6 } });
  });

  it('the reminder of an order names what that order will be charged, with what is in it once', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z' });
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE' }),
    );
    await remind(shop.runtime, shop.storeId, { now: new Date('2026-01-17T15:00:00Z') });
    const letter = (await shop.mails(id)).find(mail => mail.template === 'UPCOMING_ORDER');
    await shop.until('2026-01-21T00:00:00Z');
    const [order] = await shop.orders(id);
    expect(order).toMatchObject({ status: 'PAID', total: 3395 });
    expect(letter?.text).toContain('$33.95 will be charged on Tue, Jan 20, 2026.');
    expect(letter?.text).toContain('Brewing course');
  });

  it('the reminder of a paid delivery names what is charged beside it', async () => {
    const id = await paidAhead();
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE' }),
    );
    await remind(shop.runtime, shop.storeId, { now: new Date('2026-02-09T15:00:00Z') });
    const letter = (await shop.mails(id)).find(mail => mail.template === 'UPCOMING_ORDER');
    expect(letter?.text).toContain('$5.00 will be charged.');
    expect(letter?.text).not.toContain('nothing is charged');
  });

  it('a product added once stands in one of the orders ahead, and only that one can be charged', async () => {
    const id = await paidAhead();
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE' }),
    );
    const ahead = await shop.as()(async context => {
      const { subscription, work } = await readContract(context, id);
      return scheduleView(work, subscription, context.now(), 4);
    });
    expect(ahead.map(order => [order.isPrepaidDelivery, order.total])).toEqual([
      [true, '5.00'],
      [true, '0.00'],
      [false, '86.85'],
      [true, '0.00'],
    ]);
    expect(ahead.map(order => (order.actions as string[]).includes('chargeNow'))).toEqual([true, false, false, false]);
  });

  it('a discount for a product that was in one order only goes with it', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z' });
    const subscription = await shop.act(id, 'addLine', (work, x) =>
      addLine(work, x, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE' }),
    );
    const once = subscription.lines.find(line => line.one_time_added)?.id as number;
    await shop.act(id, 'addDiscount', (work, x) =>
      addDiscount(work, x, { title: 'Thanks', type: 'PERCENTAGE', value: 50, lineIds: [once] }),
    );
    await shop.until('2026-01-21T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'PAID', total: 2895 + 250 });
    expect((await shop.get(id)).discounts).toEqual([]);
    expect((await shop.get(id)).contract.has_discount).toBe(false);
  });

  it('a product added once to a prepaid subscription costs what one delivery of it costs, also with an amount off', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', ...PREPAID });
    const subscription = await shop.act(id, 'addLine', (work, x) =>
      addLine(work, x, { variantId: 4, type: 'ONE_TIME', discountType: 'FIXED', discountValue: '2.00' }),
    );
    expect(subscription.lines.find(line => line.one_time_added)?.price).toBe(300);
  });

  it("a product can't be left out of the order that pays for its next deliveries", async () => {
    const id = await shop.contract({
      first: '2026-01-20T15:00:00Z',
      ...PREPAID,
      lines: [
        { variantId: 2, discountType: 'NONE' },
        { variantId: 4, discountType: 'NONE' },
      ],
    });
    const line = (await shop.get(id)).lines[1]?.id as number;
    await expect(shop.act(id, 'skipLineItem', (work, x) => skipLine(work, x, { lineId: line }))).rejects.toMatchObject({ status: 409 });
    await expect(
      shop.act(id, 'swapLine', (work, x) => swapLine(work, x, { lineId: line, variantId: 1, once: true })),
    ).rejects.toMatchObject({ status: 409 });
    await shop.until('2026-01-21T00:00:00Z');
    // The deliveries that are paid can go without it.
    await shop.act(id, 'skipLineItem', (work, x) => skipLine(work, x, { lineId: line }));
    await shop.until('2026-02-21T00:00:00Z');
    expect((await shop.orders(id)).map(order => [order.total, (order.lines as unknown[]).length])).toEqual([
      [(2400 + 500 + 495) * 3, 2],
      [0, 1],
    ]);
  });

  it('each of several orders that are skipped at once is announced to the customer', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z' });
    await shop.act(id, 'skipOrder', (work, subscription) => {
      for (let i = 0; i < 3; i++) skipOrder(work, subscription, {});
    });
    const letters = (await shop.mails(id))
      .filter(mail => mail.template === 'ORDER_SKIPPED')
      .map(mail => mail.text.match(/order of (.*?) is/)?.[1]);
    expect(letters).toEqual(['Tue, Jan 20, 2026', 'Fri, Feb 20, 2026', 'Fri, Mar 20, 2026']);
  });

  it('a new card tries no failed order while another one is being charged', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', token: 'tok_decline_insufficient_funds', backup: 'tok_success' });
    await shop.until('2026-01-20T16:00:00Z');
    expect((await shop.get(id)).contract.dunning).toMatchObject({ state: 'IN_RECOVERY' });
    const { methods, contract } = await shop.get(id);
    // Written down and not answered yet: the next order, by hand.
    await shop.as()(context =>
      act(context, id, { action: 'chargeNow', attempts: 2 }, (work, subscription) =>
        chargeNow(work, subscription, { orderId: id * 10_000 + contract.next_cycle }),
      ),
    );
    await shop.act(id, 'updatePaymentMethod', (work, subscription) =>
      updateMethod(work, subscription, { customerPaymentMethodId: methods[1]?.id as number }),
    );
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['FAILED', 'PROCESSING']);
  });

  it('a pause that ends while an order is being charged ends when the charge is answered, and the clock passes it meanwhile', async () => {
    const id = await shop.contract({ first: '2026-02-20T15:00:00Z' });
    await shop.act(id, 'pause', (work, subscription) => pause(work, subscription, new Date('2026-03-01T15:00:00Z')));
    shop.now = new Date('2026-03-01T14:59:00Z');
    await shop.as()(context =>
      act(context, id, { action: 'chargeNow', attempts: 2 }, (work, subscription) =>
        chargeNow(work, subscription, { orderId: id * 10_000 + 1 }),
      ),
    );
    shop.now = new Date('2026-03-01T15:00:30Z');
    expect((await shop.run()).resumed).toBe(0);
    expect((await shop.get(id)).contract.status).toBe('PAUSED');
    // Nothing of it is due while it waits, so nothing is looked at again and again.
    expect(await shop.as()(agendaOf)).toMatchObject({ pauses: null, isCharging: true });
    await shop.run({ isStart: true });
    expect((await shop.get(id)).contract.status).toBe('ACTIVE');
    // The first order after the pause comes a day after the one that was charged by hand.
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID']);
    expect((await shop.get(id)).contract.next_billing_at?.toISOString()).toBe('2026-03-02T15:00:00.000Z');
  });

  it('an order is not moved before a skipped one, where it would get another date than the one in its answer', async () => {
    const id = await shop.contract({ first: '2026-02-10T15:00:00Z' });
    await shop.act(id, 'skipOrder', (work, subscription) => skipOrder(work, subscription, {}));
    const second = id * 10_000 + 2;
    const move = (to: string) =>
      shop.act(
        id,
        'rescheduleOneOrder',
        (work, subscription) => rescheduleOneOrder(work, subscription, { orderId: second, billingDateEpoch: Date.parse(to) / 1000 }),
        { orderIds: [second] },
      );
    await expect(move('2026-01-25T15:00:00Z')).rejects.toMatchObject({
      errors: [{ message: 'Choose a date after the skipped order of Tue, Feb 10, 2026, or put that order back and move it instead.' }],
    });
    await expect(move('2026-02-10T18:00:00Z')).rejects.toMatchObject({ status: 422 });
    await move('2026-02-11T15:00:00Z');
    const { contract, orders } = await shop.get(id);
    expect(contract.next_billing_at?.toISOString()).toBe('2026-02-11T15:00:00.000Z');
    expect(orders.map(order => [order.status, order.billing_at.toISOString().slice(0, 10)])).toEqual([
      ['SKIPPED', '2026-02-10'],
      ['SCHEDULED', '2026-02-11'],
    ]);
  });

  it('a product goes into an order that there will be', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', billingPolicy: { ...MONTHLY, maxCycles: 3 } });
    const add = (cycle: number) =>
      shop.act(id, 'addLine', (work, subscription) =>
        addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE', orderId: id * 10_000 + cycle }),
      );
    for (const cycle of [0, 4, 9_999]) await expect(add(cycle)).rejects.toMatchObject({ status: 404 });
    await add(3);
    expect((await shop.get(id)).lines).toHaveLength(2);
  });

  it('the first product that needs shipping brings the subscription a way to be delivered, or is refused', async () => {
    const id = await shop.contract({ lines: [{ variantId: 4, discountType: 'NONE' }], address: undefined, optionCode: undefined });
    const add = () => shop.act(id, 'addLine', (work, subscription) => addLine(work, subscription, { variantId: 2, discountType: 'NONE' }));
    await expect(add()).rejects.toMatchObject({ errors: [{ rule: 'DELIVERY_METHOD_REQUIRED' }] });
    expect((await shop.get(id)).lines).toHaveLength(1);
    const { contract } = await shop.get(id);
    await shops.db.asOwner(trx =>
      trx
        .insertInto('customer_addresses')
        .values({ store_id: shop.storeId, customer_id: contract.customer_id, is_default: true, address: JSON.stringify(ADDRESS) })
        .execute(),
    );
    await add();
    expect((await shop.get(id)).contract).toMatchObject({
      delivery_type: 'SHIPPING',
      delivery_price: 495,
      total: 2400 + 500 + 495,
      shipping_address: ADDRESS,
    });
    expect(await shop.log(id)).toEqual(['subscription_created', 'delivery_method_changed', 'product_added_subscription']);
  });

  it("a discount for one order is shown on one: while an unpaid order is tried again it is that one's", async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', token: 'tok_decline_insufficient_funds' });
    await shop.act(id, 'addDiscount', (work, subscription) =>
      addDiscount(work, subscription, { title: 'Welcome', type: 'PERCENTAGE', value: 50, orderLimit: 1 }),
    );
    const totals = () =>
      shop.as()(async context => {
        const { subscription, work } = await readContract(context, id);
        return scheduleView(work, subscription, context.now(), 2).map(order => order.total);
      });
    expect(await totals()).toEqual(['16.95', '28.95']);
    await shop.until('2026-01-20T16:00:00Z');
    expect((await shop.orders(id)).map(order => [order.status, order.total])).toEqual([['FAILED', 1695]]);
    expect(await totals()).toEqual(['28.95', '28.95']);
    // When an order gives up on it, the discount is there for the next.
    await shop.act(id, 'skipOrder', (work, subscription) => skipOrder(work, subscription, { orderId: id * 10_000 + 1 }), {
      orderIds: [id * 10_000 + 1],
    });
    expect(await totals()).toEqual(['16.95', '28.95']);
  });

  it('an order of a prepaid subscription waits until it is whole: nothing of it is sent unpaid, or paid and not sent', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER', whenNoneAvailable: 'ALLOW_ORDER' });
    const id = await shop.contract({
      first: '2026-01-20T15:00:00Z',
      ...PREPAID,
      lines: [
        { variantId: 2, discountType: 'NONE' },
        { variantId: 1, quantity: 150, discountType: 'NONE' },
      ],
    });
    await shop.until('2026-01-20T16:00:00Z');
    expect((await shop.orders(id)).map(order => [order.status, order.total])).toEqual([['SCHEDULED', 0]]);
    expect(await shop.charges()).toEqual([]);
    await shops.db.asOwner(trx =>
      trx.updateTable('variants').set({ inventory_quantity: 160 }).where('store_id', '=', shop.storeId).where('id', '=', 1).execute(),
    );
    await shop.until('2026-01-22T00:00:00Z');
    expect((await shop.orders(id)).map(order => [order.status, (order.lines as unknown[]).length])).toEqual([['PAID', 2]]);
    expect((await shop.get(id)).contract.prepaid_credits).toBe(2);
    await shop.until('2026-02-21T00:00:00Z');
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID', 'SCHEDULED']);
    await shops.db.asOwner(trx =>
      trx.updateTable('variants').set({ inventory_quantity: 150 }).where('store_id', '=', shop.storeId).where('id', '=', 1).execute(),
    );
    await shop.until('2026-02-23T00:00:00Z');
    expect((await shop.orders(id)).map(order => [order.status, order.total === 0, (order.lines as unknown[]).length])).toEqual([
      ['PAID', false, 2],
      ['PAID', true, 2],
    ]);
    expect((await shop.get(id)).contract.prepaid_credits).toBe(1);
  });
});
