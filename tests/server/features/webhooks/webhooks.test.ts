// Webhooks: a receiver written from the API document alone, the keeping of deliveries, secrets, what happens after two days of failures.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { alertCheckFor } from './alert.ts';
import { daysBetween, simulateCustomers, simulateDay } from '../../../../src/server/features/demo/simulated-days.ts';
import { moveClock } from '../../../../src/server/engine/charging/run-due.ts';
import { sendDueDeliveries } from '../../../../src/server/platform/deliveries/send-due.ts';
import { deliverAll } from '../../../support/events.ts';
import { startReceiver, type Receiver } from '../../../support/receiver.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('webhooks', () => {
  let server: TestServer;
  let goods: Goods;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres', seed: { contracts: 300, stores: 1 } });
    goods = await stockGoods(server);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await deliverAll(server.services);
    await query('delete from webhooks');
    await query('delete from deliveries');
    await query('delete from outbox');
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 204 });
  });

  const query = async <T = JsonObject>(text: string, params: unknown[] = []): Promise<T[]> =>
    (await server.services.db.ownerQuery<T>(text, params)).rows;
  const call = (name: string, input: JsonObject = {}, options = {}): Promise<Answered> => server.call(`webhooks.${name}`, input, options);
  const add = async (topics: string[], address = `${receiver.url}/hook`): Promise<{ id: number; secret: string }> => {
    const answer = await call('create', { address, topics });
    expect(answer.status).toBe(200);
    return answer.data;
  };
  /** Brings events to deliveries and sends what is due, as the jobs do, `ms` from now. */
  const work = async (ms = 0): Promise<void> => {
    await deliverAll(server.services);
    await sendDueDeliveries(server.services, 1, undefined, ms);
  };
  const states = () => query("select state, count(*)::integer as n from deliveries where sender = 'webhooks' group by 1 order by 1");
  const pause = async (): Promise<number> => {
    const { id } = await makeContract(server, goods);
    expect((await server.call('subscription-contract.pause', { id })).status).toBe(200);
    return id;
  };
  const isSigned = (secret: string, { headers, body }: Receiver['received'][number]): boolean => {
    const wanted = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
      .digest('base64');
    return String(headers['webhook-signature']).split(' ').includes(`v1,${wanted}`);
  };

  it('a receiver made of the document alone gets every event of a day of the demo store once, though it is down for an hour of it', async () => {
    const document = (await server.request('GET', '/api/openapi.json')).json as { tags: { name: string; description: string }[] };
    const program = /```js\n([\s\S]+?)\n```/.exec(document.tags.find(({ name }) => name === 'Events')!.description)![1]!;
    const folder = mkdtempSync(join(tmpdir(), 'perennial-receiver-'));
    writeFileSync(join(folder, 'receiver.mjs'), program);
    await receiver.close();
    const { port, url } = receiver;
    const topics = Object.values(server.services.definitions.events).flatMap(({ webhook }) => webhook ?? []);
    const { secret } = await add(topics, `${url}/hook`);
    const told: string[] = [];
    let child: ChildProcess | undefined;
    const start = async (): Promise<void> => {
      child = spawn(process.execPath, ['receiver.mjs'], {
        cwd: folder,
        env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      });
      child.stdout?.setEncoding('utf8').on('data', (text: string) => told.push(...text.trim().split('\n')));
      await expect
        .poll(() =>
          fetch(url, { method: 'POST', body: '' }).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(401);
    };
    const stop = async (): Promise<void> => {
      const over = new Promise(resolve => child?.once('exit', resolve));
      child?.kill();
      await over;
    };
    try {
      const [{ now, last } = { now: '', last: 0 }] = await query<{ now: string; last: number }>(
        "select now() + clock_offset_ms * interval '1 millisecond' as now, (select coalesce(max(id), 0) from events) as last from stores where id = 1",
      );
      await server.services.db.inStore(1, trx => simulateCustomers(trx, 1));
      const begin = new Date(now);
      let at = begin;
      /** The store's clock goes on; what happened is brought to the webhook, and tried again as the hours pass. */
      const live = async (hours: number): Promise<void> => {
        const to = new Date(at.getTime() + hours * HOUR);
        let since = at;
        await moveClock(server.services, 1, at, to, async (context, reached) => {
          for (const day of daysBetween(since, reached.at)) await simulateDay(context, day);
          since = reached.at;
        });
        at = to;
        await work(at.getTime() - begin.getTime());
      };
      await start();
      await live(11);
      const before = told.length;
      await stop();
      await makeContract(server, goods);
      await live(1);
      expect((await states()).some(({ state }) => state === 'PENDING')).toBe(true);
      expect(told.length).toBe(before);
      await start();
      await live(13);
      await work(2 * DAY);

      const happened = await query<{ key: string }>('select key from events where store_id = 1 and id > $1', [last]);
      const wanted = happened.flatMap(({ key }) => server.services.definitions.events[key]?.webhook ?? []);
      expect(wanted.length).toBeGreaterThan(5);
      await expect.poll(() => told.length).toBe(wanted.length);
      expect([...told].sort()).toEqual([...wanted].sort());
      expect(await states()).toEqual([{ state: 'SENT', n: wanted.length }]);
      // An answer that is lost on its way: the event comes again, and the receiver leaves it.
      const [{ id = 0 } = {}] = await query<{ id: number }>('select max(id) as id from deliveries');
      expect((await call('resend', { deliveryId: id })).status).toBe(200);
      await work(2 * DAY);
      expect(await states()).toEqual([{ state: 'SENT', n: wanted.length }]);
      expect(told.length).toBe(wanted.length);
    } finally {
      await stop();
      rmSync(folder, { recursive: true });
      await query('update stores set clock_offset_ms = 0');
      receiver = await startReceiver();
    }
  });

  it('only what it listens to is sent, signed, without what it tells of a person, and once however often the event is brought', async () => {
    const { id, secret } = await add(['subscription/paused', 'subscription/note_updated']);
    const contract = await pause();
    await server.call('subscription-contract.updateNote', { id: contract, note: 'Ring twice' });
    await work();
    await query("update event_cursors set epoch = 0, transaction_id = '0', event_id = 0 where consumer = 'webhooks'");
    await work();
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as JsonObject).topic).sort()).toEqual([
      'subscription/note_updated',
      'subscription/paused',
    ]);
    for (const one of receiver.received) expect(isSigned(secret, one)).toBe(true);
    const noted = receiver.received
      .map(({ body }) => JSON.parse(body) as { topic: string; data: JsonObject })
      .find(({ topic }) => topic.endsWith('note_updated'))!;
    expect(noted.data).toEqual({ subscriptionId: contract });
    const { data } = await call('deliveries', { webhookId: id });
    expect(data).toHaveLength(2);
    expect((await call('delivery', { id: (data as JsonObject[])[0]!.id! })).data).toMatchObject({
      webhookId: id,
      state: 'SENT',
      attempts: 1,
      answerStatus: 204,
      request: { method: 'POST', url: `${receiver.url}/hook`, headers: { 'webhook-id': expect.stringMatching(/^evt_\d+$/) } },
      answer: { status: 204 },
    });
    expect((await call('read', { id })).data).toMatchObject({ failingSince: null, lastDeliveredAt: expect.stringMatching(/^\d{4}/) });
  });

  it('a secret is shown with a line in the log, and while it is changed both sign', async () => {
    const { id, secret } = await add(['subscription/paused']);
    expect((await call('read', { id })).data.maskedSecret).toBe(`whsec_••••••••${secret.slice(-4)}`);
    expect((await call('reveal', { id })).data.secret).toBe(secret);
    const { data } = await call('rotate', { id });
    const changed = (data as { secret: string }).secret;
    expect(changed).not.toBe(secret);
    await pause();
    await work();
    expect(receiver.received.map(one => [isSigned(secret, one), isSigned(changed, one)])).toEqual([[true, true]]);
    await query("update webhooks set old_secret_until = now() - interval '1 second'");
    await pause();
    await work();
    expect(receiver.received.slice(1).map(one => [isSigned(secret, one), isSigned(changed, one)])).toEqual([[false, true]]);
    const lines = await query("select action from account_log where entity = 'webhook' order by id");
    expect(lines.map(({ action }) => action)).toEqual(expect.arrayContaining(['webhook.created', 'webhook.revealed', 'webhook.rotated']));
    for (const table of ['account_log', 'webhooks', 'deliveries', 'secrets', 'idempotency_keys', 'record_history'])
      expect(JSON.stringify(await query(`select * from ${table}`))).not.toContain(changed);
  });

  it('after 48 hours of failures it is off, the team gets an e-mail, an alert is there, and what is missing is sent again once it is on', async () => {
    receiver.answer = () => ({ status: 500, body: 'broken' });
    const { id } = await add(['subscription/paused']);
    await pause();
    await work();
    expect((await call('deliveries', { webhookId: id })).data).toMatchObject([{ state: 'PENDING', attempts: 1, answerStatus: 500 }]);
    for (let hours = 1; hours <= 47; hours += 2) await work(hours * HOUR);
    expect((await call('read', { id })).data).toMatchObject({ status: 'ON', failingSince: expect.stringMatching(/^\d{4}/) });
    await work(48 * HOUR + 60_000);
    expect((await call('read', { id })).data).toMatchObject({ status: 'FAILED' });
    expect((await call('deliveries', { webhookId: id })).data).toMatchObject([{ state: 'FAILED', error: 'It answered with status 500.' }]);
    expect(await query("select recipient, text from outbox where template = 'ADMIN_WEBHOOK_SWITCHED_OFF'")).toMatchObject([
      { text: expect.stringContaining(`${receiver.url}/hook`) },
    ]);
    expect(await alertCheckFor(server)).toMatchObject({ count: 1, rows: [{ label: `${receiver.url}/hook` }] });
    // Meanwhile nothing is noted for it.
    await pause();
    await work(49 * HOUR);
    expect(await states()).toEqual([{ state: 'FAILED', n: 1 }]);
    expect((await call('resendFailed', { id })).status).toBe(409);
    receiver.answer = () => ({ status: 204 });
    expect((await call('switchOn', { id })).data).toMatchObject({ status: 'ON', failingSince: null });
    expect((await call('resendFailed', { id })).data).toMatchObject({ count: 1 });
    await work();
    expect(await states()).toEqual([{ state: 'SENT', n: 1 }]);
    expect(await alertCheckFor(server)).toMatchObject({ count: 0 });
  });

  it('one event that is never taken does not switch off a webhook that takes the others', async () => {
    const { id } = await add(['subscription/paused', 'subscription/resumed']);
    receiver.answer = ({ body }) => ({ status: body.includes('subscription/paused') ? 500 : 204 });
    const contract = await pause();
    await work();
    for (let hours = 1; hours <= 49; hours += 4) {
      if (hours > 40) await server.call('subscription-contract.resume', { id: contract });
      await work(hours * HOUR);
    }
    expect(await states()).toEqual([
      { state: 'FAILED', n: 1 },
      { state: 'SENT', n: 1 },
    ]);
    expect((await call('read', { id })).data.status).toBe('ON');
  });

  it('off by hand: what waits is not sent, and nothing is noted; a sample is sent while it is on', async () => {
    const { id, secret } = await add(['subscription/paused']);
    receiver.answer = () => ({ status: 503 });
    await pause();
    await work();
    expect((await call('switchOff', { id })).data.status).toBe('OFF');
    expect(await states()).toEqual([{ state: 'CANCELLED', n: 1 }]);
    await pause();
    await work(HOUR);
    expect(receiver.received).toHaveLength(1);
    expect((await call('sendSample', { id, topic: 'order/placed' })).body.message).toBe('This webhook is off. Switch it on first.');
    receiver.answer = () => ({ status: 200, body: 'thanks' });
    await call('switchOn', { id });
    expect((await call('sendSample', { id, topic: 'order/placed' })).status).toBe(200);
    await work();
    const sample = receiver.received.at(-1)!;
    expect(JSON.parse(sample.body)).toMatchObject({ topic: 'order/placed', isSample: true, data: { total: '24.00' } });
    expect(isSigned(secret, sample)).toBe(true);
    await call('delete', { id });
    expect(await query('select * from secrets where table_name = $1 and record_id = $2', ['webhooks', String(id)])).toEqual([]);
  });

  it('addresses must be encrypted and public, events must be known, and a store has 20 webhooks at most', async () => {
    const refused = async (address: string) => (await call('create', { address, topics: ['subscription/paused'] })).body.errors?.[0];
    expect(await refused('http://example.com/hook')).toMatchObject({ pointer: '/address', message: expect.stringContaining('https://') });
    for (const address of [
      'https://10.0.0.1/hook',
      'https://2130706434/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://example.com:8443/',
    ])
      expect(await refused(address)).toMatchObject({ pointer: '/address' });
    expect((await call('create', { address: 'https://example.com/', topics: ['subscription/eaten'] })).status).toBe(422);
    expect((await call('create', { address: 'https://example.com/', topics: [] })).body.message).toBe('Choose at least one event.');
    await query(
      "insert into webhooks (store_id, address, topics) select 1, 'https://example.com/' || n, '{order/placed}' from generate_series(1, 20) n",
    );
    expect((await call('create', { address: 'https://example.com/', topics: ['order/placed'] })).body.message).toContain(
      'at most 20 webhooks',
    );
  });

  it('programs hear of each card that is added or replaced, and of each try to charge, with its outcome', async () => {
    await add(['payment_method/added', 'payment_method/updated', 'order/payment_attempted']);
    const { id, customerId } = await makeContract(server, goods, { tokens: ['tok_decline_insufficient_funds'] });
    const session = async (number: string) =>
      (await server.call('card-vault.session', { number, name: 'Ann Lee', expiry: '12/90', verificationCode: '123' })).data.id as string;
    const added = await server.call('payments.registerCustomerCard', { customerId, sessionId: await session('5555 5555 5555 4444') });
    const paymentMethodId = added.data.id as number;
    await server.call('payments.updateCustomerCard', { paymentMethodId, sessionId: await session('4242 4242 4242 4242') });
    await server.call('subscription-contract.chargeNow', { id, orderId: id * 10_000 + 1 });
    await server.call('subscription-contract-app.updatePaymentMethod', { id, customerPaymentMethodId: paymentMethodId });
    await server.call('subscription-contract.chargeNow', { id, orderId: id * 10_000 + 1 });
    await work();
    // Events of one subscription come in their order, those of a customer beside them.
    const order = ['payment_method/added', 'payment_method/updated', 'order/payment_attempted'];
    const heard = receiver.received
      .map(({ body }) => JSON.parse(body) as { topic: string; data: JsonObject })
      .sort((one, two) => order.indexOf(one.topic) - order.indexOf(two.topic) || Number(one.data.attempt) - Number(two.data.attempt));
    const attempt = { subscriptionId: id, orderId: id * 10_000 + 1, amount: expect.stringMatching(/^\d+\.\d\d$/), currencyCode: 'USD' };
    expect(heard.map(({ topic, data }) => [topic, data])).toEqual([
      ['payment_method/added', { subscriptionId: null, customerId, paymentMethodId, brand: 'mastercard', lastDigits: '4444' }],
      [
        'payment_method/updated',
        {
          subscriptionId: null,
          customerId,
          paymentMethodId,
          before: { paymentMethodId, brand: 'mastercard', lastDigits: '4444' },
          after: { paymentMethodId, brand: 'visa', lastDigits: '4242' },
        },
      ],
      ['order/payment_attempted', expect.objectContaining({ ...attempt, attempt: 1, errorCode: 'INSUFFICIENT_FUNDS', trigger: 'MANUAL' })],
      ['order/payment_attempted', expect.objectContaining({ ...attempt, attempt: 2, errorCode: null })],
    ]);
  });

  it('programs manage webhooks with the scope WEBHOOKS, and can not read their secrets', async () => {
    const { data } = await server.call('api-keys.generate', { name: 'Set-up', type: 'ADMIN', scopes: { WEBHOOKS: 'READ_WRITE' } });
    const by = (name: string, input: JsonObject) =>
      call(name, input, { as: null, headers: { 'x-loop-token': (data as { token: string }).token } });
    const made = await by('create', { address: `${receiver.url}/program`, topics: ['order/placed'] });
    expect(made.data).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect(await by('reveal', { id: made.data.id })).toMatchObject({ status: 403, body: { code: 'MISSING_SCOPE' } });
  });
});
