// Customers: found, created, changed; and the tags they get from their subscriptions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { ADDRESS, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

let server: TestServer;
let goods: Goods;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 20, stores: 2 } });
  goods = await stockGoods(server);
});
afterAll(() => server.close());
const shop = (): string => 'fernandember.myshopify.com';

describe('customers', () => {
  it('D170 D171 finds customers by words and reads one by id', async () => {
    const made = await makeContract(server, goods);
    const { data: found } = await server.call('customers-app.readAll', { shop: shop(), query: `person${made.customerId}` });
    expect(found.map((one: JsonObject) => one.id)).toEqual([]);
    await server.services.db.exec(
      `update customers set search = lower(first_name || ' ' || last_name || ' ' || email) where id = ${made.customerId}`,
    );
    expect((await server.call('customers-app.readAll', { shop: shop(), query: `person${made.customerId}` })).data).toMatchObject([
      { id: made.customerId },
    ]);
    expect((await server.call('customers-app.read', { shop: shop(), id: made.customerId })).data).toMatchObject({
      id: made.customerId,
      activeSubscriptionsCount: 1,
      paymentMethods: [{ maskedNumber: '•••• 4242', isRevocable: false }, { isRevocable: true }],
    });
    const page = await server.call('customers.all', { page: 1, pageSize: 5 });
    expect([page.data.length, page.body.pageInfo?.hasNextPage]).toEqual([5, true]);
    expect((await server.call('customers.list', { pageSize: 5 })).data).toHaveLength(5);
  });

  it('D172 creates a customer and changes it, and its subscriptions take the new name over', async () => {
    const created = await server.call('customers-app.create', {
      shop: shop(),
      firstName: 'Mira',
      lastName: 'Stone',
      email: 'mira@mail.example',
      address: ADDRESS,
    });
    expect(created.data).toMatchObject({
      firstName: 'Mira',
      email: 'mira@mail.example',
      version: 1,
      addresses: [{ isDefault: true, city: 'Brooklyn' }],
    });
    expect((await server.call('customers-app.create', { shop: shop(), email: 'MIRA@mail.example' })).body).toMatchObject({
      code: 'TAKEN',
      errors: [{ pointer: '/email' }],
    });
    expect((await server.call('customers-app.create', { shop: shop(), firstName: 'No mail' })).body.errors?.[0]?.message).toBe(
      'Enter an e-mail address',
    );
    const made = await makeContract(server, goods);
    const changed = await server.call('customers-app.update', { shop: shop(), id: made.customerId, firstName: 'Anneli', version: 1 });
    expect(changed.data).toMatchObject({ firstName: 'Anneli', version: 2 });
    expect((await server.call('subscription-contract.read', { id: made.id })).data.customerName).toBe('Anneli Lee');
    expect((await server.call('subscription-contract.list', { q: 'anneli' })).data.map((one: JsonObject) => one.id)).toEqual([made.id]);
    const stale = await server.call('customers-app.update', { shop: shop(), id: made.customerId, firstName: 'Ann', version: 1 });
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE_VERSION']);
    expect((await server.call('customers-app.update', { shop: shop(), id: 5 })).status).toBe(404);
  });

  it('gives each customer the one tag that fits their subscriptions, and keeps the others', async () => {
    const made = await makeContract(server, goods);
    const tags = async () => (await server.call('customers-app.read', { shop: shop(), id: made.customerId })).data.tags;
    expect(await tags()).toEqual(['Active Subscriber']);
    await server.services.db.exec(`update customers set tags = tags || '{vip}' where id = ${made.customerId}`);
    await server.call('subscription-contract.pause', { id: made.id });
    expect(await tags()).toEqual(['vip', 'Paused Subscriber']);
    await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' });
    expect(await tags()).toEqual(['vip', 'Inactive Subscriber']);
    await server.call('settings.set', {
      settingsPage: 'subscription-tags',
      ...((await server.call('settings.get', { settingsPage: 'subscription-tags' })).data as JsonObject),
      ACTIVE_SUBSCRIBER: 'Member',
      ALL: 'Renewal {id}',
      FIRST_ORDER: '',
      RECURRING_ORDER: '',
    });
    await server.call('subscription-contract.reactivate', { id: made.id, chargeAtOnce: true });
    expect(await tags()).toContain('Member');
    const [order] = (await server.call('subscription-contract.ordersHistory', { id: made.id })).data;
    expect(order.tags).toEqual([`Renewal ${made.shopifyId}`, `Subscription #${made.shopifyId}`]);
  });
});
