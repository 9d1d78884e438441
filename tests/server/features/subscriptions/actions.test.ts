// What the actions do, what they refuse and with which words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { isMerchantToken } from '../../../../src/contract/validation/patterns.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { ADDRESS, customerWith, inDays, makeContract, rowsOf, stockGoods, type Goods, type Made } from './fixture.ts';

let server: TestServer;
let goods: Goods;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 4, stores: 1 }, config: { portalUrl: 'https://portal.example.com' } });
  goods = await stockGoods(server);
  await server.services.db.exec(
    `update stores set details = details || '{"discountCodes":[{"code":"WELCOME","type":"PERCENTAGE","value":10,"orderLimit":2},{"code":"GONE","type":"PERCENTAGE","value":5,"isActive":false},{"code":"ONCE","type":"PERCENTAGE","value":5,"appliesOnSubscription":false},{"code":"FULL","type":"PERCENTAGE","value":5,"usageLimitReached":true},{"code":"TEA","type":"PERCENTAGE","value":5,"productIds":[999]}],"usdRates":{"EUR":1.1}}' where id = 1`,
  );
});
afterAll(() => server.close());

const table = (call: string) => (call.includes('.') ? call : `subscription-contract.${call}`);
const act = (made: Pick<Made, 'id'>, call: string, input: JsonObject = {}, options = {}): Promise<Answered> =>
  server.call(table(call), { id: made.id, ...input }, options);
const line = (made: Made, index = 0) => made.lines[index]?.id as number;
const firstError = (answer: Answered) => answer.body.errors?.[0];
const log = async (made: Made): Promise<{ key: string; data: JsonObject; source: string; entity: string }[]> =>
  (await act(made, 'activity')).data;

describe('state', () => {
  it('pauses without an end and takes all orders ahead away, skipped ones too', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'skipOrder');
    const paused = await act(made, 'pause');
    expect(paused.data).toMatchObject({ status: 'PAUSED', nextBillingDateEpoch: null, resumeDateEpoch: null });
    expect((await act(made, 'ordersSchedule')).data).toEqual([]);
    expect((await log(made))[0]).toMatchObject({
      key: 'subscription_paused',
      source: 'Admin portal',
      data: { before: { status: 'ACTIVE' }, after: { status: 'PAUSED' } },
    });
    expect((await act(made, 'pause')).body).toMatchObject({ code: 'INVALID_STATE', message: 'This subscription is already paused.' });
  });

  it('pauses for some time, shows the date, and lets the time be changed', async () => {
    const made = await makeContract(server, goods);
    const paused = await act(made, 'pauseV2', { pauseDuration: { intervalType: 'MONTH', intervalCount: 2 } });
    expect(paused.data.resumeDateEpoch).toBe(paused.data.nextBillingDateEpoch);
    expect(paused.data.resumeDateEpoch).toBeGreaterThan(inDays(57));
    const longer = await act(made, 'pause', { until: 'DATE', resumeDateEpoch: inDays(100) });
    expect(longer.data.resumeDateEpoch).toBeGreaterThan(inDays(98));
    const past = await act(made, 'pause', { until: 'DATE', resumeDateEpoch: inDays(-2) });
    expect([past.status, firstError(past)]).toEqual([
      422,
      { pointer: '/resumeDateEpoch', rule: 'date', message: 'Choose a date after today.' },
    ]);
  });

  it('resumes one interval later, or on the day chosen, with a method that can be charged', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'pause');
    expect((await act(made, 'resume', { nextBillingDateEpoch: inDays(-1) })).body.errors?.[0]?.message).toBe('Choose a date after today.');
    const resumed = await act(made, 'resume');
    expect(resumed.data.status).toBe('ACTIVE');
    expect(resumed.data.nextBillingDateEpoch).toBeGreaterThan(inDays(26));
    await act(made, 'pause');
    await server.services.db.exec(`update payment_methods set revoked_at = now() where customer_id = ${made.customerId}`);
    expect((await act(made, 'resume')).body).toMatchObject({ code: 'INVALID_STATE', message: 'Add a payment method before resuming.' });
  });

  it('cancels with a reason and a comment, keeps the history and drops products added once', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'addLine', { variantId: goods.other, type: 'ONE_TIME', discountType: 'NONE' });
    expect((await act(made, 'cancel')).status).toBe(422);
    const cancelled = await act(made, 'cancel', {
      cancellationReason: 'Too expensive',
      cancellationComment: 'Back in summer',
      notifyCustomer: false,
    });
    expect(cancelled.data).toMatchObject({
      status: 'CANCELLED',
      cancellationReason: 'Too expensive',
      cancellationComment: 'Back in summer',
      cancellationSource: 'MERCHANT',
      nextBillingDateEpoch: null,
    });
    expect(cancelled.data.lines).toHaveLength(2);
    const rows = (await rowsOf(server, made.id)) as { mails: { recipient: string; template: string }[] };
    expect(rows.mails.filter(mail => mail.template === 'SUBSCRIPTION_CANCELLED')).toEqual([]);
    expect(rows.mails.map(mail => mail.template)).toContain('ADMIN_SUBSCRIPTION_CANCELLED');
    expect((await act(made, 'cancel', { cancellationReason: 'Other' })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'This subscription has already ended.',
    });
  });

  it('the merchant may cancel before the minimum and sees how many orders are left', async () => {
    const made = await makeContract(server, goods, { billingPolicy: { interval: 'MONTH', intervalCount: 1, minCycles: 3 } });
    expect((await act(made, 'read')).data.ordersUntilCancellable).toBe(3);
    expect((await act(made, 'cancel', { cancellationReason: 'Other' })).status).toBe(200);
  });

  it('reactivates only with a product that is still sold and a method that can be charged', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'cancel', { cancellationReason: 'Other' });
    await server.services.db.exec(`update contract_lines set variant_id = ${goods.gone} where contract_id = ${made.id}`);
    expect((await act(made, 'reactivate')).body.message).toBe('Add a product before reactivating.');
    expect((await act(made, 'addLine', { variantId: goods.other, discountType: 'NONE' })).status).toBe(200);
    expect((await act(made, 'addLine', { variantId: goods.plain, discountType: 'NONE' })).body.message).toBe(
      'Reactivate this subscription to make changes.',
    );
    await server.services.db.exec(`update payment_methods set revoked_at = now() where id = ${made.methods[0]}`);
    expect((await act(made, 'reactivate')).body.message).toBe('Add a valid payment method before reactivating.');
    expect(
      (await act(made, 'subscription-contract-app.updatePaymentMethod', { customerPaymentMethodId: made.methods[1] as number })).status,
    ).toBe(200);
    const active = await act(made, 'reactivate', { chargeAtOnce: true });
    expect(active.data).toMatchObject({
      status: 'ACTIVE',
      completedOrdersCount: 1,
      cancellationReason: null,
      lastBillingAttempt: { success: true, trigger: 'MANUAL' },
    });
  });

  it('an expired subscription needs a higher maximum to go on', async () => {
    const made = await makeContract(server, goods);
    await server.services.db.exec(
      `update contracts set status = 'EXPIRED', max_cycles = 2, completed_orders = 2, base_at = null, next_billing_at = null where id = ${made.id}`,
    );
    expect(firstError(await act(made, 'reactivate'))).toMatchObject({
      pointer: '/maxCycles',
      message: 'This subscription has had 2 orders. Raise or clear the maximum before reactivating.',
    });
    expect((await act(made, 'reactivate', { maxCycles: 5 })).data).toMatchObject({ status: 'ACTIVE', maxCycles: 5, expiredAt: null });
  });

  it('marks a prepaid subscription to end after its paid deliveries, and keeps it after all', async () => {
    const made = await makeContract(server, goods, {
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
    });
    expect((await act(made, 'markForCancellation')).body.message).toBe(
      'Only a prepaid subscription with paid deliveries left can end after them.',
    );
    await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 });
    const marked = await act(made, 'markForCancellation');
    expect(marked.data).toMatchObject({ isMarkedForCancellation: true, prepaidCreditsLeft: 2 });
    expect((await act(made, 'ordersSchedule')).data).toHaveLength(2);
    expect((await act(made, 'pause')).body.message).toBe(
      'This subscription ends after its paid deliveries. Undo that before you pause it.',
    );
    expect((await act(made, 'undoMarkForCancellation')).data.isMarkedForCancellation).toBe(false);
    expect((await act(made, 'ordersSchedule')).data.length).toBeGreaterThan(2);
  });
});

