// A customer's data request, and erasing them: who may, what must be over before, and that nothing of them is left in any table.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { eraseCustomers } from '../../../../src/server/features/customers/jobs/erase-customers.ts';
import { ERASE, STEPS } from '../../../../src/server/features/customers/privacy/erase-steps.ts';
import { whileLocked } from '../../../support/locks.ts';
import { jobWith } from '../../../support/job.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { ADDRESS, makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const EMAIL = 'quilla.marchetti@letters.example';
const PHONE = '+1 555 019 2277';

describe.each(oneEngine)('data of one customer (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 20 },
      config: { portalUrl: 'https://portal.example.com', workers: 0 },
      jobs: true,
    });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  /** Table and column wherever one of these stands, in whatever schema. */
  const placesOf = async (...needles: string[]): Promise<string[]> => {
    const { db } = server.services;
    const { rows } = await db.ownerQuery<{ name: string }>(
      "select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') order by 1",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: hits } = await db.ownerQuery<{ row: string }>(
        `select t::text as row from ${name} t where ${needles.map(needle => `t::text ilike '%${needle}%'`).join(' or ')} limit 3`,
      );
      found.push(...hits.map(hit => `${name}: ${hit.row}`));
    }
    return found;
  };
  const must = async (call: string, input: JsonObject): Promise<JsonObject> => {
    const answer = await server.call(call, input);
    expect(answer.status, `${call} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.data as JsonObject;
  };

  /** Runs what a call to erase has left to do, as often as it is broken off after a step. @returns how far it was each time */
  const erasing = async (breaks = 0): Promise<number[]> => {
    const { rows } = await server.services.db.ownerQuery<{ id: number }>('select max(id) as id from runs where kind = $1', [ERASE]);
    const data = { storeId: 1, runId: Number(rows[0]!.id) };
    const seen: number[] = [];
    for (let i = 0; i <= breaks; i++) {
      const killed = new AbortController();
      const job = jobWith(killed.signal);
      let steps = 0;
      const running = eraseCustomers.run(server.services, data, {
        ...job,
        progressed: async () => {
          if (i < breaks && ++steps === 2) killed.abort();
        },
      });
      if (i < breaks) await expect(running).rejects.toThrow();
      else await running;
      const run = await server.services.db.ownerQuery<{ processed: number }>('select processed from runs where id = $1', [data.runId]);
      seen.push(run.rows[0]!.processed);
    }
    return seen;
  };

  /** A customer with two subscriptions, who left their name wherever one can. */
  async function knownEverywhere(): Promise<Made> {
    const made = await makeContract(server, goods);
    const id = made.customerId;
    await must('customers-app.update', {
      id,
      firstName: 'Quilla',
      lastName: 'Marchetti',
      email: EMAIL,
      phone: PHONE,
      ownTags: ['Quilla'],
      address: {
        firstName: 'Quilla',
        lastName: 'Marchetti',
        address1: '9 Larch Row',
        city: 'Troy',
        zip: '12180',
        provinceCode: 'NY',
        countryCode: 'US',
      },
    });
    const named = { id: made.id };
    await must('subscription-contract.updateNote', { ...named, note: 'Quilla Marchetti wants no bell' });
    await must('customers-app.sendPortalLink', { id });
    const [order] = (await must('subscription-contract.ordersSchedule', named)) as unknown as JsonObject[];
    await must('subscription-contract.chargeNow', { ...named, orderId: order!.id! });
    await server.settled();
    await must('saved-views.create', { name: 'Hers', route: '/customers', query: `q=${encodeURIComponent(EMAIL)}` });
    await server.services.db.ownerQuery(
      `update orders set note = 'For Quilla Marchetti', shipping_address = '{"firstName":"Quilla","lastName":"Marchetti"}' where contract_id = ${made.id}`,
    );
    await server.services.db.ownerQuery(
      `insert into shop_purchases (store_id, cart_id, round, status, total, currency_code, data, outcome, created_at) values
        (1, 'cart-of-hers', 1, 'PAID', 100, 'USD', '{}', '{"email":"${EMAIL}"}', now())`,
    );
    await server.services.db.ownerQuery(
      `insert into shop_carts (store_id, id, data, network) values (1, 'cart-of-hers', '{"email":"${EMAIL}","lines":[]}', 'n'),
        (1, 'cart-with-a-gift', '{"lines":[],"gifts":[{"recipient":{"email":"${EMAIL}"}}]}', 'n')`,
    );
    await server.services.db.ownerQuery(
      `insert into runs (store_id, kind, status, error, result) values (1, 'TEST', 'COMPLETED', 'No card of ${EMAIL}', '{"who":"Quilla Marchetti"}')`,
    );
    await server.services.db.ownerQuery(
      `insert into deliveries (store_id, sender, target, subject, topic, payload, request) values
        (1, 'webhooks', 'webhooks/1', 'x', 'order_placed', '{"email":"${EMAIL}"}', '{"body":"{\\"name\\":\\"Quilla Marchetti\\"}"}')`,
    );
    await must('customers-app.setAdvertising', { id, getsAdvertising: false });
    return made;
  }

  it('exports everything held about a customer, erases it from every table, and keeps orders, amounts and ids', async () => {
    const made = await knownEverywhere();
    const id = made.customerId;
    const other = await makeContract(server, goods);
    const file = await server.call('customers-app.dataRequest', { id });
    expect(file.status).toBe(200);
    const held = (typeof file.body === 'string' ? JSON.parse(file.body) : file.body) as Record<string, JsonObject[]> & {
      customer: JsonObject;
    };
    expect(held.customer).toMatchObject({ email: EMAIL, phone: PHONE, firstName: 'Quilla' });
    expect(held.addresses![0]!.address).toMatchObject({ address1: '9 Larch Row' });
    expect(held.subscriptions!.map(one => one.id)).toEqual([made.id]);
    expect(held.orders!.some(one => one.note === 'For Quilla Marchetti' && Number(one.total) > 0)).toBe(true);
    expect(held.emails!.some(one => String(one.text).includes('portal.example.com'))).toBe(true);
    expect(held.emailBlocks!.map(one => [one.address, one.reason])).toEqual([[EMAIL, 'UNSUBSCRIBED']]);
    expect(held.activity!.map(one => one.key)).toContain('note_updated');
    expect(JSON.stringify(held)).not.toMatch(/gatewayToken|portalToken|tok_success/);

    const erase = (email: string) => server.call('customers-app.erase', { id, email });
    expect((await erase(EMAIL)).body.message).toBe(`Cancel subscription #${made.id} first. Only then can the customer be erased.`);
    await must('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other', cancellationComment: 'Quilla Marchetti moved' });
    expect((await erase('someone@mail.example')).body.errors).toMatchObject([{ pointer: '/email' }]);
    const paid = async () =>
      (await server.services.db.ownerQuery(`select id, total, status from orders where contract_id = ${made.id} order by id`)).rows;
    const before = await paid();
    expect(await placesOf(EMAIL)).not.toEqual([]);
    expect(await must('customers-app.erase', { id, email: EMAIL.toUpperCase() })).toMatchObject({ id, subscriptions: 1 });
    await server.settled();
    // Who they are is gone at once.
    expect(await must('customers-app.read', { id })).toMatchObject({ name: 'Erased customer', addresses: [], phone: null });
    await erasing();

    expect(await placesOf('quilla', 'marchetti', 'larch row', '555 019 2277', '5550192277')).toEqual([]);
    expect(await paid()).toEqual(before);
    const record = await must('customers-app.read', { id });
    expect(record).toMatchObject({ name: 'Erased customer', addresses: [], phone: null, erasedAtEpoch: expect.any(Number) });
    expect(await must('subscription-contract.read', { id: made.id })).toMatchObject({ customerName: 'Erased customer', note: '' });
    expect((await server.call('customers-app.activity', { id })).status).toBe(200);
    expect((await server.call('customers-app.orders', { id })).status).toBe(200);
    // No other customer lost anything.
    expect(await must('customers-app.read', { id: other.customerId })).toMatchObject({ firstName: 'Ann', lastName: 'Lee' });

    const refused = 'This customer was erased. What is left of them can only be looked at.';
    expect((await erase(EMAIL)).body.message).toBe(refused);
    for (const [call, input] of [
      ['customers-app.update', { id, firstName: 'Back' }],
      ['customers-app.sendPortalLink', { id }],
      ['subscription-contract.updateNote', { id: made.id, note: 'again' }],
      ['subscription-contract.create', { customerId: id, lines: [{ variantId: goods.plain, discountType: 'NONE' }] }],
    ] as [string, JsonObject][]) {
      const answer = await server.call(call, input);
      expect([call, answer.status]).not.toEqual([call, 200]);
      if (call !== 'subscription-contract.create') expect([call, answer.body.message]).toEqual([call, refused]);
    }
  });

  it('is answered while others change what it is about, however much there is, and goes on in steps where it was broken off', async () => {
    const made = await makeContract(server, goods);
    const id = made.customerId;
    const { db } = server.services;
    await must('customers-app.update', { id, firstName: 'Zenobia', lastName: 'Quartermain', email: 'zenobia@letters.example' });
    await must('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other', cancellationComment: 'Zenobia moved' });
    const [key, member] = Object.entries(server.services.definitions.events).flatMap(([name, { personal = [] }]) =>
      personal[0] ? [[name, personal[0]]] : [],
    )[0]!;
    await db.ownerQuery(
      `insert into events (store_id, contract_id, key, data, source)
        select 1, ${made.id}, $1, jsonb_build_object($2::text, 'Zenobia Quartermain'), 'System' from generate_series(1, 5000)`,
      [key, member],
    );
    const erase = () => must('customers-app.erase', { id, email: 'zenobia@letters.example' });
    // The embedded database has one connection for all, so no other transaction holds anything there.
    if (db.kind === 'embedded') await erase();
    else await whileLocked(db, trx => sql`select 1 from events where contract_id = ${made.id} for update`.execute(trx), erase);
    const seen = await erasing(3);
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(seen[0]).toBeLessThan(seen[3]!);
    expect(await placesOf('zenobia', 'quartermain')).toEqual([]);
    const { rows } = await db.ownerQuery<{ status: string; total: number; processed: number; input: JsonObject }>(
      'select status, total, processed, input from runs where kind = $1 order by id desc limit 1',
      [ERASE],
    );
    expect(rows).toEqual([{ status: 'COMPLETED', total: STEPS.length, processed: STEPS.length, input: {} }]);
    // Nothing is left to do.
    expect(await erasing()).toEqual([STEPS.length]);
  });

  it('exports and erases what a person got as a gift from others, once its deliveries are over', async () => {
    const { db } = server.services;
    const given = await makeContract(server, goods);
    const made = await makeContract(server, goods);
    const id = made.customerId;
    const email = 'orsolya@letters.example';
    await must('customers-app.update', { id, firstName: 'Orsolya', lastName: 'Brandywine', email });
    const address = { ...ADDRESS, firstName: 'Orsolya', lastName: 'Brandywine', address1: '4 Quince Court' };
    await db.ownerQuery(
      `insert into gifts (store_id, id, program_id, plan_id, plan_label, status, recipient_first_name, recipient_last_name, recipient_email,
          sender_name, message, thanks_message, total_orders, paid_amount, start_at, portal_token, customer_id, currency_code, created_at,
          updated_at)
        values (1, ${given.id}, 1, 'p', 'Three months', 'ACTIVE', 'Orsolya', 'Brandywine', $1, 'Ann', 'Dear Orsolya', 'Thanks', 3, 6000,
          now(), 'c', ${given.customerId}, 'USD', now(), now())`,
      [email.toUpperCase()],
    );
    await must('subscription-contract.updateShippingDetails', { id: given.id, address });
    await db.ownerQuery(`update orders set shipping_address = $1 where contract_id = ${given.id}`, [JSON.stringify(address)]);
    const file = await server.call('customers-app.dataRequest', { id });
    const held = (typeof file.body === 'string' ? JSON.parse(file.body) : file.body) as Record<string, JsonObject[]>;
    expect(held.giftsReceived!.map(one => [one.id, one.senderName])).toEqual([[given.id, 'Ann']]);

    await must('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other', cancellationComment: '' });
    const refused = await server.call('customers-app.erase', { id, email });
    expect(refused.body.message).toBe(`Cancel subscription #${given.id} first. Only then can the customer be erased.`);
    await must('subscription-contract.cancel', { id: given.id, cancellationReason: 'Other', cancellationComment: '' });
    await must('customers-app.erase', { id, email });
    await erasing();
    expect(await placesOf('orsolya', 'brandywine', 'quince court')).toEqual([]);
    // Who gave it is another customer, of whom nothing is lost.
    expect(await must('customers-app.read', { id: given.customerId })).toMatchObject({ firstName: 'Ann', lastName: 'Lee' });
  });

  it('is for the owner and admins, and of their own store alone', async () => {
    const made = await makeContract(server, goods);
    for (const call of ['customers-app.dataRequest', 'customers-app.erase']) {
      const input = { id: made.customerId, ...(call.endsWith('erase') ? { email: 'x@mail.example' } : {}) };
      expect((await server.call(call, input, { as: 'mixed' })).status).toBe(403);
    }
    expect((await server.call('customers-app.dataRequest', { id: 77_777_777 })).status).toBe(404);
  });
});
