// Orders that come due: charged, counted, delivered, once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { MONTHLY, Shop } from './shop.ts';

/** A try to charge and what came of it, as the log tells. */
const TRIED = (outcome: string): string[] => ['payment_attempted', outcome];
describe.each(engines)('billing on %s', engine => {
  let database: TestDatabase;
  let db: Database;
  let store = 0;
  let shop: Shop;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    shop = await Shop.open(db, '2026-01-10T15:00:00Z', { storeId: ++store });
  });

  it('charges an order when it is due and plans the next one', async () => {
    const id = await shop.contract({ first: '2026-01-31T15:00:00Z' });
    await shop.until('2026-03-01T00:00:00Z');
    const orders = await shop.orders(id);
    expect(orders.map(order => [order.cycle, order.status, order.billing_at.toISOString(), order.total, order.order_number])).toEqual([
      [1, 'PAID', '2026-01-31T15:00:00.000Z', 2895, 1],
      [2, 'PAID', '2026-02-28T15:00:00.000Z', 2895, 2],
    ]);
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      completed_orders: 2,
      next_cycle: 3,
      last_payment_status: 'SUCCESS',
      total: 2895,
      frequency: 'Every month',
    });
    expect(contract.next_billing_at?.toISOString()).toBe('2026-03-31T14:00:00.000Z');
    expect((await shop.charges()).map(charge => charge.amount)).toEqual([2895, 2895]);
    expect(await shop.log(id)).toEqual(['subscription_created', ...TRIED('order_placed'), ...TRIED('order_placed')]);
  });

  it('charges each order once, however often the work runs', async () => {
    const id = await shop.contract({ first: '2026-01-12T15:00:00Z' });
    shop.now = new Date('2026-01-12T16:00:00Z');
    await Promise.all([shop.run(), shop.run(), shop.run()]);
    await shop.run();
    expect(await shop.charges()).toHaveLength(1);
    expect((await shop.orders(id)).map(order => order.status)).toEqual(['PAID']);
  });

  it('sells pieces out of stock and gives them back when the charge fails', async () => {
    const paid = await shop.contract({ first: '2026-01-12T15:00:00Z', lines: [{ variantId: 1, quantity: 3, discountType: 'NONE' }] });
    const refused = await shop.contract({
      first: '2026-01-12T15:00:00Z',
      lines: [{ variantId: 1, quantity: 5, discountType: 'NONE' }],
      token: 'tok_decline_card_declined',
    });
    await shop.until('2026-01-13T00:00:00Z');
    expect(await shop.stock(1)).toBe(97);
    expect((await shop.orders(paid))[0]?.status).toBe('PAID');
    expect((await shop.orders(refused))[0]?.status).toBe('FAILED');
  });

  it('ends by itself after the last order of a limited subscription', async () => {
    const id = await shop.contract({ first: '2026-01-12T15:00:00Z', billingPolicy: { ...MONTHLY, maxCycles: 2 } });
    await shop.until('2026-05-01T00:00:00Z');
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ status: 'EXPIRED', completed_orders: 2, next_billing_at: null });
    expect(await shop.orders(id)).toHaveLength(2);
    expect(await shop.log(id)).toContain('subscription_expired');
  });

  it('prepaid: one charge pays for three deliveries, each its own order', async () => {
    const id = await shop.contract({
      first: '2026-01-12T15:00:00Z',
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: MONTHLY,
    });
    await shop.until('2026-05-01T00:00:00Z');
    const orders = await shop.orders(id);
    expect(orders.map(order => [order.cycle, order.total, order.is_prepaid_delivery])).toEqual([
      [1, 3 * 2400 + 3 * 495, false],
      [2, 0, true],
      [3, 0, true],
      [4, 3 * 2400 + 3 * 495, false],
    ]);
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ completed_orders: 2, prepaid_credits: 2, is_prepaid: true });
    const ledger = await db.inStore(shop.storeId, trx =>
      trx.selectFrom('credit_transactions').selectAll().where('contract_id', '=', id).orderBy('id').execute(),
    );
    expect(ledger.map(row => [row.type, row.credits, row.balance_after])).toEqual([
      ['ADDED', 3, 3],
      ['CONSUMED', -1, 2],
      ['CONSUMED', -1, 1],
      ['CONSUMED', -1, 0],
      ['ADDED', 3, 3],
      ['CONSUMED', -1, 2],
    ]);
  });

  it('retries a refused charge by the settings, then skips the order and goes on', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 3, retrySpacingDays: 3 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_insufficient_funds' });
    await shop.until('2026-02-20T00:00:00Z');
    const attempts = await shop.attempts(id);
    expect(attempts.map(row => [row.trigger, row.created_at.toISOString().slice(0, 10), row.success, row.error_category])).toEqual([
      ['SCHEDULED', '2026-02-01', false, 'insufficient_funds'],
      ['RETRY', '2026-02-04', false, 'insufficient_funds'],
      ['RETRY', '2026-02-07', false, 'insufficient_funds'],
      ['RETRY', '2026-02-10', false, 'insufficient_funds'],
    ]);
    expect((await shop.orders(id)).map(order => [order.status, order.skip_reason])).toEqual([['SKIPPED', 'PAYMENT_FAILED']]);
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      successive_failed_cycles: 1,
      last_payment_status: 'FAILED',
      last_payment_category: 'insufficient_funds',
    });
    expect(contract.next_billing_at?.toISOString()).toBe('2026-03-01T14:00:00.000Z');
    expect(contract.dunning).toMatchObject({ state: 'LOST', finalAction: 'SKIP' });
    expect(await shop.log(id)).toEqual([
      'subscription_created',
      ...TRIED('payment_failed_retry'),
      ...TRIED('payment_failed_retry'),
      ...TRIED('payment_failed_last_retry'),
      ...TRIED('payment_failed'),
    ]);
    const mails = (await shop.mails(id)).filter(mail => mail.recipient.startsWith('customer'));
    expect(mails.map(mail => mail.template)).toEqual([
      'PAYMENT_FAILED_WITH_RETRIES',
      'PAYMENT_FAILED_WITH_RETRIES',
      'PAYMENT_FAILED_WITH_RETRIES',
      'PAYMENT_FAILED',
    ]);
  });

  it('recovers when a retry succeeds', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_fail_n_2_then_success' });
    await shop.until('2026-02-20T00:00:00Z');
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ last_payment_status: 'SUCCESS', completed_orders: 1, successive_failed_cycles: 0 });
    expect(contract.dunning).toMatchObject({ state: 'RECOVERED', recoveredVia: 'RETRY', attemptsMade: 3 });
    expect(await shop.log(id)).toEqual([
      'subscription_created',
      ...TRIED('payment_failed_retry'),
      ...TRIED('payment_failed_retry'),
      ...TRIED('order_placed'),
    ]);
  });
});
