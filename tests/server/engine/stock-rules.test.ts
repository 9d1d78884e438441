// What the store's stock rules say, sentence by sentence, when all or some products of an order are out, and how the order history tells it.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { addLine } from '../../../src/server/engine/edits/lines.ts';
import { orderView, scheduleView } from '../../../src/server/engine/orders-response.ts';
import { UnitOfWork } from '../../../src/server/engine/unit-of-work.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import { definitions, type Shop } from './shop.ts';

describe.each(oneEngine)('stock rules on %s', engine => {
  let shop: Shop;
  const database = eachShop(engine, opened => {
    shop = opened;
  });

  const inStock = (quantity: number) =>
    database.db.exec(`update variants set inventory_quantity = ${quantity} where store_id = ${shop.storeId} and id = 1`);
  const tracked = { variantId: 1, quantity: 2, discountType: 'NONE' as const };
  const untracked = { variantId: 2, quantity: 1, discountType: 'NONE' as const };
  const first = '2026-02-01T14:00:00Z';
  const history = async (id: number): Promise<JsonObject[]> => (await shop.orders(id)).map(order => orderView(order));
  const ahead = async (id: number): Promise<JsonObject[]> => {
    const subscription = await shop.get(id);
    return shop.as()(async context => {
      const work = await UnitOfWork.open(context);
      await work.loadVariants([subscription], true);
      return scheduleView(work, subscription, shop.now, 2);
    });
  };
  const variantsOf = (order: JsonObject | undefined): number[] =>
    ((order?.lines ?? []) as { variantId: number }[]).map(line => line.variantId).sort();
  const templates = async (id: number): Promise<string[]> =>
    (await shop.mails(id))
      .map(mail => mail.template)
      .filter(name => /STOCK|PARTIALLY/.test(name))
      .sort();

  it('D263 the page offers exactly DELAY_ORDER, SKIP_ORDER and PARTIAL_ORDER besides going on, and no part of nothing', () => {
    const page = definitions.settings['inventory-settings'];
    const values = (field: string): unknown[] => (page?.properties?.[field]?.oneOf ?? []).map(option => option.const);
    expect(values('whenSomeAvailable').sort()).toEqual(['ALLOW_ORDER', 'DELAY_ORDER', 'PARTIAL_ORDER', 'SKIP_ORDER']);
    expect(values('whenNoneAvailable').sort()).toEqual(['ALLOW_ORDER', 'DELAY_ORDER', 'SKIP_ORDER']);
  });

  it.each(['ALL', 'SOME'] as const)(
    'D072 D073 D263 SKIP_ORDER, %s products out: the order is skipped for lack of stock, nothing is charged, later orders keep their dates',
    async out => {
      await shop.settings(
        'inventory-settings',
        out === 'ALL'
          ? { whenNoneAvailable: 'SKIP_ORDER', whenSomeAvailable: 'PARTIAL_ORDER' }
          : { whenSomeAvailable: 'SKIP_ORDER', whenNoneAvailable: 'DELAY_ORDER' },
      );
      await inStock(1);
      const id = await shop.contract({ first, lines: out === 'ALL' ? [tracked] : [tracked, untracked] });
      await shop.until('2026-02-02T00:00:00Z');
      expect((await history(id))[0]).toMatchObject({
        status: 'SKIPPED',
        skipReason: 'OUT_OF_STOCK',
        attemptsCount: 0,
        nextRetryDateEpoch: null,
      });
      expect(await shop.attempts(id)).toEqual([]);
      const { contract } = await shop.get(id);
      expect([contract.last_inventory_action, contract.next_billing_at?.toISOString()]).toEqual(['SKIP_ORDER', '2026-03-01T14:00:00.000Z']);
      expect(await shop.stock(1)).toBe(1);
    },
  );

  it.each(['ALL', 'SOME'] as const)(
    'D072 D073 D263 DELAY_ORDER, %s products out: the order stays scheduled, is looked at every day at the billing hour, and is placed whole',
    async out => {
      await shop.settings('general', { billingHour: 6 });
      await shop.settings(
        'inventory-settings',
        out === 'ALL'
          ? { whenNoneAvailable: 'DELAY_ORDER', whenSomeAvailable: 'SKIP_ORDER' }
          : { whenSomeAvailable: 'DELAY_ORDER', whenNoneAvailable: 'SKIP_ORDER' },
      );
      await inStock(1);
      const id = await shop.contract({ first, lines: out === 'ALL' ? [tracked] : [tracked, untracked] });
      await shop.until('2026-02-03T18:00:00Z');
      const [waiting, next] = await ahead(id);
      expect(waiting).toMatchObject({
        status: 'SCHEDULED',
        isDelayed: true,
        retry: { kind: 'STOCK', nextRetryDateEpoch: Date.parse('2026-02-04T11:00:00Z') / 1000 },
      });
      expect(next).toMatchObject({ isDelayed: false, status: 'SCHEDULED' });
      expect(await shop.attempts(id)).toEqual([]);
      await inStock(2);
      await shop.until('2026-02-04T18:00:00Z');
      expect((await history(id))[0]).toMatchObject({ status: 'PAID', skipReason: null, partial: { isPartial: false, omittedLines: [] } });
      expect((await shop.orders(id))[0]?.total).toBe(out === 'ALL' ? 2400 + 495 : 4800);
      expect((await shop.get(id)).contract.next_billing_at?.toISOString().slice(0, 10)).toBe('2026-03-01');
    },
  );

  it('D073 D263 PARTIAL_ORDER bills what is there, with shipping once, and the history names what was left out', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER' });
    await inStock(1);
    const id = await shop.contract({ first, lines: [tracked, untracked] });
    const shipping = (await shop.get(id)).contract.delivery_price;
    await shop.until('2026-02-02T00:00:00Z');
    const [order] = await history(id);
    expect(order).toMatchObject({
      status: 'PAID',
      totalLineItemsPrice: '24.00',
      partial: { isPartial: true, omittedLines: [{ variantId: 1, quantity: 2 }] },
    });
    expect(variantsOf(order)).toEqual([2]);
    expect((await shop.orders(id))[0]?.shipping).toBe(shipping);
    expect(await shop.stock(1)).toBe(1);
    expect(await templates(id)).toEqual(['ADMIN_ORDER_PARTIALLY_BILLED', 'ORDER_PARTIALLY_BILLED']);
    await inStock(10);
    await shop.until('2026-03-02T00:00:00Z');
    expect((await history(id))[1]).toMatchObject({ status: 'PAID', partial: { isPartial: false } });
    expect((await shop.orders(id))[1]).toMatchObject({ subtotal: 4800, shipping });
  });

  it('a product for one order that was left out stays for the next one, and is sent once', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER' });
    const id = await shop.contract({ first, lines: [untracked] });
    await shop.act(id, 'addLine', (work, subscription) => addLine(work, subscription, { ...tracked, type: 'ONE_TIME' }));
    await inStock(0);
    await shop.until('2026-02-02T00:00:00Z');
    const variants = async (n: number): Promise<number[]> => variantsOf((await history(id))[n]);
    expect(await variants(0)).toEqual([2]);
    await inStock(5);
    await shop.until('2026-03-02T00:00:00Z');
    expect(await variants(1)).toEqual([1, 2]);
    await shop.until('2026-04-02T00:00:00Z');
    expect(await variants(2)).toEqual([2]);
  });

  it('a bundle is out when any of its products is', async () => {
    await shop.settings('inventory-settings', { whenSomeAvailable: 'PARTIAL_ORDER' });
    await inStock(0);
    const id = await shop.contract({ first, lines: [tracked, untracked, { variantId: 4, quantity: 1, discountType: 'NONE' }] });
    await database.db.exec(
      `update contract_lines set bundle_transaction_id = 'b1' where store_id = ${shop.storeId} and contract_id = ${id} and variant_id in (1, 2)`,
    );
    await shop.until('2026-02-02T00:00:00Z');
    const [order] = await history(id);
    expect(variantsOf(order)).toEqual([4]);
    expect(order).toMatchObject({ partial: { isPartial: true, omittedLines: [{ variantId: 1 }, { variantId: 2 }] } });
  });

  it('tells only those that the page says', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER', notifyCustomer: false });
    await inStock(0);
    const quiet = await shop.contract({ first, lines: [tracked] });
    await shop.until('2026-02-02T00:00:00Z');
    expect(await templates(quiet)).toEqual(['ADMIN_PRODUCT_OUT_OF_STOCK']);
    await shop.settings('inventory-settings', { whenNoneAvailable: 'SKIP_ORDER', notifyAdmin: false });
    const loud = await shop.contract({ first: '2026-02-03T14:00:00Z', lines: [tracked] });
    await shop.until('2026-02-04T00:00:00Z');
    expect(await templates(loud)).toEqual(['PRODUCT_OUT_OF_STOCK']);
  });

  it('waits without limit when no limit is set', async () => {
    await shop.settings('inventory-settings', { whenNoneAvailable: 'DELAY_ORDER', delayMaxDays: null });
    await inStock(0);
    const id = await shop.contract({ first, lines: [tracked], every: { interval: 'YEAR', intervalCount: 1 } });
    await shop.until('2026-03-10T00:00:00Z');
    expect((await history(id)).map(order => order.status)).toEqual(['SCHEDULED']);
    await inStock(2);
    await shop.until('2026-03-11T00:00:00Z');
    expect((await history(id)).map(order => order.status)).toEqual(['PAID']);
  });

  it.each(['tok_decline_insufficient_inventory', 'tok_decline_inventory_allocations_not_found'])(
    'a refusal of the platform (%s) that the rules would allow is tried once a day, five times, then skipped; no payment e-mail, no retry of payments',
    async token => {
      const id = await shop.contract({ first, lines: [tracked], token });
      await shop.until('2026-02-20T00:00:00Z');
      const [order] = await history(id);
      expect(order).toMatchObject({ status: 'SKIPPED', skipReason: 'OUT_OF_STOCK' });
      expect((await shop.attempts(id)).map(row => row.created_at.toISOString().slice(0, 10))).toEqual([
        '2026-02-01',
        '2026-02-02',
        '2026-02-03',
        '2026-02-04',
        '2026-02-05',
      ]);
      expect((await shop.get(id)).contract).toMatchObject({ status: 'ACTIVE', last_payment_status: null, dunning: null });
      expect((await shop.mails(id)).filter(mail => mail.template.includes('PAYMENT'))).toEqual([]);
      expect(await shop.stock(1)).toBe(100);
    },
  );
});
