// The shop on a running server: what is bought costs what the pages say, once, and whatever comes between ends well.
import { describe, expect, it } from 'vitest';
import { unfinishedPurchases } from '../../../../src/server/features/shop/jobs/unfinished-purchases.ts';
import { engines } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { offerPlans } from '../subscriptions/fixture.ts';
import { DECLINED, hiddenIn, shopperAt } from './shopper.ts';

const [MONTHLY, FORTNIGHTLY] = [88_101, 88_102];
const platform = (variant: number): number => 700_000 + variant;

describe.each(engines)('the shop on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 2 } });
  const shopper = (language?: string) => shopperAt(() => at.server, language);
  const query = async (text: string, values: unknown[] = []): Promise<any[]> =>
    (await at.server.services.db.ownerQuery<any>(text, values)).rows;
  const counts = async (): Promise<unknown> =>
    (
      await query(`select (select count(*)::integer from contracts) as contracts, (select count(*)::integer from customers) as customers,
        (select count(*)::integer from payment_methods) as methods, (select count(*)::integer from orders) as orders,
        (select count(*)::integer from outbox) as mails, (select md5(string_agg(v::text, '' order by id)) from variants v) as stock`)
    )[0];
  const boughtBy = (email: string): Promise<any[]> =>
    query(
      `select k.id, k.currency_code, k.next_billing_at, o.total::integer as total, o.shipping::integer as shipping, o.lines, m.last_digits
      from contracts k join customers c on c.store_id = k.store_id and c.id = k.customer_id
        join orders o on o.store_id = k.store_id and o.contract_id = k.id and o.order_type = 'CHECKOUT'
        join payment_methods m on m.store_id = k.store_id and m.id = k.payment_method_id
      where c.email = $1 order by k.id`,
      [email],
    );
  const chargesOf = (total: number): Promise<any[]> =>
    query("select amount::integer as amount from gateway_charges where idempotency_key like 'shop-%' and amount = $1", [total]);
  const limit = (variant: number, pieces: number | null): Promise<unknown> =>
    query(`update variants set inventory_management = $2, inventory_policy = 'deny', inventory_quantity = $3 where id = $1`, [
      variant,
      pieces === null ? null : 'shopify',
      pieces ?? 0,
    ]);

  it('sells a subscription with what is bought once, in German, at the worked price; however often it is pressed', async () => {
    const { goods } = at;
    await offerPlans(at.server, [goods.plain, goods.other]);
    await query("insert into records (store_id, entity, position, data) values (1, 'store-language', 2, $1)", [
      JSON.stringify({ locale: 'de', name: 'German', isPublished: true, isPrimary: false }),
    ]);
    const { get, add, toPayment, pay, email } = shopper('de-AT,de;q=0.9');
    const product = await get('/products/goods-plain');
    for (const text of [
      '<html lang="de"',
      'Wie möchten Sie kaufen?',
      '18,00',
      `name="selling_plan" value="${MONTHLY}"`,
      'product-id="600501"',
    ])
      expect(product.body).toContain(text);
    expect(product.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
    );
    const added = await add(platform(goods.plain), MONTHLY, 2);
    expect([added.statusCode, added.headers.location]).toEqual([303, '/shop/1/cart?notice=added']);
    expect(String(added.headers['set-cookie'])).toMatch(/^perennial\.cart=[\w-]{32}; Path=\/shop\/1; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    await add(platform(goods.digital));
    // 2 × 20.00 less 10 %, and 20.00 once.
    expect((await get('/cart')).body).toContain('56,00');
    // Its country may be changed in the same form, and then has other provinces, or none: the browser insists on none.
    expect((await get('/checkout')).body).toMatch(/name="provinceCode" autocomplete="address-level1">/);
    const page = await toPayment();
    // With 4.95 of shipping it would be 60.95; from 45.00 on the store ships for nothing, but the subscription alone is worth 36.00.
    expect(hiddenIn(page, 'total')).toBe('6095');
    const presses = await Promise.all([pay(page), pay(page)]);
    const [first] = presses;
    expect(presses.map(one => [one.statusCode, one.headers.location])).toEqual([
      [303, expect.stringMatching(/^\/shop\/1\/thanks\/\d+$/)],
      [303, first?.headers.location],
    ]);
    // The back button and another press of the old page, and a reload of the answer.
    expect((await pay(page)).headers.location).toBe(first?.headers.location);
    const bought = await boughtBy(email);
    expect(bought).toMatchObject([{ total: 6095, shipping: 495, last_digits: '4242' }]);
    expect(bought[0].lines.map((line: any) => [line.name, line.quantity, line.discountedPrice, line.isOneTimeAdded])).toEqual([
      ['Goods plain', 2, '36.00', false],
      ['Goods digital', 1, '20.00', true],
    ]);
    expect(await chargesOf(6095)).toHaveLength(1);
    // What came once is no part of the subscription any more.
    const { data } = await at.server.call('subscription-contract.read', { id: bought[0].id });
    expect(data.lines.map((line: any) => line.variantId)).toEqual([goods.plain]);
    const thanks = await get(String(first?.headers.location).replace('/shop/1', ''));
    expect([thanks.statusCode, thanks.body.includes('Vielen Dank'), thanks.body.includes('merchantToken=')]).toEqual([200, true, true]);
    expect((await shopper().get(String(first?.headers.location).replace('/shop/1', ''))).statusCode).toBe(404);
    expect((await get('/cart')).body).toContain('Ihr Warenkorb ist leer');
  });

  it('a declined card is explained beside the form as it was typed, and nothing is made; another card pays', async () => {
    const { get, add, toPayment, pay, email } = shopper();
    await limit(at.goods.other, 5);
    await add(platform(at.goods.other), FORTNIGHTLY, 3);
    const page = await toPayment();
    const before = await counts();
    const declined = await pay(page, DECLINED);
    expect(declined.statusCode).toBe(402);
    for (const text of ['The card was declined. Nothing was charged.', 'value="4000 0000 0000 0002"', 'value="Ann Lee"'])
      expect(declined.body).toContain(text);
    expect(declined.body).not.toContain('value="123"');
    expect(await counts()).toEqual(before);
    const paid = await pay(declined);
    expect(paid.statusCode).toBe(303);
    // 3 × 20.00 less 20 % is 48.00, which ships for nothing.
    expect(await boughtBy(email)).toMatchObject([{ total: 4800, shipping: 0 }]);
    expect((await query('select inventory_quantity as left from variants where id = $1', [at.goods.other]))[0].left).toBe(2);
    // Typing the address of a customer who is there leads to none of their pages.
    const stranger = shopper();
    await stranger.add(platform(at.goods.other), MONTHLY);
    const { headers } = await stranger.post('/checkout', {
      firstName: 'X',
      lastName: 'Y',
      address1: '2 Elm Street',
      city: 'Brooklyn',
      zip: '11201',
      provinceCode: 'NY',
      countryCode: 'US',
      email,
    });
    expect(headers.location).toBe('/shop/1/pay');
    const bought = await stranger.pay(await stranger.get('/pay'));
    const thanks = await stranger.get(String(bought.headers.location).replace('/shop/1', ''));
    expect([thanks.statusCode, thanks.body.includes('merchantToken')]).toEqual([200, false]);
    expect(await boughtBy(email)).toHaveLength(2);
    await limit(at.goods.other, null);
    expect((await get('/nonsense')).statusCode).toBe(404);
  });

  it('what was sold out or has another price meanwhile is named before anything is charged', async () => {
    const { get, add, toPayment, pay, email } = shopper();
    await limit(at.goods.plain, 3);
    await add(platform(at.goods.plain), MONTHLY, 3);
    const page = await toPayment();
    await query('update variants set price = 2500 where id = $1', [at.goods.plain]);
    const changed = await pay(page);
    expect(changed.statusCode).toBe(409);
    // 3 × 25.00 less 10 %.
    expect(changed.body).toContain('The price has changed: it is $67.50 now. Nothing was charged.');
    await limit(at.goods.plain, 2);
    const short = await pay(changed);
    expect([short.statusCode, short.headers.location]).toEqual([303, '/shop/1/cart']);
    expect((await get('/cart')).body).toContain('Of Goods plain there are only 2 left.');
    await limit(at.goods.plain, 0);
    expect((await get('/cart')).body).toContain('Goods plain is sold out. Remove it to go on.');
    expect(await boughtBy(email)).toEqual([]);
    await limit(at.goods.plain, 3);
    expect((await pay(await get('/pay'))).statusCode).toBe(303);
    expect(await boughtBy(email)).toMatchObject([{ total: 6750 }]);
    await query('update variants set price = 2000 where id = $1', [at.goods.plain]);
    await limit(at.goods.plain, null);
  });

  it('of the last ten fifty at once buy ten, and no other is charged', async () => {
    await limit(at.goods.other, 10);
    const all = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const one = shopper();
        await one.add(platform(at.goods.other), MONTHLY);
        return { one, page: await one.toPayment() };
      }),
    );
    const before = (await query("select count(*)::integer as n from gateway_charges where idempotency_key like 'shop-%'"))[0].n;
    const answers = await Promise.all(all.map(({ one, page }) => one.pay(page)));
    expect(answers.filter(({ headers }) => String(headers.location).startsWith('/shop/1/thanks/'))).toHaveLength(10);
    expect(answers.filter(({ headers }) => headers.location === '/shop/1/cart')).toHaveLength(40);
    expect((await query('select inventory_quantity as left from variants where id = $1', [at.goods.other]))[0].left).toBe(0);
    const after = (await query("select count(*)::integer as n from gateway_charges where idempotency_key like 'shop-%'"))[0].n;
    expect(after - before).toBe(10);
    await limit(at.goods.other, null);
  }, 120_000);

  it('a purchase whose process ended after the charge is finished by the job, charged once', async () => {
    const { add, toPayment, pay, email } = shopper();
    await add(platform(at.goods.plain), MONTHLY, 7);
    const page = await toPayment();
    const total = Number(hiddenIn(page, 'total'));
    const { gateway } = at.server.services;
    const real = gateway.charge.bind(gateway);
    gateway.charge = async charge => {
      await real(charge);
      throw new Error('The connection ended.');
    };
    try {
      expect((await pay(page)).statusCode).toBe(500);
    } finally {
      gateway.charge = real;
    }
    expect(await boughtBy(email)).toEqual([]);
    await query("update shop_purchases set made_at = now() - interval '10 minutes' where status = 'CHARGING'");
    const job = { signal: new AbortController().signal } as Parameters<typeof unfinishedPurchases.run>[2];
    await Promise.all([unfinishedPurchases.run(at.server.services, {}, job), unfinishedPurchases.run(at.server.services, {}, job)]);
    expect(await boughtBy(email)).toMatchObject([{ total }]);
    expect(await chargesOf(total)).toHaveLength(1);
    expect((await pay(page)).headers.location).toMatch(/^\/shop\/1\/thanks\/\d+$/);
  });

  it('a checkout link fills the cart once, with its code, and ends in an order', async () => {
    const { get, toPayment, pay, email } = shopper();
    const { id, url } = await at.ok('checkout-links.create', {
      name: 'Newsletter',
      items: [{ variantId: at.goods.plain, quantity: 2, sellingPlanId: MONTHLY }, { variantId: at.goods.digital }],
      discountCode: 'WELCOME10',
      note: 'From the newsletter',
    });
    const link = new URL(url).pathname;
    const answer = await at.server.app.inject({ method: 'GET', url: link });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/shop/1/link/${link.split('/').at(-1)}`]);
    await get(`/link/${link.split('/').at(-1)}`);
    await get(`/link/${link.split('/').at(-1)}`);
    await at.server.settled();
    expect(await at.ok('checkout-links.read', { id })).toMatchObject({ clicks: 1 });
    const page = await toPayment();
    // 36.00 and 20.00, less 10 %, and 4.95 for shipping.
    expect(hiddenIn(page, 'total')).toBe('5535');
    expect((await pay(page)).statusCode).toBe(303);
    const [bought] = await boughtBy(email);
    expect(bought).toMatchObject({ total: 5535 });
    expect(await query('select note from contracts where id = $1', [bought.id])).toEqual([{ note: 'From the newsletter' }]);
  });

  it('an upgrade in the checkout makes a subscription of what was bought once, at the price it says, and takes it back', async () => {
    const { id } = await at.ok('checkout.create', { name: 'Subscribe', planGroupId: 77101 });
    await at.ok('checkout.activate', { id });
    await at.ok('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: true });
    const { get, add, post, toPayment, pay, email } = shopper();
    await add(platform(at.goods.plain), '', 2);
    const page = await toPayment();
    expect(hiddenIn(page, 'total')).toBe('4495');
    expect(page.body).toContain('Subscribe and save $4.00');
    expect(page.body).toContain('Upgrade to a subscription: $36.00');
    const upgrade = { do: 'upgrade', line: hiddenIn(page, 'line'), plan: String(MONTHLY) };
    await post('/pay', upgrade);
    const upgraded = await get('/pay');
    expect(hiddenIn(upgraded, 'total')).toBe('4095');
    expect(upgraded.body).toContain('You subscribe to this product.');
    await post('/pay', { do: 'undo', line: hiddenIn(upgraded, 'line') });
    expect(hiddenIn(await get('/pay'), 'total')).toBe('4495');
    await post('/pay', upgrade);
    expect((await pay(await get('/pay'))).statusCode).toBe(303);
    expect(await boughtBy(email)).toMatchObject([{ total: 4095 }]);
    expect(await at.ok('checkout.read', { id })).toMatchObject({ views: 1, purchases: 1 });
    await at.ok('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: false });
  });

  it('makes no carts without end, takes no form of another site, and is not there where it is off', async () => {
    const { add, get } = shopper();
    const { app, services } = at.server;
    const foreign = await app.inject({
      method: 'POST',
      url: '/shop/1/cart/add',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      payload: `id=${platform(at.goods.plain)}`,
    });
    expect(foreign.statusCode).toBe(403);
    expect((await get('/cart')).headers['set-cookie']).toBeUndefined();
    const made = await query(
      `insert into shop_carts (store_id, id, data, network) select 1, 'many' || n, '{"lines":[]}', network
        from (select network from shop_carts limit 1) c, generate_series(1, 200) n returning id`,
    );
    const refused = await add(platform(at.goods.plain));
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    await query('delete from shop_carts where id = any($1)', [made.map(one => one.id)]);
    const config = services.config as { shop?: boolean };
    config.shop = false;
    expect((await get('')).statusCode).toBe(404);
    config.shop = true;
    expect((await get('')).statusCode).toBe(200);
  });
});
