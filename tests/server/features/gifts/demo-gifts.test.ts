// Gifts of the demo store: in every state, their books in order, and alive while its clock is moved.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { random } from '../../../../src/server/features/demo/random.ts';
import { liveWithGifts } from '../../../../src/server/features/demo/simulated-gifts.ts';
import { seedStores } from '../../../../src/server/features/demo/seed.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: false });
  const { db, definitions } = server.services;
  await seedStores(db, { contracts: 500, areas: Object.keys(definitions.permissions), isLiving: true, definitions });
});
afterAll(() => server?.close());
const rows = async (query: string): Promise<any[]> => (await server.services.db.ownerQuery(query)).rows;

it('has gifts in every state, with their history; no letter of the past waits to be sent', async () => {
  const gifts = await rows('select status, thanked_at, portal_token, start_at from gifts');
  expect([...new Set(gifts.map(gift => gift.status))].sort()).toEqual(['ACTIVE', 'CANCELLED', 'COMPLETED', 'UPCOMING']);
  expect(gifts.filter(gift => gift.thanked_at).length).toBeGreaterThan(2);
  expect(await rows("select 1 from outbox where template like 'GIFT%' and sent_at is null and send_after <= now()")).toEqual([]);
  const wrong = await rows(`select g.id from gifts g join contracts c on c.store_id = g.store_id and c.id = g.id
    where g.total_orders - c.prepaid_credits <> (select count(*) from orders o where o.contract_id = c.id and o.status = 'PAID')
      or (c.status = 'ACTIVE' and c.next_billing_at <= now()) or (c.status in ('CANCELLED', 'EXPIRED') and c.base_at is not null)`);
  expect(wrong).toEqual([]);
  const counted = await rows("select key, sum(n)::integer as n from counters where name = 'contracts' group by 1");
  for (const { status, n } of await rows('select status, count(*)::integer as n from contracts group by 1'))
    expect(counted.find(one => one.key === status)?.n, status).toBe(n);
});

it('customers go on giving, and recipients answer', async () => {
  const before = (await rows('select count(*)::integer as n from gifts'))[0].n;
  for (let day = 0; day < 25; day++)
    await transactIn(
      server.services,
      1,
      () => new Date(Date.now() + day * 86_400_000),
    )(context => liveWithGifts(context, random(1).fork(day)));
  const after = await rows('select id, thanked_at from gifts where created_at > now()');
  expect(after.length).toBeGreaterThan(1);
  expect(before).toBeGreaterThan(10);
});
