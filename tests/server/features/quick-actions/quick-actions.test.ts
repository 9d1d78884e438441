// Links of quick actions on a running server: what stands in e-mails, the page behind a link, and what its button does, once.
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { actionLinks, linkToken } from '../../../../src/server/engine/action-links.ts';
import { runDue } from '../../../../src/server/engine/charging/run-due.ts';
import { buttonsOf, customerBrowser, sentAlong, type CustomerPage } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays, type Made } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('quick actions on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 } });
  let made: Made;
  let n = 0;
  beforeEach(async () => {
    await at.server.services.db.exec(
      "delete from link_events; delete from settings where name = 'pause-flow'; delete from records where entity = 'quick-action'",
    );
    made = await at.make({ nextBillingDateEpoch: inDays(5) });
  });

  const call = (name: string, input: JsonObject = {}): Promise<any> => at.server.call(name, input);
  const { ok: done } = at;
  const quickAction = async (over: JsonObject): Promise<number> => {
    const { id } = await done('quick-actions.create', { name: `Action ${++n}`, ...over });
    await done('quick-actions.activate', { id });
    return id;
  };
  const linkOf = async (quickActionId: number, { id } = made): Promise<string> =>
    new URL((await done('quick-actions.makeLink', { quickActionId, subscriptionId: id })).url).pathname;
  const browser = customerBrowser(() => at.server.app);
  const open = (url: string, method: 'GET' | 'POST' = 'GET', headers: Record<string, string> = {}): Promise<CustomerPage> =>
    browser.open(url, method, { headers });
  /** Opens a link and presses one of its buttons. */
  const press = async (url: string, button = 0) => open(buttonsOf(await open(url))[button] ?? `${url}?choice=none`, 'POST');
  const read = ({ id } = made): Promise<any> => done('subscription-contract.read', { id });
  const keysOf = async ({ id } = made): Promise<string[]> =>
    (await done('subscription-contract.activity', { id, limit: 100 })).map((one: JsonObject) => one.key);

  it('a link shows what it does, its button does it once, and the activity tells of it', async () => {
    const id = await quickAction({ type: 'SKIP_ORDER', description: 'Hello {{customer_first_name}} <b>' });
    const url = await linkOf(id);
    const before = await read();
    const page = await open(url);
    expect([page.statusCode, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer']);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+' 'self'; .*form-action 'self'/,
    );
    // In the look of the customer portal.
    expect(page.body).toMatch(/<link rel="stylesheet" href="\/a\/loop_subscriptions\/theme\/[\w-]+\/\d+\.css">/);
    expect(page.body).toContain('Skip your next order?');
    expect(page.body).toContain('Hello Ann &#60;b&#62;');
    expect(buttonsOf(page)).toEqual([expect.stringMatching(/^\/q\/1\.\d+\.skipOrder\.\d+\?choice=[\w-]{16}$/)]);
    // Looking changes nothing.
    await open(url);
    expect((await read()).version).toBe(before.version);
    const first = await press(url);
    expect([first.statusCode, first.body.includes('Your next order is skipped.')]).toEqual([200, true]);
    const after = await read();
    expect(after.nextBillingDateEpoch).toBeGreaterThan(before.nextBillingDateEpoch);
    const again = await open(buttonsOf(page)[0] as string, 'POST');
    expect(again.body).toContain('This was already done.');
    expect(await read()).toEqual(after);
    expect((await keysOf()).filter(key => key === 'order_skipped' || key === 'quick_action_used')).toHaveLength(2);
    expect(await done('quick-actions.read', { id })).toMatchObject({
      urlVariableName: '{{ quickAction.skipOrder }}',
      linkClicks: 1,
      confirmations: 1,
      conversionRate: 100,
    });
  });

  it('two clicks at once do it once', async () => {
    const [url = ''] = buttonsOf(await open(await linkOf(await quickAction({ type: 'SKIP_ORDER' }))));
    const bodies = (await Promise.all([open(url, 'POST'), open(url, 'POST')])).map(({ body }) => body);
    expect(bodies.filter(body => body.includes('This was already done.'))).toHaveLength(1);
    expect((await keysOf()).filter(key => key === 'order_skipped')).toHaveLength(1);
  });

  it('refuses links that were changed, are too old, come from elsewhere, or do not fit the subscription any more', async () => {
    const id = await quickAction({ type: 'SKIP_ORDER' });
    const url = await linkOf(id);
    const other = await at.make();
    for (const wrong of [
      url.replace(String(made.id), String(other.id)),
      url.slice(0, -1),
      `${url}x`,
      '/q/1',
      '/q/1.2.skipOrder.3.aaaaaaaaaaaaaaaaaaaaaa',
    ])
      expect((await open(wrong, 'POST')).statusCode, wrong).toBe(404);
    expect((await open(url, 'POST', { origin: 'https://elsewhere.example' })).statusCode).toBe(403);
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, link_secret from stores where id = 1');
    const old = linkToken(rows[0], { contractId: made.id, what: 'skipOrder', expiresAt: new Date(Date.now() - 1000) });
    expect((await open(`/q/${old}`, 'POST')).body).toContain('Your link has expired.');
    await done('subscription-contract.pause', { id: made.id });
    expect((await open(url)).body).toContain('This action is not available for your subscription.');
    expect((await open(url, 'POST')).body).toContain('This action is not available for your subscription.');
    await done('quick-actions.deactivate', { id });
    expect((await open(url)).statusCode).toBe(404);
    expect((await call('quick-actions.makeLink', { quickActionId: id, subscriptionId: made.id })).status).toBe(409);
    expect(await keysOf()).not.toContain('quick_action_used');
  });

  it('gives a reward with it, once for each subscription', async () => {
    const id = await quickAction({
      type: 'RESUME_SUBSCRIPTION',
      reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '15' },
    });
    await done('subscription-contract.pause', { id: made.id });
    const url = await linkOf(id);
    expect((await open(url)).body).toContain('You get 15% off.');
    expect((await press(url)).body).toContain('Your subscription goes on.');
    expect(await read()).toMatchObject({ status: 'ACTIVE', discounts: [{ value: '15' }] });
    expect((await open(await linkOf(id))).body).toContain('This was already done.');
    await done('subscription-contract.pause', { id: made.id });
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, link_secret from stores where id = 1');
    const later = linkToken(rows[0], { contractId: made.id, what: 'resumeSubscription', expiresAt: new Date(Date.now() + 9_000_000) });
    const next = `/q/${later}`;
    expect((await open(next)).body).not.toContain('15%');
    await press(next);
    expect((await read()).discounts).toHaveLength(1);
    expect(await done('quick-actions.read', { id })).toMatchObject({ confirmations: 2 });
  });

  it('charges at once, and says so when the payment does not go through', async () => {
    const id = await quickAction({ type: 'ORDER_NOW' });
    const url = await linkOf(id);
    expect((await press(url)).body).toContain('Your order is placed.');
    expect(await read()).toMatchObject({ completedOrdersCount: 1, lastPaymentStatus: 'SUCCESS' });
    const poor = await at.make({ tokens: ['tok_insufficient_funds'] });
    const refused = await press(await linkOf(id, poor));
    expect(refused.body).toContain('Your payment did not go through.');
    const recover = await quickAction({ type: 'RECOVER_FAILED_PAYMENT' });
    expect((await done('quick-actions.read', { id: recover })).segments.length).toBeGreaterThan(0);
    expect((await open(await linkOf(recover))).body).toContain('This was already done.');
    expect((await open(await linkOf(recover, poor))).body).toContain('Pay your order now?');
  });

  const TEN_OFF = { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '10', orderCount: 1 };
  const gift = (): JsonObject => ({ rewardType: 'GIFT', variantId: at.goods.other });
  const ordersOf = async (id: number): Promise<any[]> =>
    (
      await at.server.services.db.ownerQuery<any>(
        'select cycle, status, total::integer as total from orders where store_id = 1 and contract_id = $1 order by cycle',
        [id],
      )
    ).rows;
  const setToken = (id: number, token: string): Promise<unknown> =>
    at.server.services.db.exec(
      `update payment_methods set gateway_token = '${token}' where id = (select payment_method_id from contracts where id = ${id})`,
    );

  it('gives a reward with its charge: none of it after declines, and once when the same link is paid', async () => {
    for (const reward of [TEN_OFF, gift()]) {
      await at.server.services.db.exec("delete from records where entity = 'quick-action'");
      const id = await quickAction({ type: 'ORDER_NOW', reward });
      const poor = await at.make({ nextBillingDateEpoch: inDays(5), tokens: ['tok_insufficient_funds'] });
      const url = await linkOf(id, poor);
      for (let i = 0; i < 3; i++) {
        const refused = await press(url);
        expect([refused.statusCode, refused.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        expect(refused.body).toContain('Your payment did not go through. Your order waits until it is paid. We try again on');
        expect(await read(poor)).toMatchObject({ discounts: [], lines: [{}, {}], completedOrdersCount: 0 });
        // It is one order, which waits for its payment: nothing else was pulled forward, and it costs what it does without the reward.
        expect(await ordersOf(poor.id)).toEqual([{ cycle: 1, status: 'FAILED', total: 4495 }]);
        expect(await done('quick-actions.read', { id })).toMatchObject({ confirmations: 0, revenue: '0.00' });
      }
      // The button says what is charged, with the discount that comes with it.
      expect(buttonsOf(await open(url)).length).toBe(1);
      expect((await open(url)).body).toContain(reward.rewardType === 'GIFT' ? '$44.95' : 'Order now · $40.95');
      await setToken(poor.id, 'tok_success');
      expect((await press(url)).body).toContain('Your order is placed.');
      expect((await press(url)).body).toContain('This was already done.');
      const isGift = reward.rewardType === 'GIFT';
      expect(await ordersOf(poor.id)).toEqual([{ cycle: 1, status: 'PAID', total: isGift ? 4495 : 4095 }]);
      const paid = await read(poor);
      // A gift that comes with the next order waits for it; a discount was used.
      expect([paid.discounts.length, paid.lines.length]).toEqual(isGift ? [0, 3] : [0, 2]);
      expect(await done('quick-actions.read', { id })).toMatchObject({ confirmations: 1, revenue: isGift ? '44.95' : '40.95' });
    }
  });

  it('takes a reward back where the provider answers after the process has gone', async () => {
    const id = await quickAction({ type: 'ORDER_NOW', reward: TEN_OFF });
    const { services } = at.server;
    const url = await linkOf(id);
    const { charge } = services.gateway;
    services.gateway.charge = () => Promise.reject(new Error('no answer'));
    try {
      expect((await press(url)).body).toContain('Your payment is being checked.');
    } finally {
      services.gateway.charge = charge;
    }
    expect((await press(url)).body).toContain('This was already done.');
    await setToken(made.id, 'tok_decline_card_declined');
    await runDue(services, 1, { isStart: true });
    expect(await ordersOf(made.id)).toEqual([{ cycle: 1, status: 'FAILED', total: 4495 }]);
    expect((await read()).discounts).toEqual([]);
    expect((await open(url)).body).toContain('You get 10% off.');
  });

  it('does what its button said, or tells that this changed', async () => {
    const options = (count: number): JsonObject => ({ pauseOptions: [{ interval: 'MONTH', intervalCount: count }] });
    const pause = await quickAction({ type: 'PAUSE_SUBSCRIPTION', ...options(1) });
    const add = await quickAction({ type: 'ADD_PRODUCT', addVariantIds: [at.goods.other, at.goods.digital] });
    const order = await quickAction({ type: 'ORDER_NOW', reward: TEN_OFF });
    const change = async (id: number, over: JsonObject): Promise<unknown> =>
      done('quick-actions.update', { ...(await done('quick-actions.read', { id })), ...over });
    for (const [id, then, shows] of [
      [pause, () => change(pause, options(3)), 'Pause for 3 months'],
      [add, () => change(add, { addVariantIds: [at.goods.plain] }), 'Add: Goods plain · $20.00'],
      [add, () => change(add, { addDiscount: 50 }), 'Add: Goods plain · $10.00'],
      [order, () => change(order, { reward: { rewardType: 'NONE' } }), 'Order now · $44.95'],
      [
        order,
        () => done('subscription-contract.updateQuantity', { id: made.id, lineId: Number(made.lines[0]?.id), quantity: 3 }),
        'Order now · $84.95',
      ],
      [order, () => done('subscription-contract.chargeNow', { id: made.id, orderId: made.id * 10_000 + 1 }), 'Order now · $84.95'],
    ] as const) {
      const [button = ''] = buttonsOf(await open(await linkOf(id)));
      await then();
      const before = await read();
      const answer = await open(button, 'POST');
      expect(answer.body).toContain('This has changed since you opened the page, so nothing was done.');
      expect(answer.body).toContain(shows);
      expect(await read()).toEqual(before);
    }
    expect((await ordersOf(made.id)).map(one => one.status)).toEqual(['PAID']);
  });

  it('charges one order, however many ask for the next one at once', async () => {
    const { services } = at.server;
    const { portalLink } = await done('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    const [link = ''] = buttonsOf(await open(await linkOf(await quickAction({ type: 'ORDER_NOW' }))));
    const [inPortal = ''] = buttonsOf(await open(`${pathname}${search}&do=NOW`));
    const drafts: number[] = [];
    for (const which of ['NEXT', 'NEXT']) {
      const input = { which, keepSchedule: true };
      const selection = { mode: 'IDS', ids: [made.id] };
      drafts.push(Number((await done('bulk-actions.create', { actionKey: 'CHARGE_ORDER', selection, input })).id));
    }
    const bulk = async (bulkId: number): Promise<void> => {
      await call('bulk-actions.runBulkAction', { id: bulkId, confirmCount: 1 });
      await runBulk(services, { storeId: 1, bulkId }, AbortSignal.timeout(60_000));
    };
    await Promise.all([
      open(link, 'POST'),
      open(inPortal, 'POST'),
      ...drafts.map(bulk),
      call('subscription-contract.chargeNow', { id: made.id, orderId: made.id * 10_000 + 1 }),
    ]);
    expect(await ordersOf(made.id)).toEqual([{ cycle: 1, status: 'PAID', total: 4495 }]);
    // A call that charges says which order it means.
    const charging = Object.values(services.definitions.calls).filter(({ key }) => /^charge(Now|Order)/i.test(key));
    expect(charging.length).toBeGreaterThan(1);
    for (const { name, in: params } of charging)
      expect(
        params.find(param => param.name === 'orderId'),
        name,
      ).toMatchObject({ required: true });
  });

  it('a product that is added brings what it costs', async () => {
    const id = await quickAction({ type: 'ADD_PRODUCT', addVariantIds: [at.goods.other], addDiscount: 25 });
    await press(await linkOf(id));
    expect(await done('quick-actions.read', { id })).toMatchObject({ confirmations: 1, revenue: '15.00' });
  });

  it('offers days, spans of time and products to choose from', async () => {
    const day = await linkOf(await quickAction({ type: 'RESCHEDULE_ORDER', maxDaysAhead: 16 }));
    expect((await open(day)).body.match(/<button/g)).toHaveLength(8);
    const { nextBillingDateEpoch } = await read();
    await press(day, 1);
    expect((await read()).nextBillingDateEpoch - nextBillingDateEpoch).toBeGreaterThan(3 * 86_400);
    const pause = await linkOf(
      await quickAction({ type: 'PAUSE_SUBSCRIPTION', pauseOptions: [{ interval: 'MONTH', intervalCount: 2 }], allowIndefinite: true }),
    );
    expect((await open(pause)).body).toContain('Pause for 2 months');
    const add = await linkOf(await quickAction({ type: 'ADD_PRODUCT', addVariantIds: [at.goods.other, at.goods.plain], addDiscount: 100 }));
    expect((await press(add)).body).toContain('It is in your order.');
    expect((await read()).lines.at(-1)).toMatchObject({ variantId: at.goods.other, price: '0.00', isOneTimeAdded: true });
    await press(pause);
    expect((await read()).status).toBe('PAUSED');
  });

  it('takes the days of a holiday before its button, and counts as opened once', async () => {
    const id = await quickAction({ type: 'HOLD_FOR_HOLIDAY' });
    const url = await linkOf(id);
    const day = (days: number): string => new Date(inDays(days) * 1000).toISOString().slice(0, 10);
    const form = await open(url);
    expect(form.body.match(/<button type="submit">[^<]+/g)).toEqual(['<button type="submit">Continue']);
    const send = (page: CustomerPage, fields: JsonObject): Promise<CustomerPage> =>
      browser.open(buttonsOf(page)[0] as string, 'POST', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ ...sentAlong(page), ...(fields as Record<string, string>) }).toString(),
      });
    expect((await send(form, { from: day(1), until: 'soon', note: '' })).statusCode).toBe(422);
    const given = { from: day(1), until: day(10), note: 'Away' };
    const asked = await send(form, given);
    expect(asked.body).toMatch(/Last day away: .*Hold my orders/s);
    expect((await send(asked, {})).body).toContain('Nothing comes while you are away.');
    expect(await read()).toMatchObject({ note: 'Away', status: 'ACTIVE' });
    expect((await read()).nextBillingDateEpoch).toBeGreaterThan(inDays(10));
    expect(await done('quick-actions.read', { id })).toMatchObject({ linkClicks: 1, confirmations: 1 });
  });

  it('one variable leads to one quick action; e-mails hold its link', async () => {
    await quickAction({ type: 'WINBACK' });
    const { id } = await done('quick-actions.create', { name: 'Second', type: 'WINBACK' });
    expect((await call('quick-actions.activate', { id })).body.message).toMatch(/^Another active quick action already does this/);
    expect((await call('quick-actions.update', { ...(await done('quick-actions.read', { id })), type: 'ORDER_NOW' })).status).toBe(422);
    await done('email-templates.save', { prefKey: 'SUBSCRIPTION_CANCELLED', subject: 'Bye', body: 'Come back: {{ quickAction.winback }}' });
    await done('subscription-contract.cancel', { id: made.id, cancellationReason: 'Other', notifyCustomer: true });
    const { rows } = await at.server.services.db.ownerQuery<{ text: string }>(
      "select text from outbox where template = 'SUBSCRIPTION_CANCELLED' and contract_id = $1",
      [made.id],
    );
    const [, path = ''] = /https?:\/\/[^/]+(\/q\/\S+)/.exec(rows[0]?.text ?? '') ?? [];
    expect((await open(path)).body).toContain('Come back to your subscription?');
    expect((await press(path)).body).toContain('Welcome back.');
    expect((await read()).status).toBe('ACTIVE');
    // Each link that messages may hold is a variable of their editor.
    const variables = Object.keys(at.server.services.definitions.messageVariables).filter(name => name.startsWith('quickAction.'));
    const links = Object.keys(actionLinks({}, { id: 1, link_secret: 'x' }, 1, new Date()));
    expect(links.map(name => `quickAction.${name}`).sort()).toEqual(variables.sort());
  });

  it('D183 the pause flow is read and saved with storeId, and offers other ways to customers who want to pause', async () => {
    const url = await linkOf(await quickAction({ type: 'PAUSE_SUBSCRIPTION', pauseOptions: [{ interval: 'WEEK', intervalCount: 1 }] }));
    expect((await open(url)).body.match(/<button/g)).toHaveLength(1);
    expect(await done('pause-flow.get', { storeId: 1 })).toMatchObject({ status: 'DRAFT', alternatives: ['SKIP_ORDER', 'DELAY_ORDER'] });
    const page = {
      storeId: 1,
      status: 'ACTIVE',
      title: 'A break?',
      skipText: 'Skip the next order instead',
      delayText: 'Delay it instead by',
      reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '5' },
    };
    await done('pause-flow.set', page);
    await done('pause-flow.change', { ...page, alternatives: ['SKIP_ORDER'] });
    const { body } = await open(url);
    expect(body).toContain('A break?');
    expect(body.match(/<button[^>]*>([^<]+)/g)?.map(button => button.replace(/^<[^>]*>/, ''))).toEqual([
      'Skip the next order instead',
      'Pause for 1 week',
    ]);
    expect((await press(url)).body).toContain('Your next order is skipped.');
    expect(await read()).toMatchObject({ status: 'ACTIVE', discounts: [{ value: '5' }] });
  });

  it('its words and those of the page are translated', async () => {
    const id = await quickAction({ type: 'SKIP_ORDER', title: 'Not this time?' });
    const texts = await done('quick-actions.translations', { quickActionId: id, locale: 'en' });
    expect(texts.map((one: JsonObject) => one.key)).toEqual(expect.arrayContaining(['title', 'ctaText', 'successText']));
    expect((await done('multilingual.customAction')).map((one: JsonObject) => one.key)).toContain('quickAlreadyDone');
  });
});
