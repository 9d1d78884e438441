// What a change would do, shown before it is made: the same action, the same words, and nothing left behind.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { ADDRESS, customerWith, inDays, makeContract, rowsOf, stockGoods, type Goods, type Made } from './fixture.ts';

interface Shown {
  before: { status: string; orders: JsonObject[] } | null;
  after: { status: string; resumeDateEpoch: number | null; orders: JsonObject[] };
  warnings: string[];
}

describe.each(oneEngine)('previews (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 } });
    goods = await stockGoods(server);
    await server.services.db.exec(
      `update stores set details = details || '{"discountCodes":[{"code":"WELCOME","type":"PERCENTAGE","value":10,"orderLimit":2},{"code":"SECOND","type":"PERCENTAGE","value":20}]}' where id = 1`,
    );
  });
  afterAll(() => server.close());

  const ask = (made: Pick<Made, 'id'>, action: string, params: JsonObject = {}, options = {}): Promise<Answered> =>
    server.call('subscription-contract.preview', { id: made.id, action, params }, options);
  const shown = async (made: Pick<Made, 'id'>, action: string, params: JsonObject = {}): Promise<Shown> => {
    const answer = await ask(made, action, params);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data as Shown;
  };
  const refusal = async (
    made: Pick<Made, 'id'>,
    action: string,
    params: JsonObject = {},
  ): Promise<{ code: string; message: string; errors: JsonObject[] }> => (await ask(made, action, params)).data.refusal;
  const line = (made: Made, index = 0) => made.lines[index]?.id as number;
  const planned = (state: { orders: JsonObject[] } | null) => (state?.orders ?? []).filter(order => order.status === 'SCHEDULED');

  it('D055 shows the same three orders that the change then makes, for every action with one', async () => {
    const made = await makeContract(server, goods);
    const tries: [string, JsonObject][] = [
      ['updateQuantity', { lineId: line(made), quantity: 4 }],
      ['updatePrice', { lineId: line(made), price: '7.25' }],
      ['addLine', { variantId: goods.other, quantity: 2, discountType: 'NONE' }],
      ['skipLineItem', { lineId: line(made) }],
      ['subscription-contract-app.undoRemoveOneTime', { lineId: line(made) }],
      ['addDiscount', { kind: 'MANUAL', title: 'Sorry', type: 'FIXED_AMOUNT', value: '3', orderLimit: 2 }],
      ['skipOrder', {}],
      ['reschedule', { nextBillingDateEpoch: inDays(40) }],
      ['delay', { days: 4 }],
      ['updateBillingDetails', { billingPolicy: { interval: 'WEEK', intervalCount: 3 } }],
      ['updateShipping', { deliveryPrice: '1.50' }],
      ['updateToPickup', { optionCode: 'LOCATION-2' }],
      ['swapLine', { lineId: line(made, 1), variantId: goods.other }],
    ];
    for (const [action, params] of tries) {
      const before = await rowsOf(server, made.id);
      const { after } = await shown(made, action, params);
      expect(await rowsOf(server, made.id), `${action} left something behind`).toEqual(before);
      const done = await server.call(action.includes('.') ? action : `subscription-contract.${action}`, { id: made.id, ...params });
      expect(done.status, `${action}: ${JSON.stringify(done.body)}`).toBe(200);
      const schedule = (await server.call('subscription-contract.ordersSchedule', { id: made.id })).data as JsonObject[];
      const say = (order: JsonObject) => [
        order.billingDateEpoch,
        order.status,
        order.total,
        (order.lines as JsonObject[]).map(one => [one.name, one.quantity]),
      ];
      expect(planned(after).map(say), action).toEqual(
        schedule
          .filter(order => order.status === 'SCHEDULED')
          .slice(0, 3)
          .map(say),
      );
    }
  });

  it('shows each product that changes as it is and as it would be, with its price', async () => {
    const made = await makeContract(server, goods);
    const lines = async (action: string, params: JsonObject): Promise<JsonObject[]> =>
      ((await shown(made, action, params)) as unknown as { lines: JsonObject[] }).lines;
    const plain = { name: 'Goods plain', quantity: 1, price: '20.00', basePrice: '20.00' };
    expect(await lines('swapLine', { lineId: line(made), variantId: goods.other, quantity: 2 })).toMatchObject([
      { before: plain, after: { name: 'Goods other', quantity: 2, price: '20.00' } },
    ]);
    expect(await lines('swapLine', { lineId: line(made), variantId: goods.other, once: true })).toMatchObject([
      { before: plain, after: { name: 'Goods other', quantity: 1 }, isOnce: true },
    ]);
    expect(await lines('updatePrice', { lineId: line(made), price: '7.25' })).toMatchObject([{ before: plain, after: { price: '7.25' } }]);
    expect(await lines('addLine', { variantId: goods.other, discountType: 'PERCENTAGE', discountValue: '25' })).toMatchObject([
      { before: null, after: { name: 'Goods other', price: '15.00', basePrice: '20.00' } },
    ]);
    expect(await lines('removeLine', { lineId: line(made) })).toMatchObject([{ before: plain, after: null }]);
    expect(await lines('delay', { days: 4 })).toEqual([]);
  });

  it('shows a skipped order beside the three that come, and what a pause leaves', async () => {
    const made = await makeContract(server, goods);
    const skip = await shown(made, 'skipOrder');
    expect(skip.before?.orders.map(order => order.status)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    expect(skip.after.orders.map(order => order.status)).toEqual(['SKIPPED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    const endless = await shown(made, 'pause', { until: 'INDEFINITE' });
    expect(endless.after).toMatchObject({ status: 'PAUSED', orders: [] });
    expect(endless.warnings).toContain('Ann Lee gets an e-mail: “Your subscription is paused”.');
    const until = await shown(made, 'pause', { until: 'DATE', resumeDateEpoch: inDays(90) });
    expect(until.after.orders[0]?.billingDateEpoch).toBe(until.after.resumeDateEpoch);
    expect(until.after.orders).toHaveLength(3);
  });

  it('refuses in the words of the action, and what is asked is checked as by its call', async () => {
    const made = await makeContract(server, goods);
    expect(await refusal(made, 'reschedule', { nextBillingDateEpoch: inDays(-3) })).toMatchObject({
      code: 'VALIDATION',
      message: 'Choose a date after today.',
    });
    expect((await refusal(made, 'updateQuantity', { lineId: line(made), quantity: 0 })).errors[0]).toMatchObject({
      pointer: '/quantity',
      message: 'Enter a quantity of 1 or more.',
    });
    expect((await refusal(made, 'updateQuantity', { lineId: line(made), quantity: 2, nonsense: true })).code).toBe('VALIDATION');
    await server.call('subscription-contract.removeLine', { id: made.id, lineId: line(made, 1) });
    expect(await refusal(made, 'removeLine', { lineId: line(made) })).toMatchObject({
      code: 'INVALID_STATE',
      message: 'A subscription must have at least one product.',
    });
    await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' });
    expect(await refusal(made, 'skipOrder')).toMatchObject({
      code: 'INVALID_STATE',
      message: 'Reactivate this subscription to make changes.',
    });
    expect((await shown(made, 'reactivate', { chargeAtOnce: true })).warnings).toContain(
      'The first order is charged at once, and the dates are counted from then.',
    );
    expect((await ask({ id: 999_999_999 }, 'skipOrder')).status).toBe(404);
  });

  it('never tries what charges, sends or is no action', async () => {
    const made = await makeContract(server, goods);
    const next = (await server.call('subscription-contract.read', { id: made.id })).data.nextOrderId as number;
    for (const [action, params] of [
      ['chargeNow', { orderId: next }],
      ['subscription-contract-app.updatePaymentMethod', { customerPaymentMethodId: made.methods[1] as number }],
      ['read', {}],
      ['nonsense', {}],
      ['preview', {}],
      ['toString', {}],
    ] as [string, JsonObject][]) {
      expect((await ask(made, action, params)).body.errors?.[0]?.pointer, action).toBe('/action');
    }
  });

  it("says what else happens: a code that takes another's place, a discount that goes, shipping, stock, other subscriptions", async () => {
    const made = await makeContract(server, goods);
    await server.call('subscription-contract.addDiscount', { id: made.id, code: 'WELCOME' });
    expect((await shown(made, 'addDiscount', { kind: 'CODE', code: 'SECOND' })).warnings).toContain(
      'It takes the place of the code WELCOME: one code is kept at a time.',
    );
    await server.call('subscription-contract.addDiscount', {
      id: made.id,
      title: 'For one',
      type: 'PERCENTAGE',
      value: '10',
      lineIds: [line(made, 1)],
    });
    expect((await shown(made, 'removeLine', { lineId: line(made, 1) })).warnings).toContain(
      'The discount “For one” was for this product alone and goes with it.',
    );
    expect((await shown(made, 'addLine', { variantId: goods.soldOut, discountType: 'NONE' })).warnings).toContain(
      'Goods soldOut is out of stock. Orders with it follow your inventory settings.',
    );
    expect(
      (await shown(made, 'updateToPickup', { optionCode: 'LOCATION-2' })).warnings.some(one => one.startsWith('Shipping changes from ')),
    ).toBe(true);
    expect(
      (await shown(made, 'updateShippingDetails', { address: { ...ADDRESS, address1: '2 Elm Street' }, alsoOthers: true })).warnings,
    ).toContain('No other subscription of the customer goes to this address.');
  });

  it('D110 needs the permission of the action itself', async () => {
    const made = await makeContract(server, goods);

    expect((await ask(made, 'updateQuantity', { lineId: line(made), quantity: 2 }, { as: 'readOnly' })).status).toBe(403);
    expect((await ask(made, 'updateQuantity', { lineId: line(made), quantity: 2 })).status).toBe(200);
  });

  it('shows the first orders of a subscription that is not made yet, and makes none', async () => {
    const customer = await customerWith(server, 'tok_success');
    const count = async () =>
      Number((await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from contracts')).rows[0]?.n);
    const before = await count();
    const input = {
      customerId: customer.id,
      lines: [{ variantId: goods.plain, discountType: 'NONE', quantity: 2 }],
      billingPolicy: { interval: 'MONTH', intervalCount: 2 },
      nextBillingDateEpoch: inDays(5),
      paymentMethodId: customer.methods[0] as number,
      address: ADDRESS,
      optionCode: 'STANDARD',
    } satisfies JsonObject;
    const answer = await server.call('subscription-contract.preview', { action: 'create', params: input });
    expect(answer.data).toMatchObject({ before: null, after: { status: 'ACTIVE' } });
    expect(answer.data.after.orders).toHaveLength(3);
    expect(await count()).toBe(before);
    expect(
      (await server.call('subscription-contract.preview', { action: 'create', params: { ...input, lines: [] } })).data.refusal.errors[0],
    ).toMatchObject({ pointer: '/lines', message: 'Add at least one product.' });
  });
});
