// Two calls at once on what belongs to one customer or one alert, stopped at the moment that counts; and what a change writes beside its own record.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, onServer } from '../../support/database.ts';
import { waitingForLocks } from '../../support/locks.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { serve, type TestServer } from '../../support/serve.ts';
import { customerWith, makeContract, stockGoods, type Goods } from '../features/subscriptions/fixture.ts';

describe.each(engines)('two at once on %s', engine => {
  let database: TestDatabase;
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = await serve(database, { seed: { contracts: 10, stores: 1 } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  it.runIf(engine === 'postgres')('a payment method can not be deleted while a subscription switches to it', async () => {
    const made = await makeContract(server, goods);
    const [, second] = made.methods as [number, number];
    const answer = await onServer(database.url!, async client => {
      // The switch has begun: it holds its subscription, and has seen a method that can be charged.
      await client.query('begin');
      await client.query('select 1 from contracts where store_id = 1 and id = $1 for update', [made.id]);
      const deleting = server.call('payments.deletePaymentMethod', { paymentMethodId: second });
      await waitingForLocks(client, 1, deleting);
      await client.query('update contracts set payment_method_id = $2 where store_id = 1 and id = $1', [made.id, second]);
      await client.query('commit');
      return deleting;
    });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      `This payment method is used by the active subscription #${made.id}. Switch it to another method first.`,
    ]);
    expect((await server.call('subscription-contract.read', { id: made.id })).data.paymentMethod?.status).not.toBe('REVOKED');
  });

  it('calls that mean the next order, sent at once, change one order; one after the other they change each its own', async () => {
    const { id } = await makeContract(server, goods);
    const next = async (): Promise<number> => (await server.call('subscription-contract.read', { id })).data.nextBillingDateEpoch;
    const skipped = async (): Promise<number> =>
      (await server.call('subscription-contract.ordersSchedule', { id })).data.filter(
        (order: { status: string }) => order.status === 'SKIPPED',
      ).length;
    const days = async (count: number, name: string, input = {}) => {
      const before = await next();
      const answers = await Promise.all(Array.from({ length: count }, () => server.call(name, { id, ...input })));
      const refused = answers.filter(answer => answer.status !== 200);
      for (const { status, body } of refused)
        expect([status, body.message]).toEqual([
          409,
          'The next order of this subscription was changed by another request at the same moment. Look at its orders, and send this again if it is still meant.',
        ]);
      expect(refused.length).toBe(count - 1);
      return Math.round(((await next()) - before) / 86_400);
    };
    expect(await days(4, 'subscription-contract.delay', { days: 7 })).toBe(7);
    expect(await days(1, 'subscription-contract.delay', { days: 7 })).toBe(7);
    await days(5, 'subscription-contract.skipOrder');
    expect(await skipped()).toBe(1);
    await days(1, 'subscription-contract.skipOrder');
    expect(await skipped()).toBe(2);
    // Another change at the same moment, which leaves the next order alone, is no reason.
    const [note, skip] = await Promise.all([
      server.call('subscription-contract.updateNote', { id, note: 'Ring twice' }),
      server.call('subscription-contract.skipOrder', { id }),
    ]);
    expect([note.status, skip.status]).toEqual([200, 200]);
  });

  it('of many new customers with one e-mail address, sent at once, one is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        server.call('customers-app.create', { email: i % 2 ? 'Twin@mail.example' : 'twin@mail.example', lastName: `Twin ${i}` }),
      ),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    const { rows } = await server.services.db.ownerQuery<{ n: number }>(
      "select count(*) as n from customers where lower(email) = 'twin@mail.example'",
    );
    expect(rows[0]?.n).toBe(1);
  });

  it('of two customers that take one e-mail address at once, one gets it', async () => {
    const [one, two] = [await customerWith(server), await customerWith(server)];
    const answers = await Promise.all(
      [one, two].map(({ id }) => server.call('customers-app.update', { id, email: `same-${engine}@mail.example` })),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409]);
  });

  it("D172 a customer's new name is found at their subscriptions, and changes no other word there", async () => {
    const made = await makeContract(server, goods);
    const search = async () =>
      (await server.services.db.ownerQuery<{ search: string }>('select search from contracts where id = $1', [made.id])).rows[0]?.search;
    const rename = async (firstName: string, lastName: string, email?: string) =>
      expect(
        (await server.call('customers-app.update', { id: made.customerId, firstName, lastName, ...(email ? { email } : {}) })).status,
      ).toBe(200);
    // A name that is a piece of the product's: "Goods plain", "Goods digital".
    await rename('', 'Good');
    await rename('Élodie', 'Żak', 'elodie@mail.example');
    const products = 'goods plain goods digital';
    expect(await search()).toBe(`${made.id} ${made.shopifyId} elodie zak elodie@mail.example ${products}`);
    await rename('', '');
    await rename('Ann', 'Lee');
    expect(await search()).toBe(`${made.id} ${made.shopifyId} ann lee elodie@mail.example ${products}`);
  });
});