describe('orders', () => {
  it('skips an order and puts it back; later orders keep their dates', async () => {
    const made = await makeContract(server, goods);
    const before = (await act(made, 'ordersSchedule')).data as JsonObject[];
    const skipped = await act(made, 'skipOrder', { orderId: before[1]?.id as number });
    expect(skipped.status).toBe(200);
    const after = (await act(made, 'ordersSchedule')).data as JsonObject[];
    expect(after.map(order => order.billingDateEpoch)).toEqual(before.map(order => order.billingDateEpoch));
    expect(after.map(order => order.status).slice(0, 3)).toEqual(['SCHEDULED', 'SKIPPED', 'SCHEDULED']);
    expect(after[1]?.actions).toEqual(['unSkipOrder']);
    expect((await act(made, 'skipOrder', { orderId: before[1]?.id as number })).body.message).toBe('Only scheduled orders can be skipped.');
    expect((await act(made, 'unSkipOrder', { orderId: before[1]?.id as number })).status).toBe(200);
    expect((await act(made, 'ordersSchedule')).data[1].status).toBe('SCHEDULED');
    expect((await act(made, 'unSkipOrder', { orderId: before[0]?.id as number })).body.message).toBe(
      'Only skipped orders whose date is still ahead can be put back.',
    );
    expect((await act(made, 'skipOrder', { orderId: 77 })).status).toBe(404);
  });

  it('moves all orders, or one of them between its neighbours', async () => {
    const made = await makeContract(server, goods);
    const moved = await act(made, 'reschedule', { nextBillingDateEpoch: inDays(10) });
    const orders = (await act(made, 'ordersSchedule')).data as { id: number; billingDateEpoch: number; isRescheduled: boolean }[];
    expect(orders[0]?.billingDateEpoch).toBe(moved.data.nextBillingDateEpoch);
    expect(orders[1]!.billingDateEpoch - orders[0]!.billingDateEpoch).toBeGreaterThan(27 * 86_400);
    expect(firstError(await act(made, 'reschedule', { nextBillingDateEpoch: inDays(-3) }))?.message).toBe('Choose a date after today.');
    expect(firstError(await act(made, 'rescheduleOneOrder', { billingDateEpoch: orders[1]!.billingDateEpoch + 86_400 }))?.message).toMatch(
      /^Choose a date before the next order on \w{3}, \w{3} \d+, \d{4}\.$/,
    );
    expect(
      firstError(await act(made, 'rescheduleOneOrder', { orderId: orders[1]!.id, billingDateEpoch: orders[0]!.billingDateEpoch }))?.message,
    ).toMatch(/^Choose a date after the order on /);
    const one = await act(made, 'rescheduleOneOrder', {
      orderId: orders[1]!.id,
      billingDateEpoch: orders[1]!.billingDateEpoch + 3 * 86_400,
    });
    expect(one.status).toBe(200);
    const after = (await act(made, 'ordersSchedule')).data as typeof orders;
    expect(after[1]).toMatchObject({ isRescheduled: true });
    expect(after[2]?.billingDateEpoch).toBe(orders[2]?.billingDateEpoch);
    const delayed = await act(made, 'delay', { days: 5 });
    expect(delayed.data.nextBillingDateEpoch - moved.data.nextBillingDateEpoch).toBeGreaterThan(4 * 86_400);
    expect(firstError(await act(made, 'delay', { days: 400 }))?.message).toBe('Choose between 1 and 365 days.');
  });

  it('charges an order now, once, and keeps the schedule or starts it again', async () => {
    const made = await makeContract(server, goods);
    const before = (await act(made, 'ordersSchedule')).data as { id: number; billingDateEpoch: number }[];
    expect((await act(made, 'chargeNow', { orderId: before[1]!.id })).body.message).toBe('Only the next order can be charged now.');
    const charged = await act(made, 'chargeNow', { orderId: before[0]!.id, keepSchedule: true });
    expect(charged.data).toMatchObject({
      completedOrdersCount: 1,
      lastPaymentStatus: 'SUCCESS',
      nextBillingDateEpoch: before[1]!.billingDateEpoch,
      lastBillingAttempt: { ready: true, success: true, attemptNumber: 1 },
    });
    expect((await act(made, 'chargeNow', { orderId: before[0]!.id })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'This order is already paid.',
    });
    const again = await act(made, 'chargeNow', { orderId: before[1]!.id });
    expect(again.data.nextBillingDateEpoch).toBeLessThan(before[1]!.billingDateEpoch);
    expect((await act(made, 'ordersHistory')).data.map((order: JsonObject) => [order.status, order.totalPrice])).toEqual([
      ['PAID', '44.95'],
      ['PAID', '44.95'],
    ]);
    expect((await log(made)).map(entry => entry.key).slice(0, 6)).toEqual([
      'order_placed',
      'payment_attempted',
      'order_charged_now',
      'order_placed',
      'payment_attempted',
      'order_charged_now',
    ]);
    const poor = await makeContract(server, goods, { tokens: ['tok_decline_insufficient_funds'] });
    const failed = await act(poor, 'chargeNow', { orderId: poor.id * 10_000 + 1 });
    expect(failed.data).toMatchObject({
      lastPaymentStatus: 'FAILED',
      paymentFailureReason: 'insufficient_funds',
      dunning: { state: 'IN_RECOVERY', retriesLeft: 4 },
      lastBillingAttempt: { success: false, errorCode: 'INSUFFICIENT_FUNDS' },
    });
    await server.services.db.exec(`update payment_methods set revoked_at = now() where customer_id = ${made.customerId}`);
    expect((await act(made, 'chargeNow', { orderId: made.id * 10_000 + 3 })).body.message).toBe(
      'This subscription has no valid payment method.',
    );
  });

  it('D018 one idempotency key sent fifty times at once charges once and gets fifty equal answers', async () => {
    const made = await makeContract(server, goods);
    // As programs do: what a busy server turned away is sent again.
    const charge = async (): ReturnType<typeof act> => {
      const answer = await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 }, { key: `charge-${made.id}` });
      return answer.status === 503 ? charge() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, charge));
    expect(new Set(answers.map(answer => JSON.stringify([answer.status, answer.data]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const rows = (await rowsOf(server, made.id)) as { attempts: unknown[] };
    expect(rows.attempts).toHaveLength(1);
  });

  it('asks for confirmation when the bank wants one', async () => {
    const made = await makeContract(server, goods, { tokens: ['tok_requires_action'] });
    const answer = await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 });
    expect(answer.data.lastBillingAttempt).toMatchObject({
      success: false,
      errorCategory: 'three_ds_failed',
      errorCode: 'AUTHENTICATION_REQUIRED',
      nextActionUrl: expect.stringContaining('https://'),
    });
  });

  it('changes the frequency from the next order on', async () => {
    const made = await makeContract(server, goods);
    const next = made.view.nextBillingDateEpoch as number;
    const changed = await act(made, 'updateBillingDetails', {
      billingPolicy: { interval: 'WEEK', intervalCount: 2, minCycles: 2, maxCycles: 10 },
      deliveryPolicy: { interval: 'WEEK', intervalCount: 2 },
    });
    expect(changed.data).toMatchObject({
      frequency: 'Every 2 weeks',
      nextBillingDateEpoch: next,
      minCycles: 2,
      maxCycles: 10,
      hasCustomPlan: true,
    });
    const orders = (await act(made, 'ordersSchedule')).data as { billingDateEpoch: number }[];
    expect(Math.round((orders[1]!.billingDateEpoch - orders[0]!.billingDateEpoch) / 86_400)).toBe(14);
    const wrong = (policy: JsonObject, delivery?: JsonObject) =>
      act(made, 'updateBillingDetails', { billingPolicy: policy, ...(delivery ? { deliveryPolicy: delivery } : {}) });
    expect(firstError(await wrong({ interval: 'MONTH', intervalCount: 1 }, { interval: 'WEEK', intervalCount: 2 }))).toMatchObject({
      pointer: '/billingPolicy/intervalCount',
      message: 'Billing frequency must be a multiple of the delivery frequency',
    });
    expect(firstError(await wrong({ interval: 'MONTH', intervalCount: 1, minCycles: 5, maxCycles: 5 }))?.message).toBe(
      'Maximum orders must be greater than minimum orders',
    );
    expect(firstError(await wrong({ interval: 'DAY', intervalCount: 1, anchorType: 'WEEKDAY', anchorDay: 1 }))?.message).toBe(
      "Specific day billing isn't available for daily deliveries",
    );
    expect(firstError(await wrong({ interval: 'MONTH', intervalCount: 0 }))?.message).toBe('Frequency must be a whole number above 0');
    expect(
      firstError(await act(made, 'updateBillingDetails', { billingPolicy: { interval: 'MONTH', intervalCount: 1 }, discountType: 'NEW' }))
        ?.message,
    ).toBe('Goods plain has no selling plan with this frequency. Keep the present discount.');
  });
});

