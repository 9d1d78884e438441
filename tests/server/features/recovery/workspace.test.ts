// The work of payment recovery over the running server: payments ahead with their risk, what is open and lost, the export, and the three
// groups worth a look.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { inDays } from '../subscriptions/fixture.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';

describe.each(oneEngine)('payment recovery on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 150 } });

  const set = (sql: string): Promise<unknown> => at.server.services.db.ownerQuery(sql);
  const ok = async (name: string, input: JsonObject = {}, options = {}) => {
    const answer = await at.server.call(name, input, options);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };
  const listed = async (filter: JsonObject = {}, more: JsonObject = {}): Promise<JsonObject[]> =>
    (await ok('payment-recovery.list', { filter, pageSize: 250, ...more })).data as JsonObject[];
  const rowOf = async (id: number): Promise<JsonObject | undefined> =>
    (await listed({}, { q: String(id) })).find(row => row.subscriptionId === id);
  /** A subscription whose first charge was just refused. */
  const failing = async (code: string, settings: JsonObject = {}): Promise<number> => {
    const version = (await ok('settings.get', { settingsPage: 'paymentRecovery' })).data.version as number | undefined;
    await ok(
      'settings.set',
      { ...(await ok('settings.get', { settingsPage: 'paymentRecovery' })).data, ...settings, settingsPage: 'paymentRecovery' },
      version === undefined ? {} : { version },
    );
    const { id, view } = await at.make({ tokens: [`tok_decline_${code}`] });
    await ok('subscription-contract.chargeNow', { id, orderId: view.nextOrderId as number });
    return id;
  };

  it('C351 lists what each subscription is charged next, the earliest first, with risk and method', async () => {
    const { id } = await at.make({ nextBillingDateEpoch: inDays(10) });
    expect(await rowOf(id)).toMatchObject({
      subscriptionId: id,
      state: null,
      riskLevel: 'LOW',
      retriesLeft: null,
      attemptsMade: 0,
      lastPaymentStatus: null,
      lastError: null,
      isDueSoon: true,
      amount: '44.95',
      currencyCode: 'USD',
      paymentMethod: { type: 'CREDIT_CARD', brand: 'visa', lastDigits: '4242', expiry: '12/2090', status: 'ACTIVE' },
    });
    const dates = (await listed({ isDueSoon: true })).map(row => row.paymentDateEpoch as number);
    expect(dates.length).toBeGreaterThan(10);
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    const far = await at.make({ nextBillingDateEpoch: inDays(31) });
    expect((await rowOf(far.id))?.isDueSoon).toBe(false);
  });

  it('C351 says what an open order waits for, and filters by date, retries left, last payment, risk and method', async () => {
    const id = await failing('insufficient_funds', { retryAttempts: 3, retrySpacingDays: [4] });
    const row = await rowOf(id);
    expect(row).toMatchObject({
      state: 'IN_RECOVERY',
      orderStatus: 'FAILED',
      lastError: 'insufficient_funds',
      attemptsMade: 1,
      attemptsMax: 4,
      retriesLeft: 3,
      lastPaymentStatus: 'FAILED',
      riskLevel: 'MEDIUM',
      finalAction: 'SKIP',
    });
    expect((row?.paymentDateEpoch as number) - Date.now() / 1000).toBeGreaterThan(3 * 86_400 - 3600);
    const has = async (filter: JsonObject): Promise<boolean> => (await listed(filter)).some(one => one.subscriptionId === id);
    const fitting: JsonObject[] = [
      { state: ['IN_RECOVERY'] },
      { retriesLeft: { min: 3, max: 3 } },
      { lastPaymentStatus: ['FAILED'] },
      { riskLevel: ['MEDIUM'] },
      { paymentMethodStatus: ['ACTIVE'] },
      { lastError: ['insufficient_funds'] },
      { paymentDateEpoch: { from: inDays(2), to: inDays(6) } },
    ];
    for (const filter of fitting) expect(await has(filter), JSON.stringify(filter)).toBe(true);
    const others: JsonObject[] = [
      { state: ['LOST'] },
      { retriesLeft: { max: 2 } },
      { lastPaymentStatus: ['SUCCESS'] },
      { riskLevel: ['HIGH'] },
      { paymentMethodStatus: ['EXPIRED'] },
      { paymentDateEpoch: { from: inDays(8) } },
    ];
    for (const filter of others) expect(await has(filter), JSON.stringify(filter)).toBe(false);
  });

  it('rates a payment by its method, by the retries left and by the last refusal', async () => {
    const now = new Date();
    const card = async (id: number, change: string): Promise<unknown> =>
      set(
        `update payment_methods set ${change} where store_id = 1 and id = (select payment_method_id from contracts where store_id = 1 and id = ${id})`,
      );
    const risk = async (id: number): Promise<unknown> => {
      const row = await rowOf(id);
      return [row?.paymentMethodStatus, row?.riskLevel];
    };
    const { id } = await at.make({ nextBillingDateEpoch: inDays(80) });
    expect(await risk(id)).toEqual(['ACTIVE', 'LOW']);
    const month = (ahead: number): string => {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
      return `expiry_year = ${at.getUTCFullYear()}, expiry_month = ${at.getUTCMonth() + 1}`;
    };
    await card(id, month(-1));
    expect(await risk(id)).toEqual(['EXPIRED', 'HIGH']);
    await card(id, month(1));
    expect(await risk(id)).toEqual(['EXPIRING', 'MEDIUM']);
    await card(id, month(6));
    expect(await risk(id)).toEqual(['ACTIVE', 'LOW']);
    await card(id, 'inactive = true');
    expect(await risk(id)).toEqual(['REVOKED', 'HIGH']);
    expect((await rowOf(await failing('card_declined', { retryAttempts: 1, retrySpacingDays: [3] })))?.riskLevel).toBe('HIGH');
    expect((await rowOf(await failing('expired_card', { retryAttempts: 3 })))?.riskLevel).toBe('HIGH');
    expect((await rowOf(await failing('card_declined', { retryAttempts: 3 })))?.riskLevel).toBe('MEDIUM');
  });

  it('counts the tabs and the tiles as the lists do', async () => {
    const lost = await failing('card_declined', { retryAttempts: 0 });
    expect(await rowOf(lost)).toMatchObject({ state: 'LOST', lastError: 'card_declined', retriesLeft: 0 });
    await failing('card_declined', { retryAttempts: 1 });
    const { data: counts } = await ok('payment-recovery.counts');
    expect(counts).toEqual({
      inRecovery: (await listed({ state: ['IN_RECOVERY'] })).length,
      upcoming: (await listed({ isDueSoon: true })).length,
      expiring: (await listed({ isDueSoon: true, paymentMethodStatus: ['EXPIRING', 'EXPIRED', 'REVOKED'] })).length,
      lost: (await listed({ state: ['LOST'] })).length,
    });
    expect(counts.lost).toBeGreaterThan(0);
    const { data: ahead } = await ok('payment-recovery.ahead');
    const own = await listed({ isDueSoon: true, currencyCode: ['USD'] });
    const all = await listed({ isDueSoon: true });
    expect(ahead.highRisk.count).toBe(all.filter(row => row.riskLevel === 'HIGH').length);
    expect(ahead.lastRetry.count).toBe(all.filter(row => row.state === 'IN_RECOVERY' && (row.retriesLeft as number) <= 1).length);
    expect(ahead.cardsExpiring.count).toBe(all.filter(row => ['EXPIRING', 'EXPIRED'].includes(row.paymentMethodStatus as string)).length);
    expect(ahead.lastRetry.count).toBeGreaterThan(0);
    if (own.length === all.length)
      expect(Number(ahead.highRisk.value)).toBeCloseTo(
        own.filter(row => row.riskLevel === 'HIGH').reduce((sum, row) => sum + Number(row.amount), 0),
        2,
      );
  });

  it('retrying, pausing, skipping and cancelling move a payment out of recovery by the same calls as on the record', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await failing('insufficient_funds', { retryAttempts: 4 }));
    const [retry, skip, pause, cancel] = ids as [number, number, number, number];
    const order = async (id: number): Promise<number> => (await rowOf(id))?.orderId as number;
    await set(
      `update payment_methods set gateway_token = 'tok_success' where store_id = 1 and id = (select payment_method_id from contracts where store_id = 1 and id = ${retry})`,
    );
    await ok('subscription-contract.chargeNow', { id: retry, orderId: await order(retry) });
    await ok('subscription-contract.skipOrder', { id: skip, orderId: await order(skip) });
    await ok('subscription-contract.pause', { id: pause, until: 'INDEFINITE' });
    await ok('subscription-contract.cancel', { id: cancel, cancellationReason: 'Payment problems' });
    expect(await rowOf(retry)).toMatchObject({ state: null, lastPaymentStatus: 'SUCCESS', riskLevel: 'LOW' });
    expect(await rowOf(skip)).toMatchObject({ state: null, orderId: null });
    expect([await rowOf(pause), await rowOf(cancel)]).toEqual([undefined, undefined]);
  });

  it('C352 exports the filtered list as CSV', async () => {
    const id = await failing('do_not_honor', { retryAttempts: 4 });
    const file = await at.server.request('POST', '/host/v2/analytics/dunning/export-upcoming-payment', {
      body: JSON.stringify({ filter: { lastError: ['do_not_honor'] } }),
      headers: { 'content-type': 'application/json' },
      as: 'owner',
    });
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toContain('text/csv');
    const lines = file.text.trim().split('\n');
    expect(lines[0]).toContain('Subscription,Customer,E-mail,Recovery,Amount');
    const rows = await listed({ lastError: ['do_not_honor'] });
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines.some(line => line.startsWith(`${id},`) && line.includes('do_not_honor'))).toBe(true);
  });

  it('hides the payments of another store, and nothing without signing in', async () => {
    const foreign = await at.server.signIn('owner', 2);
    const theirs = (await ok('payment-recovery.list', { pageSize: 250 }, { as: foreign })).data as JsonObject[];
    const own = await at.server.services.db.asOwner(trx =>
      trx.selectFrom('contracts').select(['id', 'customer_email']).where('store_id', '=', 2).execute(),
    );
    const byId = new Map(own.map(row => [row.id, row.customer_email]));
    expect(theirs.every(row => byId.get(row.subscriptionId as number) === row.customerEmail)).toBe(true);
    expect((await at.server.call('payment-recovery.list', {}, { as: null })).status).toBe(401);
  });

  it('C366 counts active subscriptions whose method expired, with what they bring in a month', async () => {
    const before = (await ok('opportunities.expiredMethods')).data;
    const { id } = await at.make();
    await set(
      `update payment_methods set expiry_year = 2020, expiry_month = 1 where store_id = 1 and id = (select payment_method_id from contracts where store_id = 1 and id = ${id})`,
    );
    const after = (await ok('opportunities.expiredMethods')).data;
    expect(after.count).toBe(before.count + 1);
    expect(Number(after.lostMrr) - Number(before.lostMrr)).toBeCloseTo(40, 2);
    expect(after.rows.find((row: JsonObject) => row.subscriptionId === id)).toMatchObject({ status: 'ACTIVE', mrr: '40.00' });
  });

  it('C367 counts subscriptions paused for more than three cycles', async () => {
    const { id } = await at.make();
    await ok('subscription-contract.pause', { id, until: 'INDEFINITE' });
    const has = async (): Promise<boolean> =>
      ((await ok('opportunities.longPauses')).data.rows as JsonObject[]).some(row => row.subscriptionId === id);
    await set(`update contracts set paused_at = now() - interval '3 months' + interval '1 day' where store_id = 1 and id = ${id}`);
    expect(await has()).toBe(false);
    await set(`update contracts set paused_at = now() - interval '3 months' - interval '2 days' where store_id = 1 and id = ${id}`);
    expect(await has()).toBe(true);
  });

  it('C368 counts active subscriptions whose last two orders failed', async () => {
    const id = await failing('card_declined', { retryAttempts: 0, finalAction: 'SKIP' });
    const has = async (): Promise<boolean> =>
      ((await ok('opportunities.twiceFailed')).data.rows as JsonObject[]).some(row => row.subscriptionId === id);
    expect(await has()).toBe(false);
    const next = (await ok('subscription-contract.read', { id })).data.nextOrderId as number;
    await ok('subscription-contract.chargeNow', { id, orderId: next });
    expect(await has()).toBe(true);
    await set(
      `update payment_methods set gateway_token = 'tok_success' where store_id = 1 and id = (select payment_method_id from contracts where store_id = 1 and id = ${id})`,
    );
    await ok('subscription-contract.chargeNow', {
      id,
      orderId: (await ok('subscription-contract.read', { id })).data.nextOrderId as number,
    });
    expect(await has()).toBe(false);
  });
});
