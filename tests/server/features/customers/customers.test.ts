// Customers as support staff look for them and read them: the list with its tabs, search and export; the record over all subscriptions;
// both kinds of tags; rights and stores.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { at } from '../../../../src/contract/paths.ts';
import { nameKey } from '../../../../src/domain/text/names.ts';
import { eventPayload } from '../../../../src/server/features/integrations/payload.ts';
import { contractVariables } from '../../../../src/server/engine/message-variables.ts';
import type { Speech } from '../../../../src/server/platform/mail/speech.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { ADDRESS, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('customers (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 40, stores: 2 }, config: { portalUrl: 'https://portal.example.com' } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  const read = async (id: number): Promise<JsonObject> => (await server.call('customers-app.read', { id })).data as JsonObject;
  const counts = async (): Promise<Record<string, number>> => (await server.call('customers.counts')).data as Record<string, number>;
  const ids = async (input: JsonObject): Promise<number[]> =>
    ((await server.call('customers.list', { pageSize: 250, ...input })).data as JsonObject[]).map(one => one.id as number);
  const create = async (more: JsonObject = {}): Promise<JsonObject> => {
    const answer = await server.call('customers-app.create', {
      firstName: 'Mira',
      lastName: 'Stone',
      email: `mira${Math.random().toString(36).slice(2)}@mail.example`,
      ...more,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data as JsonObject;
  };

  it('D226 forms of customers may come from the address of their pages, calls from the own address alone', async () => {
    const post = async (url: string, origin: string, type: string): Promise<number> =>
      (
        await server.app.inject({
          method: 'POST',
          url,
          headers: { origin, 'content-type': type },
          payload: type.endsWith('json') ? '{}' : 'a=b',
        })
      ).statusCode;
    const form = 'application/x-www-form-urlencoded';
    const page = '/a/loop_subscriptions/customer/1/subscription/1?do=SKIP';
    expect(await post(page, 'https://portal.example.com', form)).toBe(404);
    expect(await post(page, 'https://elsewhere.example', form)).toBe(403);
    expect(await post('/host/user/login/demo', 'https://portal.example.com', 'application/json')).toBe(403);
  });

  it('an address opens the portal: who may not do what customers do there changes none of a subscriber', async () => {
    const made = await makeContract(server, goods, {});
    const { rows } = await server.services.db.ownerQuery<{ id: number }>('select customer_id as id from contracts where id = $1', [
      made.id,
    ]);
    const id = Number(rows[0]?.id);
    const may = (areas: string[]): Promise<unknown> =>
      server.services.db
        .ownerQuery('update users set permissions = $1::jsonb, role_permissions = null where store_id = 1 and id = 1004', [
          JSON.stringify(Object.fromEntries(areas.map(area => [area, 'WRITE']))),
        ])
        .then(() => server.services.sessions.forget());
    const change = async (more: JsonObject) =>
      server.call('customers-app.update', { id, ...more }, { as: await server.signIn('readOnly') });
    const query = server.services.db.ownerQuery.bind(server.services.db);
    const [was] = (await query<JsonObject>('select permissions, role_permissions from users where store_id = 1 and id = 1004')).rows;
    await may(['subscriptionDetails']);
    expect((await change({ firstName: 'Mira' })).status).toBe(200);
    const refused = await change({ email: 'mine@evil.example' });
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, expect.stringMatching(/\/email$/)]);
    const all = ['changeSubscriptionStatus', 'subscriptionOrderActions', 'subscriptionProduct', 'subscriptionShipping'];
    await may(['subscriptionDetails', ...all, 'subscriptionPaymentDetails', 'subscriptionDiscount']);
    expect((await change({ email: 'theirs@mail.example' })).status).toBe(200);
    await query('update users set permissions = $1::jsonb, role_permissions = $2::jsonb where store_id = 1 and id = 1004', [
      JSON.stringify(was?.permissions),
      JSON.stringify(was?.role_permissions),
    ]);
    server.services.sessions.forget();
  });

  it('counts each tab by what is in it, after every change of a subscription', async () => {
    const agrees = async (): Promise<void> => {
      const said = await counts();
      const { rows } = await server.services.db.ownerQuery<{ status: string; n: number }>(
        `select case when count(*) filter (where c.status = 'ACTIVE') > 0 then 'ACTIVE' when count(*) filter (where c.status = 'PAUSED') > 0 then 'PAUSED' when count(c.id) > 0 then 'FORMER' else 'NONE' end as status
        from customers k left join contracts c on c.store_id = k.store_id and c.customer_id = k.id where k.store_id = 1 group by k.id`,
        [],
      );
      for (const status of ['ACTIVE', 'PAUSED', 'FORMER']) {
        expect([status, said[status]]).toEqual([status, rows.filter(row => row.status === status).length]);
        expect([status, (await ids({ filter: { subscriberStatus: [status] } })).length]).toEqual([status, said[status]]);
      }
      expect(said.all).toBe(rows.length);
      expect((await ids({ filter: { hasFailedPayment: true } })).length).toBe(said.failing);
    };
    await agrees();
    const made = await makeContract(server, goods);
    const before = await counts();
    await server.call('subscription-contract.pause', { id: made.id });
    expect(await counts()).toMatchObject({ ACTIVE: (before.ACTIVE ?? 0) - 1, PAUSED: (before.PAUSED ?? 0) + 1 });
    await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' });
    expect(await ids({ filter: { subscriberStatus: ['FORMER'] } })).toContain(made.customerId);
    await agrees();
  });

  it('marks customers whose last payment failed until it is paid', async () => {
    const made = await makeContract(server, goods, { tokens: ['tok_decline_card_declined', 'tok_success'] });
    const [order] = (await server.call('subscription-contract.ordersSchedule', { id: made.id })).data as JsonObject[];
    await server.call('subscription-contract.chargeNow', { id: made.id, orderId: order!.id! });
    await server.settled();
    expect(await ids({ filter: { hasFailedPayment: true } })).toContain(made.customerId);
    expect(await read(made.customerId)).toMatchObject({ hasFailedPayment: true, payingSubscriptionId: made.id });
    await server.call('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other' });
    expect(await ids({ filter: { hasFailedPayment: true } })).not.toContain(made.customerId);
  });

  it('D170 finds by a fragment of the e-mail address, by number, and by phone with or without its signs; pages by key reach everybody once', async () => {
    const made = await create({ firstName: 'Zoë', email: 'zoe.quill@findme.example', phone: '+1 (555) 010-7788' });
    for (const q of ['findme', 'zoë quill', 'uill@find', String(made.id), `#${String(made.id)}`, '5550107788', '010-7788'])
      expect([q, await ids({ q })]).toEqual([q, [made.id]]);
    const all = await ids({});
    const seen: number[] = [];
    for (let after: string | undefined; ;) {
      const page = await server.call('customers.list', { pageSize: 7, sort: 'name', order: 'ASC', ...(after ? { after } : {}) });
      seen.push(...(page.data as JsonObject[]).map(one => one.id as number));
      after = page.body.pageInfo?.nextCursor ?? undefined;
      if (!after) break;
    }
    expect(seen.toSorted()).toEqual(all.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('exports the list with its filter', async () => {
    const made = await create({ lastName: 'Exported', email: 'exported@mail.example', ownTags: ['Trade fair'] });
    const file = await server.request(
      'GET',
      '/host/main/api/merchant/customers/export?q=exported@mail.example&columns=id&columns=name&columns=email&columns=tags',
      { as: 'owner' },
    );
    expect(file.text.replace('\uFEFF', '').trim().split('\n')).toEqual([
      'Customer,Customer,E-mail,Tags',
      `${String(made.id)},Mira Exported,exported@mail.example,Trade fair`,
    ]);
  });

  it('D171 reads orders and events over all subscriptions of the customer, the newest first, and each names its own', async () => {
    const made = await makeContract(server, goods);
    const second = await server.call('subscription-contract.create', {
      customerId: made.customerId,
      lines: [{ variantId: goods.digital, discountType: 'NONE' }],
      billingPolicy: { interval: 'WEEK', intervalCount: 1 },
      nextBillingDateEpoch: Math.floor(Date.now() / 1000) + 86_400 * 9,
      paymentMethodId: made.methods[0]!,
      address: ADDRESS,
      optionCode: 'STANDARD',
    });
    for (const id of [made.id, second.data.id as number]) {
      const [order] = (await server.call('subscription-contract.ordersSchedule', { id })).data as JsonObject[];
      await server.call('subscription-contract.chargeNow', { id, orderId: order!.id! });
    }
    await server.settled();
    const orders = (await server.call('customers-app.orders', { id: made.customerId })).data as JsonObject[];
    expect(new Set(orders.map(order => order.contractId))).toEqual(new Set([made.id, second.data.id]));
    expect(orders.every(order => order.status === 'PAID')).toBe(true);
    const events = await server.call('customers-app.activity', { id: made.customerId, limit: 3 });
    expect((events.data as JsonObject[]).map(event => event.id)).toEqual(
      (events.data as JsonObject[]).map(event => event.id).toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(events.body.pageInfo).toMatchObject({ hasNextPage: true });
    const record = await read(made.customerId);
    expect(record).toMatchObject({
      activeSubscriptionsCount: 2,
      allSubscriptionsCount: 2,
      ordersCount: 2,
      subscriberStatus: 'ACTIVE',
      currencyCode: 'USD',
    });
    expect(Number(record.totalSpent)).toBeGreaterThan(0);
    expect((record.paymentMethods as JsonObject[])[0]?.chargedFor).toEqual([made.id, second.data.id]);
    for (const call of ['customers-app.orders', 'customers-app.activity', 'customers-app.read', 'customers-app.sendPortalLink'])
      expect([call, (await server.call(call, { id: 999_999_999 })).status]).toEqual([call, 404]);
  });

  it('greets by the first name that was given, whole: a whole name is taken apart nowhere', async () => {
    const { db, config, definitions } = server.services;
    const made = await makeContract(server, goods);
    const firstNames = () =>
      db.inStore(1, async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
        const found = await contractVariables(trx, { store, config }, made.id);
        const event = { id: 1, at: new Date(), contractId: made.id, payload: {} };
        const told = await eventPayload(trx, store, undefined, 'subscription_paused', undefined, event);
        // The word in place of a name is that of the language.
        const say = { phrase: () => 'there', every: () => '', day: () => '', named: (line: unknown) => line } as unknown as Speech;
        return [at(found?.variables(say), 'customer.firstName'), at(told, 'customer.firstName')];
      });
    for (const [firstName, lastName] of [
      ['Mary Ann', 'Lee'],
      ['Dr. Anna', 'Weber'],
      ['', 'Lee'],
    ] as const) {
      await server.call('customers-app.update', { id: made.customerId, firstName, lastName });
      expect(await firstNames()).toEqual([firstName || 'there', firstName]);
    }
    // The one name that code may take apart is that of customers who were erased.
    const folder = 'src/server';
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .filter(file => /name\b[^;\n]{0,20}\.split\((?:' '|\/\\s)/i.test(readFileSync(join(folder, file), 'utf8')));
    expect(found).toEqual(['features/customers/privacy/erase.ts']);
    expect(Object.keys(definitions.messageVariables)).toContain('customer.firstName');
  });

  it('takes tags for the same as the platform does: in whatever case and composition, with whatever spaces', async () => {
    const made = await makeContract(server, goods, { tags: ['VIP', 'vip '] });
    expect(made.view.tags).toEqual(['VIP']);
    const all = ['VIP', 'vip', 'Vip\u00a0', 'Cafe\u0301  Club', 'Caf\u00e9 club', ' '];
    await server.call('customers-app.update', { id: made.customerId, ownTags: [...all.slice(0, 5), 'active  subscriber'] });
    expect(await read(made.customerId)).toMatchObject({ ownTags: ['VIP', 'Caf\u00e9 Club'], subscriptionTags: ['Active Subscriber'] });
    const given = await create({ ownTags: all.slice(0, 5) });
    expect(given.ownTags).toEqual(['VIP', 'Caf\u00e9 Club']);
    const tags = async () => (await server.call('subscription-contract.read', { id: made.id })).data.tags;
    await server.call('subscription-contract.updateTags', { id: made.id, tags: all.slice(0, 5) });
    expect(await tags()).toEqual(['VIP', 'Caf\u00e9 Club']);
    const { rows } = await server.services.db.ownerQuery<{ key: string }>('select tag_key(one) as key from unnest($1::text[]) one', [all]);
    expect(rows.map(({ key }) => key)).toEqual(all.map(nameKey));
  });

  it('keeps the tags of the store apart from those that follow from subscriptions', async () => {
    const made = await makeContract(server, goods);
    expect(await read(made.customerId)).toMatchObject({
      ownTags: [],
      subscriptionTags: ['Active Subscriber'],
      tags: ['Active Subscriber'],
    });
    await server.call('customers-app.update', { id: made.customerId, ownTags: ['vip', ' vip ', 'Wholesale'] });
    expect(await read(made.customerId)).toMatchObject({ ownTags: ['vip', 'Wholesale'], subscriptionTags: ['Active Subscriber'] });
    // Writing all tags without the one from subscriptions does not lose it, and can't fake another one.
    await server.call('customers-app.update', { id: made.customerId, tags: ['vip', 'Paused Subscriber'] });
    expect(await read(made.customerId)).toMatchObject({ ownTags: ['vip'], subscriptionTags: ['Active Subscriber'] });
    const settings = (await server.call('settings.get', { settingsPage: 'subscription-tags' })).data as JsonObject;
    await server.call('settings.set', {
      settingsPage: 'subscription-tags',
      ...settings,
      ACTIVE_SUBSCRIBER: 'Member',
      PAUSED_SUBSCRIBER: 'Resting',
    });
    await server.call('subscription-contract.pause', { id: made.id });
    expect(await read(made.customerId)).toMatchObject({ ownTags: ['vip'], subscriptionTags: ['Resting'], tags: ['vip', 'Resting'] });
    await server.call('subscription-contract.resume', { id: made.id });
    expect(await read(made.customerId)).toMatchObject({ tags: ['vip', 'Member'] });
    expect((await create({ ownTags: ['vip', 'Member'] })).tags).toEqual(['vip']);
  });

  it('D172 keeps one default address, changes it in place, and asks for what it lacks', async () => {
    const made = await create({ address: { ...ADDRESS, lastName: 'Stone' }, countryCode: 'US' });
    expect(made).toMatchObject({ address: { city: 'Brooklyn' }, addresses: [{ isDefault: true }] });
    const moved = await server.call('customers-app.update', {
      id: made.id!,
      address: { lastName: 'Stone', address1: 'Hauptstr. 5', city: 'Berlin', zip: '10115', countryCode: 'DE' },
    });
    expect(moved.data).toMatchObject({ countryCode: 'DE', address: { city: 'Berlin' } });
    expect(moved.data.addresses).toHaveLength(1);
    expect(
      (await server.call('customers-app.update', { id: made.id!, address: moved.data.address, phone: '+49 30 123' })).data.addresses,
    ).toEqual(moved.data.addresses);
    const lacking = await server.call('customers-app.update', {
      id: made.id!,
      address: { lastName: 'Stone', address1: 'Hauptstr. 5', countryCode: 'DE' },
    });
    expect([lacking.status, lacking.body.errors?.some(error => error.pointer.startsWith('/address'))]).toEqual([422, true]);
  });

  it('D024 an address has its twelve fields, each of which comes back as it was sent, and no other', async () => {
    const whole = {
      firstName: 'Ann',
      lastName: 'Stone',
      company: 'Stone & Co',
      address1: '1 Elm Street',
      address2: 'Floor 2',
      zip: '11201',
      city: 'Brooklyn',
      country: 'United States',
      countryCode: 'US',
      province: 'New York',
      provinceCode: 'NY',
      phone: '+1 555 010 0199',
    };
    const made = await create({ address: whole, countryCode: 'US' });
    expect((await read(made.id as number)).address).toEqual(whole);
    const other = await server.call('customers-app.update', { id: made.id!, address: { ...whole, street: '1 Elm Street' } });
    expect([other.status, other.body.errors?.[0]?.pointer]).toEqual([422, '/address/street']);
    expect((await read(made.id as number)).address).toEqual(whole);
  });

  it('sends the link to the portal once a subscription is there, and writes it down', async () => {
    const made = await makeContract(server, goods);
    const sent = await server.call('customers-app.sendPortalLink', { id: made.customerId });
    expect(sent.data).toMatchObject({ id: made.customerId, email: `person${made.customerId}@mail.example` });
    const { rows } = await server.services.db.ownerQuery<{ text: string }>(
      "select text from outbox where store_id = 1 and template = 'CUSTOMER_PORTAL_LINK' and contract_id = $1",
      [made.id],
    );
    expect(rows[0]?.text).toMatch(
      new RegExp(
        `https://portal.example.com/a/loop_subscriptions/customer/${made.customerId}/subscription/${made.id}\\?merchantToken=[0-9a-f]{32}`,
      ),
    );
    expect(((await server.call('customers-app.activity', { id: made.customerId, limit: 1 })).data as JsonObject[])[0]).toMatchObject({
      key: 'customer_portal_link_created',
      subscriptionId: made.id,
    });
    const none = await server.call('customers-app.sendPortalLink', { id: (await create()).id! });
    expect([none.status, none.body.message]).toEqual([
      409,
      'This customer has no subscription yet, so there is no page of theirs to link to.',
    ]);
  });

  it('a member who only reads sees customers and can change nothing; those of another store are hidden', async () => {
    const { id } = await create();
    expect((await server.call('customers.list', {}, { as: 'readOnly' })).status).toBe(200);
    for (const [call, input] of [
      ['customers-app.update', { id: id!, firstName: 'No' }],
      ['customers-app.create', { email: 'no@mail.example' }],
      ['customers-app.sendPortalLink', { id: id! }],
    ] as const)
      expect([call, (await server.call(call, input, { as: 'readOnly' })).status]).toEqual([call, 403]);
    const other = await server.signIn('owner', 2);
    for (const call of ['customers-app.read', 'customers-app.orders', 'customers-app.activity'])
      expect([call, (await server.call(call, { id: id! }, { as: other })).status]).toEqual([call, 404]);
    expect((await server.call('customers-app.update', { id: id!, firstName: 'Foreign' }, { as: other })).status).toBe(404);
    expect((await read(id as number)).firstName).toBe('Mira');
  });
});
