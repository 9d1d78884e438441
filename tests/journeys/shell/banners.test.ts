// Banners, popups and the top bar on the built admin: what a merchant sees, and that hostile markup does nothing.
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { nextPage, openBrowser, violations, visit, type View, type Visit } from '../../support/browser/browser.ts';
import { group, LINKS, MARKUP } from '../../support/browser/hostile-markup.ts';
import { atPath, eventually, provoked } from '../../support/browser/journey.ts';
import { startTestServer, type Role, type TestServer } from '../../support/server.ts';

const OWN_POPUP = 5000;
let server: TestServer;
let browser: Browser;
const open: Visit[] = [];
/** Profiles that no test uses at the moment: they keep the admin's compiled code. */
const idle: BrowserContext[] = [];
/** The one whose pages have no policy; it is not used again. */
let unguarded: BrowserContext | undefined;

beforeAll(async () => {
  server = await startTestServer({
    seed: { contracts: 60, stores: 1 },
    app: { pages: { folder: fileURLToPath(new URL('../../../dist/admin', import.meta.url)) } },
  });
  await set("update contracts set status = 'ACTIVE' where store_id = 1");
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(async () => {
  for (const { context } of open.splice(0)) {
    await context.unrouteAll();
    await Promise.all(context.pages().map(page => page.close()));
    if (context !== unguarded) idle.push(context);
  }
  await set(
    `delete from popups; delete from notice_marks; update stores set billing_plan_id = 4, plan_name = 'basic', storefront_widget_version = 2, details = details || '{"paymentProviders": ["Shopify Payments"]}' where id = 1`,
  );
});

async function set(statement: string): Promise<void> {
  await server.services.db.ownerQuery(statement);
  server.services.sessions.forget();
}
async function arrive(view: View = {}): Promise<Visit> {
  const served = {
    url: server.url,
    token: (role: Role = 'owner') => server.signIn(role),
    signIn: (role: Role = 'owner') => server.signIn(role),
  };
  const context = view.withoutPolicy ? undefined : (idle.pop() ?? (await browser.newContext({ baseURL: server.url, locale: 'en-US' })));
  const found = context ? { context, ...(await nextPage(context, served, view)) } : await visit(browser, served, view);
  if (!context) unguarded = found.context;
  open.push(found);
  found.page.setDefaultTimeout(90_000);
  return found;
}
/** A page with empty storage at an address; what it asked for of that kind on the way is in `asked`. */
async function enter(path: string, view: View = {}, want = /^$/): Promise<Visit & { asked: { url: string; data: JsonObject }[] }> {
  const found = await arrive(view);
  const asked = requests(found.page, want);
  await found.page.goto(path);
  await found.page.locator('main h1').first().waitFor();
  return { ...found, asked };
}
const banner = (page: Page, id: string) => page.locator(`[data-banner="${id}"]`);
const popup = (page: Page) => page.getByRole('dialog');
const say = (popup: { id?: number; header?: string; body?: string; cta?: string; link?: string }): Promise<void> => {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return set(
    `delete from notice_marks; delete from popups; insert into popups (store_id, id, header, body, primary_cta_text, primary_cta_link) values (1, ${popup.id ?? OWN_POPUP}, ${text(popup.header ?? 'A word from us')}, ${text(popup.body ?? '<p>Something <b>new</b>.</p>')}, ${text(popup.cta ?? 'Have a look')}, ${text(popup.link ?? '/selling-plans')})`,
  );
};
/** Everything that the page asks of servers from now on. */
function requests(page: Page, want = /./): { url: string; data: JsonObject }[] {
  const found: { url: string; data: JsonObject }[] = [];
  page.on('request', request => {
    if (!want.test(request.url())) return;
    found.push({
      url: request.url(),
      data: {
        ...Object.fromEntries(new URL(request.url()).searchParams),
        ...(request.postData() ? (JSON.parse(request.postData()!) as JsonObject) : {}),
      },
    });
  });
  return found;
}

describe('the free-plan banner', () => {
  it('S119 S176 S177 S263 S301 S311 it stands when the check says that the limit is exceeded, and goes with a larger plan', async () => {
    await set('update stores set billing_plan_id = 1 where id = 1');
    const { page, problems, asked } = await enter('/selling-plans', {}, /is_free_plan_limit_exceeded/);
    await banner(page, 'limit').waitFor();
    expect(await banner(page, 'limit').innerText()).toBe(
      'You have exceeded the free plan limit of 50 subscriptions. To continue accepting new subscriptions, please upgrade your plan from the pricing plan page. Please contact us if you need any help.',
    );
    expect(await banner(page, 'limit').getByRole('link', { name: 'pricing plan page' }).getAttribute('href')).toBe('/settings/billing');
    expect(await banner(page, 'limit').getByRole('link', { name: 'contact us' }).getAttribute('href')).toBe('/help');
    await eventually(() => asked.length).toBe(1);
    expect(asked[0]!.data).toMatchObject({ myshopify_domain: 'fernandember.myshopify.com' });
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    const { rows } = await server.services.db.ownerQuery<{ n: number }>(
      "select count(*)::int as n from contracts where store_id = 1 and status in ('ACTIVE', 'PAUSED')",
    );
    expect(rows[0]!.n).toBeGreaterThan(50);
    await set('update stores set billing_plan_id = 4 where id = 1');
    const later = await enter('/selling-plans', {}, /is_free_plan_limit_exceeded/);
    await eventually(() => later.asked.length).toBe(1);
    await later.page.locator('.p-news-dot').waitFor();
    expect(await banner(later.page, 'limit').count()).toBe(0);
  });

  it('S176 it appears when a check during the visit says so, and moves nothing in the first drawing of a list', async () => {
    await set('update stores set billing_plan_id = 1 where id = 1');
    const { context } = await enter('/selling-plans');
    await context.addInitScript(() => {
      (window as unknown as { shift: number }).shift = 0;
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) (window as unknown as { shift: number }).shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const page = await context.newPage();
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    await banner(page, 'limit').waitFor();
    await page.locator('.p-news-dot').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThanOrEqual(0.02);
    // The whole list fits into what the banner leaves: only its rows scroll.
    expect(
      await page.evaluate(() => {
        const main = document.getElementById('main')!;
        return main.scrollHeight - main.clientHeight;
      }),
    ).toBeLessThanOrEqual(1);
  });
});

describe('the eligibility banner', () => {
  const refuse = () => set(`update stores set details = details || '{"paymentProviders": ["Invoice"]}' where id = 1`);

  it('S120 S178 S269 S302 S303 S304 S305 S306 it is critical, says what to set up, and leads to PayPal settings', async () => {
    await refuse();
    const { page, problems } = await enter('/subscriptions');
    await banner(page, 'eligibility').waitFor();
    expect(await banner(page, 'eligibility').locator('.p-banner').getAttribute('data-tone')).toBe('critical');
    const text = await banner(page, 'eligibility').innerText();
    expect(text).toContain('not eligible for selling subscriptions');
    expect(text).toContain('You must set up Shopify Payments, PayPal Express, Stripe or Adyen.');
    expect(text).toContain('With PayPal Express active, you can create one selling plan to start the approval.');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations(page)).toEqual([]);
    await banner(page, 'eligibility').getByRole('link', { name: 'Go to PayPal settings' }).click();
    await atPath(page, '/settings/paypal');
    expect(problems).toEqual([]);
  });

  it('S121 S122 it is not shown on /selling-plans and /widgets/storefront/[view]', async () => {
    await refuse();
    const { page } = await enter('/selling-plans');
    await page.locator('.p-news-dot').waitFor();
    expect(await banner(page, 'eligibility').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Widgets' }).click();
    await atPath(page, '/widgets/storefront/library');
    expect(await banner(page, 'eligibility').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Subscriptions', exact: true }).click();
    await banner(page, 'eligibility').waitFor();
  });

  it('S179 S180 it is not shown to stores on the plans partner_test and affiliate', async () => {
    await refuse();
    for (const plan of ['partner_test', 'affiliate']) {
      await set(`update stores set plan_name = '${plan}' where id = 1`);
      const { page, asked } = await enter('/subscriptions', {}, /is_subscriptions_eligible/);
      await eventually(() => asked.length).toBeGreaterThan(0);
      await page.locator('.p-news-dot').waitFor();
      expect([plan, await banner(page, 'eligibility').count()]).toEqual([plan, 0]);
    }
  });

  it("S296 S297 S308 when eligibility can't be found out it is reported, and the banner shows", async () => {
    const { page, problems } = await arrive();
    const told = requests(page, /\/host\/user\/errors/);
    await page.route('**/is_subscriptions_eligible*', route =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"success": false, "code": "INTERNAL", "message": "The server failed."}',
      }),
    );
    await page.goto('/subscriptions');
    await banner(page, 'eligibility').waitFor();
    await eventually(() => told.length).toBe(1);
    expect(told[0]!.data).toMatchObject({
      message: 'The server failed.',
      source: 'useEligible',
      file: 'src/admin/features/notices/banners/banners.tsx',
    });
    await eventually(() =>
      server.logged.filter(line => line['msg'] === 'An error was reported.').map(line => line['sourceFunction']),
    ).toContain('useEligible');
    expect(problems.filter(provoked(500)).filter(problem => !problem.startsWith('500 '))).toEqual([]);
  });
});

describe('the payment banner', () => {
  it('S282 S283 S284 S285 S286 S287 asks for 30 days ending yesterday and the 30 before, and shows formatted figures until dismissed', async () => {
    const { page, problems } = await arrive();
    const asked = requests(page, /paymentSummaryInfoForBanner|fetch_settings_v2/);
    await page.goto('/settings/paymentRecovery');
    const box = banner(page, 'payments');
    await box.getByText(/^\$[\d,]+\.\d\d recovered in the last 30 days$/).waitFor();
    await eventually(() => asked.length).toBe(2);
    const summary = asked.find(one => one.url.includes('paymentSummary'))!.data;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
    const back = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    expect(summary).toEqual(
      expect.objectContaining({
        startDate: back(30),
        endDate: back(1),
        comparisonStartDate: back(60),
        comparisonEndDate: back(31),
        dataType: 'revenue',
      }),
    );
    expect(asked.find(one => one.url.includes('fetch_settings_v2'))!.data).toMatchObject({ category: 'DUNNING', type: 'RETRY' });
    expect(await box.innerText()).toMatch(/A failed payment is tried \d+ more times\./);
    const { data } = await server.call('payments-overview.paymentSummaryInfoForBanner', summary);
    const money = (value: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(value));
    for (const value of [data.recovered.value, data.realized.value, data.underRecovery.value, data.lost.value])
      expect(await box.innerText()).toContain(money(value));
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await box.getByRole('button', { name: 'Dismiss payment summary' }).click();
    await box.waitFor({ state: 'detached' });
    await page.goto('/settings/paymentRecovery');
    await page.locator('.p-news-dot').waitFor();
    expect(await box.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('the popup', () => {
  it('S123 S181 S183 S273 a modal with a header, an HTML body and one action; focus stays in it and returns; Escape closes it for good', async () => {
    await say({ body: '<p>Something <b>new</b> for <a href="https://example.com/help">you</a>.</p>' });
    const { page, problems, asked } = await enter('/selling-plans', {}, /popup\/fetch/);
    await page.locator('.p-store-btn').focus();
    await popup(page).waitFor();
    expect(asked[0]!.data).toMatchObject({ id: null, popupData: { page: '/selling-plans' } });
    expect(await popup(page).getByRole('heading').innerText()).toBe('A word from us');
    expect(await popup(page).locator('.p-popup-body b').innerText()).toBe('new');
    expect(await popup(page).locator('.p-btn-primary').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.querySelector('[role="dialog"]')!.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await popup(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('p-store-btn');
    await eventually(async () =>
      (await server.services.db.ownerQuery<{ state: string }>('select state from notice_marks')).rows.map(row => row.state),
    ).toEqual(['DISMISSED']);
    await page.goto('/subscriptions');
    await page.locator('.p-news-dot').waitFor();
    expect(await popup(page).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('S184 S186 its action leads to a page of the admin and closes it', async () => {
    await set('update stores set storefront_widget_version = 1 where id = 1');
    await say({ link: '/subscriptions?q={{product_title}}' });
    const { page, problems } = await enter('/selling-plans');
    const tabs: Page[] = [];
    page.context().on('page', tab => tabs.push(tab));
    await popup(page).getByRole('link', { name: 'Have a look' }).click();
    await atPath(page, /^\/subscriptions/);
    await popup(page).waitFor({ state: 'detached' });
    expect(tabs).toEqual([]);
    await eventually(async () =>
      (await server.services.db.ownerQuery<{ state: string }>('select state from notice_marks')).rows.map(row => row.state),
    ).toEqual(['DONE']);
    expect(problems).toEqual([]);
  });

  it('S185 S188 S189 S190 an https link opens a new tab that knows nothing of this one; 3, 4 and 8 stay open', async () => {
    for (const id of [3, 4, 8]) {
      // The reasons of the common popups 3, 4 and 8 belong to stores without orders, so this store is answered as one.
      const { page } = await arrive();
      await page.route('**/popup/fetch', route =>
        route.fulfill({
          contentType: 'application/json',
          body: JSON.stringify({
            data: {
              id,
              header: 'Look',
              body: '<p>There.</p>',
              primary_cta_text: 'Open',
              primary_cta_link: 'https://{{myshopify_domain}}/cart/{{variant_id}}:1',
            },
            display: true,
            placeholderData: { myshopify_domain: 'fern.example', variant_id: '46' },
          }),
        }),
      );
      await page
        .context()
        .route('https://fern.example/**', route => route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }));
      await page.goto('/selling-plans');
      const link = popup(page).getByRole('link', { name: /^Open/ });
      await link.waitFor();
      expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await eventually(() => tab.url()).toBe('https://fern.example/cart/46:1');
      expect(await tab.evaluate(() => window.opener === null)).toBe(true);
      await tab.close();
      expect([id, await popup(page).count()]).toEqual([id, 1]);
      await popup(page).getByRole('button', { name: 'Close' }).click();
      await popup(page).waitFor({ state: 'detached' });
    }
  });

  it('S187 under widget version 2 its action leads to the widget library', async () => {
    await say({ link: '/selling-plans' });
    const { page } = await enter('/subscriptions');
    await popup(page).getByRole('link', { name: 'Have a look' }).click();
    await atPath(page, '/widgets/storefront/library');
  });

  it('waits for a person who is typing', async () => {
    await say({});
    const { page, asked } = await enter('/subscriptions', {}, /popup\/fetch/);
    await page.getByRole('searchbox').first().focus();
    await eventually(() => asked.length).toBeGreaterThan(0);
    await page.keyboard.type('an');
    await page.locator('.p-news-dot').waitFor();
    expect(await popup(page).count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await popup(page).waitFor();
  });

  it('S123 hostile markup in header, body, link and values: nothing runs, nothing leaves the page, nothing leads away', async () => {
    expect(MARKUP.length).toBeGreaterThanOrEqual(60);
    const SIZE = 15;
    // The policy would stop most of it, so it is switched off: the admin itself must let nothing through.
    const { page, context, problems } = await arrive({ withoutPolicy: true });
    const ran: string[] = [];
    await context.exposeFunction('ranHostile', (what: string) => {
      ran.push(what);
    });
    await context.addInitScript(() => {
      for (const name of ['alert', 'confirm', 'prompt'] as const)
        Object.defineProperty(window, name, {
          value: () => {
            (window as unknown as { ranHostile(what: string): void }).ranHostile(name);
            return null;
          },
        });
    });
    page.on('dialog', dialog => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    const asked = requests(page);
    const own = new URL(server.url).origin;
    await set('update stores set storefront_widget_version = 1 where id = 1');
    // Some vectors take what follows them along by their nature; the next round then begins behind them.
    for (let from = 0, round = 0, tried = 0; from < MARKUP.length; from += tried, round++) {
      const vectors = MARKUP.slice(from, from + SIZE);
      const link = LINKS[round % LINKS.length]!;
      await set(`update products set title = '${vectors.join(' ').replaceAll("'", "''")}' where store_id = 1`);
      await say({
        header: `{{product_title}} ${vectors.join(' ')}`,
        body: `<p>value: {{product_title}} <a href="/x?q={{product_title}}">q</a> <a href="{{product_title}}">r</a></p>${group(vectors)}`,
        cta: `Go ${vectors[0]}`,
        link,
      });
      const before = asked.length;
      await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
      await page.goto('/selling-plans');
      await popup(page).locator('.p-popup-body').waitFor();
      const address = page.url();
      // Nothing but what is allowed is left.
      const left = await page.evaluate(() => {
        const all = [...document.querySelectorAll('.p-popup-body *')];
        return {
          tags: [...new Set(all.map(element => element.tagName))],
          names: [...new Set(all.flatMap(element => element.getAttributeNames().map(name => `${element.tagName} ${name}`)))],
          links: all
            .filter(element => element.tagName === 'A' && element.hasAttribute('href'))
            .map(element => ({
              href: (element as HTMLAnchorElement).href,
              target: element.getAttribute('target'),
              rel: element.getAttribute('rel'),
            })),
          text: document.querySelector('.p-popup-body')!.textContent ?? '',
          html: document.querySelector('.p-popup-body')!.innerHTML,
        };
      });
      expect(left.tags.filter(tag => !['P', 'BR', 'B', 'STRONG', 'I', 'EM', 'UL', 'OL', 'LI', 'A', 'IMG'].includes(tag))).toEqual([]);
      expect(left.names.filter(name => !['A href', 'A target', 'A rel', 'IMG src', 'IMG alt'].includes(name))).toEqual([]);
      const swallower = vectors.findIndex((_, i) => !left.text.includes(`after-${i}`));
      tried = swallower < 0 ? vectors.length : swallower + 1;
      expect(left.text, vectors[tried - 1]).toContain(`before-${tried - 1}`);
      for (const one of left.links) {
        const url = new URL(one.href);
        if (url.origin === own) continue;
        expect([one.href, url.protocol, one.target, one.rel]).toEqual([one.href, 'https:', '_blank', 'noopener noreferrer']);
      }
      // The values are text: the header and the body say them as they are.
      expect(left.text).toContain(`value: ${vectors.join(' ')} q r`);
      expect(await popup(page).getByRole('heading').textContent()).toBe(
        `${vectors.join(' ')} ${vectors.join(' ').replaceAll('{{product_title}}', vectors.join(' '))}`,
      );
      // Whatever waits for a touch is touched.
      await page.evaluate(() => {
        for (const element of document.querySelectorAll('.p-popup-body *'))
          for (const kind of [
            'mouseover',
            'pointerenter',
            'focus',
            'animationstart',
            'transitionend',
            'toggle',
            'load',
            'error',
            'begin',
            'beforetoggle',
          ])
            element.dispatchEvent(new Event(kind));
      });
      const action = popup(page).locator('.p-btn-primary');
      expect(new URL(await action.evaluate(element => (element as HTMLAnchorElement).href)).origin).toBe(own);
      expect(page.url()).toBe(address);
      expect(
        asked
          .slice(before)
          .filter(one => !one.url.startsWith(`${own}/`))
          .map(one => one.url),
      ).toEqual([]);
      await action.click();
      await popup(page).waitFor({ state: 'detached' });
      expect(new URL(page.url()).origin).toBe(own);
      expect(ran).toEqual([]);
    }
    expect(asked.filter(one => !one.url.startsWith(`${own}/`)).map(one => one.url)).toEqual([]);
    expect(context.pages()).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});

describe('the top bar', () => {
  it('S083 S084 S085 S086 S087 the menu by keyboard: store, e-mail, storefront, Help center, Logout', async () => {
    const { page, problems } = await enter('/subscriptions');
    await page.locator('.p-store-btn').focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const text = await menu.innerText();
    expect(text).toContain('Fern & Ember');
    expect(text).toContain('amira@fernandember.example');
    const storefront = menu.getByRole('menuitem', { name: 'View storefront' });
    expect([await storefront.getAttribute('href'), await storefront.getAttribute('target'), await storefront.getAttribute('rel')]).toEqual([
      '/shop/1',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(await violations(page)).toEqual([]);
    await eventually(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('View storefront');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Help center');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('p-store-btn');
    await page.keyboard.press('Enter');
    await menu.getByRole('menuitem', { name: 'Help center' }).waitFor();
    await page.keyboard.press('End');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Logout');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('S094 Refer and earn is there for those who may, and the click is counted', async () => {
    const { page } = await enter('/subscriptions');
    const tracked = requests(page, /merchantReferralClick/);
    await page.locator('.p-store-btn').click();
    await page.getByRole('menuitem', { name: 'Refer and earn' }).click();
    await eventually(() => tracked.map(one => one.data['source'])).toEqual(['TOP_BAR']);
    await eventually(
      async () => (await server.services.db.ownerQuery("select 1 from account_log where action = 'referral.opened'")).rows.length,
    ).toBe(1);
    await set('update stores set billing_plan_id = 1 where id = 1');
    const other = await enter('/selling-plans');
    await other.page.locator('.p-store-btn').click();
    await other.page.getByRole('menuitem', { name: 'Help center' }).waitFor();
    expect(await other.page.getByRole('menuitem', { name: 'Refer and earn' }).count()).toBe(0);
  });

  it('S088 S089 S090 S091 Setup Score: off the dashboard with the switch on, and it opens the panel', async () => {
    const { page, problems } = await enter('/subscriptions');
    const link = page.getByRole('link', { name: /^Setup Score: \d+%$/ });
    await link.waitFor();
    expect(await link.innerText()).toMatch(/^Setup Score: \d+%$/);
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Setup Score' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Setup Score' }).waitFor({ state: 'detached' });
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toContain('p-setup-link');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await atPath(page, '/dashboard');
    await page.locator('main h1').first().waitFor();
    await eventually(() => link.count()).toBe(0);
    await set("update stores set feature_switches = array_remove(feature_switches, 'loopSetupScore') where id = 1");
    const off = await enter('/subscriptions');
    await off.page.locator('.p-news-dot').waitFor();
    expect(await off.page.getByRole('link', { name: /Setup Score/ }).count()).toBe(0);
    await set("update stores set feature_switches = array_append(feature_switches, 'loopSetupScore') where id = 1");
    expect(problems).toEqual([]);
  });

  it("S092 What's new: marked while unread, read by opening it, also on a phone", async () => {
    const { page, problems } = await enter('/subscriptions', { width: 390, scheme: 'dark' });
    await page.locator('.p-news-dot').waitFor();
    const button = page.getByRole('button', { name: /^What's new, \d+ unread$/ });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await button.focus();
    await page.keyboard.press('Enter');
    const news = page.getByRole('dialog', { name: /What's new/ });
    await news.getByRole('heading', { level: 3 }).first().waitFor();
    expect(await news.locator('[data-unread]').count()).toBeGreaterThan(2);
    expect(await violations(page)).toEqual([]);
    const box = (await news.boundingBox())!;
    expect(box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await page.locator('.p-news-dot').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await news.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: "What's new", exact: true }).waitFor();
    await page.goto('/selling-plans');
    await page.getByRole('button', { name: "What's new", exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
