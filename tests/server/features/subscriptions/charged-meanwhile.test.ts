// What money and dates depend on while an order is being charged, when a schedule ends, and at the bounds of amounts and dates.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { oneEngine } from '../../../support/database.ts';
import { Bulk } from '../bulk-actions/helpers.ts';
import { Cells } from '../../../../src/server/features/products/import/cells.ts';
import { ADDRESS, inDays, type Made } from './fixture.ts';
import { serverWithGoods } from './goods-server.ts';

const BEING_PROCESSED = 'This subscription has an order being processed. Try again in a few minutes.';

describe.each(oneEngine)('a subscription, on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 }, jobs: true });
  const call = (name: string, input: JsonObject) => at.server.call(`subscription-contract.${name}`, input);
  const rows = <R extends object>(text: string): Promise<R[]> => at.server.services.db.ownerQuery<R>(text, []).then(found => found.rows);

  /** A charge that is written down and that the gateway has not answered yet. */
  async function beingCharged(given?: Made): Promise<Made> {
    const made = given ?? (await at.make());
    const order = made.id * 10_000 + 1;
    await at.server.services.db.exec(`
      update contracts set next_cycle = 2 where store_id = 1 and id = ${made.id};
      insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, attempts)
        select 1, ${order}, id, customer_id, 1, 1, 'PROCESSING', now(), now(), now(), 'USD', 4495, 1 from contracts where store_id = 1 and id = ${made.id};
      insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, payment_method_id, amount, currency_code, ready)
        values (1, ${order}, ${made.id}, 1, 'SCHEDULED', 'open-${made.id}', ${made.methods[0]}, 4495, 'USD', false)`);
    return made;
  }

  it('is neither cancelled, paused nor changed in what it costs while an order is being charged', async () => {
    const made = await beingCharged();
    const { lines } = (await call('read', { id: made.id })).data as { lines: { id: number }[] };
    const refused: [string, JsonObject][] = [
      ['cancel', { cancellationReason: 'Other' }],
      ['pause', {}],
      ['updateQuantity', { lineId: lines[0]!.id, quantity: 3 }],
      ['updatePrice', { lineId: lines[0]!.id, price: '1.00' }],
      ['updateShipping', { deliveryPrice: '1.00' }],
      ['reschedule', { nextBillingDateEpoch: inDays(20) }],
      ['skipOrder', {}],
    ];
    for (const [name, input] of refused) {
      const answer = await call(name, { id: made.id, ...input });
      expect([name, answer.status, answer.body.code, answer.body.message]).toEqual([name, 409, 'INVALID_STATE', BEING_PROCESSED]);
    }
    const note = await call('updateNote', { id: made.id, note: 'Ring twice' });
    expect(note.status).toBe(200);
    const { refusals } = (await call('read', { id: made.id })).data as { refusals: Record<string, string> };
    expect(refusals.cancel).toBe(BEING_PROCESSED);
    const [order] = await rows<{ status: string }>(`select status from orders where store_id = 1 and contract_id = ${made.id}`);
    expect(order?.status).toBe('PROCESSING');
  });

  it('names which other subscription of the customer is being charged, beforehand too, and then changes none of them', async () => {
    const one = await at.make();
    const other = await at.ok('subscription-contract.create', {
      customerId: one.customerId,
      lines: [{ variantId: at.goods.other, discountType: 'NONE' }],
      billingPolicy: { interval: 'MONTH', intervalCount: 1 },
      nextBillingDateEpoch: inDays(20),
      paymentMethodId: Number(one.methods[0]),
      address: ADDRESS,
      optionCode: 'STANDARD',
    });
    await beingCharged({ ...one, id: other.id });
    const params = { address: { ...ADDRESS, address1: '9 Pine Road' }, alsoOthers: true };
    const message = `Subscription #${other.id}: ${BEING_PROCESSED}`;
    const shown = await call('preview', { id: one.id, action: 'updateShippingDetails', params });
    expect([shown.status, shown.data?.refusal?.message]).toEqual([200, message]);
    const answer = await call('updateShippingDetails', { id: one.id, ...params });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'INVALID_STATE', message]);
    expect((await call('read', { id: one.id })).data.shippingAddress.address1).toBe(ADDRESS.address1);
  });

  it('D083 keeps the method that is being charged and its card until the charge is answered', async () => {
    const made = await beingCharged();
    const [method, other] = made.methods as [number, number];
    const replace = async () => {
      const card = await at.ok('card-vault.session', {
        number: '4242424242424242',
        name: 'Ann Lee',
        expiry: '12/90',
        verificationCode: '123',
      });
      return at.server.call('payments.updateCustomerCard', { paymentMethodId: method, sessionId: String(card.id) });
    };
    const remove = () => at.server.call('payments.deletePaymentMethod', { paymentMethodId: method });
    // The next charge goes to another method, so that nothing else keeps this one.
    await at.ok('subscription-contract-app.updatePaymentMethod', { id: made.id, customerPaymentMethodId: other });
    for (const answer of [await replace(), await remove()])
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'An order is being charged with this payment method. Try again in a few minutes.',
      ]);
    await runDue(at.server.services, 1, { isStart: true });
    for (const answer of [await replace(), await remove()]) expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });

  it('never pays by hand the order that was skipped before a pause, and says what the pause ended', async () => {
    const made = await at.make();
    const [first, second] = (await call('ordersSchedule', { id: made.id })).data as { id: number; billingDateEpoch: number }[];
    expect((await call('skipOrder', { id: made.id, orderId: first!.id })).status).toBe(200);
    expect(
      (await call('rescheduleOneOrder', { id: made.id, orderId: second!.id, billingDateEpoch: second!.billingDateEpoch + 86_400 })).status,
    ).toBe(200);
    expect((await call('pause', { id: made.id })).status).toBe(200);
    const [paused] = (await call('activity', { id: made.id })).data as {
      key: string;
      data: { ended?: { skipped: number[]; moved: number[] } };
    }[];
    expect(paused?.key).toBe('subscription_paused');
    expect(paused?.data.ended?.moved).toHaveLength(1);
    const skipped = await call('chargeNow', { id: made.id, orderId: first!.id });
    expect([skipped.status, skipped.body.message]).toEqual([409, "Skipped orders can't be charged."]);
    expect((await call('chargeNow', { id: made.id, orderId: second!.id })).status).toBe(200);
    const orders = await rows<{ id: number; status: string }>(
      `select id, status from orders where store_id = 1 and contract_id = ${made.id} and status in ('PAID', 'SKIPPED') order by cycle`,
    );
    expect(orders.map(order => [Number(order.id), order.status])).toEqual([
      [first!.id, 'SKIPPED'],
      [second!.id, 'PAID'],
    ]);
  });

  it('gives its orders numbers of the store alone, one after the other and never twice', async () => {
    const before = await rows<{ most: number }>('select max(shopify_order_number) as most from orders where store_id = 1');
    const made = await Promise.all(Array.from({ length: 4 }, () => at.make()));
    // Another store sells in between.
    const other = await at.server.signIn('owner', 2);
    const [theirs] = await rows<{ id: number }>(
      `select c.id from contracts c where c.store_id = 2 and c.status = 'ACTIVE' order by id limit 1`,
    );
    for (const one of made) {
      const [next] = (await call('ordersSchedule', { id: one.id })).data as { id: number }[];
      expect((await call('chargeNow', { id: one.id, orderId: next!.id })).status).toBe(200);
      if (theirs) {
        const ahead = (await at.server.call('subscription-contract.ordersSchedule', { id: theirs.id }, { as: other })).data as {
          id: number;
          status: string;
        }[];
        const order = ahead.find(candidate => candidate.status === 'SCHEDULED');
        await at.server.call('subscription-contract.chargeNow', { id: theirs.id, orderId: order?.id ?? 0 }, { as: other });
      }
    }
    const numbers = await rows<{ n: number; id: number }>(
      `select shopify_order_number as n, shopify_id as id from orders where store_id = 1 and contract_id in (${made.map(one => one.id).join()}) order by 1`,
    );
    const first = Number(before[0]?.most) + 1;
    expect(numbers.map(one => Number(one.n))).toEqual([first, first + 1, first + 2, first + 3]);
    // The public id follows the number, so it tells nothing of the other store either.
    const ids = numbers.map(one => Number(one.id));
    expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2, ids[0]! + 3]);
    const [placed] = ((await call('activity', { id: made[0]!.id })).data as { key: string; data: JsonObject }[]).filter(
      entry => entry.key === 'order_placed',
    );
    expect(ids).toContain(placed?.data.orderShopifyId);
    await expect(
      at.server.services.db.exec(`update orders set shopify_id = ${ids[0]} where store_id = 1 and shopify_order_number = ${first + 1}`),
    ).rejects.toThrow('orders_shopify');
    const [twice] = await rows<{ n: number }>(
      'select count(*) - count(distinct (store_id, shopify_order_number)) as n from orders where shopify_order_number is not null',
    );
    expect(Number(twice?.n)).toBe(0);
  });

  it('takes no price above the bound and no date beyond it, whatever way they come', async () => {
    const made = await at.make();
    const dear = await call('updateShipping', { id: made.id, deliveryPrice: '99999999999' });
    expect([dear.status, dear.body.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/deliveryPrice', message: 'Enter a price between 0 and 1,000,000.' },
    ]);
    const limit = 4_102_444_799;
    const far = limit - 86_400 * 30;
    expect((await call('reschedule', { id: made.id, nextBillingDateEpoch: far })).status).toBe(200);
    const beyond = await call('delay', { id: made.id, days: 60 });
    expect([beyond.status, beyond.body.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/days', message: 'Choose a date before the year 2100.' },
    ]);
    const long = await call('pause', { id: made.id, until: 'DURATION', intervalCount: 99, intervalType: 'YEAR' });
    expect([long.status, long.body.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/intervalCount', message: 'Choose a date before the year 2100.' },
    ]);
    const sent = await call('reschedule', { id: made.id, nextBillingDateEpoch: limit + 1 });
    expect([sent.status, sent.body.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/nextBillingDateEpoch', message: 'Choose a date before the year 2100.' },
    ]);
  });

  it('takes no value of a discount and no price of a plan or a file above the bound', async () => {
    const made = await at.make();
    const much = '999999999';
    const between = 'Enter a value between 0 and 1,000,000.';
    const dear: [string, JsonObject, string, string][] = [
      [
        'subscription-contract.addLine',
        { id: made.id, variantId: at.goods.other, discountType: 'PRICE', discountValue: much },
        '/discountValue',
        between,
      ],
      [
        'subscription-contract.addDiscount',
        { id: made.id, kind: 'MANUAL', title: 'Sorry', type: 'FIXED_AMOUNT', value: much },
        '/value',
        between,
      ],
      [
        'subscription-upgrade.upgradeSubscription',
        {
          subscriptionContractShopifyId: made.shopifyId,
          lineId: Number(made.lines[0]?.id),
          type: 'SKU_UPGRADE',
          variantId: at.goods.other,
          discountType: 'PRICE',
          discountValue: much,
        },
        '/discountValue',
        between,
      ],
    ];
    for (const [name, input, pointer, message] of dear) {
      const answer = await at.server.call(name, input);
      expect([name, answer.status, answer.body.errors?.[0]]).toMatchObject([name, 422, { pointer, message }]);
    }
    const wrong: { message: string }[] = [];
    const cells = new Cells({ row: 2, cells: { price: '1000000.01' } } as never, new Map(), wrong as never);
    expect(cells.money('price', 'USD')).toBe(undefined);
    expect(wrong.map(one => one.message)).toEqual(['“1000000.01” is too much. Enter a price between 0 and 1,000,000.']);
  });

  it('lets no order cost more than is counted, by quantity, price or several products, one at a time or in bulk', async () => {
    const made = await at.make();
    const [first, second] = made.lines as [{ id: number; variantId: number }, { id: number; variantId: number }];
    const message = 'One order would cost more than 1,000,000,000. Enter a smaller quantity or a lower price.';
    expect((await call('updatePrice', { id: made.id, lineId: first.id, price: '1000' })).status).toBe(200);
    const many = await call('updateQuantity', { id: made.id, lineId: first.id, quantity: 1_000_000 });
    expect([many.status, many.body.message]).toEqual([422, message]);
    expect((await call('updateQuantity', { id: made.id, lineId: first.id, quantity: 900_000 })).status).toBe(200);
    const both = await call('updateQuantity', { id: made.id, lineId: second.id, quantity: 6_000_000 });
    expect(both.status).toBe(422);
    expect((await call('updatePrice', { id: made.id, lineId: second.id, price: '1000000' })).status).toBe(200);
    const sum = await call('updateQuantity', { id: made.id, lineId: second.id, quantity: 200 });
    expect([sum.status, sum.body.message]).toEqual([422, message]);
    const bulk = new Bulk(at.server);
    const done = await bulk.run('UPDATE_QUANTITY', { mode: 'IDS', ids: [made.id] }, { variantId: second.variantId, quantity: 1_000_000 });
    expect((await bulk.rows(Number(done.id))).map(row => [row.status, row.reason])).toEqual([['SKIPPED', message]]);
    // What products cost by now, taken over by many subscriptions at once.
    await at.server.services.db.exec(`update variants set price = 200000 where store_id = 1 and id = ${first.variantId}`);
    const again = await bulk.run(
      'UPDATE_PRICE',
      { mode: 'IDS', ids: [made.id] },
      { products: 'ONE', variantId: first.variantId, rule: 'STORE' },
    );
    await at.server.services.db.exec(`update variants set price = 2000 where store_id = 1 and id = ${first.variantId}`);
    expect((await bulk.rows(Number(again.id))).map(row => [row.status, row.reason])).toEqual([['SKIPPED', message]]);
    const { lines } = (await call('read', { id: made.id })).data as { lines: { quantity: number; price: string }[] };
    expect(lines.map(line => [line.quantity, line.price])).toEqual([
      [900_000, '1000.00'],
      [1, '1000000.00'],
    ]);
    const dear = await at.server.call('subscription-contract.preview', {
      id: made.id,
      action: 'updateQuantity',
      params: { lineId: second.id, quantity: 200 },
    });
    expect(dear.data.refusal.message).toBe(message);
  });
});