describe('products', () => {
  it('adds a product for good; the same one again raises its quantity', async () => {
    const made = await makeContract(server, goods);
    const added = await act(made, 'addLine', { variantId: goods.other, quantity: 2, discountType: 'PERCENTAGE', discountValue: '10' });
    expect(added.data.lines[2]).toMatchObject({ quantity: 2, basePrice: '20.00', price: '18.00', discountedPrice: '36.00' });
    expect(added.data).toMatchObject({ totalLineItemPrice: '76.00', total: '80.95', hasCustomPlan: true });
    const more = await act(made, 'addLine', { variantId: goods.other, discountType: 'NONE' });
    expect(more.data.lines[2]).toMatchObject({ quantity: 3, price: '18.00' });
    const by = await act(made, 'addLine', {
      variantShopifyId: 700_000 + goods.other,
      discountType: 'NONE',
      customAttributes: [{ key: 'Grind', value: 'Fine' }],
    });
    expect(by.data.lines).toHaveLength(4);
    expect(firstError(await act(made, 'addLine', { variantId: goods.gone }))?.message).toBe('This product no longer exists.');
    expect(firstError(await act(made, 'addLine', { variantId: goods.giftCard }))?.message).toBe(
      "Gift cards can't be sold on subscription.",
    );
    expect(firstError(await act(made, 'addLine', {}))?.message).toBe('Choose a product.');
    expect(firstError(await act(made, 'addLine', { variantId: goods.other, quantity: 2_000_000 }))?.message).toBe(
      'Enter a smaller quantity.',
    );
    expect(
      firstError(
        await act(made, 'addLine', {
          variantId: goods.plain,
          discountType: 'PERCENTAGE',
          discountValue: '120',
          customAttributes: [{ key: 'a', value: 'b' }],
        }),
      )?.message,
    ).toBe('Enter a percentage of 100 or less.');
  });

  it('adds a product to one order only, which is then gone', async () => {
    const made = await makeContract(server, goods);
    const added = await act(made, 'addLine', { variantId: goods.other, type: 'ONE_TIME', discountType: 'NONE' });
    expect(added.data.lines[2]).toMatchObject({ isOneTimeAdded: true, oneTimeOrderId: made.id * 10_000 + 1 });
    expect(added.data.total).toBe('44.95');
    const orders = (await act(made, 'ordersSchedule')).data as { total: string }[];
    expect([orders[0]?.total, orders[1]?.total]).toEqual(['64.95', '44.95']);
    const charged = await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 });
    expect(charged.data.lines).toHaveLength(2);
    expect((await act(made, 'ordersHistory')).data[0].totalPrice).toBe('64.95');
  });

  it('leaves a product out of one order, and takes that back', async () => {
    const made = await makeContract(server, goods);
    const out = await act(made, 'removeLine', { lineId: line(made), once: true });
    expect(out.data.lines[0]).toMatchObject({ isOneTimeRemoved: true, oneTimeOrderId: made.id * 10_000 + 1 });
    expect((await act(made, 'ordersSchedule')).data.map((order: JsonObject) => order.total).slice(0, 2)).toEqual(['20.00', '44.95']);
    expect((await act(made, 'skipLineItem', { lineId: line(made, 1) })).body.message).toBe(
      'At least one other product must stay in the order. Skip the order instead.',
    );
    expect((await act(made, 'subscription-contract-app.undoRemoveOneTime', { lineId: line(made) })).data.lines[0].isOneTimeRemoved).toBe(
      false,
    );
    expect((await act(made, 'subscription-contract-app.undoRemoveOneTime', { lineId: line(made) })).status).toBe(409);
  });

  it('D083 takes a swap for one order back whole, from either of its products', async () => {
    const made = await makeContract(server, goods);
    const swap = async (): Promise<number> =>
      (await act(made, 'swapLine', { lineId: line(made), variantId: goods.other, quantity: 3, once: true })).data.lines.find(
        (one: JsonObject) => one.isOneTimeAdded,
      ).id;
    const lines = (answer: Answered) => answer.data.lines.map((one: JsonObject) => [one.id, one.isOneTimeRemoved]);
    await swap();
    expect(lines(await act(made, 'subscription-contract-app.undoRemoveOneTime', { lineId: line(made) }))).toEqual([
      [line(made), false],
      [line(made, 1), false],
    ]);
    expect((await log(made))[0]).toMatchObject({ key: 'one_time_change_undone', data: { lineId: line(made), instead: 'Goods other' } });
    for (const call of ['removeLine', 'subscription-contract-app.undoRemoveOneTime'])
      expect(lines(await act(made, call, { lineId: await swap() }))).toEqual([
        [line(made), false],
        [line(made, 1), false],
      ]);
    // A product that is added once stays when another is put back.
    await act(made, 'skipLineItem', { lineId: line(made) });
    const added = (await act(made, 'addLine', { variantId: goods.other, type: 'ONE_TIME', discountType: 'NONE' })).data.lines.find(
      (one: JsonObject) => one.isOneTimeAdded,
    ).id;
    expect(lines(await act(made, 'subscription-contract-app.undoRemoveOneTime', { lineId: line(made) }))).toContainEqual([added, false]);
  });

  it('D055 moves nothing to the day it is due on already, and tells the customer nothing', async () => {
    const made = await makeContract(server, goods);
    const next = (await act(made, 'read')).data.nextBillingDateEpoch as number;
    for (const [call, input] of [
      ['reschedule', { nextBillingDateEpoch: next }],
      ['rescheduleOneOrder', { billingDateEpoch: next }],
    ] as [string, JsonObject][]) {
      expect(firstError(await act(made, call, input))).toMatchObject({
        rule: 'unchanged',
        message: expect.stringMatching(/^The order is due on .+ already\. Choose another date\.$/) as string,
      });
    }
    expect((await log(made)).filter(entry => /rescheduled/.test(entry.key))).toEqual([]);
    // Once an order was moved by itself, counting all of them from the present date is a change.
    await act(made, 'rescheduleOneOrder', { orderId: made.id * 10_000 + 2, billingDateEpoch: next + 40 * 86_400 });
    expect((await act(made, 'reschedule', { nextBillingDateEpoch: next })).status).toBe(200);
  });

  it('D018 says why nothing can be charged before anybody tries', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'read')).data.actions).toContain('chargeNow');
    await server.services.db.exec(`update payment_methods set revoked_at = now() where customer_id = ${made.customerId}`);
    const { actions, refusals } = (await act(made, 'read')).data;
    expect([actions.includes('chargeNow'), refusals.chargeNow]).toEqual([false, 'This subscription has no valid payment method.']);
    expect((await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'This subscription has no valid payment method.',
    });
  });

  it('D083 leaves no order without a product', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'skipLineItem', { lineId: line(made) });
    const refused = await act(made, 'removeLine', { lineId: line(made, 1) });
    expect(refused.body).toMatchObject({ code: 'INVALID_STATE' });
    expect(refused.body.message).toMatch(
      /^The order on .+ would have no product left\. Put one back that is left out of it, or skip the order\.$/,
    );
    expect((await act(made, 'read')).data.lines).toHaveLength(2);
    await act(made, 'skipOrder');
    expect((await act(made, 'removeLine', { lineId: line(made, 1) })).data.lines).toHaveLength(1);
  });

  it('never removes the last product', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'removeLine', { lineId: line(made, 1) })).data.lines).toHaveLength(1);
    expect((await act(made, 'removeLine', { lineId: line(made) })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'A subscription must have at least one product.',
    });
    expect((await act(made, 'removeLine', { lineId: 12 })).status).toBe(404);
  });

  it('swaps a product with the discount it had, for good or once', async () => {
    const made = await makeContract(server, goods, {
      lines: [{ variantId: goods.plain, discountType: 'PERCENTAGE', discountValue: '25' }],
    });
    await server.services.db.exec(`update variants set price = 3000 where id = ${goods.other}`);
    const once = await act(made, 'swapLine', { lineId: line(made), variantId: goods.other, once: true });
    expect(once.data.lines.map((one: JsonObject) => [one.price, one.isOneTimeRemoved, one.isOneTimeAdded])).toEqual([
      ['15.00', true, false],
      ['22.50', false, true],
    ]);
    await act(made, 'subscription-contract-app.undoRemoveOneTime', { lineId: line(made) });
    const swapped = await act(made, 'swapLine', { lineId: line(made), variantId: goods.other, quantity: 2 });
    expect(swapped.data.lines[0]).toMatchObject({
      id: line(made),
      productTitle: 'Goods other',
      quantity: 2,
      basePrice: '30.00',
      price: '22.50',
    });
    expect(firstError(await act(made, 'swapLine', { lineId: line(made), variantId: goods.other, quantity: 2 }))?.message).toBe(
      'Choose another product than the present one.',
    );
    await server.services.db.exec(`update variants set price = 2000 where id = ${goods.other}`);
  });

  it('changes quantity, price and properties of a product', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'updateQuantity', { lineId: line(made), quantity: 4 })).data.totalLineItemPrice).toBe('100.00');
    const priced = await act(made, 'updatePrice', { lineId: line(made), price: '1.99' });
    expect(priced.data.lines[0]).toMatchObject({ price: '1.99', priceIsManual: true, discountedPrice: '7.96' });
    expect(firstError(await act(made, 'updatePrice', { lineId: line(made), price: '1000000.01' }))?.message).toBe(
      'Enter a price between 0 and 1,000,000.',
    );
    expect((await act(made, 'updatePrice', { lineId: line(made), price: '1.999' })).status).toBe(422);
    expect(
      (await act(made, 'updateLineItemAttributes', { lineId: line(made), attributes: [{ key: 'Grind', value: 'Fine' }] })).data.lines[0]
        .attributes,
    ).toEqual([{ key: 'Grind', value: 'Fine' }]);
    expect((await log(made))[0]).toMatchObject({
      key: 'line_attributes_updated',
      data: { before: [], after: [{ key: 'Grind', value: 'Fine' }] },
    });
  });

  it('D083 adds discounts: by hand they stack, a second code replaces the first', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'addDiscount', { title: 'Sorry', type: 'PERCENTAGE', value: '50' })).data.total).toBe('24.95');
    expect((await act(made, 'addDiscount', { code: 'welcome' })).data.total).toBe('22.95');
    const both = await act(made, 'addDiscount', { title: 'Free shipping', type: 'FREE_SHIPPING' });
    expect(both.data.total).toBe('18.00');
    expect(both.data.discounts.map((one: JsonObject) => [one.kind, one.amount])).toEqual([
      ['MANUAL', '20.00'],
      ['CODE', '2.00'],
      ['MANUAL', '4.95'],
    ]);
    expect((await act(made, 'addDiscount', { code: 'WELCOME' })).data.discounts).toHaveLength(3);
    const refused: [JsonObject, string][] = [
      [{ title: 'x', type: 'PERCENTAGE', value: '12.5' }, 'Enter a whole percentage.'],
      [{ code: 'NOPE' }, "This discount code doesn't exist."],
      [{ code: 'GONE' }, "This discount code doesn't exist."],
      [{ code: 'ONCE' }, "This discount code can't be used on subscriptions."],
      [{ code: 'FULL' }, 'This discount code has reached its usage limit.'],
      [{ code: 'TEA' }, "This discount doesn't apply to any product in this subscription."],
      [{ title: 'x', type: 'PERCENTAGE', value: '101' }, 'Enter a value between 1 and 100.'],
      [{ title: 'x', type: 'FIXED_AMOUNT', value: '0' }, 'Enter a discount above 0.'],
      [{ type: 'PERCENTAGE', value: '10' }, 'Enter a title, or a discount code.'],
    ];
    for (const [input, message] of refused) expect((await act(made, 'addDiscount', input)).body.message).toBe(message);
    expect((await act(made, 'addDiscount', { title: 'x', type: 'PERCENTAGE', value: '10', lineIds: null as never })).status).toBe(422);
    expect((await act(made, 'subscription-contract-app.removeDiscountCode', { code: 'WELCOME' })).data.discounts).toHaveLength(2);
    expect((await act(made, 'subscription-contract-app.removeDiscountCode', { code: 'WELCOME' })).status).toBe(404);
  });

  it('drops a discount with the last product that it was for', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'addDiscount', { title: 'Sorry', type: 'PERCENTAGE', value: '10', lineIds: [line(made)] });
    expect((await act(made, 'removeLine', { lineId: line(made) })).data.discounts).toEqual([]);
  });
});

