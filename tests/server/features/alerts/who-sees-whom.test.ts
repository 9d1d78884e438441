// Who has only the right to the alert center learns what is wrong and how much is at stake, and not whose subscriptions they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { checkOf } from '../../../../src/server/features/alerts/catalogue.ts';
import { runCheck, scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const PERSONAL = ['customerId', 'customerName', 'customerEmail'];

describe.each(oneEngine)('customers behind alerts on %s', engine => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;

  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 20 }, config: { workers: 0 } });
    goods = await stockGoods(server);
    made = await makeContract(server, goods);
    await sql(
      `update payment_methods set expiry_year = 2020, expiry_month = 1, brand = 'visa' where store_id = 1 and id = ${made.methods[0]}`,
    );
    await sql(`update products set status = 'ARCHIVED' where store_id = 1 and id = ${goods.plain}`);
  });
  afterAll(() => server.close());

  const sql = (text: string, values: unknown[] = []) => server.services.db.ownerQuery(text, values);
  /** These rights and no others. */
  const give = async (rights: JsonObject): Promise<void> => {
    const none = Object.fromEntries(Object.keys(server.services.definitions.permissions).map(area => [area, 'NO_ACCESS']));
    await sql('update users set permissions = $1 where store_id = 1 and id = 1004', [JSON.stringify({ ...none, ...rights })]);
    server.services.sessions.forget(1);
  };
  const find = async (key: string): Promise<number> => {
    const row = await server.services.db.inStore(1, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      return runCheck(scopeOf(trx, store, new Date(), server.services.definitions.plans), checkOf(key)!);
    });
    return row!.id;
  };
  const rowOf = async (id: number): Promise<JsonObject> => {
    const answer = await server.call('alerts.data', { id, pageSize: 100 }, { as: 'readOnly' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const row = (answer.data as JsonObject[]).find(one => one.contractId === made.id);
    expect(row).toBeDefined();
    return row!;
  };

  it('D110 alertCentre alone shows numbers and what is wrong; with subscriptionDetails also the customers', async () => {
    const cards = await find('EXPIRED_METHODS');
    const products = await find('INACTIVE_PRODUCTS');
    await give({ alertCentre: 'READ' });
    for (const id of [cards, products]) {
      const row = await rowOf(id);
      for (const name of PERSONAL) expect(row).not.toHaveProperty(name);
      expect(JSON.stringify(row)).not.toMatch(/Ann|Lee|@|4242/);
      expect(row).toMatchObject({ contractId: made.id, currencyCode: 'USD', nextBillingAt: expect.any(String) });
    }
    expect(await rowOf(cards)).not.toHaveProperty('label');
    expect(await rowOf(products)).toMatchObject({ label: 'Goods plain', reason: 'ARCHIVED' });
    const read = await server.call('alerts.read', { id: cards }, { as: 'readOnly' });
    expect(read.data).toMatchObject({ affectedCount: expect.any(Number), impact: { mrr: expect.any(String) } });
    expect(
      JSON.stringify([
        read.data,
        (await server.call('alerts.unresolved', {}, { as: 'readOnly' })).data,
        (await server.call('alerts.logs', {}, { as: 'readOnly' })).data,
      ]),
    ).not.toMatch(/Ann|@mail\.example/);
    await give({ alertCentre: 'READ', subscriptionDetails: 'READ' });
    expect(await rowOf(cards)).not.toHaveProperty('label');
    await give({ alertCentre: 'READ', subscriptionDetails: 'READ', subscriptionPaymentDetails: 'READ' });
    expect(await rowOf(cards)).toMatchObject({
      customerName: 'Ann Lee',
      customerEmail: expect.stringContaining('@mail.example'),
      label: 'Visa •••• 4242',
    });
  });

  it('D110 dunningAnalytics alone shows payments at risk without their customers, in the list, the file and the opportunities', async () => {
    await give({ dunningAnalytics: 'READ' });
    const as = 'readOnly';
    const list = async (input: JsonObject): Promise<JsonObject[]> =>
      (await server.call('payment-recovery.list', input, { as })).data as JsonObject[];
    const [row] = await list({ q: String(made.id) });
    expect(row).toMatchObject({ subscriptionId: made.id, amount: expect.any(String), riskLevel: 'HIGH', paymentMethodStatus: 'EXPIRED' });
    expect(JSON.stringify(row)).not.toMatch(/Ann|Lee|@|4242/);
    expect(await list({ q: 'Ann Lee' })).toEqual([]);
    const file = await server.request('POST', '/host/v2/analytics/dunning/export-upcoming-payment', {
      as,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ columns: ['subscriptionId', 'customerName', 'customerEmail', 'amount'] }),
    });
    expect(file.status, file.text).toBe(200);
    expect(file.text).not.toMatch(/Customer|Ann|@/);
    const { rows } = (await server.call('opportunities.expiredMethods', {}, { as })).data as { rows: JsonObject[] };
    expect(rows.find(one => one.subscriptionId === made.id)).toBeDefined();
    expect(JSON.stringify(rows)).not.toMatch(/customer|@/);
    await give({ dunningAnalytics: 'READ', subscriptionDetails: 'READ' });
    expect((await list({ q: 'Ann Lee' })).length).toBeGreaterThan(0);
  });

  it('D052 who settled an alert is named as a person, in the alert and in its history', async () => {
    const id = await find('EXPIRED_METHODS');
    const after = await server.call('alerts.markResolved', { id });
    expect(after.data).toMatchObject({ status: 'RESOLVED', resolvedBy: 'Amira Fontaine' });
    expect((await server.call('alerts.logs', { alertId: id })).data).toMatchObject([
      { event: 'RESOLVED_MANUAL', by: 'Amira Fontaine' },
      { event: 'OPENED', by: 'System' },
    ]);
    await sql('delete from alerts where store_id = 1');
  });

  it('the amount of a row is what is unpaid, in the currency of its subscription', async () => {
    await give({ alertCentre: 'READ' });
    const { id, customerId } = made;
    await sql(
      `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total) values (1, ${id}0006, ${id}, ${customerId}, 6, 6, 'FAILED', now(), now(), now(), 'JPY', 1234)`,
    );
    await sql(
      `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready, success, error_category, created_at) values (1, ${id}0006, ${id}, 4, 'RETRY', 'lost-${id}', 1234, 'JPY', true, false, 'insufficient_funds', now() - interval '2 days')`,
    );
    await sql(
      `update contracts set currency_code = 'JPY', dunning = '{"state":"LOST","orderId":${id}0006}' where store_id = 1 and id = ${id}`,
    );
    expect(await rowOf(await find('RETRIES_EXHAUSTED'))).toMatchObject({
      amount: '1234',
      currencyCode: 'JPY',
      failure: 'insufficient_funds',
    });
    expect(await rowOf(await find('EXPIRED_METHODS'))).toMatchObject({ amount: expect.stringMatching(/^\d+$/), currencyCode: 'JPY' });
  });
});
