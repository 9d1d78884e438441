// Apps of a store: connecting by form and by redirect, its guards and sentences, what is sent to them, and one that is added by a file.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { load } from '../../../../src/contract/load.ts';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { startVendorSimulator, type VendorRequest, type VendorSimulator } from '../../../../src/server/features/demo/vendor-simulator.ts';
import { sendDueDeliveries } from '../../../../src/server/platform/deliveries/send-due.ts';
import { readDeliveryDays } from '../../../../src/server/features/integrations/delivery-days.ts';
import { emit } from '../../../../src/server/platform/events/emit.ts';
import { giftsScene } from '../../platform/http/gifts-scene.ts';
import { deliverAll } from '../../../support/events.ts';
import { readDefinitionFiles } from '../../../../src/server/platform/definitions.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** What Klaviyo's client gives to axios. */
interface ClientRequest {
  method: string;
  url: string;
  headers: { get(name: string): unknown };
  data?: string;
}
const KLAVIYO = { publicKey: 'AbC123', privateKey: 'pk_valid-secret-1234' };

describe.each(oneEngine)('apps on %s', engine => {
  let server: TestServer;
  let vendors: VendorSimulator;
  let refuse: (body: string) => number | undefined = () => undefined;
  beforeAll(async () => {
    vendors = await startVendorSimulator({ answer: ({ body }) => refuse(body) });
    server = await startTestServer({ engine, seed: { contracts: 30, stores: 1 }, config: { vendorUrl: vendors.url } });
    await query('update stores set billing_plan_id = 3 where id = 1');
  });
  afterAll(() => Promise.all([server?.close(), vendors?.close()]));
  beforeEach(async () => {
    refuse = () => undefined;
    await deliver();
    await query('delete from integrations');
    await query('delete from secrets');
    await query('delete from deliveries');
    await query(`delete from settings where name = 'messages'`);
    vendors.received.length = 0;
  });

  const query = async <T>(text: string): Promise<T[]> => {
    const { rows } = await server.services.db.ownerQuery<T>(text);
    server.services.sessions.forget();
    return rows;
  };
  const deliver = async (): Promise<void> => {
    await deliverAll(server.services);
    await sendDueDeliveries(server.services, 1);
  };
  const connect = (identifier: string, settings: JsonObject) => server.call('integrations.connect', { identifier, settings });
  const stateOf = async (identifier: string): Promise<any> => (await server.call('integrations.read', { identifier })).data; // any: an app
  const refusal = async (answer: Promise<{ status: number; body: JsonObject }>): Promise<[number, unknown]> => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  /** An active subscription that is paused now. */
  const pauseOne = async (): Promise<number> => {
    const [one] = await query<{ id: number }>(`select id from contracts where status = 'ACTIVE' and store_id = 1 order by id limit 1`);
    const id = Number(one?.id);
    const paused = await server.call('subscription-contract.pause', { id });
    expect(paused.status, JSON.stringify(paused.body)).toBe(200);
    return id;
  };

  it('D036 D174 lists every integration by its key, with its form and steps, and none that there is not', async () => {
    const { data } = await server.call('integrations.list', { pageSize: 100 });
    const keys = (data as JsonObject[]).map(({ identifier }) => identifier);
    expect(keys).toHaveLength(14);
    for (const key of ['influence-io', 'bubblehouse', 'yotpo-loyalty', 'rivo', 'rise-ai', 'okendo', 'friendbuy', 'klaviyo']) {
      expect(keys).toContain(key);
      const app = await stateOf(key);
      expect(app).toMatchObject({ identifier: key, status: 'NOT_CONNECTED', form: { type: 'object' } });
      expect(app.steps.length).toBeGreaterThan(1);
    }
    expect(await refusal(server.call('integrations.read', { identifier: 'omnisend' }))).toEqual([404, 'Unknown integration.']);
    const loyalty = await server.call('integrations.list', { pageSize: 100, filter: { category: ['LOYALTY'] }, q: 'points' });
    expect((loyalty.data as JsonObject[]).every(({ category }) => category === 'LOYALTY')).toBe(true);
  });

  it('connects what the vendor accepts, once, and gives no secret back; the mask that comes back keeps it', async () => {
    expect(await refusal(connect('klaviyo', KLAVIYO))).toEqual([200, 'Klaviyo is connected.']);
    const app = await stateOf('klaviyo');
    expect(app).toMatchObject({ status: 'CONNECTED', settings: { publicKey: 'AbC123', privateKey: '••••1234' } });
    expect(vendors.received[0]).toMatchObject({ app: 'klaviyo', headers: { authorization: 'Klaviyo-API-Key pk_valid-secret-1234' } });
    const kept = JSON.stringify([
      await query('select * from integrations'),
      await query('select * from secrets'),
      await query('select * from account_log'),
    ]);
    expect(kept).not.toContain('valid-secret');
    expect((await connect('klaviyo', { publicKey: 'XyZ987', privateKey: '••••1234' })).status).toBe(200);
    expect(vendors.received[1]?.headers.authorization).toBe('Klaviyo-API-Key pk_valid-secret-1234');
    expect(await query('select key from integrations')).toHaveLength(1);
    expect((await server.call('integrations-app.active')).data).toEqual([{ key: 'klaviyo', name: 'Klaviyo', category: 'EMAIL_SMS' }]);
    const asReader = await server.call('integrations.connect', { identifier: 'klaviyo', settings: KLAVIYO }, { as: 'readOnly' });
    expect(asReader.status).toBe(403);
  });

  it('a kept secret goes to no other address: a person who changes one enters the secret again', async () => {
    const { integrations } = server.services.definitions;
    const movable = Object.values(integrations).filter(one => one.connect !== 'OAUTH_REDIRECT' && one.baseUrl.includes('{'));
    expect(movable.map(({ key }) => key)).toEqual(expect.arrayContaining(['bloomreach', 'gladly', 'zendesk']));
    const entered: Record<string, JsonObject> = {
      bloomreach: { apiBaseUrl: 'https://one.example', projectToken: 'p1234567', apiKeyId: 'k1234567', apiToken: 'valid-12345' },
      gladly: { gladlyDomain: 'one.gladly.com', agentEmail: 'a@b.co', apiToken: 'valid-12345' },
      zendesk: { subdomain: 'one', agentEmail: 'a@b.co', apiToken: 'valid-12345' },
    };
    for (const { key, form, baseUrl } of movable) {
      const takes = Object.keys(form.properties ?? {});
      const given = Object.fromEntries(Object.entries(entered[key] ?? {}).filter(([name]) => takes.includes(name)));
      const first = await connect(key, given);
      expect([key, first.status, first.body.errors ?? []]).toEqual([key, 200, []]);
      const { settings } = await stateOf(key);
      const asked = vendors.received.length;
      const moved = Object.fromEntries(
        Object.entries(settings as JsonObject).map(([name, value]) => [
          name,
          baseUrl.includes(`{${name}}`) ? String(value).replace('one', 'two') : value,
        ]),
      );
      const refused = await connect(key, moved);
      expect([key, refused.status, refused.body.errors?.[0]]).toMatchObject([key, 422, { pointer: '/settings/apiToken', rule: 'secret' }]);
      expect(vendors.received.length).toBe(asked);
      expect((await connect(key, { ...moved, apiToken: 'valid-67890' })).status).toBe(200);
    }
  });

  it('says what is wrong: fields, refused credentials, no answer, plan, a second loyalty app, nothing to disconnect', async () => {
    const wrong = await connect('klaviyo', { publicKey: 'no', privateKey: 'sk_something' });
    expect([wrong.status, (wrong.body.errors ?? []).map(({ pointer, message }) => [pointer, message])]).toEqual([
      422,
      [
        ['/settings/publicKey', 'A public key has six or seven letters and digits.'],
        ['/settings/privateKey', 'This is not a private API key.'],
      ],
    ]);
    expect((await connect('klaviyo', { publicKey: ' ', privateKey: '••••1234' })).status).toBe(422);
    expect((await connect('zendesk', { subdomain: 'x.zendesk.com', agentEmail: 'a@b.co', apiToken: 'valid-12345' })).body.message).toBe(
      'Enter only the part before .zendesk.com.',
    );
    expect((await connect('bloomreach', { apiBaseUrl: 'http://x.io', apiToken: 'valid-12345', projectToken: 'p' })).body.message).toBe(
      'Enter a full https address.',
    );
    const refused = await connect('klaviyo', { ...KLAVIYO, privateKey: 'pk_invalid-123' });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      400,
      'INTEGRATION_CREDENTIALS',
      'Klaviyo did not accept these credentials.',
    ]);
    const silent = await connect('klaviyo', { ...KLAVIYO, privateKey: 'pk_timeout-123' });
    expect([silent.status, silent.body.code, silent.body.message]).toEqual([
      502,
      'INTEGRATION_UNREACHABLE',
      'Klaviyo could not be reached. Try again later.',
    ]);
    expect((await stateOf('klaviyo')).status).toBe('NOT_CONNECTED');
    expect(await refusal(server.call('integrations.disconnect', { identifier: 'klaviyo' }))).toEqual([
      409,
      'This integration is not connected.',
    ]);
    expect((await connect('rivo', { apiKey: 'valid-rivo-1' })).status).toBe(200);
    expect(await refusal(connect('okendo', { userId: 'u', apiKey: 'valid-okendo' }))).toEqual([409, 'Disconnect Rivo first.']);
    await query('update stores set billing_plan_id = 2 where id = 1');
    const bloomreach = { apiBaseUrl: 'https://api.exponea.com', apiToken: 'valid-12345', projectToken: 'p' };
    expect(await refusal(connect('bloomreach', bloomreach))).toEqual([403, 'This integration is part of a higher plan.']);
    await query('update stores set billing_plan_id = 3 where id = 1');
  });

  it.each([
    ['D175 D176 connectBloomreach', 'bloomreach', { apiBaseUrl: 'https://api.exponea.com', apiToken: 'valid-12345', projectToken: 'p' }],
    ['connectOpenBorder', 'openBorder', { merchantId: 'm', apiKey: 'valid-12345' }],
    ['connectZendesk', 'zendesk', { subdomain: 'fern', agentEmail: 'a@fern.example', apiToken: 'valid-12345' }],
    ['connectGladly', 'gladly', { gladlyDomain: 'fern.gladly.com', agentEmail: 'a@fern.example', apiToken: 'valid-12345' }],
    ['connectInfluence', 'influence-io', { apiKey: 'valid-12345' }],
    ['connectFriendbuy', 'friendbuy', { merchantId: 'm', accessKey: 'a', secretKey: 'valid-12345' }],
    ['connectYotpoLoyalty', 'yotpo-loyalty', { guid: 'g', apiKey: 'valid-12345' }],
  ])('%s connects %s as the newer call does', async (title, key, settings) => {
    const name = `integrations.${title.split(' ').at(-1)}`;
    expect((await server.call(name, { myshopify_domain: 'fernandember.myshopify.com', ...settings })).status).toBe(200);
    expect((await stateOf(key)).status).toBe('CONNECTED');
    expect((await server.call(name, { myshopify_domain: 'other.myshopify.com', ...settings })).status).toBe(404);
  });

  it('sends people to the vendor and back: with the right state only, and only when it was approved', async () => {
    const { data } = await server.call('integrations.linkYotpo', { origin: 'http://admin.example' });
    const url = new URL(data.url);
    expect(url.href.startsWith(`${vendors.url}/yotpoEmailAndSms/`)).toBe(true);
    expect((await stateOf('yotpoEmailAndSms')).status).toBe('PENDING');
    const page = await (await fetch(url)).text();
    const back = new URL(/id="approve" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#38;', '&') ?? '');
    expect(back.origin + back.pathname).toBe('http://admin.example/integrations/yotpoEmailAndSms');
    const [state = '', code = ''] = ['state', 'code'].map(name => back.searchParams.get(name) ?? '');
    const finish = (more: JsonObject) => refusal(server.call('integrations.finish', { identifier: 'yotpoEmailAndSms', state, ...more }));
    expect(await finish({ state: 'another', code })).toEqual([400, 'The connection was cancelled.']);
    expect(await finish({ code })).toEqual([200, 'Yotpo Email & SMS is connected.']);
    expect(await finish({ code })).toEqual([400, 'The connection was cancelled.']);
    const again = await server.call('integrations.link', { identifier: 'bubblehouse', origin: 'http://admin.example' });
    const denied = new URL(again.data.url).searchParams.get('state') ?? '';
    expect(await refusal(server.call('integrations.finish', { identifier: 'bubblehouse', state: denied }))).toEqual([
      400,
      'The connection was cancelled.',
    ]);
    expect((await stateOf('bubblehouse')).status).toBe('NOT_CONNECTED');
    expect(JSON.stringify(await stateOf('yotpoEmailAndSms'))).not.toContain('valid-access');
  });

  it('tells a connected app that a subscription was paused, once, and counts it', async () => {
    await connect('klaviyo', KLAVIYO);
    vendors.received.length = 0;
    const id = await pauseOne();
    await deliver();
    await deliver();
    expect(vendors.received).toHaveLength(1);
    const { attributes } = (JSON.parse(vendors.received[0]?.body ?? '{}') as any).data; // any: the body of the vendor
    expect(attributes).toMatchObject({
      metric: { data: { attributes: { name: 'subscription_paused' } } },
      properties: { subscriptionId: id, status: 'PAUSED', products: expect.any(Array) },
      profile: { data: { attributes: { email: expect.stringContaining('@') } } },
      value: expect.any(Number),
    });
    expect(vendors.received[0]?.headers['idempotency-key']).toBe(attributes.unique_id);
    expect((await server.call('integrations.statistics', { identifier: 'klaviyo' })).data).toMatchObject({
      eventsSent: 1,
      eventsFailed: 0,
      byEvent: [{ event: 'subscription_paused', sent: 1 }],
    });
    expect((await stateOf('klaviyo')).lastSyncAt).not.toBeNull();
  });

  it('asks and tells Klaviyo as its official client does, in the version that the client speaks', async () => {
    await connect('klaviyo', KLAVIYO);
    await pauseOne();
    await deliver();
    const [asked, told] = vendors.received as [VendorRequest, VendorRequest];
    const required = createRequire(join(ensureJudges(), 'package.json'));
    const sent: ClientRequest[] = [];
    required('axios').defaults.adapter = async (config: ClientRequest) => {
      sent.push(config);
      return { status: 200, data: {}, headers: {}, config };
    };
    const { AccountsApi, ApiKeySession, EventsApi } = required('klaviyo-api');
    const { ObjectSerializer } = required('klaviyo-api/dist/model/models.js');
    const session = new ApiKeySession(KLAVIYO.privateKey);
    await new AccountsApi(session).getAccounts();
    await new EventsApi(session).createEvent(ObjectSerializer.deserialize(JSON.parse(told.body), 'EventCreateQueryV2'));
    for (const [ours, client] of [
      [asked, sent[0] as ClientRequest],
      [told, sent[1] as ClientRequest],
    ] as const) {
      expect([ours.method, ours.path]).toEqual([client.method.toUpperCase(), new URL(client.url).pathname]);
      for (const name of ['revision', 'authorization']) expect(ours.headers[name], name).toBe(client.headers.get(name));
    }
    // What the client's types don't know is not in what it sends.
    expect(JSON.parse(told.body)).toEqual(JSON.parse(sent[1]?.data ?? ''));
  });

  it('names no version of another API that is older than a year', () => {
    const versions = Object.values(server.services.definitions.integrations).flatMap(({ key, headers = {} }) =>
      Object.entries(headers).flatMap(([name, value]) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? [{ key, name, value }] : [])),
    );
    expect(versions.map(({ key }) => key)).toContain('klaviyo');
    const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
    expect(versions.filter(({ value }) => value < yearAgo)).toEqual([]);
  });

  it('counts events of which three are refused, keeps the errors and sends those again', async () => {
    await connect('klaviyo', KLAVIYO);
    await server.call('integrations.sendSamples', { identifier: 'klaviyo' });
    await query(`insert into deliveries (store_id, sender, target, subject, topic, payload)
      select store_id, sender, target, subject || n, topic, payload from deliveries, generate_series(1, 2) n limit 6`);
    let left = 3;
    refuse = () => (left-- > 0 ? 422 : undefined);
    await sendDueDeliveries(server.services, 1);
    const { data } = await server.call('integrations.statistics', { identifier: 'klaviyo' });
    const samples = Object.keys(server.services.definitions.integrationEvents).length;
    expect([data.eventsSent, data.eventsFailed, data.errors.length]).toEqual([samples + 6 - 3, 3, 3]);
    expect(data.errors[0].message).toBe('It answered with status 422.');
    expect((await server.call('integrations.sendAgain', { identifier: 'klaviyo' })).data).toEqual({ count: 3 });
    await sendDueDeliveries(server.services, 1);
    expect((await server.call('integrations.statistics', { identifier: 'klaviyo' })).data).toMatchObject({
      eventsSent: samples + 6,
      eventsFailed: 0,
    });
  });

  it('waits for a new connection after the vendor refused access three times, raises an alert, and sends then what waited', async () => {
    await connect('klaviyo', KLAVIYO);
    refuse = () => 401;
    await pauseOne();
    await deliver();
    for (const hours of [1, 2]) await sendDueDeliveries(server.services, 1, undefined, hours * 3_600_000);
    expect(await stateOf('klaviyo')).toMatchObject({ status: 'ERROR', lastError: 'Klaviyo rejected our access. Reconnect.' });
    const { integrationDisconnected } = await import('../../../../src/server/features/alerts/checks/apps.ts');
    const store = await server.services.db.asSystem(trx =>
      trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
    );
    const finding = await server.services.db.inStore(1, trx => integrationDisconnected.find({ trx, store, now: new Date(), plans: [] }));
    expect(finding).toMatchObject({ count: 1, summary: '1 app rejects our access.' });
    const said = async (as?: 'readOnly') => (await server.call('start-up.session', {}, as ? { as } : {})).body;
    expect(JSON.stringify(await said())).toContain('"rejectedApps":["Klaviyo"]');
    refuse = () => undefined;
    await connect('klaviyo', KLAVIYO);
    expect(JSON.stringify(await said())).not.toContain('rejectedApps');
    await sendDueDeliveries(server.services, 1, undefined, 5 * 3_600_000);
    expect((await server.call('integrations.statistics', { identifier: 'klaviyo' })).data).toMatchObject({
      eventsSent: 1,
      eventsWaiting: 0,
    });
  });

  it('lets the app, the own e-mail or both tell customers, says so at the e-mail, and gives e-mails back when it goes', async () => {
    await connect('klaviyo', KLAVIYO);
    const choose = (channel: string) =>
      server.call('integrations.channels', { identifier: 'klaviyo', channels: { subscription_paused: channel } });
    const mail = async (): Promise<any> => (await server.call('email-templates.read', { prefKey: 'SUBSCRIPTION_PAUSED' })).data; // any: an e-mail
    const mails = async () =>
      (await query<{ n: number }>(`select count(*)::integer as n from outbox where template = 'SUBSCRIPTION_PAUSED'`))[0]?.n ?? 0;
    expect(await mail()).toMatchObject({ enabled: true, alsoSentBy: 'Klaviyo' });
    expect((await choose('APP')).status).toBe(200);
    expect(await mail()).toMatchObject({ enabled: false, alsoSentBy: 'Klaviyo' });
    vendors.received.length = 0;
    const before = await mails();
    await pauseOne();
    await deliver();
    expect([await mails(), vendors.received.length]).toEqual([before, 1]);
    await choose('BUILT_IN');
    expect((await mail()).alsoSentBy ?? '').toBe('');
    await pauseOne();
    await deliver();
    expect([await mails(), vendors.received.length]).toEqual([before + 1, 1]);
    expect((await choose('SOMETIMES')).status).toBe(422);
    await choose('APP');
    await server.call('integrations.disconnect', { identifier: 'klaviyo' });
    expect(await mail()).toMatchObject({ enabled: true });
    expect(await query('select * from secrets')).toEqual([]);
    await pauseOne();
    await deliver();
    expect(vendors.received).toHaveLength(1);
  });

  it('Zapiet chooses delivery days while it is connected', async () => {
    const isIntegrated = async () => (await server.call('third-party-delivery.isIntegrated')).data.isIntegrated;
    await connect('zapiet', { apiKey: 'valid-zapiet' });
    server.services.sessions.forget();
    expect(await isIntegrated()).toBe(true);
    await server.call('integrations.disconnect', { identifier: 'zapiet' });
    server.services.sessions.forget();
    expect(await isIntegrated()).toBe(false);
  });

  it('asks Zapiet for its days when it is connected, and again each hour', async () => {
    const days = async () => (await query<any>(`select details -> 'zapiet' as z from stores where id = 1`))[0]?.z;
    await connect('zapiet', { apiKey: 'valid-zapiet' });
    expect(vendors.received.at(-1)).toMatchObject({ app: 'zapiet', method: 'POST', path: '/v1.0/shipping/calendar' });
    const [christmas] = (await days()).disabledDates as [string];
    expect(await days()).toMatchObject({
      isIntegrated: true,
      disabledWeekdays: [7],
      disabledDates: [expect.stringMatching(/^\d{4}-12-25$/)],
    });
    const fromDate = `${christmas.slice(0, 8)}20`;
    const shown = (await server.call('third-party-delivery.datesConfig', { deliveryMethod: 'SHIPPING', fromDate, months: 1 })).data;
    expect(shown).toMatchObject({ disabledWeekdays: [7], disabledDates: [christmas] });
    // A calendar that can't be read leaves what was said before.
    refuse = body => (body.includes('shoppingCart') ? 500 : undefined);
    await readDeliveryDays(server.services);
    expect((await days()).disabledWeekdays).toEqual([7]);
    refuse = () => undefined;
    await query(`update stores set details = jsonb_set(details, '{zapiet,disabledWeekdays}', '[1]') where id = 1`);
    await readDeliveryDays(server.services);
    expect((await days()).disabledWeekdays).toEqual([7]);
    await server.call('integrations.disconnect', { identifier: 'zapiet' });
  });

  it('refuses keys of two accounts, where the vendor says whose they are', async () => {
    const wrong = await connect('klaviyo', { publicKey: 'AbC123', privateKey: 'pk_of-XyZ789-secret' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [
        {
          pointer: '/settings/publicKey',
          rule: 'otherAccount',
          message: 'The other values belong to an account of Klaviyo with another key. Copy all of them from the same account.',
        },
      ],
    ]);
    expect((await connect('klaviyo', { publicKey: 'XyZ789', privateKey: 'pk_of-XyZ789-secret' })).status).toBe(200);
  });

  it('tells a connected app of gifts, as who reads of them, and of streaks', async () => {
    await connect('klaviyo', KLAVIYO);
    const must = async (name: string, input: JsonObject) => (await server.call(name, input)).data as any; // any: a program of gifts
    const scene = await giftsScene(server, must, async text =>
      Number(Object.values((await query<Record<string, number>>(text))[0] ?? {})[0]),
    );
    const gift = Number(scene['gift-subscriptions.read']?.id);
    const [taken] = await query<{ id: number }>(
      `select id from contracts where status = 'ACTIVE' and source <> 'GIFT' order by id limit 1`,
    );
    await server.services.db.inStore(1, async trx => {
      const event = { storeId: 1, source: 'System', entity: '', at: new Date() };
      await emit(trx, {
        ...event,
        contractId: Number(taken?.id),
        key: 'streak_broken',
        payload: { streakId: 7, name: 'Morning', step: 2, length: 5 },
      });
      await emit(trx, { ...event, contractId: gift, key: 'gift_thanked', payload: { message: 'Thanks!' } });
      await emit(trx, { ...event, contractId: gift, key: 'gift_completed', payload: { orders: 3 } });
    });
    vendors.received.length = 0;
    await deliver();
    const heard = vendors.received.map(({ body }) => JSON.parse(body).data.attributes);
    const by = (name: string) => heard.find(one => one.metric.data.attributes.name === name);
    const [giver] = await query<{ email: string }>(`select customer_email as email from contracts where id = ${gift}`);
    const who = (name: string) => by(name)?.profile.data.attributes.email;
    expect([who('gift_subscription_created'), who('gift_subscription_thanks_message')]).toEqual([giver?.email, giver?.email]);
    for (const name of ['gift_subscription_received', 'gift_subscription_completed'])
      expect(who(name), name).toBe('zzrecipient@mail.example');
    expect(by('gift_subscription_received')).toMatchObject({
      properties: { gift: { giverName: 'Zzsender', message: 'Zzmessage', totalOrders: 3 } },
      profile: { data: { attributes: { first_name: 'Zzfirst', properties: { isGiftRecipient: true } } } },
    });
    expect(by('streak_failed')).toMatchObject({
      properties: { subscriptionId: Number(taken?.id), streak: { name: 'Morning', step: 2, length: 5 } },
    });
  });

  it('takes a fifteenth integration from one file while it runs: it connects and receives events', async () => {
    const before = server.services.definitions;
    const file = {
      name: 'Omnisend',
      category: 'EMAIL_SMS',
      description: 'Sends events to Omnisend.',
      connect: 'API_KEY',
      fields: { apiKey: { title: 'API key', type: 'string', minLength: 8, 'x-ui': { secret: true } } },
      required: ['apiKey'],
      steps: ['Paste the key.'],
      baseUrl: 'https://api.omnisend.com',
      headers: { 'x-api-key': '{apiKey}' },
      check: { method: 'GET', path: '/v5/brands' },
      events: {
        method: 'POST',
        path: '/v5/events',
        takes: ['subscription_paused'],
        body: { eventName: '{event.name}', contact: { email: '{customer.email}' } },
      },
    };
    const files = { ...readDefinitionFiles(), 'schemas/integrations/omnisend.json': JSON.stringify(file) };
    server.services.reload(load(files));
    try {
      expect(await refusal(connect('omnisend', { apiKey: 'valid-omnisend' }))).toEqual([200, 'Omnisend is connected.']);
      vendors.received.length = 0;
      await pauseOne();
      await deliver();
      expect(vendors.received).toMatchObject([{ app: 'omnisend', path: '/v5/events', headers: { 'x-api-key': 'valid-omnisend' } }]);
      expect(JSON.parse(vendors.received[0]?.body ?? '{}')).toMatchObject({ eventName: 'subscription_paused' });
    } finally {
      server.services.reload(before);
    }
  });
});