describe('delivery, payment, details', () => {
  it('D081 switches between shipping, pickup and local delivery at the price of the option', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'availableDeliveryOptions')).data.map((one: JsonObject) => [one.type, one.code])).toEqual([
      ['SHIPPING', 'STANDARD'],
      ['SHIPPING', 'EXPRESS'],
      ['LOCAL_DELIVERY', 'BIKE'],
      ['PICKUP', 'LOCATION-1'],
      ['PICKUP', 'LOCATION-2'],
    ]);
    const pickup = await act(made, 'updateToPickup', { optionCode: 'LOCATION-2' });
    expect(pickup.data).toMatchObject({
      deliveryType: 'PICKUP',
      deliveryPrice: '0.00',
      deliveryMethod: { type: 'PICKUP', pickup: { pickupOption: { title: 'Shop on Fern Street' } } },
    });
    expect((await act(made, 'updateLocalDeliveryDetails', { phone: '+15550100199' })).body.message).toBe(
      "This subscription isn't delivered by local delivery. Switch it to local delivery first.",
    );
    const local = await act(made, 'updateToLocalDelivery', { address: ADDRESS, phone: '+1 555 010 0199' });
    expect(local.data).toMatchObject({ deliveryType: 'LOCAL_DELIVERY', deliveryPrice: '6.00' });
    expect(firstError(await act(made, 'updateToLocalDelivery', { address: ADDRESS, phone: '555' }))?.message).toBe(
      'Enter a phone number with country code',
    );
    expect(
      firstError(await act(made, 'updateToLocalDelivery', { address: { ...ADDRESS, zip: '90001' }, phone: '+15550100199' }))?.message,
    ).toBe("The store doesn't deliver to this address itself. Choose shipping or pickup.");
    const ship = await act(made, 'updateToShipping', { address: ADDRESS, optionCode: 'EXPRESS' });
    expect(ship.data).toMatchObject({ deliveryType: 'SHIPPING', deliveryPrice: '14.50' });
    expect((await log(made))[0]).toMatchObject({
      key: 'delivery_method_changed',
      data: { before: { type: 'LOCAL_DELIVERY' }, after: { type: 'SHIPPING' } },
    });
  });

  it("checks addresses and, if wished, changes the customer's other subscriptions with the same one", async () => {
    const one = await makeContract(server, goods);
    const other = await server.call('subscription-contract.create', {
      customerId: one.customerId,
      lines: [{ variantId: goods.other, discountType: 'NONE' }],
      billingPolicy: { interval: 'MONTH', intervalCount: 1 },
      nextBillingDateEpoch: inDays(20),
      paymentMethodId: one.methods[0] as number,
      address: ADDRESS,
      optionCode: 'STANDARD',
    });
    const { zip: _zip, ...noZip } = ADDRESS;
    expect(firstError(await act(one, 'updateShippingDetails', { address: noZip }))).toMatchObject({
      pointer: '/address/zip',
      message: 'Enter a ZIP or postal code',
    });
    expect(firstError(await act(one, 'updateShippingDetails', { address: { ...ADDRESS, address1: '' } }))?.message).toBe(
      'Enter an address',
    );
    const moved = { ...ADDRESS, address1: '9 Pine Road' };
    expect(
      (await act(one, 'updateShippingDetails', { address: moved, alsoOthers: true, keepShippingPrice: true })).data.shippingAddress
        .address1,
    ).toBe('9 Pine Road');
    expect((await act({ id: other.data.id }, 'read')).data.shippingAddress.address1).toBe('9 Pine Road');
  });

  it("D151 switches the payment method; another customer's is refused; an order in recovery is tried at once", async () => {
    const made = await makeContract(server, goods, { tokens: ['tok_decline_card_declined', 'tok_success'] });
    const stranger = await customerWith(server, 'tok_success');
    expect(
      firstError(
        await act(made, 'subscription-contract-app.updatePaymentMethod', { customerPaymentMethodId: stranger.methods[0] as number }),
      )?.message,
    ).toBe('This payment method belongs to another customer.');
    await act(made, 'chargeNow', { orderId: made.id * 10_000 + 1 });
    const switched = await act(made, 'subscription-contract-app.updatePaymentMethod', {
      customerPaymentMethodId: made.methods[1] as number,
    });
    expect(switched.data).toMatchObject({
      lastPaymentStatus: 'SUCCESS',
      completedOrdersCount: 1,
      dunning: { state: 'RECOVERED', recoveredVia: 'CARD_UPDATE' },
      lastBillingAttempt: { trigger: 'CARD_UPDATE', attemptNumber: 2 },
    });
    expect((await act(made, 'subscription-contract-app.lastBillingAttempt')).data).toMatchObject({ ready: true, success: true });
  });

  it('D150 D226 asks the customer for a new card by a link of 32 hex characters', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'subscription-contract-app.editPaymentMethod')).status).toBe(200);
    const { mails } = (await rowsOf(server, made.id)) as { mails: { template: string; text: string }[] };
    const text = mails.find(mail => mail.template === 'PAYMENT_METHOD_UPDATE')?.text ?? '';
    expect(isMerchantToken(/merchantToken=(\w+)/.exec(text)?.[1] ?? '')).toBe(true);
    expect((await log(made))[0]?.key).toBe('payment_method_update_requested');
    expect((await act(made, 'customerDetails')).data.portalLink).toMatch(
      new RegExp(
        `^https://portal.example.com/a/loop_subscriptions/customer/${made.customerId}/subscription/${made.id}\\?merchantToken=[0-9a-f]{32}$`,
      ),
    );
  });

  it('D210 keeps a backup method that differs from the primary', async () => {
    const made = await makeContract(server, goods);
    const named = { subscriptionShopifyId: made.shopifyId };
    expect((await server.call('backup-payment-method.available', named)).data.map((one: JsonObject) => one.id)).toEqual([made.methods[1]]);
    expect(
      firstError(await server.call('backup-payment-method.switchBackup', { ...named, paymentMethodId: made.methods[0] as number }))
        ?.message,
    ).toBe('Choose another method than the primary one.');
    expect(
      (await server.call('backup-payment-method.switchBackup', { ...named, paymentMethodId: made.methods[1] as number })).data
        .backupPaymentMethodId,
    ).toBe(made.methods[1]);
    expect((await server.call('backup-payment-method.paymentDetails', named)).data).toMatchObject({
      primary: { role: 'PRIMARY' },
      backup: { role: 'BACKUP' },
      backupPaymentEnabled: false,
    });
    expect((await server.call('backup-payment-method.removeBackup', named)).data.backupPaymentMethodId).toBeNull();
  });

  it('D148 books prepaid credits by hand with a reason, never below zero', async () => {
    const made = await makeContract(server, goods, {
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
    });
    expect((await act(made, 'adjustCredits', { credits: 2, reason: 'Goodwill' })).data.prepaidCreditsLeft).toBe(2);
    expect(firstError(await act(made, 'adjustCredits', { credits: -3, reason: 'Oops' }))?.message).toBe("Credits can't go below zero.");
    expect(firstError(await act(made, 'adjustCredits', { credits: 1 }))?.message).toBe('Enter a reason.');
    expect((await act(made, 'credits')).data).toMatchObject([{ type: 'ADJUSTED', credits: 2, balanceAfter: 2, reason: 'Goodwill' }]);
    const plain = await makeContract(server, goods);
    expect((await act(plain, 'adjustCredits', { credits: 1, reason: 'x' })).body.message).toBe('Only prepaid subscriptions have credits.');
  });

  it('keeps note, tags and attributes, each with what was before', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'updateNote', { note: 'Ring twice' })).data.note).toBe('Ring twice');
    expect((await act(made, 'updateTags', { tags: ['vip', 'VIP', ' office '] })).data.tags).toEqual(['vip', 'office']);
    expect(
      (await act(made, 'updateCustomAttributes', { customAttributes: [{ key: 'Gift', value: 'yes' }] })).data.customAttributes,
    ).toEqual([{ key: 'Gift', value: 'yes' }]);
    expect(
      firstError(
        await act(made, 'updateCustomAttributes', {
          customAttributes: [
            { key: 'a', value: '1' },
            { key: 'a', value: '2' },
          ],
        }),
      )?.message,
    ).toBe('This name is in the list already.');
    expect((await log(made)).slice(0, 3).map(entry => [entry.key, entry.entity])).toEqual([
      ['custom_attributes_updated', expect.stringContaining('@')],
      ['tags_updated', expect.stringContaining('@')],
      ['note_updated', expect.stringContaining('@')],
    ]);
  });
});

