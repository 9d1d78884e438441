// The customer portal on a running server: the link, what a customer sees and does behind it, once, and what the store does not allow.
import { cardLink, confirmLink, linkBase } from '../../../../src/server/engine/action-links.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { giftsGivenLink, merchantToken, portalLink } from '../../../../src/server/engine/portal-link.ts';
import { isPageAddress } from '../../../../src/server/platform/http/page-refusals.ts';
import { endingOf } from '../../../../src/server/platform/mail/endings.ts';
import { unsubscribeLink } from '../../../../src/server/platform/mail/unsubscribe.ts';
import { firstVisit } from '../../../../src/server/platform/http/link-secret.ts';
import { buttonsOf, customerBrowser } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { inDays, offerPlans, type Made } from '../subscriptions/fixture.ts';
import { give, offerGifts } from '../gifts/giving.ts';
import { escapeHtml } from '../../../../src/server/platform/http/public-pages.ts';
import { visitor } from './visitor.ts';

/** What every object answers to, and a word that names nothing. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Texts that pages of other tests say: of who gives and has no subscription, of cards at a provider, of a gateway that gives no answer. */
const ELSEWHERE = new Set([
  ...['subscriptionsEmptyTitle', 'subscriptionsEmptyText', 'authenticationNeeded', 'authenticate', 'paymentRunning', 'paymentSecurityText'],
  ...['somethingWrong', 'addProduct', 'zapietChoosePickup', 'zapietNotEligible', 'zapietDelivery'],
]);
const WORDS = ['constructor', '__proto__', 'toString', 'nonsense'] as const;

