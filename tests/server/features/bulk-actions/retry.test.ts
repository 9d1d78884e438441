// Trying charges again that failed in a bulk action: it is the same order that is charged, once, and never the one after it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';
import { Bulk } from './helpers.ts';

const never = new AbortController().signal;

describe.each(oneEngine)('charges that are tried again (%s)', engine => {
  let server: TestServer;
  let bulk: Bulk;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, config: { workers: 0 }, seed: { contracts: 4, stores: 1 } });
    bulk = new Bulk(server);
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  const declined = (): Promise<Made> => makeContract(server, goods, { tokens: ['tok_decline_card_declined', 'tok_success'] });
  const orders = (made: Made) =>
    bulk.query<{ cycle: number; status: string }>('select cycle, status from orders where contract_id = $1 order by cycle', [made.id]);
  const taken = async (made: Made): Promise<number> =>
    Number(
      (
        await bulk.query<{ n: number }>(
          "select count(*) as n from gateway_charges where outcome->>'ok' = 'true' and idempotency_key in (select idempotency_key from billing_attempts where contract_id = $1)",
          [made.id],
        )
      )[0]?.n,
    );
  const payAgain = (made: Made) =>
    bulk.query("update payment_methods set gateway_token = 'tok_success' where customer_id = $1", [made.customerId]);
  const work = async (id: number, confirmCount: number): Promise<JsonObject[]> => {
    expect((await server.call('bulk-actions.runBulkAction', { id, confirmCount })).status).toBe(200);
    await runBulk(server.services, { storeId: 1, bulkId: id }, never);
    return bulk.rows(id);
  };
  const charge = async (list: Made[]): Promise<number> => {
    const draft = await bulk.create('CHARGE_ORDER', { mode: 'IDS', ids: list.map(made => made.id) }, { which: 'NEXT', keepSchedule: true });
    expect((await work(draft.id, list.length)).map(row => row.status)).toEqual(list.map(() => 'FAILED'));
    return draft.id;
  };

  test('charge the order that was declined, not the one after it; one that was paid meanwhile is left alone', async () => {
    const [again, paid] = [await declined(), await declined()];
    const first = await charge([again, paid]);
    for (const made of [again, paid]) await payAgain(made);
    // By hand, while the bulk action lies there.
    expect((await server.call('subscription-contract.chargeNow', { id: paid.id, orderId: paid.id * 10_000 + 1 })).status).toBe(200);
    const draft = (await server.call('bulk-actions.retryFailed', { id: first })).data;
    const rows = await work(draft.id, 2);
    expect(rows.map(row => [row.status, row.reason])).toEqual([
      ['SUCCESS', null],
      ['SKIPPED', 'This order is already paid.'],
    ]);
    for (const made of [again, paid]) {
      expect(await orders(made)).toEqual([{ cycle: 1, status: 'PAID' }]);
      expect(await taken(made)).toBe(1);
    }
  });

  test('charge nothing where the answer came late: the money was taken the first time', async () => {
    const made = await makeContract(server, goods);
    const { gateway, db, definitions, queue } = server.services;
    // The provider takes the money and never answers.
    const mute = {
      charge: async (one: Parameters<typeof gateway.charge>[0]) => {
        await gateway.charge(one);
        throw new Error('No answer');
      },
      keysLive: () => Number.POSITIVE_INFINITY,
      lookup: () => Promise.reject(new Error('No answer')),
    };
    const draft = await bulk.create('CHARGE_ORDER', { mode: 'IDS', ids: [made.id] }, { which: 'NEXT', keepSchedule: true });
    expect((await server.call('bulk-actions.runBulkAction', { id: draft.id, confirmCount: 1 })).status).toBe(200);
    const hurry = setInterval(() => {
      void bulk
        .query('update bulk_action_rows set not_before = now() where bulk_action_id = $1 and not_before > now()', [draft.id])
        .catch(() => undefined);
    }, 100);
    try {
      await runBulk({ db, definitions, config: server.services.config, queue, gateway: mute }, { storeId: 1, bulkId: draft.id }, never);
    } finally {
      clearInterval(hurry);
    }
    expect((await bulk.rows(draft.id)).map(row => row.status)).toEqual(['FAILED']);
    expect(await orders(made)).toEqual([{ cycle: 1, status: 'PROCESSING' }]);
    // Tried again before it is looked up, and after.
    const early = (await server.call('bulk-actions.retryFailed', { id: draft.id })).data;
    expect((await work(early.id, 1)).map(row => [row.status, row.reason])).toEqual([
      ['SKIPPED', 'A charge for this order is already in progress.'],
    ]);
    await runDue(server.services, 1, { isStart: true });
    expect(await orders(made)).toEqual([{ cycle: 1, status: 'PAID' }]);
    const late = (await server.call('bulk-actions.retryFailed', { id: draft.id })).data;
    expect((await work(late.id, 1)).map(row => [row.status, row.reason])).toEqual([['SKIPPED', 'This order is already paid.']]);
    expect(await orders(made)).toEqual([{ cycle: 1, status: 'PAID' }]);
    expect(await taken(made)).toBe(1);
  });

  test('a file can not name the order that a row charges', async () => {
    const made = await makeContract(server, goods);
    const draft = await bulk.create(
      'CHARGE_ORDER',
      { mode: 'CSV', content: `subscription_id,#order,note\n${made.id},${made.id * 10_000 + 9},x`, fileName: 'x.csv' },
      { which: 'NEXT', keepSchedule: true },
    );
    expect(
      (await bulk.query<{ values: JsonObject | null }>('select "values" from bulk_action_rows where bulk_action_id = $1', [draft.id]))[0]
        ?.values ?? {},
    ).not.toHaveProperty('#order');
    expect((await work(draft.id, 1)).map(row => row.status)).toEqual(['SUCCESS']);
    expect(await orders(made)).toEqual([{ cycle: 1, status: 'PAID' }]);
  });
});
