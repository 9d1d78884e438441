// The clock of a demo store, and the job that bills every minute, on a running server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { storesDue } from '../../../../src/server/features/subscriptions/jobs/billing.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('the clock of a store on %s', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, jobs: true });
    goods = await stockGoods(server);
  });
  afterAll(() => server.close());

  const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  };

  it('bills what is due, handed out by the minute', async () => {
    const made = await makeContract(server, goods);
    await server.services.db.exec(
      `update contracts set base_at = now() - interval '1 minute', next_billing_at = now() - interval '1 minute' where id = ${made.id}`,
    );
    expect((await storesDue(server.services)).map(store => store.id)).toEqual([1]);
    await server.services.queue.send('tick', {});
    const paid = await until(async () =>
      (await server.call('subscription-contract.read', { id: made.id })).data.completedOrdersCount === 1 ? true : undefined,
    );
    expect(paid).toBe(true);
    expect((await server.call('subscription-contract.ordersHistory', { id: made.id })).data).toMatchObject([
      { status: 'PAID', attempts: [{ trigger: 'SCHEDULED', success: true }] },
    ]);
    expect((await server.call('subscription-contract.activity', { id: made.id })).data[0]).toMatchObject({
      key: 'order_placed',
      source: 'System',
    });
  });

  it('the owner moves it forward, and everything due on the way happens at its own time', async () => {
    const made = await makeContract(server, goods, { nextBillingDateEpoch: inDays(3) });
    const before = (await server.call('clock.now')).data;
    expect((await server.call('clock.advance', { days: 5 }, { as: 'admin' })).body).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Only the owner of the demo store can move its clock.',
    });
    expect((await server.call('clock.advance', { days: 0 })).status).toBe(422);
    const run = await server.call('clock.advance', { days: 35 });
    expect(run.data).toMatchObject({ status: 'QUEUED', total: 35 * 24, percent: 0 });
    const done = await until(async () => {
      const { data } = await server.call('clock.run', { id: run.data.id });
      return ['COMPLETED', 'FAILED'].includes(data.status) ? (data as JsonObject) : undefined;
    });
    expect(done).toMatchObject({ status: 'COMPLETED', percent: 100, error: null });
    const after = (await server.call('clock.now')).data;
    expect(after.nowEpoch - before.nowEpoch).toBeGreaterThanOrEqual(35 * 86_400);
    expect(after.nowEpoch - before.nowEpoch).toBeLessThan(35 * 86_400 + 120);
    const orders = (await server.call('subscription-contract.ordersHistory', { id: made.id })).data as {
      status: string;
      billingDateEpoch: number;
      processedAtEpoch: number;
    }[];
    expect(orders.map(order => order.status)).toEqual(['PAID', 'PAID']);
    for (const order of orders) expect(order.processedAtEpoch).toBe(order.billingDateEpoch);
  });

  it('only in a demo store, one run at a time', async () => {
    await server.services.db.exec('update stores set is_demo = false where id = 1');
    server.services.sessions.forget(1);
    expect((await server.call('clock.advance', { days: 1 })).body.message).toBe('Only the clock of a demo store can be moved.');
    await server.services.db.exec(
      `update stores set is_demo = true where id = 1; insert into runs (store_id, kind, status) values (1, 'CLOCK', 'IN_PROGRESS')`,
    );
    server.services.sessions.forget(1);
    expect((await server.call('clock.advance', { days: 1 })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'The clock is being moved already. Wait until it has got there.',
    });
    expect(await storesDue(server.services)).toEqual([]);
    expect((await server.call('clock.run', { id: 999_999 })).status).toBe(404);
  });
});
