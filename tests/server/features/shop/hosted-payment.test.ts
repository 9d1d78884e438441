// A store with Stripe sells a subscription to a new customer: paid on Stripe's page, once, in whichever way the customer comes back.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { unfinishedPurchases } from '../../../../src/server/features/shop/jobs/unfinished-purchases.ts';
import { jobWith } from '../../../support/job.ts';
import { stripeStore } from '../payments/stripe-store.ts';
import { offerPlans } from '../subscriptions/fixture.ts';
import { hiddenIn, shopperAt } from './shopper.ts';

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
    // The renewal.
    const { nextOrderId: orderId } = await at.ok('subscription-contract.read', { id: sold[0]?.id });
    await at.ok('subscription-contract.chargeNow', { id: sold[0]?.id, orderId });
    expect((await paidAtStripe(customer)).map(one => one.status)).toEqual(['succeeded', 'succeeded']);
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
});
