// A store with Stripe sells a subscription to a new customer: paid on Stripe's page, once, in whichever way the customer comes back.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { unfinishedPurchases } from '../../../../src/server/features/shop/jobs/unfinished-purchases.ts';
import { giveUp, openPurchaseOf, settleHosted } from '../../../../src/server/features/shop/pay-hosted.ts';
import { jobWith } from '../../../support/job.ts';
import { stripeStore } from '../payments/stripe-store.ts';
import { offerPlans } from '../subscriptions/fixture.ts';
import { GIFT, hiddenIn, shopperAt } from './shopper.ts';

const { webhooks } = createRequire(join(ensureJudges(), 'package.json'))('stripe');
const MONTHLY = 88_101;

describe('paying on the page of Stripe', () => {
  const store = stripeStore();
  const { at, rows, enter } = store;

  /** A shopper with a subscription in the cart, at the payment. */
  const shopping = async (quantity = 1) => {
    await offerPlans(at.server, [at.goods.plain, at.goods.other]);
    const shopper = shopperAt(() => at.server);
    await shopper.add(700_000 + at.goods.plain, MONTHLY, quantity);
    const page = await shopper.toPayment();
    const press = async (shown = page) => shopper.post('/pay', { round: hiddenIn(shown, 'round'), total: hiddenIn(shown, 'total') });
    /** Goes to the page of Stripe; gives its address. */
    const toStripe = async (shown = page): Promise<string> => {
      const answer = await press(shown);
      expect([answer.statusCode, answer.body]).toEqual([303, '']);
      return String(answer.headers.location);
    };
    const back = (url: string) => {
      const { pathname, search } = new URL(url);
      return shopper.get(pathname.replace('/shop/1', '') + search);
    };
    const bought = () =>
      rows(
        `select k.id, o.id as order_id, o.total::integer as total, o.charged, m.gateway_token as token, m.last_digits from contracts k
          join customers c on c.id = k.customer_id and c.store_id = k.store_id
          join orders o on o.contract_id = k.id and o.store_id = k.store_id and o.order_type = 'CHECKOUT'
          join payment_methods m on m.id = k.payment_method_id and m.store_id = k.store_id where c.email = $1`,
        [shopper.email],
      );
    return { ...shopper, page, press, toStripe, back, bought };
  };
  const stock = async (): Promise<number> =>
    Number((await rows('select inventory_quantity as n from variants where id = $1', [at.goods.plain]))[0]?.n);
  const limit = (pieces: number) =>
    rows("update variants set inventory_management = 'shopify', inventory_policy = 'deny', inventory_quantity = $2 where id = $1", [
      at.goods.plain,
      pieces,
    ]);
  const paidAtStripe = async (customer: string) =>
    ((await (await fetch(`${store.vendors.url}/stripe/v1/payment_intents?customer=${customer}&limit=9`)).json()) as { data: any[] }).data; // any: as Stripe describes it

  test('sells a subscription to a new customer, charged once and renewed by the card that was entered there', async () => {
    const { page, toStripe, back, bought } = await shopping();
    expect(page.body).toContain('secure page');
    expect(page.body).not.toMatch(/cc-number|test cards/i);
    expect(page.headers['content-security-policy']).toContain(new URL(store.judge.url).host);
    const [first, second] = await Promise.all([toStripe(), toStripe()]);
    expect(first).toBe(second);
    const done = await enter(first, 'pays');
    const [thanks, again] = await Promise.all([back(done), back(done)]);
    for (const one of [thanks, again, await back(done), await back(`${done}&left=1`)]) expect(one.body).toContain('Thank you');
    const sold = await bought();
    expect(sold).toHaveLength(1);
    const [, customer = ''] = String(sold[0]?.token).split(':');
    expect(sold[0]).toMatchObject({ last_digits: '4242', charged: { gateway: 'STRIPE', reference: expect.stringMatching(/^pi_/) } });
    expect(await paidAtStripe(customer)).toMatchObject([{ amount: sold[0]?.total, status: 'succeeded' }]);
    // The card that it stored is found by the payment alone.
    const { stripe } = at.server.services;
    expect(await stripe.cardOfPayment(1, sold[0]?.charged.reference)).toMatchObject({ token: sold[0]?.token, lastDigits: '4242' });
    // The renewal.
    const { nextOrderId: orderId } = await at.ok('subscription-contract.read', { id: sold[0]?.id });
    await at.ok('subscription-contract.chargeNow', { id: sold[0]?.id, orderId });
    const payments = await paidAtStripe(customer);
    expect(payments.map(one => one.status)).toEqual(['succeeded', 'succeeded']);
    expect(await stripe.cardOfPayment(1, payments.find(one => one.id !== sold[0]?.charged.reference).id)).toBeUndefined();
    // The first order can be given back as well, in parts.
    const order = { id: sold[0]?.id, orderId: sold[0]?.order_id };
    await at.ok('subscription-contract.refundOrder', { ...order, amount: '1.00', reason: 'Came broken' });
    const history = await at.ok('subscription-contract.ordersHistory', { id: sold[0]?.id, limit: 10 });
    expect(history.find((one: { id: number }) => one.id === order.orderId)).toMatchObject({ totalRefunded: '1.00' });
  });

  test('who leaves the page pays nothing, the stock is free again, and another cart is paid on another page', async () => {
    await limit(5);
    const { toStripe, back, press, get, add, bought } = await shopping(2);
    const page = await toStripe();
    expect(await stock()).toBe(3);
    const left = await back(await enter(page, null));
    expect([left.statusCode, left.body]).toEqual([200, expect.stringContaining('Nothing was charged')]);
    expect(await stock()).toBe(5);
    expect(await (await fetch(page)).text()).toContain('over');
    const next = await toStripe(left);
    expect(next).not.toBe(page);
    // By the back button, with more in the cart: the page of before can't be paid any more.
    await add(700_000 + at.goods.other, MONTHLY);
    const more = await get('/pay');
    const last = await toStripe(more);
    expect(await (await fetch(next)).text()).toContain('over');
    expect(await stock()).toBe(3);
    const done = await enter(last, 'pays');
    expect((await back(done)).body).toContain('Thank you');
    expect(await bought()).toHaveLength(1);
    expect((await press(more)).headers.location).toContain('/thanks/');
    // Another browser sees nothing of it.
    const { pathname, search } = new URL(done);
    const stranger = shopperAt(() => at.server);
    expect((await stranger.get(pathname.replace('/shop/1', '') + search)).body).not.toContain('Thank you');
    await limit(1000);
  });

  test('a customer who pays and never comes back is found by the event, or by the job; a broken line charges nothing twice', async () => {
    const one = await shopping();
    store.judge.fault = 'after';
    const broken = await one.press();
    store.judge.fault = null;
    expect([broken.statusCode, broken.body]).toEqual([502, expect.stringContaining('Try again in a few minutes')]);
    await enter(await one.toStripe(), 'pays');
    await at.ok('payment-providers.events', { id: store.provider, webhookSecret: 'whsec_of_the_endpoint' });
    const [open] = await rows("select id, page from shop_purchases where status = 'CHARGING' and page is not null");
    const session = (await (await fetch(`${store.vendors.url}/stripe/v1/checkout/sessions/${open?.page}`)).json()) as { metadata: object };
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { object: 'checkout.session', id: open?.page, metadata: session.metadata } },
    });
    const header = webhooks.generateTestHeaderString({ payload, secret: 'whsec_of_the_endpoint' });
    for (let i = 0; i < 2; i++)
      await at.server.request('POST', '/in/stripe/1', {
        as: null,
        headers: { 'content-type': 'application/json', 'stripe-signature': header },
        body: payload,
      });
    await at.server.settled();
    expect(await one.bought()).toHaveLength(1);

    const two = await shopping();
    await enter(await two.toStripe(), 'pays');
    const three = await shopping();
    await three.toStripe();
    await rows("update shop_purchases set made_at = made_at - interval '10 minutes' where status = 'CHARGING'");
    await unfinishedPurchases.run(at.server.services, {}, jobWith());
    expect(await two.bought()).toHaveLength(1);
    expect(await rows("select 1 from shop_purchases where status = 'CHARGING'")).toHaveLength(1);
    // Its page was never opened: the process ended before.
    await rows("update shop_purchases set page = null where status = 'CHARGING'");
    await unfinishedPurchases.run(at.server.services, {}, jobWith());
    expect(await rows("select 1 from shop_purchases where status = 'CHARGING'")).toHaveLength(0);
    expect(await three.bought()).toHaveLength(0);
  });

  test('a purchase is not given up while its customer is led to the page; what is paid for one that is over is given back', async () => {
    const { services } = at.server;
    const { toStripe, bought } = await shopping();
    const page = await toStripe();
    const [row] = await rows("select id from shop_purchases where status = 'CHARGING'");
    const open = (await openPurchaseOf(services, 1, { id: Number(row?.id) }))!;
    const status = async () => (await rows('select status from shop_purchases where id = $1', [open.id]))[0]?.status;
    // The job looked before the page was opened.
    await giveUp(services, 1, { ...open, page: null });
    expect(await status()).toBe('CHARGING');
    // The account stays connected meanwhile.
    await at.ok('payment-providers.stopCharging', { id: store.provider });
    const off = await at.server.call('payment-providers.delete', { id: store.provider });
    expect([off.status, off.body.message]).toEqual([409, expect.stringContaining('not settled yet')]);
    await at.ok('payment-providers.startCharging', { id: store.provider });
    // Paid after it was given up all the same.
    await enter(page, 'pays');
    await rows("update shop_purchases set status = 'DECLINED' where id = $1", [open.id]);
    expect(await settleHosted(services, 1, open)).toMatchObject({ is: 'DECLINED', stray: expect.stringMatching(/^pi_/) });
    const { stray = '' } = (await settleHosted(services, 1, open)) as { stray?: string };
    const refunds = await (await fetch(`${store.vendors.url}/stripe/v1/refunds?payment_intent=${stray}&limit=9`)).json();
    expect(refunds).toMatchObject({ data: [{ amount: open.total, payment_intent: stray }] });
    expect((refunds as { data: unknown[] }).data).toHaveLength(1);
    expect(await bought()).toHaveLength(0);

    // Given up while the page was opened: its customer is not led there, and it can't be paid.
    const other = await shopping();
    const opened = await other.toStripe();
    const [late] = await rows("select id from shop_purchases where status = 'CHARGING'");
    const stale = { ...(await openPurchaseOf(services, 1, { id: Number(late?.id) }))!, page: null };
    await rows('update shop_purchases set page = null where id = $1', [stale.id]);
    const { hostedPages } = services;
    const openPage = hostedPages.openPage.bind(hostedPages);
    hostedPages.openPage = async asked => {
      const made = await openPage(asked);
      await giveUp(services, 1, stale);
      return made;
    };
    expect(await settleHosted(services, 1, stale)).toMatchObject({ is: 'DECLINED' });
    hostedPages.openPage = openPage;
    expect(await (await fetch(opened)).text()).toContain('over');
    expect(await settleHosted(services, 1, stale)).toMatchObject({ is: 'DECLINED' });
    expect(await rows('select status, page from shop_purchases where id = $1', [stale.id])).toEqual([{ status: 'DECLINED', page: null }]);
  });

  test('an account stays connected while a customer enters a card on its page', async () => {
    const { id, customerId } = await at.make();
    await rows("insert into card_setups (store_id, gateway, contract_id, customer_id) values (1, 'STRIPE', $1, $2)", [id, customerId]);
    await at.ok('payment-providers.stopCharging', { id: store.provider });
    const off = await at.server.call('payment-providers.delete', { id: store.provider });
    expect([off.status, off.body.message]).toEqual([409, expect.stringContaining('not settled yet')]);
    await at.ok('payment-providers.startCharging', { id: store.provider });
    await rows('delete from card_setups where contract_id = $1', [id]);
  });

  test('what is bought once is not paid, and said before, until there is a subscription that it goes with', async () => {
    const { press, page: before, get, add, post, toStripe, back, bought } = await shopping();
    const [, line = ''] = /name="line" value="([^"]*)"/.exec((await get('/cart')).body) ?? [];
    await post('/cart', { line, do: 'remove' });
    await add(700_000 + at.goods.other);
    const page = await get('/pay');
    const why = 'Without a subscription this can’t be paid here at the moment: Goods other.';
    expect(page.body).toContain(why);
    expect(page.body).not.toContain('secure page');
    // On the page of before.
    const pressed = await press(before);
    expect([pressed.statusCode, pressed.body]).toEqual([409, expect.stringContaining(why)]);
    expect(await rows("select 1 from shop_purchases where status = 'CHARGING'")).toHaveLength(0);
    await add(700_000 + at.goods.plain, MONTHLY);
    expect((await back(await enter(await toStripe(await get('/pay')), 'pays'))).body).toContain('Thank you');
    expect(await bought()).toHaveLength(1);
  });

  test('a gift names the payment that paid for it', async () => {
    await at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true });
    const plan = { label: '3 months', orders: 3, intervalCount: 1, interval: 'MONTH', discountType: 'NONE' };
    const gifts = { name: 'For a friend', plans: [plan], shippingMode: 'FREE', variantIds: [at.goods.plain] };
    const program = await at.ok('gift-programs.create', gifts);
    await at.ok('gift-programs.activate', { id: program.id });
    const shopper = shopperAt(() => at.server);
    await shopper.post('/gift/goods-plain', { ...GIFT, variant: String(700_000 + at.goods.plain), plan: program.plans[0].loopId });
    const page = await shopper.toPayment({ firstName: 'Ann', lastName: 'Lee' });
    const to = await shopper.post('/pay', { round: hiddenIn(page, 'round'), total: hiddenIn(page, 'total') });
    const { pathname, search } = new URL(await enter(String(to.headers.location), 'pays'));
    expect((await shopper.get(pathname.replace('/shop/1', '') + search)).body).toContain('Thank you');
    const given = await rows(
      `select o.charged from gifts g join orders o on o.store_id = g.store_id and o.contract_id = g.id and o.order_type = 'CHECKOUT'
        where g.giver_email = $1`,
      [shopper.email],
    );
    expect(given).toEqual([{ charged: { gateway: 'STRIPE', reference: expect.stringMatching(/^pi_/) } }]);
  });

  test('offers what can be paid there: subscriptions, and plans that reserve all their deliveries while there is enough', async () => {
    const { get } = shopperAt(() => at.server);
    const page = (await get('/products/goods-plain')).body;
    expect([page.includes('One-time purchase'), page.includes(' subscription-only>'), page.includes('data-perennial-add')]).toEqual([
      false,
      true,
      true,
    ]);
    const alone = (await get('/products/goods-soldOut')).body;
    expect(alone).toContain('Sold out');
    const never = (await get('/products/goods-digital')).body;
    expect([never.includes('Without a subscription this can’t be paid here'), never.includes('data-perennial-add')]).toEqual([true, false]);
    const { rows: groups } = await at.server.services.db.ownerQuery<{ id: number; data: { sellingPlans: JsonObject[] } }>(
      `select id, data from records where entity = 'selling-plan-group' and store_id = 1 and data::text like '%${MONTHLY}%'`,
    );
    const { id, data } = groups[0]!;
    const plans = (over: JsonObject) => JSON.stringify(data.sellingPlans.map(one => ({ ...one, ...over })));
    const reserve = (over: JsonObject) =>
      rows(`update records set data = jsonb_set(data, '{sellingPlans}', $2::jsonb) where id = $1 and store_id = 1`, [id, plans(over)]);
    const ahead = { recurringBillingPolicyIntervalCount: 3, recurringDeliveryPolicyIntervalCount: 1 };
    await limit(2);
    await reserve({ ...ahead, inventoryReserve: 'ON_SALE' });
    expect((await get('/products/goods-plain')).body).toContain('Without a subscription this can’t be paid here');
    await reserve({ ...ahead, inventoryReserve: null });
    expect((await get('/products/goods-plain')).body).toContain('data-perennial-add');
    await reserve({});
    await limit(1000);
  });
});
