// Points of a loyalty app: what a customer has, redeemed for a discount on the next order, and given back whenever there is no discount.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startVendorSimulator, type VendorRequest, type VendorSimulator } from '../../../../src/server/features/demo/vendor-simulator.ts';
import { forgetPoints } from '../../../../src/server/features/integrations/jobs/forget-points.ts';
import { readBalances } from '../../../../src/server/features/integrations/loyalty-balance.ts';
import { returnPoints } from '../../../../src/server/features/integrations/loyalty.ts';
import { customerBrowser } from '../../../support/customer-browser.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

interface Account {
  app: string | null;
  points: number | null;
  error: string | null;
  rewards: { id: string; title: string; points: number; isInReach: boolean }[];
  redemptions: { status: string }[];
}

describe('points, delivery days, and what a helpdesk sees', () => {
  let vendors: VendorSimulator;
  let server: TestServer;
  let goods: Goods;
  let id: number;
  let answer: (request: VendorRequest) => number | undefined = () => undefined;
  beforeAll(async () => {
    vendors = await startVendorSimulator({ answer: request => answer(request) });
    server = await startTestServer({
      seed: { contracts: 6, stores: 1 },
      config: { vendorUrl: vendors.url, outgoingAllow: [new URL(vendors.url).host], workers: 0 },
      jobs: true,
    });
    goods = await stockGoods(server);
  });
  afterAll(async () => {
    await server?.close();
    await vendors?.close();
  });
  beforeEach(async () => {
    answer = () => undefined;
    ({ id } = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) }));
  });
  const sql = <T extends object = JsonObject>(text: string) => server.services.db.ownerQuery<T>(text).then(({ rows }) => rows);
  const account = async (of: JsonObject = { subscriptionId: id }): Promise<Account> =>
    (await server.call('loyalty.account', of)).data as Account;
  const redeem = (rewardId: string, key?: string) => server.call('loyalty.redeem', { id, rewardId }, key ? { key } : {});
  const discounts = async () =>
    (
      (await server.call('subscription-contract.read', { id })).data as {
        discounts: JsonObject[];
      }
    ).discounts;
  const asked = (path: RegExp): number => vendors.received.filter(one => path.test(one.path)).length;

  it('without a loyalty app there is nothing; what an app offers, and to whom', async () => {
    expect(await account()).toEqual({ app: null, points: null, rewards: [], redemptions: [], isFull: false, error: null });
    expect((await redeem('five-off')).body.message).toBe('No loyalty app is connected. Connect one among your apps.');
    const connected = await server.call('integrations.connect', {
      identifier: 'rise-ai',
      settings: { apiKey: 'valid-key-of-rise', discountTitle: 'Thank you' },
    });
    expect(connected.status, JSON.stringify(connected.body)).toBe(200);
    expect((await server.call('start-up.session')).data).toMatchObject({ hasLoyaltyApp: true });
    const mine = await account();
    expect(mine).toMatchObject({ app: 'Rise.ai', error: null });
    expect(mine.points).toBeGreaterThanOrEqual(120);
    expect(mine.rewards.map(({ id: reward, isInReach }) => [reward, isInReach])).toContainEqual(['five-off', true]);
    expect(mine.rewards.map(({ id: reward, isInReach }) => [reward, isInReach])).toContainEqual(['twenty-off', false]);
    const { customerId } = (await server.call('subscription-contract.read', { id })).data as { customerId: number };
    expect((await account({ customerId })).points).toBe(mine.points);
    expect((await server.call('loyalty.account', {})).status).toBe(404);
    answer = () => 503;
    expect(await account()).toMatchObject({ points: null, error: 'Rise.ai could not be reached. Try again later.' });
  });

  it('a reward takes its points once and counts for the next order, one at a time', async () => {
    const { points } = await account();
    const done = await redeem('five-off', 'redeem-once');
    expect([done.status, done.body.message]).toEqual([200, '“$5 off” counts for the next order.']);
    expect((await redeem('five-off', 'redeem-once')).body.message).toBe('“$5 off” counts for the next order.');
    expect(await discounts()).toMatchObject([{ title: 'Thank you', value: '5', orderLimit: 1 }]);
    expect(await account()).toMatchObject({ points: Number(points) - 100, redemptions: [{ status: 'APPLIED' }], isFull: true });
    expect((await redeem('free-shipping')).body.message).toBe('A reward waits for the next order already.');
    expect((await server.call('loyalty.redeem', { id, rewardId: 'five-off' }, { as: 'readOnly' })).status).toBe(403);
  });

  it('an amount is worth what it is in the currency of the subscription, or its points come back', async () => {
    await sql(`update contracts set currency_code = 'EUR' where id = ${id}`);
    const rates = (of: JsonObject) =>
      sql(`update stores set details = jsonb_set(details, '{usdRates}', '${JSON.stringify(of)}') where id = 1`);
    await rates({});
    server.services.sessions.forget();
    const { points } = await account();
    expect((await redeem('five-off')).body.message).toBe('The reward could not be applied. Your points were returned.');
    expect(await account()).toMatchObject({ points, redemptions: [{ status: 'RETURNED' }] });
    await rates({ EUR: 1.25 });
    server.services.sessions.forget();
    expect((await redeem('five-off')).status).toBe(200);
    expect(await discounts()).toMatchObject([{ type: 'FIXED_AMOUNT', value: '4' }]);
  });

  it('D177 C197 e-mails name the points as the app said them last, read before each order and whenever they are looked at', async () => {
    const body = 'You have {{ customer.loyaltyPoints }} points.';
    const told = async () =>
      String(
        (await server.call('email-templates.preview', { prefKey: 'UPCOMING_ORDER', subject: 'Points', body, subscriptionId: id })).data
          .html,
      );
    const active = async () => (await server.call('integrations-app.variables')).data as JsonObject[];
    expect(await active()).toEqual([
      {
        key: 'customer.loyaltyPoints',
        title: 'Points in the connected loyalty app, as it said last; empty without one',
        integration: 'rise-ai',
        name: 'Rise.ai',
      },
    ]);
    expect(await told()).toContain('You have  points.');
    // No customer's points are read twice a day, and those of a customer without an order soon not at all.
    answer = () => 503;
    expect(await readBalances(server.services)).toBe(0);
    answer = () => undefined;
    const later = await makeContract(server, goods, { nextBillingDateEpoch: inDays(40) });
    await sql(`update contracts set loyalty_points_at = now() where id <> all('{${id},${later.id}}')`);
    await sql(`update contracts set customer_id = (select customer_id from contracts where id <> ${id} and customer_id <>
      (select customer_id from contracts where id = ${id}) limit 1) where id = ${later.id}`);
    expect(await readBalances(server.services)).toBe(1);
    expect(await readBalances(server.services)).toBe(0);
    const { points } = await account();
    expect(await told()).toContain(`You have ${points} points.`);
    await redeem('five-off');
    expect((await account()).points).toBe(Number(points) - 100);
    expect(await told()).toContain(`You have ${Number(points) - 100} points.`);
    expect((await server.call('integrations.disconnect', { identifier: 'rise-ai' })).status).toBe(200);
    const [forget] = await sql<{ data: object }>("select data from pgboss.job where name = 'forget-points'");
    await forgetPoints.run(server.services, forget?.data, jobWith());
    expect([await active(), await told()]).toEqual([[], expect.stringContaining('You have  points.')]);
    await server.call('integrations.connect', {
      identifier: 'rise-ai',
      settings: { apiKey: 'valid-key-of-rise', discountTitle: 'Thank you' },
    });
  });

  it('says why a reward is not given, and leaves nothing behind', async () => {
    expect((await redeem('nothing-like-it')).body.message).toBe('This reward is no longer available.');
    expect((await redeem('twenty-off')).body.message).toBe('You do not have enough points.');
    const german = { headers: { 'accept-language': 'de' } };
    expect((await server.call('loyalty.redeem', { id, rewardId: 'twenty-off' }, german)).body.message).toBe(
      'Es sind nicht genug Punkte vorhanden.',
    );
    const { rows: kept } = await server.services.db.ownerQuery<{ error: string }>(
      "select distinct error from loyalty_redemptions where status = 'REFUSED'",
    );
    expect(kept).toEqual([{ error: 'You do not have enough points.' }]);
    answer = request => (request.path.endsWith('/redemptions') ? 403 : undefined);
    expect((await redeem('five-off')).body.message).toBe('Rise.ai rejects our access. Connect it again among your apps.');
    expect(await discounts()).toEqual([]);
    expect((await account()).redemptions).toEqual([]);
  });

  it('points come back at once where the discount can not be put on the subscription', async () => {
    const { points } = await account();
    await sql(`update contracts set status = 'CANCELLED' where id = ${id}`);
    const failed = await redeem('five-off');
    expect([failed.status, failed.body.message]).toEqual([409, 'The reward could not be applied. Your points were returned.']);
    expect(await account()).toMatchObject({ points, redemptions: [{ status: 'RETURNED' }] });
    expect(await discounts()).toEqual([]);
  });

  it('what the app answers too late, or a server that died leaves open, ends with the points back, once', async () => {
    const { points } = await account();
    // The app takes the points, and its answer gets lost.
    answer = request => (request.path.endsWith('/redemptions') ? 503 : undefined);
    expect((await redeem('five-off')).status).toBe(502);
    answer = request => (request.path.endsWith('/cancel') ? 503 : undefined);
    expect(await returnPoints(server.services)).toBe(0);
    answer = () => undefined;
    // A process that died after the app had taken the points.
    await sql(`insert into loyalty_redemptions (store_id, contract_id, app, email, reward_id, title, points, created_at, asked_at)
      values (1, ${id}, 'rise-ai', (select customer_email from contracts where id = ${id}), 'five-off', '$5 off', 100, now(), now() - interval '3 minutes')`);
    const before = asked(/cancel$/);
    expect(await returnPoints(server.services)).toBe(2);
    expect(await returnPoints(server.services)).toBe(0);
    expect(asked(/cancel$/)).toBe(before + 2);
    expect(await account()).toMatchObject({ points, redemptions: [{ status: 'RETURNED' }, { status: 'RETURNED' }] });
    expect(await discounts()).toEqual([]);
    expect((await redeem('five-off')).status).toBe(200);
  });

  it('D225 a customer sees points and rewards, redeems one by the engine, once however often it is pressed, in their language', async () => {
    const { portalLink: own } = (await server.call('subscription-contract.customerDetails', { id })).data as { portalLink: string };
    const { open, send } = customerBrowser(() => server.app);
    const { pathname, search } = new URL(own);
    const url = pathname + search;
    const { points } = await account();
    const overview = (await open(url)).body;
    expect(overview).toContain('Your points');
    const page = await open(`${url}&do=LOYALTY`);
    expect(page.statusCode).toBe(200);
    for (const words of [`${points} points`, '$5 off for 100 points', `${900 - Number(points)} points to go`, 'Redeem'])
      expect(page.body).toContain(words);
    const [, first = ''] = /action="([^"]*of=five-off[^"]*)"/.exec(page.body) ?? [];
    expect(page.body).not.toMatch(/action="[^"]*of=twenty-off/);
    const press = () => send(pathname + first.replaceAll('&#38;', '&').replaceAll('&amp;', '&'), 'POST');
    // Two presses at once, and one after.
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.filter(one => one.headers.location === '?do=LOYALTY&told=loyaltyApplied')).toHaveLength(1);
    expect(await discounts()).toMatchObject([{ title: 'Thank you', value: '5', orderLimit: 1 }]);
    expect((await account()).points).toBe(Number(points) - 100);
    const after = (await open(`${url}&do=LOYALTY&told=loyaltyApplied`)).body;
    expect(after).toContain('$5 off is taken off your next order.');
    expect(after).not.toContain('of=free-shipping');
    expect((await open(url)).body).toContain('Thank you');
    const happened = await sql<{ source: string }>(`select source from events where contract_id = ${id} order by id desc limit 1`);
    expect(happened).toEqual([{ source: 'Customer portal' }]);

    // In the language of the customer; without an answer of the app; where customers may not redeem, or have nothing.
    const { id: language } = (await server.call('multilingual.addLanguage', { locale: 'de' })).data as { id: number };
    await server.call('multilingual.changeLanguage', { id: language, isPublished: true });
    const translated = await server.call('integrations-texts.updateGeneralTranslations', {
      category: 'loyalty',
      locale: 'de',
      translations: [{ key: 'loyaltyTitle', value: 'Ihre Punkte' }],
    });
    expect(translated.status, JSON.stringify(translated.body)).toBe(200);
    await server.services.db.exec(`update contracts set customer_locale = 'de' where id = ${id}; update customers set locale = 'de'`);
    expect((await open(`${url}&do=LOYALTY`)).body).toContain('<h1>Ihre Punkte</h1>');
    answer = () => 503;
    const failing = await open(`${url}&do=LOYALTY`);
    expect([failing.statusCode, failing.body.includes('Es wurde nichts geändert.')]).toEqual([502, true]);
    answer = () => undefined;
    const settings = (over: JsonObject) =>
      sql(`update integrations set settings = settings || '${JSON.stringify(over)}' where key = 'rise-ai'`);
    await settings({ allowRedeemInPortal: false, maxRedemptionsPerOrder: 2 });
    const closed = (await open(`${url}&do=LOYALTY`)).body;
    expect([closed.includes('<form'), closed.includes('100 Punkte') || closed.includes('for 100 points')]).toEqual([false, true]);
    expect((await press()).statusCode).toBe(403);
    await settings({ allowRedeemInPortal: true, maxRedemptionsPerOrder: 1, hideWidgetIfNoBalance: true });
    const other = await makeContract(server, goods, { nextBillingDateEpoch: inDays(5) });
    const theirs = new URL(
      ((await server.call('subscription-contract.customerDetails', { id: other.id })).data as { portalLink: string }).portalLink,
    );
    const portal = () => open(theirs.pathname + theirs.search);
    await sql(`update contracts set loyalty_points = 0, loyalty_points_at = now() where id = ${other.id}`);
    expect((await portal()).body).not.toContain('class="loyalty"');
    await sql(`update contracts set loyalty_points = 7, loyalty_points_at = now() where id = ${other.id}`);
    expect((await portal()).body).toContain('7 points');
    await settings({ hideWidgetIfNoBalance: false });
  });

  it('while Zapiet plans deliveries, an order moves only to a day that it has room on', async () => {
    await server.call('integrations.connect', { identifier: 'zapiet', settings: { apiKey: 'valid-zapiet' } });
    const day = (days: number) => new Date(inDays(days) * 1000).toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
    await sql(`update stores set details = jsonb_set(details, '{zapiet}',
      '{"isIntegrated": true, "minDays": 2, "maxDays": 60, "disabledDates": ["${day(9)}"], "disabledWeekdays": []}') where id = 1`);
    server.services.sessions.forget();
    const move = (days: number) => server.call('subscription-contract.reschedule', { id, nextBillingDateEpoch: inDays(days) });
    const refused = { pointer: '/nextBillingDateEpoch', message: 'Choose another date, this one is not available.' };
    for (const days of [9, 61]) expect((await move(days)).body).toMatchObject({ errors: [refused] });
    expect((await move(10)).status).toBe(200);
    // What falls on a closed day by its rhythm is delivered on the next open one, and charged as ever.
    await sql(`update stores set details = jsonb_set(details, '{zapiet,disabledDates}', '["${day(10)}", "${day(11)}"]') where id = 1`);
    server.services.sessions.forget();
    const [next] = (await server.call('subscription-contract.ordersSchedule', { id })).data as {
      deliveryDateEpoch: number;
      billingDateEpoch: number;
    }[];
    expect(next!.deliveryDateEpoch - next!.billingDateEpoch).toBe(2 * 86_400);
    const { nextOrderId } = (await server.call('subscription-contract.read', { id })).data as { nextOrderId: number };
    await server.call('subscription-contract.chargeNow', { id, orderId: nextOrderId });
    const [placed] = await sql<{ closed: boolean }>(`select to_char(delivery_at at time zone 'America/New_York', 'YYYY-MM-DD')
      in ('${day(10)}', '${day(11)}') as closed from orders where contract_id = ${id} and status = 'PAID' order by id desc limit 1`);
    expect(placed).toEqual({ closed: false });
    await server.call('integrations.disconnect', { identifier: 'zapiet' });
    server.services.sessions.forget();
    expect((await move(9)).status).toBe(200);
  });

  it('orders have the note of their subscription, or only their own', async () => {
    await server.call('subscription-contract.updateNote', { id, note: 'Leave at the door.' });
    const noteOfNext = async (own: string): Promise<string> => {
      await server.call('subscription-contract.addOrderNote', { id, note: own });
      const { nextOrderId } = (await server.call('subscription-contract.read', { id })).data as { nextOrderId: number };
      await server.call('subscription-contract.chargeNow', { id, orderId: nextOrderId });
      return (
        await sql<{ note: string }>(`select note from orders where contract_id = ${id} and status = 'PAID' order by id desc limit 1`)
      )[0]!.note;
    };
    expect(await noteOfNext('With a ribbon')).toBe('Leave at the door.\nWith a ribbon');
    await sql(`update settings set data = data || '{"orderNoteLevel": "ORDER"}' where store_id = 1 and name = 'general'`);
    expect(await noteOfNext('With a card')).toBe('With a card');
    expect(await noteOfNext('')).toBe('');
    expect((await server.call('subscription-contract.read', { id })).data).toMatchObject({ note: 'Leave at the door.' });
  });

  it('a helpdesk finds a customer by e-mail, with what an agent may do to each subscription', async () => {
    const { customerEmail } = (await server.call('subscription-contract.read', { id })).data as { customerEmail: string };
    const found = await server.call('helpdesk.lookUp', { email: customerEmail.toUpperCase() });
    expect(found.data).toMatchObject({ customer: { email: customerEmail, link: expect.stringMatching(/\/customers\/\d+$/) } });
    const mine = (found.data as { subscriptions: JsonObject[] }).subscriptions.find(one => one.id === id);
    expect(mine).toMatchObject({ status: 'ACTIVE', link: expect.stringContaining(`/subscriptions/${id}`) });
    for (const name of mine!.actions as string[]) expect(server.services.definitions.calls[name], name).toBeDefined();
    expect((await server.call('helpdesk.lookUp', { email: 'unknown@shop.example' })).data).toEqual({ customer: null, subscriptions: [] });
    const token = await server.call('api-keys.generate', { name: 'Zendesk', type: 'ADMIN', scopes: { CUSTOMERS: 'READ' } });
    const asked = await server.request('GET', `/host/main/api/merchant/helpdesk/lookup?email=${encodeURIComponent(customerEmail)}`, {
      headers: { 'x-loop-token': String(token.data.token) },
    });
    expect([asked.status, asked.json.data?.customer?.email]).toEqual([200, customerEmail]);
  });

  it('one loyalty app at a time', async () => {
    const second = await server.call('integrations.connect', { identifier: 'rivo', settings: { apiKey: 'valid-key-of-rivo' } });
    expect([second.status, second.body.message]).toEqual([409, 'Disconnect Rise.ai first.']);
  });
});
