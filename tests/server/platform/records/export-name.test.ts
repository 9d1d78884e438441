// The name of an exported file carries the day in the store, which may be another one than in UTC.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ tables: ['subscription-contract', 'store-products'] });
});
afterAll(() => server?.close());

/** 25 hours apart: at any moment at least one of them has another day than UTC. */
test.each([
  [1, 'Pacific/Kiritimati'],
  [2, 'Pacific/Pago_Pago'],
])('store %i in %s', async (storeId, zone) => {
  await server.services.db.asSystem(trx => sql`update stores set timezone = ${zone} where id = ${storeId}`.execute(trx));
  const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  const as = await server.signIn('owner', storeId);
  const before = today();
  const answer = await server.request('GET', '/host/main/api/merchant/subscriptionContract/export', { as });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  const names = [before, today()].map(day => `subscriptions-${day}.csv`);
  expect(names).toContain(/filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]);
});
