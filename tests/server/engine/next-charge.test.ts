// Amounts that are at risk and foreseen are those that are charged then, and what a swap, a pause, lack of stock and a lost hour leave
// behind.
import { expect, it, describe } from 'vitest';
import { sql } from 'kysely';
import { addDiscount, removeDiscount } from '../../../src/server/engine/edits/discounts.ts';
import { updateBillingDetails } from '../../../src/server/engine/edits/frequency.ts';
import { addLine, skipLine, swapLine, updateQuantity } from '../../../src/server/engine/edits/lines.ts';
import { reschedule, skipOrder } from '../../../src/server/engine/edits/orders.ts';
import { pause } from '../../../src/server/engine/status.ts';
import { upgrade } from '../../../src/server/engine/edits/upgrade.ts';
import { ordersAhead } from '../../../src/server/engine/charging/orders-ahead.ts';
import { standing } from '../../../src/server/features/home/figures.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import { WEEKLY, type Shop } from './shop.ts';

const CODES = [
  { code: 'DECAF', type: 'PERCENTAGE', value: 10, productIds: [2] },
  { code: 'BOTH', type: 'PERCENTAGE', value: 10, productIds: [1, 2] },
];

describe.each(oneEngine)('what is charged next on %s', engine => {
  let shop: Shop;
  const shops = eachShop(engine, given => {
    shop = given;
  });

  const atRisk = (id: number): Promise<number | undefined> =>
    shop.as()(
      async ({ trx, storeId }) =>
        (
          await sql<{
            amount: number;
          }>`select amount from upcoming_payments where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx)
        ).rows[0]?.amount,
    );
  const foreseen = (days = 30) =>
    shop.as('System')(async context => (await ordersAhead(context.trx, context.store, context.now(), days)).days);
  const inRecovery = () => shop.as()(async context => (await standing(context.trx, context.store)).inRecovery);
  const sellCodes = () =>
    shops.db.asOwner(trx =>
      sql`update stores set details = details || ${JSON.stringify({ discountCodes: CODES })}::jsonb where id = ${shop.storeId}::integer`.execute(
        trx,
      ),
    );

  it('the amount at risk is that of the next order: with what is added to it, without what is left out', async () => {
    const id = await shop.contract({
      first: '2026-01-20T15:00:00Z',
      lines: [
        { variantId: 2, discountType: 'NONE' },
        { variantId: 1, discountType: 'NONE' },
      ],
    });
    expect(await atRisk(id)).toBe(2400 + 1200 + 495);
    const tea = (await shop.get(id)).lines[1]?.id as number;
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE' }),
    );
    await shop.act(id, 'skipLineItem', (work, subscription) => skipLine(work, subscription, { lineId: tea }));
    expect(await atRisk(id)).toBe(2400 + 500 + 495);
    expect((await foreseen()).map(day => day.value)).toEqual([2400 + 500 + 495]);
    await shop.until('2026-01-21T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'PAID', total: 2400 + 500 + 495 });
    expect(await atRisk(id)).toBe(2400 + 1200 + 495);
  });

  it('what was added once moves on with an order that is skipped, and what was left out comes again', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z' });
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE', orderId: id * 10_000 + 2 }),
    );
    expect(await atRisk(id)).toBe(2895);
    await shop.act(id, 'skipOrder', (work, subscription) => skipOrder(work, subscription, {}));
    expect(await atRisk(id)).toBe(3395);
  });

  it('an order that is tried again is at risk with what it would be charged now', async () => {
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', token: 'tok_decline_insufficient_funds' });
    await shop.until('2026-01-20T16:00:00Z');
    expect([await atRisk(id), await inRecovery()]).toEqual([2895, { count: 1, value: 2895 }]);
    const line = (await shop.get(id)).lines[0]?.id as number;
    await shop.act(id, 'addDiscount', (work, subscription) =>
      addDiscount(work, subscription, { title: 'Sorry', type: 'PERCENTAGE', value: 50, orderLimit: 1 }),
    );
    await shop.act(id, 'updateQuantity', (work, subscription) => updateQuantity(work, subscription, { lineId: line, quantity: 2 }));
    expect([await atRisk(id), await inRecovery()]).toEqual([2895, { count: 1, value: 2895 }]);
    await shop.act(id, 'addLine', (work, subscription) => addLine(work, subscription, { variantId: 1, discountType: 'NONE' }));
    const expected = 2895 + 600;
    expect([await atRisk(id), await inRecovery()]).toEqual([expected, { count: 1, value: expected }]);
    await shop.until(new Date(((await shop.orders(id))[0]?.next_retry_at?.getTime() as number) + 1000));
    const [order] = await shop.orders(id);
    expect(order).toMatchObject({ status: 'FAILED', attempts: 2, total: expected });
    expect(await atRisk(id)).toBe(expected);
  });

  it('the days ahead foresee a discount for one order on one, and a product added once in one', async () => {
    const id = await shop.contract({ first: '2026-01-12T15:00:00Z', every: WEEKLY });
    await shop.act(id, 'addDiscount', (work, subscription) =>
      addDiscount(work, subscription, { title: 'Welcome', type: 'PERCENTAGE', value: 50, orderLimit: 1 }),
    );
    await shop.act(id, 'addLine', (work, subscription) =>
      addLine(work, subscription, { variantId: 4, type: 'ONE_TIME', discountType: 'NONE', orderId: id * 10_000 + 2 }),
    );
    const days = await foreseen(21);
    expect(days.map(day => day.value)).toEqual([1695, 3395, 2895]);
    await shop.until('2026-01-30T00:00:00Z');
    expect((await shop.orders(id)).map(order => order.total)).toEqual([1695, 3395, 2895]);
  });

  it('a date with another frequency is refused while a subscription is paused, and its own day is no other date', async () => {
    const id = await shop.contract();
    await shop.act(id, 'pause', (work, subscription) => pause(work, subscription, new Date('2026-03-01T15:00:00Z')));
    const change = (at: string) =>
      shop.act(id, 'updateBillingDetails', (work, subscription) =>
        updateBillingDetails(work, subscription, { billingPolicy: WEEKLY, nextBillingDateEpoch: Date.parse(at) / 1000 }),
      );
    await expect(change('2026-02-15T15:00:00Z')).rejects.toMatchObject({
      errors: [
        {
          pointer: '/nextBillingDateEpoch',
          message: 'A paused subscription has no order to move. Leave the date out, or resume it and choose the date then.',
        },
      ],
    });
    expect((await shop.get(id)).contract).toMatchObject({ billing_interval: 'MONTH' });
    await change('2026-03-01T20:00:00Z');
    expect((await shop.get(id)).contract).toMatchObject({ billing_interval: 'WEEK', status: 'PAUSED' });
  });

  it.each(['swap', 'upgrade'])(
    'a code for certain products leaves a line that gets another product by %s, and stays with one that it is for',
    async how => {
      await sellCodes();
      const to = (id: number, lineId: number, variantId: number) =>
        how === 'swap'
          ? shop.act(id, 'swapLine', (work, subscription) => swapLine(work, subscription, { lineId, variantId }))
          : shop.act(id, 'swapLine', (work, subscription) => upgrade(work, subscription, { lineId, variantId, discountType: 'NONE' }));
      const id = await shop.contract();
      const lineId = (await shop.get(id)).lines[0]?.id as number;
      await shop.act(id, 'addDiscount', (work, subscription) =>
        addDiscount(work, subscription, { title: 'By hand', type: 'PERCENTAGE', value: 5, lineIds: [lineId] }),
      );
      await shop.act(id, 'addDiscount', (work, subscription) => addDiscount(work, subscription, { code: 'BOTH' }));
      await to(id, lineId, 1);
      expect((await shop.get(id)).discounts.map(row => row.title)).toEqual(['By hand', 'BOTH']);
      await to(id, lineId, 2);
      await shop.act(id, 'addDiscount', (work, subscription) => addDiscount(work, subscription, { code: 'DECAF' }));
      await to(id, lineId, 3);
      expect((await shop.get(id)).discounts.map(row => row.title)).toEqual(['By hand', 'DECAF']);
      await to(id, lineId, 1);
      const { discounts, contract } = await shop.get(id);
      expect(discounts.map(row => row.title)).toEqual(['By hand']);
      expect(contract.subtotal).toBe(1200);
      expect((await shop.activity(id)).at(-1)).toMatchObject({
        key: 'discount_removed',
        data: { code: 'DECAF', because: 'PRODUCT_SWAPPED' },
      });
      await shop.act(id, 'addDiscount', (work, subscription) =>
        removeDiscount(work, subscription, { discountId: discounts[0]?.id as number }),
      );
      expect((await shop.get(id)).contract.has_discount).toBe(false);
    },
  );

  it('a code that other products still have leaves only the line that was swapped', async () => {
    await sellCodes();
    const id = await shop.contract({
      lines: [
        { variantId: 2, discountType: 'NONE' },
        { variantId: 3, discountType: 'NONE' },
      ],
    });
    const [first, second] = (await shop.get(id)).lines.map(line => line.id) as [number, number];
    await shop.act(id, 'addDiscount', (work, subscription) => addDiscount(work, subscription, { code: 'DECAF' }));
    await shop.act(id, 'swapLine', (work, subscription) => swapLine(work, subscription, { lineId: second, variantId: 1 }));
    expect((await shop.get(id)).discounts).toMatchObject([{ code: 'DECAF', line_ids: [first] }]);
    expect((await shop.activity(id)).at(-1)).toMatchObject({
      key: 'discount_removed',
      data: { lineId: second, because: 'PRODUCT_SWAPPED' },
    });
  });

  it('the backup method is tried on the first refusal of the payment, also after the platform refused for lack of stock', async () => {
    await shop.settings('paymentRecovery', { backupPaymentEnabled: true });
    await shop.settings('inventory-settings', { whenNoneAvailable: 'DELAY_ORDER' });
    const id = await shop.contract({ first: '2026-01-20T15:00:00Z', token: 'tok_decline_insufficient_inventory', backup: 'tok_success' });
    await shop.until('2026-01-20T16:00:00Z');
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['SCHEDULED']);
    await shops.db.asOwner(trx =>
      trx
        .updateTable('payment_methods')
        .set({ gateway_token: 'tok_decline_insufficient_funds' })
        .where('store_id', '=', shop.storeId)
        .where('gateway_token', '=', 'tok_decline_insufficient_inventory')
        .execute(),
    );
    await shop.until('2026-01-22T00:00:00Z');
    expect((await shop.attempts(id)).map(row => [row.attempt_number, row.is_backup, row.success])).toEqual([
      [1, false, false],
      [2, false, false],
      [3, true, true],
    ]);
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID']);
    expect((await shop.get(id)).contract.dunning).toMatchObject({ state: 'RECOVERED', recoveredVia: 'BACKUP' });
  });

  it.each([
    ['BILLING', 0],
    ['DELIVERY', 3],
  ] as const)(
    'a first order in the hour that the clock jumps over comes later that day, all others at the billing hour (%s dates)',
    async (scheduleType, chargeOffset) => {
      await shop.settings('general', { billingHour: 2 });
      await shop.settings('order-schedule', { scheduleType, ...(chargeOffset ? { chargeOffset } : {}) });
      const id = await shop.contract({ first: '2026-03-08T15:00:00Z' });
      const next = async () => (await shop.get(id)).contract.next_billing_at?.toISOString();
      expect(await next()).toBe('2026-03-08T07:00:00.000Z');
      await shop.until('2026-03-09T00:00:00Z');
      expect(await next()).toBe('2026-04-08T06:00:00.000Z');
      // A changed setting moves no dates by itself, and a new date is at the hour of its own.
      await shop.settings('general', { billingHour: 9 });
      await shop.until('2026-04-09T00:00:00Z');
      expect(await next()).toBe('2026-05-08T06:00:00.000Z');
      await shop.act(id, 'reschedule', (work, subscription) =>
        reschedule(work, subscription, { nextBillingDateEpoch: Date.parse('2026-05-10T15:00:00Z') / 1000 }),
      );
      expect(await next()).toBe('2026-05-10T13:00:00.000Z');
      expect((await shop.get(id)).contract.base_hour).toBe(null);
    },
  );
});
