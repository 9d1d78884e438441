// Stock rules at the moment an order is due (settings, inventory).
import { describe, expect, it } from 'vitest';
import { chargeNow } from '../../../src/server/engine/edits/orders.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import type { Shop } from './shop.ts';

describe.each(oneEngine)('stock on %s', engine => {
  let shop: Shop;
  const database = eachShop(engine, opened => {
    shop = opened;
  });
  /** Variant 1 is tracked and not sold beyond its stock; variant 2 is not tracked. */
  const inStock = (quantity: number) =>
    database.db.exec(`update variants set inventory_quantity = ${quantity} where store_id = ${shop.storeId} and id = 1`);
  const only = [{ variantId: 1, quantity: 2, discountType: 'NONE' as const }];
  const both = [...only, { variantId: 2, quantity: 1, discountType: 'NONE' as const }];
  const first = '2026-02-01T14:00:00Z';

  it('D069 exactly enough is enough', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER' });
    await inStock(2);
    const id = await shop.contract({ first, lines: only });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]?.status).toBe('PAID');
    expect(await shop.stock(1)).toBe(0);
  });

  it('D070 D071 what is not tracked, or sold beyond its stock, is never out', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER' });
    const id = await shop.contract({
      first,
      lines: [
        { variantId: 2, quantity: 50, discountType: 'NONE' },
        { variantId: 3, quantity: 50, discountType: 'NONE' },
      ],
    });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]?.status).toBe('PAID');
    expect(await shop.stock(3)).toBe(-45);
  });

  it('D068 two lines of one product share its stock', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER' });
    await inStock(3);
    const id = await shop.contract({
      first,
      lines: [
        { variantId: 1, quantity: 2, discountType: 'NONE' },
        { variantId: 1, quantity: 2, discountType: 'NONE', attributes: [{ key: 'a', value: 'b' }] },
      ],
    });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'PAID', total: 2400 });
    expect(await shop.stock(1)).toBe(1);
  });

  it('allows an order to drive the stock below zero by default', async () => {
    await inStock(1);
    const id = await shop.contract({ first, lines: only });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]?.status).toBe('PAID');
    expect(await shop.stock(1)).toBe(-1);
  });

  it('D072 D074 skips the order when nothing is there', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER' });
    await inStock(1);
    const id = await shop.contract({ first, lines: only });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'SKIPPED', skip_reason: 'OUT_OF_STOCK' });
    expect((await shop.get(id)).contract).toMatchObject({ last_inventory_action: 'SKIP_ORDER', last_payment_status: null });
    expect(await shop.attempts(id)).toEqual([]);
    expect((await shop.mails(id)).map(mail => mail.template)).toEqual(
      expect.arrayContaining(['PRODUCT_OUT_OF_STOCK', 'ADMIN_PRODUCT_OUT_OF_STOCK']),
    );
  });

  it('D073 D074 sends what is there; the rest comes with the next order, one-time products stay for it', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER' });
    await inStock(0);
    const id = await shop.contract({ first, lines: both });
    await shop.until('2026-02-02T00:00:00Z');
    const [order] = await shop.orders(id);
    expect(order).toMatchObject({ status: 'PAID', subtotal: 2400, total: 2400 });
    expect((order!.omitted_lines as { variantId: number }[]).map(line => line.variantId)).toEqual([1]);
    expect((await shop.get(id)).contract.last_inventory_action).toBe('PARTIAL_ORDER');
    expect(await shop.log(id)).toEqual(['subscription_created', 'order_partially_billed', 'payment_attempted', 'order_placed']);
    await inStock(10);
    await shop.until('2026-03-02T00:00:00Z');
    expect((await shop.orders(id))[1]).toMatchObject({ status: 'PAID', total: 2400 + 2400 });
  });

  it('D074 waits for stock day by day; later orders keep their dates', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'DELAY_ORDER' });
    await inStock(0);
    const id = await shop.contract({ first, lines: only });
    await shop.until('2026-02-04T00:00:00Z');
    const [waiting] = await shop.orders(id);
    expect(waiting).toMatchObject({ status: 'SCHEDULED', total: 0 });
    expect(waiting?.next_retry_at?.toISOString()).toBe('2026-02-04T14:00:00.000Z');
    const { contract } = await shop.get(id);
    expect([contract.last_inventory_action, contract.next_billing_at?.toISOString()]).toEqual(['DELAY_ORDER', '2026-03-01T14:00:00.000Z']);
    await inStock(5);
    await shop.until('2026-03-02T00:00:00Z');
    expect((await shop.orders(id)).map(order => [order.cycle, order.status, order.billing_at.toISOString().slice(0, 10)])).toEqual([
      [1, 'PAID', '2026-02-01'],
      [2, 'PAID', '2026-03-01'],
    ]);
    expect((await shop.orders(id))[0]?.processed_at?.toISOString().slice(0, 10)).toBe('2026-02-04');
    expect((await shop.log(id)).filter(key => key === 'order_delayed_out_of_stock')).toHaveLength(1);
  });

  it.each([
    ['SKIP_ORDER', 'ACTIVE'],
    ['PAUSE', 'PAUSED'],
    ['CANCEL', 'CANCELLED'],
  ] as const)('gives up after the days allowed: %s', async (afterMaxDelay, status) => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'DELAY_ORDER', delayMaxDays: 3, afterMaxDelay });
    await inStock(0);
    const id = await shop.contract({ first, lines: only });
    await shop.until('2026-02-10T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'SKIPPED', skip_reason: 'OUT_OF_STOCK' });
    expect((await shop.get(id)).contract.status).toBe(status);
  });

  it('a refusal of the platform for lack of stock goes by the same rules, never by the payment schedule', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER' });
    const id = await shop.contract({ first, lines: only, token: 'tok_decline_insufficient_inventory' });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'SKIPPED', skip_reason: 'OUT_OF_STOCK', next_retry_at: null });
    expect((await shop.get(id)).contract).toMatchObject({ last_payment_status: null, dunning: null });
    expect((await shop.mails(id)).filter(mail => mail.template.includes('PAYMENT'))).toEqual([]);
    expect(await shop.stock(1)).toBe(100);
  });

  it('the last pieces go to one of two orders, whichever comes first', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER' });
    await inStock(3);
    const ids = [await shop.contract({ first, lines: only }), await shop.contract({ first, lines: only })];
    shop.now = new Date('2026-02-01T15:00:00Z');
    await Promise.all([shop.run({ batch: 1 }), shop.run({ batch: 1 })]);
    await shop.run();
    const statuses = await Promise.all(ids.map(async id => (await shop.orders(id))[0]?.status));
    expect(statuses.sort()).toEqual(['PAID', 'SKIPPED']);
    expect(await shop.stock(1)).toBe(1);
  });

  it('a product deleted in the store is not charged; without any product left the order is skipped', async () => {
    const some = await shop.contract({ first, lines: both });
    const none = await shop.contract({ first, lines: only });
    await database.db.exec(`update variants set deleted_at = now() where store_id = ${shop.storeId} and id = 1`);
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(some))[0]).toMatchObject({ status: 'PAID', total: 2400 });
    expect((await shop.orders(none))[0]).toMatchObject({ status: 'SKIPPED', skip_reason: 'NO_PRODUCTS' });
  });

  it('a charge by hand is refused rather than delayed or skipped', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'DELAY_ORDER' });
    await inStock(0);
    const id = await shop.contract({ first, lines: only });
    await expect(shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, {}))).rejects.toThrow(
      'Products of this order are out of stock.',
    );
    expect(await shop.orders(id)).toEqual([]);
  });
});
