// Payment recovery by the settings: backup methods, hard declines, the store's own faults, windows and final actions.
import { describe, expect, it } from 'vitest';
import { oneEngine } from '../../support/database.ts';
import { chargeNow, skipOrder } from '../../../src/server/engine/edits/orders.ts';
import { pause } from '../../../src/server/engine/status.ts';
import { eachShop } from './each-shop.ts';
import type { Shop } from './shop.ts';

/** A try to charge and what came of it, as the log tells. */
const TRIED = (outcome: string): string[] => ['payment_attempted', outcome];
describe.each(oneEngine)('payment recovery on %s', engine => {
  let shop: Shop;
  const database = eachShop(engine, opened => {
    shop = opened;
  });
  const DECLINED = 'tok_decline_card_declined';
  const days = async (id: number) => (await shop.attempts(id)).map(row => row.created_at.toISOString().slice(5, 10));

  it('D249 with 0 retries one failed try is the end', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 0, finalAction: 'SKIP' });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-20T00:00:00Z');
    expect(await shop.attempts(id)).toHaveLength(1);
    expect((await shop.get(id)).contract.dunning).toMatchObject({ state: 'LOST', retriesLeft: 0 });
  });

  it('D249 D251 sixteen retries a day apart, the last one day before the next order', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 16, retrySpacingDays: 1 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED, every: { interval: 'WEEK', intervalCount: 2 } });
    await shop.until('2026-02-14T20:00:00Z');
    expect(await days(id)).toEqual(Array.from({ length: 14 }, (_, i) => `02-${String(i + 1).padStart(2, '0')}`));
    expect((await shop.orders(id))[0]).toMatchObject({ status: 'SKIPPED', skip_reason: 'PAYMENT_FAILED' });
  });

  it('D252 no retry later than the time window', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 4, retrySpacingDays: 3, timeWindowDays: 7 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-25T00:00:00Z');
    expect(await days(id)).toEqual(['02-01', '02-04', '02-07']);
  });

  it('retries at the hour of the settings, spaced one by one', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 2, retrySpacing: 'EACH', retrySpacingDaysEach: [2, 5], retryHour: 20 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-25T00:00:00Z');
    expect((await shop.attempts(id)).map(row => row.created_at.toISOString().slice(0, 13))).toEqual([
      '2026-02-01T14',
      '2026-02-04T01',
      '2026-02-09T01',
    ]);
  });

  it.each([
    ['PAUSE', 'PAUSED', 'subscription_paused'],
    ['CANCEL', 'CANCELLED', 'subscription_cancelled'],
  ] as const)('D253 the final action %s', async (finalAction, status, key) => {
    await shop.settings('paymentRecovery', { retryAttempts: 1, retrySpacingDays: 1, finalAction });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-10T00:00:00Z');
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ status, next_billing_at: null });
    if (status === 'CANCELLED') expect(contract).toMatchObject({ cancellation_source: 'DUNNING', cancellation_reason: 'Payment failed' });
    expect(await shop.log(id)).toEqual(['subscription_created', ...TRIED('payment_failed_last_retry'), ...TRIED('payment_failed'), key]);
    expect((await shop.orders(id))[0]?.status).toBe('FAILED');
    await shop.until('2026-06-01T00:00:00Z');
    expect(await shop.attempts(id)).toHaveLength(2);
  });

  it('D254 D255 pauses after two unpaid orders in a row', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 0, finalAction: 'SKIP', successiveFailedCycles: 2, successiveAction: 'PAUSE' });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-15T00:00:00Z');
    expect((await shop.get(id)).contract).toMatchObject({ status: 'ACTIVE', successive_failed_cycles: 1 });
    await shop.until('2026-03-15T00:00:00Z');
    expect((await shop.get(id)).contract).toMatchObject({ status: 'PAUSED', successive_failed_cycles: 2 });
  });

  it('an order paid between two that failed starts the count again', async () => {
    await shop.settings('paymentRecovery', {
      retryAttempts: 0,
      finalAction: 'SKIP',
      successiveFailedCycles: 2,
      successiveAction: 'CANCEL',
    });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-02T00:00:00Z');
    await database.db.exec(`update payment_methods set gateway_token = 'tok_success' where store_id = ${shop.storeId}`);
    await shop.until('2026-03-02T00:00:00Z');
    expect((await shop.get(id)).contract).toMatchObject({ status: 'ACTIVE', successive_failed_cycles: 0, completed_orders: 1 });
  });

  it('tries the backup method at once, which is no retry; the next order uses the primary again', async () => {
    await shop.settings('paymentRecovery', { backupPaymentEnabled: true });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED, backup: 'tok_success' });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.attempts(id)).map(row => [row.trigger, row.is_backup, row.success])).toEqual([
      ['SCHEDULED', false, false],
      ['BACKUP', true, true],
    ]);
    expect((await shop.get(id)).contract).toMatchObject({ completed_orders: 1, dunning: { state: 'RECOVERED', recoveredVia: 'BACKUP' } });
    await shop.until('2026-03-02T00:00:00Z');
    expect((await shop.attempts(id)).map(row => row.trigger)).toEqual(['SCHEDULED', 'BACKUP', 'SCHEDULED', 'BACKUP']);
    expect(await shop.log(id)).toContain('backup_payment_attempted');
  });

  it('chooses the backup by itself when the settings say so, and goes on with the primary when it fails too', async () => {
    await shop.settings('paymentRecovery', {
      backupPaymentEnabled: true,
      backupAutoConfigure: true,
      retryAttempts: 1,
      retrySpacingDays: 2,
    });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED, backup: 'tok_decline_insufficient_funds' });
    await database.db.exec(`update contracts set backup_payment_method_id = null where id = ${id}`);
    await shop.until('2026-02-10T00:00:00Z');
    expect((await shop.attempts(id)).map(row => [row.trigger, row.error_category])).toEqual([
      ['SCHEDULED', 'card_declined'],
      ['BACKUP', 'insufficient_funds'],
      ['RETRY', 'card_declined'],
    ]);
    expect(await shop.log(id)).toContain('backup_payment_method_created');
  });

  it('does not retry hard declines when the settings say so', async () => {
    await shop.settings('paymentRecovery', { hardDeclineBehavior: 'NO_RETRY', hardDeclineAction: 'PAUSE' });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_expired_card' });
    await shop.until('2026-02-10T00:00:00Z');
    expect(await shop.attempts(id)).toHaveLength(1);
    expect((await shop.get(id)).contract).toMatchObject({ status: 'PAUSED', dunning: { isHardDecline: true, finalAction: 'PAUSE' } });
  });

  it("retries the reasons of one's own choice only", async () => {
    await shop.settings('paymentRecovery', {
      hardDeclineBehavior: 'CUSTOM',
      hardDeclineReasons: ['insufficient_funds'],
      hardDeclineAction: 'SKIP',
    });
    const hard = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_insufficient_funds' });
    const soft = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_expired_card' });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(hard))[0]?.status).toBe('SKIPPED');
    expect((await shop.orders(soft))[0]?.next_retry_at).not.toBeNull();
  });

  it('suspected fraud is never tried again by itself: billing ends until the merchant acts', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_fraud_suspected' });
    await shop.until('2026-04-10T00:00:00Z');
    expect(await shop.attempts(id)).toHaveLength(1);
    expect((await shop.get(id)).contract).toMatchObject({ status: 'FAILED', next_billing_at: null });
    expect(await shop.log(id)).toEqual(['subscription_created', ...TRIED('payment_failed'), 'subscription_failed']);
    await database.db.exec(`update payment_methods set gateway_token = 'tok_success' where store_id = ${shop.storeId}`);
    const [order] = await shop.orders(id);
    await shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, { orderId: order?.id }), {
      orderIds: [order?.id as number],
    });
    const { contract } = await shop.get(id);
    expect(contract).toMatchObject({ status: 'ACTIVE', completed_orders: 1, dunning: { state: 'RECOVERED', recoveredVia: 'MANUAL' } });
    expect(contract.next_billing_at?.getTime()).toBeGreaterThan(shop.now.getTime());
  });

  it('a fault of the store is tried three times, and only the merchant hears of it', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_amount_too_small' });
    await shop.until('2026-02-20T00:00:00Z');
    expect(await days(id)).toEqual(['02-01', '02-02', '02-03', '02-04']);
    expect((await shop.get(id)).contract).toMatchObject({ status: 'FAILED', successive_failed_cycles: 0 });
    const mails = await shop.mails(id);
    expect(mails.filter(mail => mail.recipient.startsWith('customer'))).toEqual([]);
    expect(mails.some(mail => mail.template === 'ADMIN_PAYMENT_BLOCKED')).toBe(true);
  });

  it('a temporary error is tried again the same day first', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_transient_error' });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.attempts(id)).map(row => row.created_at.toISOString().slice(0, 16))).toEqual([
      '2026-02-01T14:00',
      '2026-02-01T15:00',
    ]);
  });

  it('settings are read when a retry is placed: one that is placed already keeps its date', async () => {
    await shop.settings('paymentRecovery', { retryAttempts: 3, retrySpacingDays: 5 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-02T00:00:00Z');
    await shop.settings('paymentRecovery', { retryAttempts: 3, retrySpacingDays: 1 });
    await shop.until('2026-02-07T20:00:00Z');
    expect(await days(id)).toEqual(['02-01', '02-06', '02-07']);
  });

  it('a pause suspends retries, a skip by hand ends them', async () => {
    const paused = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    const skipped = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-02T00:00:00Z');
    await shop.act(paused, 'pause', (work, subscription) => pause(work, subscription, null));
    await shop.act(skipped, 'skipOrder', (work, subscription) => skipOrder(work, subscription, { orderId: skipped * 10_000 + 1 }));
    await shop.until('2026-02-20T00:00:00Z');
    for (const id of [paused, skipped]) {
      expect(await shop.attempts(id)).toHaveLength(1);
      expect((await shop.orders(id))[0]).toMatchObject({ status: 'SKIPPED', next_retry_at: null });
      expect((await shop.get(id)).contract.dunning).toMatchObject({ state: 'CLOSED' });
    }
    expect((await shop.orders(paused))[0]?.skip_reason).toBe('PAUSED');
  });

  it('a try by hand that fails leaves the planned retry where it is', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: DECLINED });
    await shop.until('2026-02-02T00:00:00Z');
    const before = (await shop.orders(id))[0];
    await shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, { orderId: before?.id }));
    const after = (await shop.orders(id))[0];
    expect(after?.next_retry_at).toEqual(before?.next_retry_at);
    expect(after?.attempts).toBe(2);
  });

  it('messages wait for the hours of the settings', async () => {
    await shop.settings('paymentRecovery', { notificationTiming: 'WINDOW', notificationWindow: { startHour: 9, endHour: 18 } });
    const id = await shop.contract({ first: '2026-02-01T08:00:00Z', token: DECLINED });
    await shop.until('2026-02-01T12:00:00Z');
    const mail = (await shop.mails(id)).find(one => one.template === 'PAYMENT_FAILED_WITH_RETRIES');
    expect(mail?.send_after.toISOString()).toBe('2026-02-01T14:00:00.000Z');
  });

  it('already paid counts as paid, and takes nothing', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_decline_invoice_already_paid' });
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.orders(id))[0]?.status).toBe('PAID');
  });

  it('an order without a method fails without asking the gateway', async () => {
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z' });
    await database.db.exec(`update payment_methods set revoked_at = now() where store_id = ${shop.storeId}`);
    await shop.until('2026-02-02T00:00:00Z');
    expect((await shop.attempts(id)).map(row => row.error_category)).toEqual(['method_missing']);
    expect(await shop.charges()).toEqual([]);
  });
});