describe.each(oneEngine)('the customer portal on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 } });
  let made: Made;
  let url: string;
  const seen: string[] = [];

  const { ok: done } = at;
  const set = async (settingsPage: string, over: JsonObject): Promise<void> => {
    await done('settings.set', { ...(await done('settings.get', { settingsPage })), ...over, settingsPage });
  };
  const read = (): Promise<any> => done('subscription-contract.read', { id: made.id });
  const { open, ask, buttons, press, fill } = visitor(at, () => url, seen);

  const subscribe = async (over: JsonObject = {}): Promise<void> => {
    made = await at.make({ nextBillingDateEpoch: inDays(5), ...over });
    const { portalLink } = await done('subscription-contract.customerDetails', { id: made.id });
    const { pathname, search } = new URL(portalLink);
    url = pathname + search;
  };
  beforeEach(async () => {
    await subscribe();
  });

  it('D225 D226 the link leads to the subscription without a login, and to no other', async () => {
    const page = await open(url);
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.body).not.toContain('<script');
    // What browsers look for beside it is no mistake in their console.
    expect((await at.server.app.inject('/favicon.ico')).statusCode).toBe(204);
    for (const text of ['Hi Ann', 'Next order on', 'Goods plain', '1 Elm Street', 'ending in 4242', 'Skip this order'])
      expect(page.body).toContain(text);
    const other = await at.make();
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, customer_id from contracts where store_id = 2 limit 1');
    for (const wrong of [
      url.replace(`subscription/${made.id}`, `subscription/${other.id}`),
      url.replace(`customer/${made.customerId}`, `customer/${other.customerId}`),
      url.replace(/customer.*\?/, `customer/${rows[0].customer_id}/subscription/${rows[0].id}?`),
      url.slice(0, -1),
    ])
      expect((await open(wrong)).statusCode, wrong).toBe(404);
  });

  it('what proves who comes leaves the address of every page at the first visit, and no page holds it', async () => {
    const { services, app } = at.server;
    const { rows } = await services.db.ownerQuery<any>(`select c.id, c.portal_token, k.id as contract from customers c join contracts k
      on k.store_id = c.store_id and k.customer_id = c.id where c.store_id = 2 and k.source <> 'GIFT' limit 1`);
    const other = await at.make({ nextBillingDateEpoch: inDays(9) });
    await done('customers-app.sendPortalLink', { id: other.customerId });
    const { id: quickActionId } = await done('quick-actions.create', { name: 'Skip', type: 'SKIP_ORDER' });
    await done('quick-actions.activate', { id: quickActionId });
    const { giver } = await give(at, await offerGifts(at));
    const [theme] = await done('theme-store.list', { themeType: 'CUSTOMER_PORTAL' });
    const mails = await services.db.ownerQuery<{ id: number; text: string }>('select id, text from outbox where store_id = 1');
    const stores = await services.db.ownerQuery<{ id: number; link_secret: string }>('select id, link_secret from stores where id = 1');
    const charts = await services.db.ownerQuery<{
      id: number;
    }>(`insert into outbox (store_id, template, recipient, subject, text, dedupe_key)
      values (1, 'ADMIN_CHART_WEEKLY', 'amira@fernandember.example', 'x', 'x', 'CHART:1:2026-11-23:1001') returning id`);
    const letter = { base: linkBase(services.config) ?? '', store: stores.rows[0]!, mail: charts.rows[0]!.id, language: 'en', say: String };
    // What customers and merchants are given: each by the product itself.
    const given: string[] = [
      (await done('subscription-contract.customerDetails', { id: made.id })).portalLink,
      portalLink(services.config, rows[0], rows[0].contract, new Date()),
      (await done('quick-actions.makeLink', { quickActionId, subscriptionId: made.id })).url,
      (await done('quick-actions.makeLink', { quickActionId, subscriptionId: other.id })).url,
      (await done('theme-store.preview', { id: theme.id })).url,
      unsubscribeLink('https://admin.example', stores.rows[0]!, mails.rows[0]!.id),
      cardLink(linkBase(services.config), stores.rows[0]!, made.id, new Date()) ?? '',
      confirmLink(linkBase(services.config), stores.rows[0]!, { contract_id: made.id, id: made.id * 10_000 + 1 }, new Date()) ?? '',
      giftsGivenLink(services.config, { id: giver, portal_token: 'b'.repeat(32) }, new Date()) ?? '',
      endingOf({ purpose: 'contract', ends: 'chart' }, letter)?.href ?? '',
      ...mails.rows.flatMap(({ text }) => text.match(/https?:\/\/[^\s<>"]+/g) ?? []),
    ];
    const links = given
      .map(one => new URL(one))
      .flatMap(({ pathname, search }) => (isPageAddress(services.pages, pathname) ? [pathname + search] : []));
    expect(links.length).toBeGreaterThan(given.length / 2);
    const browser = customerBrowser(() => app);
    const shown: { location: string; body: string }[] = [];
    const books = async (): Promise<unknown> =>
      (
        await services.db.ownerQuery(
          `select ${[
            'contracts',
            'contract_lines',
            'contract_discounts',
            'orders',
            'billing_attempts',
            'events',
            'outbox',
            'customers',
            'records',
          ]
            .map(table => `(select md5(string_agg(t::text, ',' order by id)) from ${table} t) as ${table}`)
            .join()}`,
        )
      ).rows;
    const before = await books();
    for (const page of services.pages) {
      if (page.secret === null) {
        // Its address is for everybody; the query of such a page is not even read.
        expect(page.path).not.toMatch(/token|key|secret|sign/i);
        continue;
      }
      const mine = links.filter(link => new RegExp(`^${page.path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`).test(link));
      expect(mine.length, `a link that leads to ${page.path}`).toBeGreaterThan(0);
      for (const link of mine) {
        const [secret = ''] = link.match(/[\w-]{20,}/g) ?? [];
        expect(secret, link).not.toBe('');
        const first = await browser.send(link);
        const location = String(first.headers.location);
        expect([first.statusCode, first.headers['cache-control'], first.headers['referrer-policy']], link).toEqual([
          303,
          'no-store',
          'no-referrer',
        ]);
        expect(location).not.toMatch(/[\w-]{20,}/);
        const [, scope = '', age] =
          new RegExp(`^perennial\\.visit=${secret}; Path=([^;]+); Max-Age=(\\d+); HttpOnly; SameSite=Lax$`).exec(
            String(first.headers['set-cookie']),
          ) ?? [];
        expect(location === scope || location.startsWith(`${scope}/`), `${location} of ${scope}`).toBe(true);
        expect(Number(age)).toBeGreaterThan(0);
        expect(Number(age)).toBeLessThanOrEqual(30 * 86_400);
        const { body, headers, statusCode } = await browser.send(location);
        // A store that takes its cards itself has no provider's page to lead to, and says so.
        const wanted = /^\/(card|confirm)\//.test(location) ? expect.toBeOneOf([200, 403, 404, 409]) : 200;
        expect([statusCode, headers['referrer-policy'], body.includes(secret)], location).toEqual([wanted, 'no-referrer', false]);
        shown.push({ location, body });
        expect(body, location).toMatch(/^<!doctype html>\s*<html lang="[a-z]{2}[\w-]*" dir="(?:ltr|rtl)">/i);
        // Looking redeems nothing, at the address of a button neither: programs that check mail open all that they find.
        for (const action of buttonsOf({ address: location, body })) await browser.send(action);
        // A browser that took no cookie gets a page that says what to do, whatever it asks for.
        for (const method of ['GET', ...(page.post ? (['POST'] as const) : [])] as const) {
          const stranger = await app.inject({ method, url: location });
          expect([stranger.statusCode, stranger.body.includes('Open your link again')], location).toEqual([404, true]);
        }
        const params = Object.fromEntries(
          [...page.path.matchAll(/:(\w+)/g)].map(([, name]) => [
            name,
            decodeURIComponent(link.split(/[/?]/)[page.path.split('/').indexOf(`:${name}`)] as string),
          ]),
        );
        const query = Object.fromEntries(new URLSearchParams(link.split('?')[1] ?? ''));
        const config = { ...services.config, portalUrl: 'https://portal.example' };
        const behindTls = await firstVisit(
          { ...page, secret: page.secret },
          { ...services, config },
          { params, query, form: {} },
          'portal.example',
        );
        expect(behindTls?.cookie).toMatch(/; Secure$/);
      }
    }
    expect(await books()).toEqual(before);
    // People and stores of one browser have each their own, whatever was opened last; a page shows what it did.
    const withoutTimes = (html: string): string => html.replaceAll(/v=\d+/g, '');
    for (const { location, body } of shown) expect(withoutTimes((await browser.send(location)).body), location).toBe(withoutTimes(body));
    // A page that names no address to servers has forms that come from "null"; the browser says beside it whether they are of the page.
    const [button = ''] = buttonsOf(await browser.open(links[2] as string));
    const from = (site: Record<string, string>) => browser.send(button, 'POST', { headers: { origin: 'null', ...site } });
    for (const site of ['cross-site', 'same-site', 'none']) expect((await from({ 'sec-fetch-site': site })).statusCode, site).toBe(403);
    expect((await from({ 'sec-fetch-site': 'same-origin' })).body).toContain('Your next order is skipped.');
    await done('quick-actions.deactivate', { id: quickActionId });
  });

  it('D226 a customer ends advertising and begins it again, as behind the link of a letter', async () => {
    const gets = async (): Promise<unknown> => (await done('customers-app.read', { id: made.customerId })).getsAdvertising;
    expect([(await open(url)).body.includes('Get no more advertising by e-mail'), await gets()]).toEqual([true, true]);
    const ended = await press(await ask('ADVERTISING'));
    expect(ended.body).toContain('This store sends you no more advertising.');
    expect([ended.body.includes('Get advertising again'), await gets()]).toEqual([true, false]);
    expect((await press(await ask('ADVERTISING'))).body).toContain('This store may send you advertising again.');
    expect(await gets()).toBe(true);
    const { data: activity } = await at.server.call('subscription-contract.activity', { id: made.id });
    expect((activity as JsonObject[]).filter(({ source }) => source === 'Customer portal').map(({ key }) => key)).toEqual([
      'advertising_resumed',
      'advertising_ended',
    ]);
  });

  it('shows the pictures of products, beside their names', async () => {
    expect((await open(url)).body).not.toContain('<img');
    await at.server.services.db.exec(
      `update contract_lines set image = 'https://pictures.example/plain.png?of="goods"&size=64' where contract_id = ${made.id}`,
    );
    const page = await open(url);
    expect(page.body).toContain('<img src="https://pictures.example/plain.png?of=&#34;goods&#34;&#38;size=64" alt=""');
    expect(page.headers['content-security-policy']).toContain("img-src 'self' https://pictures.example/plain.png;");
  });

  it('names a bundle that keeps its contents secret, and nothing of what is in it: on every page, and behind every link', async () => {
    const { db } = at.server.services;
    const secret = {
      id: 'box',
      bundleId: 1,
      name: 'Surprise box',
      bundleType: 'PRESET',
      variantId: 1,
      quantity: 2,
      isOnce: false,
      isSecret: true,
    };
    const other = await at.make({ nextBillingDateEpoch: inDays(5) });
    await db.ownerQuery('update contracts set customer_id = $1 where id = $2', [made.customerId, other.id]);
    for (const { id } of [made, other]) {
      await db.ownerQuery('update contracts set bundles = $1::jsonb where id = $2', [JSON.stringify([secret]), id]);
      await db.ownerQuery("update contract_lines set bundle_transaction_id = 'box' where contract_id = $1", [id]);
    }
    const action = await done('quick-actions.create', { name: 'Skip once', type: 'SKIP_ORDER', description: 'Yours: {{products}}' });
    await done('quick-actions.activate', { id: action.id });
    const link = new URL((await done('quick-actions.makeLink', { quickActionId: action.id, subscriptionId: made.id })).url).pathname;
    const first = await open(url);
    const inside = [...first.body.matchAll(/href="(\?[^"]+)"/g)].map(
      ([, query]) => url.split('?')[0] + (query as string).replaceAll('&#38;', '&'),
    );
    expect(inside.length).toBeGreaterThan(2);
    for (const address of [url, link, ...inside]) {
      const { body } = await open(address);
      expect(body, address).not.toContain('Goods plain');
      if (address === url || address === link) expect(body).toContain('Surprise box');
    }
    // The list of the customer's other subscriptions.
    expect(first.body.split('Surprise box').length).toBeGreaterThan(2);
  });

  it('leads no customer to a gift, which is not on the page', async () => {
    await at.server.services.db.exec(`update contracts set source = 'GIFT' where id = ${made.id}`);
    expect((await open(url)).statusCode).toBe(404);
    expect((await done('subscription-contract.customerDetails', { id: made.id })).portalLink).toBeNull();
    expect((await done('customers-app.read', { id: made.customerId })).hasPortalPage).toBe(false);
    expect((await at.server.call('customers-app.sendPortalLink', { id: made.customerId })).status).toBe(409);
  });

  it('no page for customers answers JSON, whatever is wrong: each refusal is a page in the language of its reader', async () => {
    const { app, services } = at.server;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const wrong: [method: 'GET' | 'POST' | 'PUT', path: (path: string) => string, headers?: Record<string, string>, payload?: string][] = [
      ['GET', path => path],
      ['POST', path => path, form, 'a=b'],
      ['PUT', path => path],
      ['GET', path => `${path}/further`],
      ['GET', path => `${path}%zz`],
      ['GET', path => `${path}${'x'.repeat(400)}`],
      ['GET', path => `${path}?do=%00`],
      ['GET', path => `${path}?do=constructor&do=x`],
      ['POST', path => path, { ...form, origin: 'https://elsewhere.example' }, 'a=b'],
      ['POST', path => path, { 'content-type': 'text/plain' }, 'a'],
      ['POST', path => path, { 'content-type': 'application/json' }, '{'],
      ['POST', path => path, form, `a=${'x'.repeat(30_000)}`],
    ];
    // Files of the storefront are read by scripts alone.
    for (const { path } of services.pages.filter(page => !page.path.startsWith('/storefront/')))
      for (const [method, address, headers = {}, payload] of wrong) {
        // No store and no record has the number 0.
        const asked = address(path.replaceAll(/:\w+/g, '0'));
        const answer = await app.inject({
          method,
          url: asked,
          headers: { 'accept-language': 'de', ...headers },
          ...(payload ? { payload } : {}),
        });
        const what = `${method} ${asked.slice(0, 80)}: ${answer.statusCode}`;
        expect(answer.statusCode, what).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode, what).toBeLessThan(500);
        expect(answer.headers['content-type'], what).toBe('text/html; charset=utf-8');
        expect(answer.body, what).toContain('<html lang="de"');
        expect(answer.headers['content-security-policy'], what).toMatch(/^default-src 'none'/);
      }
    // An error of ours on the page of a customer who reads German, in a browser that asks for English.
    await services.db.exec(
      `update customers set locale = 'de' where id = ${made.customerId}; alter table contract_discounts rename to gone`,
    );
    try {
      const broken = await open(url, 'GET', { headers: { 'accept-language': 'en' } });
      expect([broken.statusCode, broken.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
      expect(broken.body).toContain('Bei uns ist etwas schiefgegangen');
    } finally {
      await services.db.exec('alter table gone rename to contract_discounts');
    }
  });

  it('a word that every object answers to names nothing, in whatever field of a page it stands', async () => {
    const first = await open(url);
    const links = [...first.body.matchAll(/href="(\?[^"]+)"/g)].map(([, href = '']) => new URLSearchParams(href.replaceAll('&#38;', '&')));
    const kinds = new Map(links.map(query => [String(query.get('do')), query]));
    expect(kinds.size).toBeGreaterThan(5);
    // The file of an action says by which page customers do it: the right to it follows from there.
    const known = Object.values(at.server.services.definitions.actions).flatMap(one => Object.keys(one.in.portal ?? {}));
    expect([...kinds.keys()].filter(id => id !== 'null' && !known.includes(id))).toEqual(['ADVERTISING']);
    // Fields that a page gives: in addresses of links and buttons, and in forms.
    const fields = new Set(['told', 'a', 'attempt', 'step', 'treatment', 'choice', 'v', 'day']);
    for (const query of kinds.values()) {
      const { body } = await open(`${first.address}?${query}`);
      for (const [, name = ''] of body.matchAll(/[?&;]([a-z]+)=|name="(\w+)"/g)) if (name) fields.add(name);
    }
    const { send } = customerBrowser(() => at.server.app);
    await send(url);
    for (const query of kinds.values())
      for (const name of ['do', ...fields])
        for (const word of name === 'do' ? WORDS : WORDS.slice(0, 1))
          for (const method of ['GET', 'POST'] as const) {
            const changed = new URLSearchParams([...query].filter(([other]) => other !== name).concat([[name, word]]));
            const { statusCode } = await send(`${first.address}?${changed}`, method);
            expect(statusCode, `${method} ${changed}`).toBeLessThan(500);
          }
    expect(await read()).toMatchObject({ status: 'ACTIVE', version: made.view.version });
  });

  it('asks before it does something, does it once, and writes down who did', async () => {
    const before = await read();
    const asked = await ask('SKIP');
    expect(asked).toContain('Skip the order of');
    expect((await read()).version).toBe(before.version);
    expect((await press(asked)).body).toContain('is skipped. Nothing is charged for it.');
    const after = await read();
    expect(after.nextBillingDateEpoch).toBeGreaterThan(before.nextBillingDateEpoch);
    expect((await press(asked)).body).toContain('has changed since you opened that page');
    expect(await read()).toEqual(after);
    const activity = await done('subscription-contract.activity', { id: made.id, limit: 20 });
    expect(activity.filter((one: JsonObject) => one.key === 'order_skipped')).toMatchObject([{ source: 'Customer portal' }]);
    await press(await ask('UNSKIP'));
    expect((await read()).nextBillingDateEpoch).toBe(before.nextBillingDateEpoch);
  });

  it('skips the orders of a holiday, whose days are filled in and read again before it is done', async () => {
    const day = (days: number): string => new Date(inDays(days) * 1000).toISOString().slice(0, 10);
    const form = await ask('HOLIDAY');
    expect([...form.matchAll(/for="f-(\w+)"/g)].map(([, name]) => name)).toEqual(['from', 'until', 'note']);
    const missing = await fill(form, { from: day(1), until: '', note: 'By the <sea>' });
    expect([missing.status, missing.body.includes('Last day away is required'), missing.body.includes('By the &#60;sea&#62;')]).toEqual([
      ...[422, true, true],
    ]);
    // What only the action itself knows of its input.
    expect((await fill(form, { from: day(9), until: day(2), note: '' })).body).toContain('Choose a day on or after the first one');
    const asked = await fill(form, { from: day(1), until: day(10), note: 'By the <sea>' });
    expect([asked.status, asked.body.includes('Note for the store: By the &#60;sea&#62;')]).toEqual([200, true]);
    expect(await read()).toMatchObject({ version: made.view.version });
    // A button with other days is another button.
    expect((await fill(asked.body, { until: day(90) })).body).toContain('This has changed since you opened the page');
    const after = await press(asked.body);
    expect(after.body).toContain('Nothing comes while you are away.');
    expect(await read()).toMatchObject({ note: 'By the <sea>', status: 'ACTIVE' });
    expect((await read()).nextBillingDateEpoch).toBeGreaterThan(inDays(10));
    const none = await fill(form, { from: day(1), until: day(2), note: '' });
    expect((await press(none.body)).body).toContain('No order comes in these days.');
  });

  it('moves, pauses, resumes, changes quantities, charges and cancels', async () => {
    const day = new Date((inDays(20) + 3600) * 1000).toISOString().slice(0, 10);
    const moved = await press(await ask('DATE', `&day=${day}`));
    expect(moved.body).toContain('Your next order is now on');
    expect(buttons(await ask('DATE', `&day=2099-01-01`))).toEqual([]);
    const line = made.lines[0]?.id;
    await press(await ask('QUANTITY', `&of=${line}&quantity=3`));
    expect((await read()).lines[0]).toMatchObject({ quantity: 3 });
    await press(await ask('REMOVE', `&of=${made.lines[1]?.id}`));
    expect((await read()).lines).toHaveLength(1);
    expect(await ask('REMOVE', `&of=${line}`)).toContain('A subscription needs at least one product.');
    expect((await press(await ask('NOW'))).status).toBe(303);
    expect(await read()).toMatchObject({ completedOrdersCount: 1, lastPaymentStatus: 'SUCCESS' });
    await press(await ask('PAUSE'));
    expect(await read()).toMatchObject({ status: 'PAUSED' });
    expect((await press(await ask('RESUME'))).body).toContain('Welcome back.');
    await set('cancellation-flow', { reasonsEnabled: false });
    expect((await press(await ask('CANCEL'))).body).toContain('Your subscription is cancelled.');
    expect(await read()).toMatchObject({ status: 'CANCELLED', cancellationSource: 'CUSTOMER' });
    await set('cancellation-flow', { reasonsEnabled: true });
    await press(await ask('REACTIVATE'));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });

  it('adds what an upsell profile offers, and counts that it was seen', async () => {
    const { id } = await done('upsell-profiles.create', {
      name: 'Extras',
      productSource: 'MANUAL',
      items: [{ productId: at.goods.other }],
      purchaseTypes: ['ONETIME'],
      heading: 'More for you',
    });
    await done('upsell-profiles.activate', { id });
    expect((await open(url)).body).toContain('More for you');
    await press(await ask('ADD', `&of=${at.goods.other}`));
    expect((await read()).lines).toHaveLength(3);
    const { rows } = await at.server.services.db.ownerQuery<any>(
      "select happened, place from offer_events where kind = 'UPSELL' and contract_id = $1 order by id",
      [made.id],
    );
    expect(rows).toEqual([
      { happened: 'VIEWED', place: 'PORTAL' },
      { happened: 'OPENED', place: 'PORTAL' },
      { happened: 'ACCEPTED', place: 'PORTAL' },
    ]);
    await done('upsell-profiles.deactivate', { id });
  });

  it('shows what it may be upgraded to, compares, puts it away and back, and upgrades once at the price that was shown', async () => {
    await offerPlans(at.server, [at.goods.plain, at.goods.other]);
    await subscribe({ lines: [{ variantId: at.goods.plain, quantity: 2, discountType: 'NONE' }] });
    const { id } = await done('upgrade-profiles.create', {
      ...{ name: 'More', productsMapping: [{ oldVariantId: at.goods.plain, newVariantId: at.goods.other, newQuantity: 3 }] },
      bannerTexts: [{ fieldKey: 'upgradeBannerTitle', value: 'More of {{current_product}}, {{customer_first_name}}?' }],
      discount: { type: 'PERCENTAGE', value: '25' },
    });
    await done('upgrade-profiles.activate', { id });
    const line = (await read()).lines.find((one: any) => one.variantId === at.goods.plain);
    const first = (await open(url)).body;
    expect(first).toContain('Your orders will be listed here.');
    for (const text of ['More of Goods plain, Ann?', 'See upgrade', 'Not now']) expect(first).toContain(text);
    const asked = await ask('UPGRADE', `&of=${line.id}`);
    for (const text of ['You get now', 'After the upgrade', '3 × Goods other', 'every month', 'You save', 'Starts with your order on'])
      expect(asked).toContain(text);
    const putAway = buttons(first).findIndex(one => one.includes('do=PUT_AWAY'));
    const after = (await press(first, putAway)).body;
    expect(after).not.toContain('More of Goods plain');
    // It stands in the way no more, and is there all the same.
    expect(after).toContain('Upgrade available');
    // Another price is another question.
    await at.server.services.db.exec(`update variants set price = price * 2 where id = ${at.goods.other}`);
    expect((await press(asked)).status).toBe(409);
    // And so is another quantity, or another frequency.
    const say = (said: string) =>
      at.server.services.db.exec(`update records set data = data || '${said}' where entity = 'upgrade-profile' and id = ${id}`);
    const priced = await ask('UPGRADE', `&of=${line.id}`);
    const mapping = (newQuantity: number) => [{ oldVariantId: at.goods.plain, newVariantId: at.goods.other, newQuantity }];
    await say(JSON.stringify({ productsMapping: mapping(9) }));
    expect((await press(priced)).status).toBe(409);
    const frequencies = [{ oldFrequency: { interval: 'MONTH', intervalCount: 1 }, newFrequency: { interval: 'WEEK', intervalCount: 2 } }];
    await say(JSON.stringify({ productsMapping: mapping(3), type: 'SKU_UPGRADE_FREQUENCY_CHANGE', frequencies }));
    const often = await ask('UPGRADE', `&of=${line.id}`);
    expect(often).toContain('every 2 weeks');
    expect((await press(priced)).status).toBe(409);
    await say(JSON.stringify({ type: 'SKU_UPGRADE' }));
    expect((await press(often)).status).toBe(409);
    const again = await ask('UPGRADE', `&of=${line.id}`);
    expect((await press(again)).body).toContain('Your subscription was upgraded.');
    expect((await read()).lines).toContainEqual(expect.objectContaining({ variantId: at.goods.other, quantity: 3 }));
    const lines = (await read()).lines;
    await press(again);
    expect((await read()).lines).toEqual(lines);
    const { rows } = await at.server.services.db.ownerQuery<any>(
      "select happened from offer_events where kind = 'UPGRADE' and contract_id = $1 and place = 'PORTAL' order by id",
      [made.id],
    );
    expect(rows.map(one => one.happened)).toEqual(['VIEWED', 'OPENED', 'DISMISSED', 'ACCEPTED']);
    await done('upgrade-profiles.deactivate', { id });
    await at.server.services.db.exec(`update variants set price = price / 2 where id = ${at.goods.other}`);
  });

  it('another way of delivery is chosen where the store lets customers, at the price that was said', async () => {
    expect(await ask('DELIVERY')).not.toContain('Change delivery');
    await set('portal-preferences', { changeDeliveryMethod: true });
    const before = (await read()).deliveryMethod;
    const asked = await ask('DELIVERY');
    expect(asked).toContain('How do you want to get it?');
    const pickup = asked.split('<form').findIndex(part => part.includes('Store pickup'));
    expect(pickup).toBeGreaterThanOrEqual(0);
    const { status, body } = await press(asked, pickup);
    expect(status).toBe(303);
    expect(body).not.toContain('1 Elm Street</p>');
    const after = (await read()).deliveryMethod;
    expect([before.type, after.type]).toEqual(['SHIPPING', 'PICKUP']);
    // Back again, to the address that is known.
    const back = await ask('DELIVERY');
    await press(
      back,
      back.split('<form').findIndex(part => part.includes('Shipping ·')),
    );
    expect((await read()).deliveryMethod.type).toBe('SHIPPING');
    await set('portal-preferences', { changeDeliveryMethod: false });
  });

  it('a button does what it said, or tells that the store offers something else by now', async () => {
    const week = (count: number): JsonObject => ({ interval: 'WEEK', intervalCount: count });
    const spans = { delayOrder: true, delayOptions: [week(1)], pauseIntervals: [{ interval: 'MONTH', intervalCount: 1 }] };
    await set('portal-preferences', spans);
    for (const [id, then, shows] of [
      ['DELAY', { delayOptions: [week(3)] }, 'By 3 weeks'],
      ['PAUSE', { pauseIntervals: [{ interval: 'MONTH', intervalCount: 3 }] }, 'For 3 months'],
    ] satisfies [string, JsonObject, string][]) {
      const asked = await ask(id);
      await set('portal-preferences', then);
      const before = await read();
      const answer = await press(asked);
      expect(answer.status).toBe(409);
      expect(answer.body).toContain('so nothing was done');
      expect(answer.body).toContain(shows);
      expect(await read()).toEqual(before);
    }
    await set('portal-preferences', { ...spans, delayOrder: false });
    // What is paid is said, and another amount is not charged.
    const now = await ask('NOW');
    expect(now).toContain('Your order over $44.95 is charged now and sent at once.');
    await at.server.services.db.exec(`update contract_lines set price = 3000, base_price = 3000 where contract_id = ${made.id}`);
    expect((await press(now)).body).toContain('Your order over $64.95 is charged now and sent at once.');
    expect((await read()).completedOrdersCount).toBe(0);
    for (const body of [await ask('PAUSE'), now]) for (const button of buttons(body)) expect(button).toMatch(/[?&]choice=[\w-]{16}(&|$)/);
  });

  it('pays an order that was declined again, in place of the one behind it, and tells what became of it', async () => {
    await subscribe({ tokens: ['tok_decline_insufficient_funds'] });
    for (let i = 0; i < 2; i++) {
      const refused = await press(await ask('NOW'));
      expect(refused.status).toBe(409);
      expect(refused.body).toContain('Your bank declined the payment. Try another payment method. We try again on');
    }
    const { rows } = await at.server.services.db.ownerQuery<any>('select cycle, status, attempts from orders where contract_id = $1', [
      made.id,
    ]);
    expect(rows).toEqual([{ cycle: 1, status: 'FAILED', attempts: 2 }]);
  });

  it('says what a frequency costs, and which deliveries are paid, before anything is charged or lost', async () => {
    const { server, goods } = at;
    await offerPlans(server, [goods.plain, goods.other]);
    const ahead = {
      lspId: 88_103,
      name: 'Ahead',
      optionLabel: 'Ahead',
      recurringBillingPolicyInterval: 'MONTH',
      recurringBillingPolicyIntervalCount: 3,
      recurringDeliveryPolicyInterval: 'MONTH',
      recurringDeliveryPolicyIntervalCount: 1,
      fixedDiscountType: 'PERCENTAGE',
      fixedDiscountValue: 10,
    };
    await server.services.db.exec(
      `update records set data = jsonb_set(data, '{sellingPlans}', data -> 'sellingPlans' || '[${JSON.stringify(ahead)}]') where id = 77101`,
    );
    await subscribe({ lines: [{ variantId: goods.plain, discountType: 'SELLING_PLAN' }] });
    const asked = await ask('FREQUENCY');
    // 3 × 18.00 and the shipping once, which is what the next order is charged then.
    for (const text of ['3 deliveries are paid at once: $58.95', 'Pay 3 deliveries at once: $58.95', '$20.95 for each order.'])
      expect(asked).toContain(text);
    expect(await read()).toMatchObject({ version: made.view.version });
    const button = asked.split('<form').findIndex(part => part.includes('Pay 3 deliveries')) - 1;
    expect((await press(asked, button)).body).toContain('Total: $58.95');
    await press(await ask('NOW'));
    const { rows } = await server.services.db.ownerQuery<any>('select total::integer as total from orders where contract_id = $1', [
      made.id,
    ]);
    expect(rows).toEqual([{ total: 5895 }]);
    // Two of three are still to come, and paid.
    const page = (await open(url)).body;
    expect(page).toContain('Paid already');
    expect(page).toContain('Paid deliveries left: 2');
    expect(page).not.toContain('Total: ');
    expect(await ask('CANCEL')).toContain('Paid deliveries that are still to come: 2.');
    // What comes after them is no present.
    const later = await ask('FREQUENCY');
    expect(later).toContain('$20.95 for each order.');
    expect(later).not.toContain('$0.00');
  });

  it('says at once what would be refused at the end, and why what was filled in can not be', async () => {
    await at.server.services.db.exec(`update contracts set min_cycles = 3 where id = ${made.id}`);
    const cancel = await ask('CANCEL');
    expect(cancel).toContain('You can cancel after 3 orders. 3 to go.');
    expect(buttons(cancel)).toEqual([]);
    expect((await open(`${url}&do=CANCEL&a=START`, 'POST')).body).toContain('You can cancel after 3 orders. 3 to go.');
    await at.server.services.db.exec(`update contracts set min_cycles = null where id = ${made.id}`);
    await set('cancellation-flow', { cancellationButtonBehavior: 'SHOW_MESSAGE', cancellationMessage: '<p>Ring <strong>us</strong>.</p>' });
    expect(await ask('CANCEL')).toContain('Ring <strong>us</strong>.');
    await set('cancellation-flow', { cancellationButtonBehavior: 'ALLOW_CANCEL' });
    const line = made.lines[0]?.id;
    for (const more of [`&of=${line}&quantity=0`, `&of=${line}&quantity=999`, `&of=${line}&quantity=x`]) {
      const page = await open(`${url}&do=QUANTITY${more}`);
      expect([page.statusCode, page.body.includes('Choose from 1 to 20.')], more).toEqual([422, true]);
    }
    expect((await open(`${url}&do=DATE&day=2020-01-01`)).body).toContain('Choose from ');
    expect((await open(url)).body).toContain('<p>$20.00</p>');
    // What every button would be refused for stands in place of the buttons.
    await done('subscription-contract.pause', { id: made.id });
    await at.server.services.db.exec(`update payment_methods set revoked_at = now() where customer_id = ${made.customerId}`);
    const resume = await ask('RESUME');
    expect([buttons(resume), resume.includes('Add a payment method before resuming.')]).toEqual([[], true]);
  });

  it('obeys the preferences; the team still may', async () => {
    const skip = buttons(await ask('SKIP'))[0] as string;
    await set('portal-preferences', { skipUnskip: false, minimumOrderValue: '30.00', maxQuantity: 2 });
    expect((await open(url)).body).not.toContain('Skip this order');
    expect((await open(`${url}&do=SKIP`)).statusCode).toBe(403);
    const refused = await open(skip, 'POST');
    expect([refused.statusCode, refused.body.includes('This option is not available.')]).toEqual([409, true]);
    expect(await ask('REMOVE', `&of=${made.lines[1]?.id}`)).toContain('Your order must be at least $30.00.');
    expect(buttons(await ask('QUANTITY', `&of=${made.lines[0]?.id}&quantity=3`))).toEqual([]);
    await done('subscription-contract.skipOrder', { id: made.id });
    await set('portal-preferences', { skipUnskip: true, maxConsecutiveSkips: 1, minimumOrderValue: '0.00' });
    expect(await ask('SKIP')).toContain('You have skipped as many orders in a row as allowed.');
    await set('cancellation-flow', { cancellationButtonBehavior: 'HIDE_BUTTON' });
    expect((await open(url)).body).not.toContain('Cancel subscription');
    await set('cancellation-flow', { cancellationButtonBehavior: 'ALLOW_CANCEL' });
    await set('portal-preferences', { maxConsecutiveSkips: 0 });
  });

  it('closes with the time of the link, and when the portal is off', async () => {
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, portal_token from customers where id = $1', [made.customerId]);
    const aged = (minutes: number): string =>
      url.replace(/merchantToken=.*/, `merchantToken=${merchantToken(rows[0], new Date(Date.now() - minutes * 60_000))}`);
    expect((await open(aged(1430))).statusCode).toBe(200);
    expect((await open(aged(1450))).body).toContain('Your link has expired.');
    await set('portal-accessibility', { linkMinutes: 15 });
    expect((await open(aged(30))).statusCode).toBe(410);
    // The letter says the time that holds.
    await done('customers-app.sendPortalLink', { id: made.customerId });
    const { rows: letters } = await at.server.services.db.ownerQuery<any>(
      "select text from outbox where template = 'CUSTOMER_PORTAL_LINK' order by id desc limit 1",
    );
    expect(letters[0].text).toContain('The link is valid for 15 minutes.');
    expect((await open(`${aged(30)}&do=SKIP&choice=0&v=1`, 'POST')).statusCode).toBe(410);
    await set('portal-accessibility', { isOn: false });
    expect((await open(url)).statusCode).toBe(404);
    expect((await done('subscription-contract.customerDetails', { id: made.id })).portalLink).toBeNull();
    expect((await at.server.call('customers-app.sendPortalLink', { id: made.customerId })).body.message).toContain(
      'The customer portal is off.',
    );
    await set('portal-accessibility', { isOn: true });
  });

  const attempts = (): Promise<any> => done('cancellation-attempts.list', { subscriptionId: made.id });

  it('D202 leads a customer through the cancellation flow, keeps the answers once, and cancels with reason and comment', async () => {
    const benefit = await done('subscription-benefits.create', {
      name: 'All',
      title: 'Before you go',
      bodyHtml: '<p>Stay <strong>here</strong></p>',
      primaryCtaText: 'Keep',
      secondaryCtaText: 'Go on',
    });
    await done('subscription-benefits.activate', { id: benefit.id });
    const reasons: any[] = await done('preferences.readActiveReasons');
    const dear = reasons.find(one => one.title === 'Too expensive').id;
    const offer = await done('incentives.create', {
      name: 'Half',
      title: 'Half price twice',
      bodyHtml: '<p>Stay.</p>',
      acceptCtaText: 'Accept',
      rejectCtaText: 'No',
      reasonIds: [dear],
      incentives: [{ action: 'ADD_DISCOUNT', input: { kind: 'MANUAL', title: 'Stay', type: 'PERCENTAGE', value: '50', orderLimit: 2 } }],
    });
    await done('incentives.activate', { id: offer.id });
    await set('cancellation-flow', { commentRequired: true });

    const begin = await ask('CANCEL');
    expect((await attempts()).length).toBe(0);
    const first = await press(begin);
    expect(first.body).toContain('<strong>here</strong>');
    // Twice pressed, it began once.
    await press(begin);
    expect(await attempts()).toMatchObject([{ source: 'CUSTOMER', outcome: 'OPEN', benefitId: benefit.id }]);
    const asked = await press(first.body, 1);
    expect(asked.body).toContain('Why do you want to cancel?');
    expect(asked.body).not.toContain('Created by mistake');
    const missing = await fill(asked.body, {});
    expect([missing.status, missing.body.includes('Please choose a reason.')]).toEqual([422, true]);
    const about = await fill(asked.body, { reason: String(dear) });
    const silent = await fill(about.body, { comment: ' ' });
    expect([silent.status, silent.body.includes('aria-describedby="e-comment"')]).toEqual([422, true]);
    const offered = await fill(about.body, { comment: 'Tea & <cake>' });
    expect(offered.body).toContain('Half price twice');
    const last = await press(offered.body, 1);
    expect(last.body).toContain('Cancel your subscription?');
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
    expect((await press(last.body, 1)).body).toContain('Your subscription is cancelled.');
    const cancelled = await read();
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      cancellationReason: 'Too expensive',
      cancellationComment: 'Tea & <cake>',
      cancellationSource: 'CUSTOMER',
    });
    expect((await press(last.body, 1)).body).toContain('Your subscription is cancelled.');
    expect((await press(first.body)).body).toContain('Your subscription is cancelled.');
    expect(await read()).toEqual(cancelled);
    expect(await attempts()).toMatchObject([
      { outcome: 'CANCELLED', benefitOutcome: 'REJECTED', offerOutcome: 'REJECTED', reason: 'Too expensive', comment: 'Tea & <cake>' },
    ]);

    // What is taken is done, and the subscription stays.
    await subscribe();
    const again = await fill((await press((await press(await ask('CANCEL'))).body, 1)).body, { reason: String(dear) });
    const taken = await press((await fill(again.body, { comment: 'Too much' })).body);
    expect(taken.body).toContain('Good to have you with us.');
    expect(await read()).toMatchObject({ status: 'ACTIVE', discounts: [{ title: 'Stay' }] });
    expect(await attempts()).toMatchObject([{ outcome: 'SAVED', offerOutcome: 'ACCEPTED' }]);
    await set('cancellation-flow', { cancellationButtonBehavior: 'SHOW_MESSAGE', cancellationMessage: 'Ring us up.' });
    expect(await ask('CANCEL')).toContain('Ring us up.');
    await set('cancellation-flow', { cancellationButtonBehavior: 'ALLOW_CANCEL', commentRequired: false });
    await done('incentives.deactivate', { id: offer.id });
    await done('subscription-benefits.deactivate', { id: benefit.id });
  });

  it('takes suggestions for a reason, and ways in place of a pause, with a reward that is given once', async () => {
    const reason = await done('cancellation-reasons.create', {
      title: 'Going away',
      responseMode: 'TREATMENTS',
      treatments: [{ title: 'Pause it', ctaText: 'Pause', actions: [{ action: 'PAUSE_SUBSCRIPTION', input: { until: 'INDEFINITE' } }] }],
    });
    await done('cancellation-reasons.activate', { id: reason.id });
    const about = await fill((await press(await ask('CANCEL'))).body, { reason: String(reason.id) });
    expect(about.body).toContain('Would one of these help?');
    expect((await press(about.body)).body).toContain('Good to have you with us.');
    expect(await read()).toMatchObject({ status: 'PAUSED' });
    expect(await attempts()).toMatchObject([{ outcome: 'SAVED', treatment: 'Pause it', treatmentOutcome: 'ACCEPTED' }]);
    await done('cancellation-reasons.deactivate', { id: reason.id });
    await press(await ask('RESUME'));

    // A gift that is not sold any more keeps no customer from staying, and is not given: what can be given comes the next time.
    const { db } = at.server.services;
    await set('pause-flow', { status: 'ACTIVE', title: 'Need a break?', reward: { rewardType: 'GIFT', variantId: at.goods.other } });
    const early = await ask('PAUSE');
    await db.exec(`update variants set deleted_at = now() where id = ${at.goods.other}`);
    const { lines } = await read();
    await press(early);
    expect((await read()).lines).toHaveLength(lines.length);
    await db.exec(`update variants set deleted_at = null where id = ${at.goods.other}`);
    const reward = { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '10', orderCount: 1 };
    await set('pause-flow', { status: 'ACTIVE', title: 'Need a break?', reward });
    const pausing = await ask('PAUSE');
    for (const text of ['Need a break?', 'You get 10% off.', 'Skip the next order instead', 'For 1 month']) expect(pausing).toContain(text);
    const before = await read();
    await press(pausing);
    const after = await read();
    expect(after).toMatchObject({ status: 'ACTIVE', discounts: [{ value: expect.anything() }] });
    expect(after.nextBillingDateEpoch).toBeGreaterThan(before.nextBillingDateEpoch);
    await press(await ask('PAUSE'));
    expect((await read()).discounts).toHaveLength(1);
    await set('pause-flow', { status: 'DRAFT' });
  });

  it('swaps, sends it somewhere else and pays by another method, where the store lets customers', async () => {
    const { server, goods } = at;
    await offerPlans(server, [goods.plain, goods.other]);
    await subscribe({ lines: [{ variantId: goods.plain, discountType: 'SELLING_PLAN' }] });
    const [line] = made.lines as [JsonObject];
    const swaps = await ask('SWAP', `&of=${line.id}`);
    expect(swaps).toContain('Goods other');
    await press(swaps);
    expect((await read()).lines.map((one: JsonObject) => one.variantId)).toContain(goods.other);
    expect((await press(swaps)).body).toContain('has changed since you opened that page');

    const form = await ask('ADDRESS');
    const typed = {
      firstName: 'Ann',
      lastName: '',
      address1: '9 Oak "Lane"',
      zip: '11201',
      city: 'Brooklyn',
      countryCode: 'US',
      provinceCode: 'NY',
    };
    const wrong = await fill(form, typed);
    expect([wrong.status, wrong.body.includes('value="9 Oak &#34;Lane&#34;"'), wrong.body.includes('id="e-lastName"')]).toEqual([
      422,
      true,
      true,
    ]);
    // What is asked goes by the country: states to choose from, no postal code where there is none, neither state.
    for (const text of ['<select id="f-provinceCode"', '<option value="NY" selected>New York</option>', 'id="f-zip"'])
      expect(wrong.body).toContain(text);
    const moved = await fill(wrong.body, { ...typed, lastName: 'Lee', countryCode: 'CA', city: '', zip: '', partsOf: 'US' });
    expect(moved.status).toBe(422);
    expect(moved.body).toContain('<option value="ON">Ontario</option>');
    expect(moved.body).not.toContain('New York');
    const without = (await fill(moved.body, { ...typed, lastName: 'Lee', countryCode: 'HK', city: '', zip: '', provinceCode: '' })).body;
    for (const [part, isThere] of [
      ['id="f-zip"', false],
      ['<select id="f-provinceCode"', true],
    ] as const)
      expect([part, without.includes(part)]).toEqual([part, isThere]);
    expect((await fill(wrong.body, { ...typed, lastName: 'Lee' })).body).toContain('Your address is saved.');
    expect((await read()).shippingAddress).toMatchObject({ address1: '9 Oak "Lane"', provinceCode: 'NY' });

    expect((await press(await ask('PAYMENT'))).body).toContain('Your orders are now charged to Visa ending in 4242.');
    const { rows } = await server.services.db.ownerQuery<any>('select payment_method_id as id from contracts where id = $1', [made.id]);
    expect(rows).toEqual([{ id: made.methods[1] }]);
    await set('portal-preferences', { swapProduct: false, editAddress: false, updatePaymentMethod: false });
    for (const id of [`SWAP&of=${line.id}`, 'ADDRESS', 'PAYMENT']) expect((await open(`${url}&do=${id}`)).statusCode, id).toBe(403);
    await set('portal-preferences', { swapProduct: true, editAddress: true, updatePaymentMethod: true });
  });

  it('every text of general, payments, accessibility and delivery days stood on a page of these tests', async () => {
    const { services } = at.server;
    const sql = (text: string) => services.db.ownerQuery(text);
    const details = (of: JsonObject) =>
      sql(`update stores set details = details || '${JSON.stringify(of)}' where id = 1`).then(() => services.sessions.forget());
    const day = (days: number) => new Date((inDays(days) + 3600) * 1000).toISOString().slice(0, 10);
    await set('portal-preferences', { removeDiscount: true });
    // Signing in, a code, what was typed wrongly.
    for (const payload of ['', 'email=none', 'email=ann%40mail.example'])
      await open('/portal/1', payload ? 'POST' : 'GET', payload ? { headers: FORM, payload } : {});
    await details({ discountCodes: [{ code: 'WELCOME', type: 'PERCENTAGE', value: 10 }] });
    expect((await fill(await ask('DISCOUNT'), { code: 'NOTHING-LIKE-IT' })).status).toBe(422);
    expect((await fill(await ask('DISCOUNT'), { code: 'WELCOME' })).body).toContain('WELCOME takes 10% off your next order.');
    const present = await ask('DISCOUNT');
    const taken = await fill(present, {}, 1);
    expect(taken.status, taken.body.slice(-600)).toBe(303);
    expect((await read()).discounts).toEqual([]);
    await set('portal-preferences', { removeDiscount: false });
    await fill(await ask('ADDRESS'), { firstName: 'A', lastName: '', address1: '', zip: '?', city: 'B', countryCode: 'US' });
    // Other subscriptions, and more orders than one page holds.
    for (const status of ['ACTIVE', 'PAUSED', 'CANCELLED']) {
      const { id } = await at.make();
      await sql(`update contracts set customer_id = ${made.customerId}, status = '${status}' where id = ${id}`);
    }
    await press(await ask('NOW'));
    await sql(`insert into orders select (o).* from (select jsonb_populate_record(o, jsonb_build_object('id', o.id + 500 + n,
      'cycle', o.cycle + 500 + n, 'shopify_order_number', null, 'shopify_id', null, 'order_number', 900000 + n)) as o
      from orders o, generate_series(1, 11) n where contract_id = ${made.id} and status = 'PAID') x`);
    expect((await open(`${url}&page=2`)).body).toContain('Page 2 of 3');
    for (const status of ['EXPIRED', 'PAUSED']) {
      await sql(`update contracts set status = '${status}', resume_at = now() + interval '40 days' where id = ${made.id}`);
      await open(url);
    }
    // Methods of all kinds, and a payment that failed for the last time.
    await sql(`update contracts set status = 'ACTIVE', next_billing_at = now() + interval '70 days' where id = ${made.id}`);
    for (const over of [
      'expiry_year = 2020',
      'expiry_year = extract(year from now())::integer, expiry_month = extract(month from now())::integer',
      "paypal_account_email = 'ann@paypal.example', last_digits = null",
    ]) {
      await sql(`update payment_methods set ${over} where customer_id = ${made.customerId}`);
      await open(url);
    }
    await sql(`update contracts set payment_method_id = null where id = ${made.id}`);
    await open(url);
    await subscribe({ tokens: ['tok_decline_insufficient_funds'] });
    await press(await ask('NOW'));
    await open(url);
    await sql(`update orders set next_retry_at = null where contract_id = ${made.id}`);
    await open(url);
    // While an app plans the deliveries; where nothing is delivered to.
    await subscribe();
    const plan = (over: JsonObject) => details({ zapiet: { isIntegrated: true, minDays: 2, maxDays: 60, disabledDates: [], ...over } });
    await plan({ disabledDates: [day(9)] });
    expect(await ask('DATE', `&day=${day(9)}`)).toContain('is not free any more.');
    expect((await press(await ask('DATE', `&day=${day(10)}`))).body).toContain('is delivered on');
    await plan({ disabledWeekdays: [1, 2, 3, 4, 5, 6, 7] });
    expect(await ask('DATE')).toContain('There is no free day in the next weeks.');
    await details({ zapiet: { isIntegrated: false } });

    const all = [...new Set(seen.map(body => body.slice(body.indexOf('<body>'))))].join('\n');
    const unsaid = ['general', 'payments', 'accessibility', 'zapiet'].flatMap(category =>
      Object.entries(services.definitions.texts[category]!.texts).flatMap(([key, { default: words }]) => {
        const plain = words
          .replace(/<[^<>]*>/g, '')
          .split(/\{\{\w+\}\}/)
          .filter(Boolean);
        const asPattern = plain.map(part => escapeHtml(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^<]*');
        return new RegExp(asPattern).test(all) ? [] : [key];
      }),
    );
    expect(unsaid.filter(key => !ELSEWHERE.has(key))).toEqual([]);
  });
});