describe('versions, reading, creating', () => {
  it('refuses a write with an old version and shows both', async () => {
    const made = await makeContract(server, goods);
    expect((await act(made, 'updateNote', { note: 'one' }, { version: 1 })).data.version).toBe(2);
    const stale = await act(made, 'updateNote', { note: 'two' }, { version: 1 });
    expect([stale.status, stale.body.code, stale.body.conflict?.version, stale.body.conflict?.yourVersion]).toEqual([
      409,
      'STALE_VERSION',
      2,
      1,
    ]);
    expect(stale.body.conflict?.current.note).toBe('one');
    expect((await act(made, 'read')).data.note).toBe('one');
  });

  it('D144 D145 D146 D147 reads by the parameters of the specification', async () => {
    const made = await makeContract(server, goods);
    expect((await server.call('subscription-contract.readByShopifyId', { shopify_id: made.shopifyId })).data.id).toBe(made.id);
    expect((await server.call('subscription-contract.deliveryMethod', { shopifyId: made.shopifyId })).data.deliveryMethod.type).toBe(
      'SHIPPING',
    );
    expect((await server.call('subscription-contract.customerAddresses', { customerShopifyId: made.customerId })).data).toEqual([]);
    expect((await server.call('subscription-contract.sellingPlans', { contractId: made.id })).data).toEqual([]);
    expect((await server.call('subscription-contract.readByShopifyId', { shopify_id: 5 })).status).toBe(404);
    expect((await server.call('subscription-contract.read', { id: 999_999 })).status).toBe(404);
  });

  it('D018 D019 counts each status under its code', async () => {
    const { data } = await server.call('subscription-contract.counts');
    expect(data.codes).toEqual({ ACTIVE: 1, CANCELLED: 2, FAILED: 3, PAUSED: 4, EXPIRED: 5 });
    const [row] = (await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from contracts where store_id = 1')).rows;
    expect(data.all).toBe(Number(row?.n));
  });

  it('exports what matches as CSV, formulas made harmless, with the columns asked for in their order', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'updateNote', { note: '=1+1' });
    await act(made, 'updateTags', { tags: ['export-me', '@home'] });
    const exported = (query: string) =>
      server.request(
        'GET',
        `/host/main/api/merchant/subscriptionContract/export?filter=${encodeURIComponent(JSON.stringify({ tags: ['export-me'] }))}${query}`,
        { as: 'owner' },
      );
    const file = await exported('');
    expect(file.headers.get('content-type')).toContain('text/csv');
    const [head, row, end] = file.text.replace('\uFEFF', '').split('\n');
    expect(head).toContain('Subscription,Platform id,Status');
    expect(row).toContain(`${made.id},${made.shopifyId},ACTIVE`);
    expect(row).toContain(`'=1+1`);
    expect(end).toBe('');
    // The list has a picture of the first product.
    await server.services.db.ownerQuery(
      'update products set image = $1 where store_id = 1 and id = (select product_id from variants where store_id = 1 and id = $2)',
      ['/demo/plain.svg', goods.plain],
    );
    expect((await server.call('subscription-contract.list', { filter: { tags: ['export-me'] } })).data).toMatchObject([
      { id: made.id, imageUrl: '/demo/plain.svg' },
    ]);
    const chosen = await exported('&columns=total&columns=id&columns=note&columns=tags&columns=isPrepaid');
    expect(chosen.text.replace('\uFEFF', '').split('\n')).toEqual([
      'Total,Subscription,Note,Tags,Prepaid',
      expect.stringMatching(new RegExp(`^\\d+\\.\\d\\d,${made.id},'=1\\+1,"?(export-me, @home|'@home, export-me)"?,no$`)),
      '',
    ]);
    expect((await exported('&columns=id')).text).toContain(`Subscription\n${made.id}\n`);
    for (const wrong of ['&columns=nonsense', '&columns=lines', `&filter=${encodeURIComponent('{"nonsense":1}')}`])
      expect((await exported(wrong)).status, wrong).toBe(422);
  });

  it('tells everything that is wrong with a new subscription', async () => {
    const customer = await customerWith(server, 'tok_success');
    const base = {
      customerId: customer.id,
      lines: [{ variantId: goods.plain, discountType: 'NONE' }],
      billingPolicy: { interval: 'MONTH', intervalCount: 1 },
      nextBillingDateEpoch: inDays(3),
      paymentMethodId: customer.methods[0] as number,
      address: ADDRESS,
    } satisfies JsonObject;
    const create = async (over: JsonObject) => firstError(await server.call('subscription-contract.create', { ...base, ...over }));
    expect((await create({ lines: [] }))?.message).toBe('Add at least one product.');
    expect(await create({ nextBillingDateEpoch: inDays(-3) })).toMatchObject({
      pointer: '/nextBillingDateEpoch',
      message: 'Choose a date in the future.',
    });
    expect((await create({ customerId: 5 }))?.message).toBe("This customer doesn't exist.");
    expect((await create({ paymentMethodId: 1 }))?.message).toBe('This payment method belongs to another customer.');
    expect(await create({ lines: [{ variantId: goods.plain, discountType: 'NONE' }, { variantId: goods.gone }] })).toMatchObject({
      pointer: '/lines/1/variantId',
      message: 'This product no longer exists.',
    });
    expect((await create({ currencyCode: 'CHF' }))?.message).toBe("The store doesn't sell in CHF.");
    const { address: _address, ...noAddress } = base;
    expect(firstError(await server.call('subscription-contract.create', noAddress))?.pointer).toBe('/address');
    const digital = await server.call('subscription-contract.create', {
      ...noAddress,
      lines: [{ variantId: goods.digital, discountType: 'NONE' }],
      currencyCode: 'EUR',
    });
    expect(digital.data).toMatchObject({ status: 'ACTIVE', source: 'ADMIN', deliveryType: 'NONE', currencyCode: 'EUR', total: '18.18' });
  });

  it('each action leaves a line in the account log with before and after', async () => {
    const made = await makeContract(server, goods);
    await act(made, 'pause');
    const [row] = (
      await server.services.db.ownerQuery<{ action: string; description: string; before: JsonObject; after: JsonObject }>(
        `select action, description, before, after from account_log where entity = 'subscription' and entity_id = '${made.id}' order by id desc limit 1`,
      )
    ).rows;
    expect(row).toMatchObject({
      action: 'subscription.pause',
      description: `#${made.id} Ann Lee: Subscription paused`,
      before: { status: 'ACTIVE' },
      after: { status: 'PAUSED' },
    });
  });
});
