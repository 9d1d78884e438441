// A right that another one would give away: a person who may change states, but not charge, charges nothing by reactivating.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { makeContract, stockGoods } from '../features/subscriptions/fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 4, stores: 1 } });
});
afterAll(() => server?.close());

it('reactivating with a charge needs the right to charge besides the one to change states', async () => {
  const { db, sessions } = server.services;
  const made = await makeContract(server, await stockGoods(server));
  expect((await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' })).status).toBe(200);
  const token = await server.signIn('readOnly');
  const reactivate = async (orderActions: string, chargeAtOnce: boolean) => {
    await db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = 1004', [
      JSON.stringify({ changeSubscriptionStatus: 'WRITE', subscriptionOrderActions: orderActions }),
    ]);
    sessions.forget(1);
    return server.call('subscription-contract.reactivate', { id: made.id, chargeAtOnce }, { as: token });
  };
  const charged = async () =>
    Number((await db.ownerQuery<{ n: number }>('select count(*) as n from billing_attempts where contract_id = $1', [made.id])).rows[0]?.n);
  const refused = await reactivate('READ', true);
  expect([refused.status, refused.body.code, await charged()]).toEqual([403, 'FORBIDDEN', 0]);
  expect((await server.call('subscription-contract.read', { id: made.id })).data.status).toBe('CANCELLED');
  expect((await reactivate('READ', false)).data.status).toBe('ACTIVE');
  expect((await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' })).status).toBe(200);
  expect((await reactivate('WRITE', true)).data.status).toBe('ACTIVE');
  expect(await charged()).toBe(1);
});
