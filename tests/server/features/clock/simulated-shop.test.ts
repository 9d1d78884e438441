// The shop of a living demo store: while its clock is moved, customers go on buying, leaving and renewing their cards at the rates of before.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { simulateCustomers, simulateDay } from '../../../../src/server/features/demo/simulated-days.ts';
import { moveClockJob } from '../../../../src/server/features/clock/jobs/move-clock.ts';
import { openNewStore } from '../../../../src/server/features/demo/new-store.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import { oneEngine } from '../../../support/database.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('a demo store whose clock is moved on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 150, stores: 1 }, jobs: true });
    await server.services.db.asOwner(trx => simulateCustomers(trx, 1));
    server.services.sessions.forget(1);
  });
  afterAll(() => server.close());

  const advance = async (days: number): Promise<JsonObject> => {
    const { data: begun } = await server.call('clock.advance', { days });
    for (;;) {
      const { data } = await server.call('clock.run', { id: begun.id });
      if (['COMPLETED', 'FAILED'].includes(data.status)) return data as JsonObject;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  };
  const rows = async <T>(query: string): Promise<T[]> => (await server.services.db.ownerQuery<T & object>(query)).rows as T[];

  it('goes on selling as in the months before, and says at the end what happened', async () => {
    const [{ before }] = (await rows(
      `select count(*)::integer as before from contracts where source = 'CHECKOUT' and created_at > now() - interval '30 days'`,
    )) as [{ before: number }];
    const run = await advance(30);
    expect(run).toMatchObject({ status: 'COMPLETED', percent: 100 });
    const counts = run.summary as Record<string, number>;
    const { from, to } = run as { from: string; to: string };
    expect(counts.started).toBeGreaterThan(before / 2);
    expect(counts.started).toBeLessThan(before * 2);
    const [facts] = await rows<Record<string, number>>(`select
      (select count(*)::integer from contracts where created_at > '${from}' and source = 'CHECKOUT') as started,
      (select count(*)::integer from contracts where cancelled_at > '${from}') as cancelled,
      (select count(*)::integer from gateway_charges where at > '${from}' and (outcome->>'ok')::boolean) as charged,
      (select count(*)::integer from outbox where created_at > '${from}' and created_at <= '${to}') as letters`);
    expect(counts).toMatchObject(facts!);
    expect(counts.cancelled).toBeGreaterThan(0);
    expect(counts.changed).toBeGreaterThan(0);
    expect(counts.recovered).toBeGreaterThan(0);
    // As in the history, about one charge in twenty is refused at first, and retries bring most of it back.
    expect(counts.refused! / counts.charged!).toBeLessThan(0.35);
  });

  it('a purchase is paid in the shop, and its next order lies one interval later', async () => {
    const bought = await rows<{ id: number; days: number; paid: number; credits: number; prepaid: boolean; tags: string[] }>(`
      select c.id, extract(epoch from c.next_billing_at - c.created_at) / 86400 as days, c.completed_orders as paid, c.prepaid_credits as credits, c.is_prepaid as prepaid, o.tags
      from contracts c join orders o on o.store_id = c.store_id and o.contract_id = c.id and o.cycle = 1
      where c.created_at > now() and c.source = 'CHECKOUT' and o.order_type = 'CHECKOUT' and o.status = 'PAID'
        and o.shopify_id = c.origin_order_shopify_id and o.processed_at = c.created_at and o.total >= 0`);
    const [{ all }] = (await rows(`select count(*)::integer as all from contracts where created_at > now() and source = 'CHECKOUT'`)) as [
      { all: number },
    ];
    expect(bought.length).toBe(all);
    for (const one of bought) expect(one.paid).toBeGreaterThan(0);
    const numbers = await rows<{ n: number }>(
      `select shopify_order_number as n from orders where shopify_order_number is not null group by 1 having count(*) > 1`,
    );
    expect(numbers).toEqual([]);
    const id = bought.at(-1)!.id;
    const record = (await server.call('subscription-contract.read', { id })).data;
    expect(record).toMatchObject({ source: 'CHECKOUT' });
    const activity = (await server.call('subscription-contract.activity', { id })).data as { key: string; source: string }[];
    expect(activity.at(-1)).toMatchObject({ key: 'subscription_created', source: 'Shopify' });
  });

  it('a customer answers a refused charge with a new card, and the next try takes it', async () => {
    const answered = await rows<{ n: number }>(`
      select count(*)::integer as n from events r join events p on p.store_id = r.store_id and p.contract_id = r.contract_id
      where r.key = 'payment_method_changed' and r.source = 'Customer portal' and p.key = 'order_placed' and p.created_at > r.created_at`);
    expect(answered[0]!.n).toBeGreaterThan(0);
  });

  it('a store that begins sells from its first plan on, and its first purchases do not end that', async () => {
    const { db } = server.services;
    const { storeId } = await db.asSystem(trx => openNewStore(trx, server.services));
    await db.asOwner(trx =>
      sql`with made as (insert into records (store_id, entity, data) select ${storeId}::integer, entity, data from records
          where store_id = 1 and entity = 'selling-plan-group' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by id limit 1 returning id)
        insert into plan_products (store_id, group_id, product_id) select ${storeId}::integer, made.id, p.id from made, products p
          where p.store_id = ${storeId}::integer and p.status = 'ACTIVE' and not p.is_gift_card`.execute(trx),
    );
    const today = Math.floor(Date.now() / 86_400_000);
    const sold: number[] = [];
    for (let day = 1; day <= 30; day++) {
      await transactIn(server.services, storeId)(context => simulateDay(context, today + day));
      if (day % 15 === 0)
        sold.push((await rows<{ n: number }>(`select count(*)::integer as n from contracts where store_id = ${storeId}`))[0]?.n ?? 0);
    }
    // About two a day, in both halves of the time.
    for (const [i, n] of sold.entries()) expect(n - (sold[i - 1] ?? 0)).toBeGreaterThan(12);
  });

  it('a move that two processes are at happens once', async () => {
    const { data: begun } = await server.call('clock.advance', { days: 12 });
    const data = { storeId: 1, runId: begun.id };
    await Promise.all([1, 2].map(() => moveClockJob.run(server.services, data, jobWith())));
    // The server's own worker may have been first, and goes on while both of these find it at work.
    await expect
      .poll(async () => (await server.call('clock.run', { id: begun.id })).data.status, { timeout: 120_000 })
      .not.toBe('IN_PROGRESS');
    const { data: run } = await server.call('clock.run', { id: begun.id });
    expect(run).toMatchObject({ status: 'COMPLETED', error: null });
    // The same store and day bring the same customers, so a day that was lived twice shows them twice.
    const sold = await rows<{ n: number }>(`select count(*)::integer as n from contracts where source = 'CHECKOUT'
      and created_at > '${run.from}' group by created_at`);
    expect(sold.length).toBeGreaterThan(0);
    expect(sold.filter(({ n }) => n > 1)).toEqual([]);
  });

  it('a store whose customers are real stays as it is', async () => {
    await server.services.db.exec(`update stores set details = details - 'hasSimulatedCustomers'`);
    server.services.sessions.forget(1);
    const run = await advance(7);
    expect(run.summary).toMatchObject({ started: 0, changed: 0 });
  });
});
