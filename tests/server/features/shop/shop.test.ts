// The shop on a running server: what is bought costs what the pages say, once, and whatever comes between ends well.
import { describe, expect, it } from 'vitest';
import { unfinishedPurchases } from '../../../../src/server/features/shop/jobs/unfinished-purchases.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { offerPlans } from '../subscriptions/fixture.ts';
import { visitor } from '../portal/visitor.ts';
import { CARD, DECLINED, GIFT, hiddenIn, shopperAt } from './shopper.ts';

const [MONTHLY, FORTNIGHTLY] = [88_101, 88_102];
const platform = (variant: number): number => 700_000 + variant;

describe.each(oneEngine)('the shop on %s', engine => {
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

  /** A subscription whose first order was declined, and its customer at their own page. */
  const declinedOnce = async () => {
    const made = await at.make({ tokens: ['tok_decline_insufficient_funds'] });
    await at.ok('settings.set', {
      ...(await at.ok('settings.get', { settingsPage: 'paymentRecovery' })),
      settingsPage: 'paymentRecovery',
      retryOnCardUpdate: true,
    });
    const { portalLink } = await at.ok('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    const url = pathname + search;
    const pays = { url, ...visitor(at, () => url) };
    expect((await pays.press(await pays.ask('NOW'))).status).toBe(409);
    return { made, pays };
  };

  it('sells a subscription with what is bought once, in German, at the worked price; however often it is pressed', async () => {
    const { goods } = at;
    await offerPlans(at.server, [goods.plain, goods.other]);
    await query("insert into records (store_id, entity, position, data) values (1, 'store-language', 2, $1)", [
      JSON.stringify({ locale: 'de', name: 'German', isPublished: true, isPrimary: false }),
    ]);
    const { id: widget } = await at.ok('widgets.create', { name: 'On the page' });
    const { get, post, add, toPayment, pay, email } = shopper('de-AT,de;q=0.9');
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
      /^default-src 'none'; script-src 'self'; connect-src 'self'; frame-src 'self'; style-src 'sha256-/,
    );
    const fields = { id: String(platform(goods.plain)), selling_plan: String(MONTHLY), quantity: '2' };
    const added = await post('/cart/add', { ...fields, 'properties[_perennial_widget]': String(widget) });
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
    // However often “Pay” is pressed, the widget brought one purchase.
    expect(await at.ok('widgets.read', { id: widget })).toMatchObject({ purchases: 1, visitorsSaw: 0 });
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
    // Who comes back meets an empty cart, which leads to the order.
    const emptied = (await get('/cart')).body;
    for (const text of ['Ihr Warenkorb ist leer', 'ist bezahlt.', `href="${first?.headers.location}"`]) expect(emptied).toContain(text);
  });

  it('a declined card is explained, a mistyped one stays as it was typed, and nothing is made; another card pays', async () => {
    const { get, add, toPayment, pay, email } = shopper();
    await limit(at.goods.other, 5);
    await add(platform(at.goods.other), FORTNIGHTLY, 3);
    const page = await toPayment();
    const before = await counts();
    // The answer is no page of its own, to which a back button or a reload could lead.
    const answer = await pay(page, DECLINED);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/shop/1/pay']);
    const declined = await get('/pay');
    for (const text of ['The card was declined. Nothing was charged.', 'value="Ann Lee"']) expect(declined.body).toContain(text);
    for (const text of ['4000 0000 0000 0002"', 'value="123"']) expect(declined.body).not.toContain(text);
    expect(await counts()).toEqual(before);
    const wrong = await pay(declined, { ...CARD, number: '4242 4242 4242 4243' });
    expect([wrong.statusCode, wrong.body.includes('value="4242 4242 4242 4243"')]).toEqual([422, true]);
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
    expect((await pay(page)).headers.location).toBe('/shop/1/pay?notice=price');
    const changed = await get('/pay?notice=price');
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

  it('a gift is bought without an address of its giver, is paid once however often it is pressed, and both hear of it', async () => {
    const { goods } = at;
    await at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true });
    const terms = { orders: 3, intervalCount: 1, interval: 'MONTH', discountType: 'PERCENTAGE', discountValue: '10' };
    const program = await at.ok('gift-programs.create', {
      name: 'Coffee for a friend',
      plans: [{ label: '3 months', ...terms }],
      shippingMode: 'PER_ORDER',
      shippingPricePerOrder: '10',
      variantIds: [goods.plain],
    });
    await at.ok('gift-programs.activate', { id: program.id });
    const { id: widget } = await at.ok('gift-widgets.create', { name: 'For friends' });
    const translations = [{ key: `plans.${program.plans[0].loopId}.label`, value: 'Drei Monate' }];
    await at.ok('multilingual.update_localized_entity_translations', {
      ...{ localizedEntityType: 'GIFT_PROGRAM', localizedEntityId: String(program.id), localeStoreId: 'de', translations },
    });
    const { get, post, pay, email } = shopper('de');
    expect((await get('/products/goods-other')).body).not.toContain('perennial-gift');
    const product = await get('/products/goods-plain');
    expect(product.body).toContain('<perennial-gift product-id="600501" template="product"><a class="give" href="/shop/1/gift/goods-plain');
    const form = await get('/gift/goods-plain');
    // 3 × 20.00 less 10 %.
    for (const text of ['Drei Monate', '3 Lieferungen, jeden Monat', '54,00', '30,00', 'zuzüglich']) expect(form.body).toContain(text);
    // What the element on the product's page sends is gone on with, as no success: a script lets the browser show it.
    const begun = await post('/cart/add', {
      id: String(platform(goods.plain)),
      'properties[_gift_recipient_name]': 'Jonas Maria Berg',
      'properties[_gift_recipient_email]': 'jonas@mail.example',
      'properties[_gift_message]': 'Alles Gute!',
      'properties[_gift_widget]': String(widget),
    });
    expect(begun.statusCode).toBe(422);
    for (const text of ['value="Jonas Maria Berg"', 'value="jonas@mail.example"', '>Alles Gute!</textarea>'])
      expect(begun.body).toContain(text);
    const by = hiddenIn(begun, 'widget');
    const gift = { ...GIFT, variant: String(platform(goods.plain)), plan: program.plans[0].loopId, widget: by };
    const wrong = await post('/gift/goods-plain', { ...gift, firstName: ' ', zip: '1', day: '2020-01-01' });
    expect(wrong.statusCode).toBe(422);
    for (const text of ['id="e-firstName"', 'id="e-zip"', 'id="e-day"', 'value="Brooklyn"']) expect(wrong.body).toContain(text);
    expect((await post('/gift/goods-plain', gift)).headers.location).toBe('/shop/1/cart?notice=added');
    const cart = await get('/cart');
    for (const text of ['Geschenk für Jonas Berg · 3 Lieferungen, jeden Monat', '84,00']) expect(cart.body).toContain(text);
    // The same gift, changed: it is no second one.
    const [, edit = ''] = /edit=([0-9a-f]+)/.exec(cart.body) ?? [];
    const change = await get(`/gift/goods-plain?edit=${edit}`);
    expect(change.body).toContain('value="jonas@mail.example"');
    await post('/gift/goods-plain', { ...gift, edit, message: 'Für Dich', widget: hiddenIn(change, 'widget') });
    expect((await get('/checkout')).body).not.toContain('name="address1"');
    const person = { email, firstName: 'Ann', lastName: 'Lee' };
    expect((await post('/checkout', { ...person, email: GIFT.email })).statusCode).toBe(422);
    await post('/checkout', person);
    const page = await get('/pay');
    expect(hiddenIn(page, 'total')).toBe('8400');
    expect((await pay(page, DECLINED)).headers.location).toMatch(/^\/shop\/1\/pay/);
    const presses = await Promise.all([pay(page), pay(page), pay(page)]);
    const thanks = String(presses[0]?.headers.location);
    expect(thanks).toMatch(/^\/shop\/1\/thanks\/\d+$/);
    expect(presses.map(({ headers }) => headers.location)).toEqual([thanks, thanks, thanks]);
    const given = await query(
      `select g.id, g.status, g.message, g.paid_amount::integer as paid, k.next_cycle, k.payment_method_id as card
      from gifts g join contracts k on k.store_id = g.store_id and k.id = g.id where g.giver_email = $1`,
      [email],
    );
    expect(given).toMatchObject([{ status: 'ACTIVE', message: 'Für Dich', paid: 8400, card: null }]);
    expect(await chargesOf(8400)).toHaveLength(2);
    const letters = await query('select template, recipient from outbox where contract_id = $1 order by template', [given[0].id]);
    expect(letters).toEqual([
      { template: 'GIFT_SUBSCRIPTION_CREATED', recipient: email },
      { template: 'GIFT_SUBSCRIPTION_RECEIVED', recipient: GIFT.email },
    ]);
    const [buyer] = await query(
      `select id, (select count(*)::integer from payment_methods m where m.customer_id = c.id) as cards,
        (select count(*)::integer from customer_addresses a where a.customer_id = c.id) as addresses from customers c where email = $1`,
      [email],
    );
    expect(buyer).toMatchObject({ cards: 0, addresses: 0 });
    const said = await get(thanks.replace('/shop/1', ''));
    for (const text of ['Ihr Geschenk für Jonas', 'Jonas erfährt jetzt per E-Mail davon', 'Weiter wird nichts abgebucht.'])
      expect(said.body).toContain(text);
    expect((await get('/cart')).body).toContain('Ihr Warenkorb ist leer');
    expect(await at.ok('gift-widgets.read', { id: widget })).toMatchObject({ purchases: 1, visitorsSaw: 0 });
  });

  it('a gift that costs something else, is sold out or is not offered any more is named before anything is charged', async () => {
    const [{ data }] = await query("select data from records where entity = 'gift-program' and store_id = 1 order by id desc limit 1");
    const { get, post, add, toPayment, pay, email } = shopper();
    const gift = { ...GIFT, variant: String(platform(at.goods.plain)), plan: data.plans[0].loopId, quantity: '2' };
    await limit(at.goods.plain, 4);
    await add(platform(at.goods.plain), MONTHLY, 2);
    await post('/gift/goods-plain', gift);
    // Two of its own and two that are given away: there is no fifth.
    expect((await post('/gift/goods-plain', { ...gift, quantity: '1' })).body).toContain('It is sold out.');
    const page = await toPayment();
    // 2 × 20.00 less 10 % with 4.95 for shipping; 6 × 20.00 less 10 % with three times 10.00.
    expect(hiddenIn(page, 'total')).toBe(String(3600 + 495 + 10_800 + 3000));
    await query('update variants set price = 2500 where id = $1', [at.goods.plain]);
    expect((await pay(page)).headers.location).toMatch(/\/pay\?notice=price/);
    await query('update variants set price = 2000 where id = $1', [at.goods.plain]);
    await limit(at.goods.plain, 3);
    expect((await pay(page)).headers.location).toBe('/shop/1/cart');
    expect((await get('/cart')).body).toContain('Change or remove the gift for Jonas to go on. There are only 1 left.');
    await limit(at.goods.plain, 4);
    await at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: false });
    expect((await pay(page)).headers.location).toBe('/shop/1/cart');
    expect((await get('/cart')).body).toContain('This store sells no gifts at the moment.');
    expect((await get('/gift/goods-plain')).statusCode).toBe(404);
    await at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: true });
    // Once it is paid nothing keeps it from being made as it was sold.
    const { gateway } = at.server.services;
    const real = gateway.charge.bind(gateway);
    gateway.charge = async charge => {
      const outcome = await real(charge);
      await at.ok('settings.set', { settingsPage: 'gift-preferences', isGiftEnabled: false });
      await query(
        `update records set data = jsonb_set(data, '{shippingPricePerOrder}', '"99"') where entity = 'gift-program' and store_id = 1`,
      );
      return outcome;
    };
    try {
      expect((await pay(await get('/pay'))).headers.location).toMatch(/thanks/);
    } finally {
      gateway.charge = real;
    }
    expect(await query('select paid_amount::integer as paid from gifts where giver_email = $1', [email])).toEqual([{ paid: 13_800 }]);
    expect(await boughtBy(email)).toMatchObject([{ total: 4095 }]);
    expect((await query('select inventory_quantity as left from variants where id = $1', [at.goods.plain]))[0].left).toBe(0);
    await limit(at.goods.plain, null);
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
    const again = await get('/pay');
    expect(hiddenIn(again, 'total')).toBe('4495');
    // A published widget for the checkout names the plan as the platform does; no script of others is loaded beside a card.
    const [, number = ''] = /<perennial-widget type="CHECKOUT"[^>]* plans="(\d+)"/.exec(again.body) ?? [];
    expect(again.body).toContain('data-page="checkout"');
    await post('/pay', { do: 'upgrade', line: upgrade.line, selling_plan: '1' });
    expect(hiddenIn(await get('/pay'), 'total')).toBe('4495');
    await post('/pay', { do: 'upgrade', line: upgrade.line, selling_plan: number });
    expect((await pay(await get('/pay'))).statusCode).toBe(303);
    expect(await boughtBy(email)).toMatchObject([{ total: 4095 }]);
    expect(await at.ok('checkout.read', { id })).toMatchObject({ views: 1, purchases: 1 });
    await at.ok('checkout.updateCheckoutWidget', { isCheckoutWidgetPublished: false });
  });

  it('who is on their own page pays with another card: once, and what was declined is paid with it', async () => {
    const { made, pays } = await declinedOnce();
    const page = await pays.open(pays.url);
    expect(page.body).toContain('role="alert"><p><strong>Your last payment did not go through');
    const form = await pays.open(`${pays.url}&do=CARD`);
    const sent = (number: string, more: Record<string, string> = {}) => pays.fill(form.body, { ...CARD, number, ...more });
    // A real card, a number with a mistake, no security code: each is named below its field, and the rest stays as it was typed.
    for (const [number, more, text] of [
      ['4111 1111 1111 1111', {}, 'Only test cards can be entered here'],
      ['4242 4242 4242 4243', {}, 'This card number has a typing mistake.'],
      [CARD.number, { verificationCode: 'x' }, 'Enter the three or four digits on the card.'],
    ] as const) {
      const wrong = await sent(number, more);
      expect([wrong.status, wrong.body.includes(text), wrong.body.includes('value="Ann Lee"')], text).toEqual([422, true, true]);
      expect(wrong.body).not.toContain('value="123"');
    }
    const methods = (): Promise<any[]> =>
      query('select last_digits from payment_methods where customer_id = $1 order by id', [made.customerId]);
    expect(await methods()).toHaveLength(1);
    const presses = await Promise.all([sent('5555 5555 5555 4444'), sent('5555 5555 5555 4444'), sent('5555 5555 5555 4444')]);
    expect(presses.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await methods()).toEqual([{ last_digits: '4242' }, { last_digits: '4444' }]);
    const orders = await query('select status, attempts from orders where contract_id = $1 order by cycle', [made.id]);
    expect(orders).toEqual([{ status: 'PAID', attempts: 2 }]);
    const after = await pays.open(pays.url);
    expect([after.body.includes('ending in 4444'), after.body.includes('did not go through')]).toEqual([true, false]);
    // Where no cards are taken there is no such page.
    const config = at.server.services.config as { shop?: boolean };
    config.shop = false;
    expect((await pays.open(`${pays.url}&do=CARD`)).statusCode).toBe(403);
    config.shop = true;
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
