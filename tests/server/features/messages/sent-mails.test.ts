// What was sent to whom: read in the admin, about a subscription and a customer, and sent once more.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

describe('sent e-mails', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  const query = (text: string, params: unknown[] = []) =>
    server.services.db.ownerQuery<Record<string, any>>(text, params).then(({ rows }) => rows); // any: rows of the database
  const call = (name: string, input: JsonObject = {}, options = {}) => server.call(`sent-mails.${name}`, input, options);
  const mailOf = async (template: string): Promise<number> =>
    (await query('select id from outbox where template = $1 order by id desc limit 1', [template]))[0]!.id as number;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres', config: { portalUrl: 'https://shop.example' } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    made = await makeContract(server, goods);
    await query('delete from outbox');
    await server.call('subscription-contract.pause', { id: made.id });
  });

  it('the list has every e-mail of the store with its state, and none of the product to its people', async () => {
    await query(`insert into outbox (store_id, template, recipient, subject, text) values (1, 'SIGN_IN_LINK', 'kim@example.com', 'Sign in', 'https://secret'),
      (2, 'SUBSCRIPTION_PAUSED', 'x@example.com', 'Of another store', '')`);
    await query("update outbox set sent_at = now() where template = 'SUBSCRIPTION_PAUSED'");
    await query("update outbox set failed_reason = 'No such mailbox' where template = 'ADMIN_SUBSCRIPTION_PAUSED'");
    const rows = (await call('list')).data as JsonObject[];
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual(
      expect.arrayContaining([
        ['Subscription paused', 'SENT'],
        ['Subscription paused', 'FAILED'],
      ]),
    );
    expect(JSON.stringify(rows)).not.toMatch(/secret|another store/);
    expect((await call('list', { filter: { status: ['FAILED'] } })).data).toHaveLength(1);
    expect((await call('list', { q: 'paused' })).data.length).toBeGreaterThan(0);
    expect((await call('counts')).data).toMatchObject({ all: 2, sent: 1, failed: 1, waiting: 0 });
    expect((await call('read', { id: await mailOf('SIGN_IN_LINK') })).status).toBe(404);
    expect((await call('letter', { id: await mailOf('SIGN_IN_LINK') })).status).toBe(404);
  });

  it('what was sent about a subscription, and to a customer', async () => {
    const other = await makeContract(server, goods);
    await server.call('subscription-contract.pause', { id: other.id });
    const of = async (name: string, input: JsonObject) =>
      new Set(((await call(name, input)).data as JsonObject[]).map(({ subscriptionId }) => subscriptionId));
    expect(await of('ofSubscription', { subscriptionId: made.id })).toEqual(new Set([made.id]));
    const [{ customer_id: customerId }] = (await query('select customer_id from contracts where store_id = 1 and id = $1', [made.id])) as [
      any,
    ]; // any: a row
    expect(await of('ofCustomer', { customerId })).toContain(made.id);
  });

  it('both parts are read as they were sent, in the branding of that day', async () => {
    const id = await mailOf('SUBSCRIPTION_PAUSED');
    const { data } = await call('letter', { id, scheme: 'dark' });
    expect(data.html).toMatch(/^<!doctype html>[\s\S]*#121411/);
    expect(data.text).toMatch(/^Hi /);
    expect((await call('read', { id })).data).toMatchObject({ kind: 'Subscription paused', text: data.text, subscriptionId: made.id });
  });

  it('a link that signs a person in is not shown to the team', async () => {
    await server.call('subscription-contract-app.editPaymentMethod', { id: made.id });
    const id = await mailOf('PAYMENT_METHOD_UPDATE');
    expect((await query('select text from outbox where id = $1', [id]))[0]!.text).toContain('https://shop.example');
    const shown = JSON.stringify([(await call('letter', { id })).data, (await call('read', { id })).data, (await call('list')).data]);
    expect(shown).not.toContain('shop.example');
  });

  it('is sent again to the address of today, three times a day, and not while it waits or where its link is used up', async () => {
    const id = await mailOf('SUBSCRIPTION_PAUSED');
    expect(await call('resend', { id })).toMatchObject({
      status: 409,
      body: { message: 'This e-mail has not left yet. It is sent by itself.' },
    });
    await query('update outbox set sent_at = now()');
    await query("update contracts set customer_email = 'new@example.com' where store_id = 1 and id = $1", [made.id]);
    for (let i = 0; i < 3; i++) expect((await call('resend', { id })).status).toBe(200);
    const copies = await query('select recipient, subject, html, resends from outbox where resends is not null');
    expect(copies.map(({ recipient, resends }) => [recipient, resends])).toEqual(Array.from({ length: 3 }, () => ['new@example.com', id]));
    const refused = await call('resend', { id });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    // One that was sent again counts for the first.
    await query('update outbox set sent_at = now()');
    const [{ id: copy }] = (await query('select id from outbox where resends is not null order by id limit 1')) as [any]; // any: a row
    expect((await call('resend', { id: copy })).status).toBe(429);
    await server.call('subscription-contract-app.editPaymentMethod', { id: made.id });
    await query('update outbox set sent_at = now()');
    expect((await call('resend', { id: await mailOf('PAYMENT_METHOD_UPDATE') })).status).toBe(409);
    expect((await call('resend', { id }, { as: 'readOnly' })).status).toBe(403);
    const log = await query("select description from account_log where action = 'email.resent'");
    expect(log).toHaveLength(3);
  });
});
