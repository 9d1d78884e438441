// The start and what may go wrong with it: slow, refused, broken and lost answers, other back ends, other stores' addresses; and the same
// while working.
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { startReportService } from '../../support/reports.ts';

const service = await startReportService();
afterAll(() => service.close());
const at = journeys({ engine: 'embedded', size: 300, env: { PERENNIAL_DOMAIN_GUARD: 'on', PERENNIAL_ERROR_DSN: service.dsn } });

const SESSION = '**/host/user/session';
const LIST = '**/host/main/api/merchant/subscriptionContract/list?*';
const token = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('perennial.token'));
const frame = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Main' }).waitFor();
const rows = (page: Page): Promise<void> => page.locator('tbody tr[data-row]').first().waitFor();
const loginPage = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Sign in' }).waitFor();
/** Browsers say this of plain http on anything but this machine. */
const notTls = (problem: string): boolean => !problem.includes('Cross-Origin-Opener-Policy header has been ignored');
/** Counts how often the sign-in page is loaded from now on. */
const countLogins = (page: Page): { times: number } => {
  const counted = { times: 0 };
  page.on('request', request => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname === '/login') counted.times++;
  });
  return counted;
};
const refuse =
  (status: number, message: string, code = 'REFUSED') =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ success: false, code, message, requestId: 'r-1' }) });
/** What a failed request makes the browser's console say. */
const provokedFailure =
  (...statuses: number[]) =>
  (problem: string): boolean =>
    provoked(...statuses)(problem) &&
    !/ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_REFUSED)/.test(problem) &&
    !statuses.some(status => problem.startsWith(`${status} http`));
/** Holds the answers to an address back until the test lets them go on. */
const hold = async (page: Page, address: string): Promise<(then: (route: Route) => Promise<void>) => Promise<void>> => {
  const held: Route[] = [];
  let open: ((route: Route) => Promise<void>) | undefined;
  await page.route(address, route => (open ? open(route) : void held.push(route)));
  return async then => {
    open = then;
    for (const route of held.splice(0)) await then(route);
  };
};

describe('the start', () => {
  it('S012 S170 S163 S172 a full page of shapes stands until the session has come, then the frame and the page', async () => {
    const { page, problems } = await at.visit();
    const release = await hold(page, SESSION);
    await page.goto('/selling-plans');
    const loading = page.getByRole('status', { name: 'Loading' });
    await loading.waitFor();
    const box = (await loading.boundingBox())!;
    expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 1440, 900]);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await release(route => route.continue());
    await page.getByRole('heading', { level: 1, name: 'Selling plans' }).waitFor();
    await frame(page);
    expect(await page.locator('.boot').count()).toBe(0);
    await atPath(page, '/selling-plans');
    expect(problems).toEqual([]);
  });

  it('S014 S015 S011 a page whose code is on its way stands in shapes inside the frame, whose logo leads home', async () => {
    const { page, problems } = await at.visit();
    const release = await hold(page, '**/assets/record-page-*.js');
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().click();
    const shapes = page.locator('main').getByRole('status', { name: 'Loading' });
    await shapes.waitFor();
    await atPath(page, /^\/subscriptions\/\d+/);
    expect([
      await shapes.locator('.p-sk-title').count(),
      await shapes.locator('.p-sk-btn').count(),
      await shapes.locator('.p-two > *').count(),
      await shapes.locator('.p-card').count(),
    ]).toEqual([1, 1, 2, 4]);
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Perennial' }).getAttribute('href')).toBe(
      '/dashboard',
    );
    await release(route => route.continue());
    await page.locator('main h1').first().waitFor();
    await shapes.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('S161 S162 S171 S293 a token that is worth nothing leads to sign-in, which says why, and from there back', async () => {
    const { page, problems } = await at.visit();
    const release = await hold(page, SESSION);
    await page.goto('/selling-plans?tab=draft#here');
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await release(refuse(401, 'Sign in again.', 'UNAUTHORIZED'));
    await loginPage(page);
    await page.getByText('Your session has ended. Sign in again to go on where you were.').waitFor();
    expect(await page.locator('.boot').count()).toBe(0);
    await atPath(page, '/login?tab=draft');
    expect(await token(page)).toBeNull();
    await page.unroute(SESSION);
    await page.locator('.p-demo-user').first().click();
    await frame(page);
    await atPath(page, '/selling-plans?tab=draft');
    expect(new URL(page.url()).hash).toBe('#here');
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('S174 an answer that flags an error leads to sign-in, in the words of the answer', async () => {
    const { page, problems } = await at.visit();
    await page.route(SESSION, refuse(403, 'This store is closed.'));
    await page.goto('/settings/general?from=mail');
    await loginPage(page);
    await page.getByText('This store is closed.').waitFor();
    await atPath(page, '/login?from=mail');
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(problems.filter(provoked(403))).toEqual([]);
  });

  it('S175 S023 an exception leads to /404, which says so and goes on by itself to the page that was asked for', async () => {
    const { page, problems } = await at.visit();
    await page.route(SESSION, refuse(500, 'Something broke here. Try again; if it stays, contact support.', 'INTERNAL'));
    await page.goto('/settings/general?a=1');
    await page.getByRole('heading', { name: 'Perennial could not start' }).waitFor();
    await atPath(page, '/404');
    await page.getByText('Request r-1').waitFor();
    await page.unroute(SESSION);
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
    await atPath(page, '/settings/general?a=1');
    expect(problems.filter(provokedFailure(500))).toEqual([]);
  });

  it('S023 a server that is not reached is waited for, and a reload of /404 is another try at the same page', async () => {
    const { page, problems } = await at.visit();
    await page.route(SESSION, route => route.abort());
    await page.route('**/healthz', route => route.abort());
    await page.goto('/settings/general');
    await page.getByRole('heading', { name: 'Unable to connect to server.' }).waitFor();
    await atPath(page, '/404');
    await page.reload();
    await page.getByRole('heading', { name: 'Unable to connect to server.' }).waitFor();
    await page.unroute(SESSION);
    await page.unroute('**/healthz');
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
    await atPath(page, '/settings/general');
    expect(problems.filter(provokedFailure())).toEqual([]);
  });

  it('S021 S020 the page that was asked for is kept through sign-in, with its query', async () => {
    const { page, problems } = await at.visit({ as: null });
    await page.goto('/subscriptions?tab=paused&q=an#list');
    await loginPage(page);
    await atPath(page, '/login?tab=paused&q=an');
    await page.locator('.p-demo-user').first().click();
    await frame(page);
    await atPath(page, '/subscriptions?tab=paused&q=an');
    expect(problems).toEqual([]);
  });

  it('S022 S026 S027 the root and /_app lead to the landing page: the first in the navigation, /dashboard, once it is there', async () => {
    const { main } = JSON.parse(readFileSync('resources/navigation.json', 'utf8')) as { main: { to: string; planned?: string }[] };
    expect(main[0]?.to).toBe('/dashboard');
    const landing = main.find(entry => entry.planned === undefined)!.to;
    const { page, problems } = await at.visit();
    for (const path of ['/', '/_app', '/_app?from=platform']) {
      await page.goto(path);
      await frame(page);
      await atPath(page, landing);
    }
    expect(problems).toEqual([]);
  });

  it('S160 S276 S277 S278 S279 S280 a back end that only has the calls of the specification is started by those', async () => {
    const { page, problems } = await at.visit();
    const asked = new Set<string>();
    page.on('request', request => {
      const path = new URL(request.url()).pathname;
      if (path.startsWith('/host/')) asked.add(`${request.method()} ${path}`);
    });
    await page.route(SESSION, refuse(404, 'There is nothing at this address.', 'NOT_FOUND'));
    // S294 S295: what the start can do without is only reported.
    await page.route('**/featureGate/featureSwitches', refuse(500, 'The switches are broken.', 'INTERNAL'));
    await page.goto('/subscriptions?tab=paused');
    await rows(page);
    await frame(page);
    await atPath(page, '/subscriptions?tab=paused');
    for (const call of [
      'GET /host/user/admin/user',
      'GET /host/main/api/billing/all_features_v2',
      'GET /host/main/api/merchant/featureGate/featureSwitches',
      'GET /host/app/store/snippet_version',
      'GET /host/app/store/settings',
      'GET /host/app/onboarding/status',
      'POST /host/app/settings/fetch_billing',
      'GET /host/app/settings/read_scopes',
    ])
      expect([...asked]).toContain(call);
    expect(await page.locator('.p-store-btn').innerText()).toContain('Fern & Ember');
    expect(await page.locator('.p-notice').count()).toBe(0);
    await eventually(() => service.reports.filter(one => one.message === 'The switches are broken.').map(one => one.tags)).toEqual([
      expect.objectContaining({
        shop: 'fernandember.myshopify.com',
        source_function: 'featureSwitches',
        file: 'start-up.ts',
        origin: 'admin',
      }),
    ]);
    expect(problems.filter(provokedFailure(404, 500))).toEqual([]);
  });
});

describe('the address of another store', () => {
  const on = (host: string, path: string): string => {
    const url = new URL(path, at.product.url);
    url.hostname = host;
    return url.href;
  };
  it('S164 S168 the own address lets in, however it is written', async () => {
    for (const host of ['fernandember.stores.test', 'FernAndEmber.stores.test']) {
      const { page, problems } = await at.visit();
      await page.goto(on(host, '/selling-plans'));
      await page.getByRole('heading', { level: 1, name: 'Selling plans' }).waitFor();
      expect(await token(page)).not.toBeNull();
      expect(problems.filter(notTls)).toEqual([]);
    }
  });
  it('S165 S166 S167 another first label signs out: the token is gone, the address is /login, and it says why', async () => {
    const { page, problems } = await at.visit();
    await page.goto(on('elsewhere.stores.test', '/selling-plans?a=1'));
    await loginPage(page);
    await page.getByText('This address belongs to another store.').waitFor();
    await atPath(page, '/login?a=1');
    expect(await token(page)).toBeNull();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(problems.filter(notTls)).toEqual([]);
  });
  it('S164 on this machine the session is not ended', async () => {
    const { page, problems } = await at.page('/selling-plans');
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(await token(page)).not.toBeNull();
    expect(problems).toEqual([]);
  });
});

describe('while working', () => {
  it('S289 D231 a session that ends while a form is filled in: one sign-in, nothing typed is lost, the form is sent once', async () => {
    const { page, problems } = await at.page('/settings/general', { alone: true });
    const sent: number[] = [];
    const logins = countLogins(page);
    page.on('response', response => {
      if (response.request().method() === 'PUT') sent.push(response.status());
    });
    const hour = page.getByLabel('Billing hour');
    // Another hour than the one before, also when the test runs a second time.
    await hour.selectOption({ index: (await hour.evaluate((select: HTMLSelectElement) => select.selectedIndex)) === 5 ? 6 : 5 });
    const chosen = await hour.inputValue();
    await page.getByText('1 unsaved change').waitFor();
    // Save is pressed in the page as soon as the session has ended, before any other call can notice it.
    await page.getByRole('button', { name: 'Save', exact: true }).evaluate(
      async (save: HTMLElement, authorization) => {
        const headers = { authorization, 'content-type': 'application/json' };
        await fetch('/host/user/logout', { method: 'POST', headers, body: '{}' });
        save.click();
      },
      (await token(page))!,
    );
    await loginPage(page);
    await page.getByText('Your session has ended.').waitFor();
    await page.locator('.p-demo-user').first().click();
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
    await atPath(page, '/settings/general');
    await page.getByText('Restore your unsaved changes?').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await page.getByLabel('Billing hour').inputValue()).toBe(chosen);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved.').first().waitFor();
    expect([sent, logins.times]).toEqual([[401, 200], 1]);
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('what was typed into a record is offered after the session ended, in the tab that waits while another signs in', async () => {
    const { page, problems } = await at.page('/selling-plans', { alone: true });
    await page.locator('tbody tr[data-row]').first().click();
    const note = page.getByLabel('Note for your team');
    await note.fill('Ask Ana before the summer.');
    await page.getByText('1 unsaved change').waitFor();
    const path = new URL(page.url()).pathname;
    await fetch(`${at.product.url}/host/user/logout`, {
      method: 'POST',
      headers: { authorization: (await token(page))!, 'content-type': 'application/json' },
      body: '{}',
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await loginPage(page);
    // As by a link in an e-mail: it opens in a tab of its own.
    const other = await page.context().newPage();
    await other.goto(`${at.product.url}/login`);
    await other.locator('.p-demo-user').first().click();
    await frame(other);
    await page.getByText('Restore your unsaved changes?').waitFor();
    await atPath(page, path);
    await page.getByRole('button', { name: 'Restore' }).click();
    await eventually(() => note.inputValue()).toBe('Ask Ana before the summer.');
    // Leaving without saving, as the person chooses, ends it.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
    await rows(page);
    await page.goto(`${at.product.url}${path}`);
    await note.waitFor();
    expect(await page.getByText('Restore your unsaved changes?').count()).toBe(0);
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('a link that works once is used when its button is pressed, not by programs that open the page', async () => {
    const { page, problems } = await at.visit();
    const redeemed: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/login/redeem')) redeemed.push(request.postData() ?? '');
    });
    const link = 'x'.repeat(43);
    await page.goto(`/login?link=${link}`);
    await page.getByRole('heading', { name: 'You are one step away' }).waitFor();
    expect(page.url()).not.toContain(link);
    await page.reload();
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await button.waitFor();
    await page.waitForLoadState('networkidle');
    expect(redeemed).toEqual([]);
    await button.click();
    await page.getByText('This sign-in link has expired or was used already.').waitFor();
    expect(redeemed).toEqual([JSON.stringify({ token: link })]);
    expect(problems.filter(provoked(400))).toEqual([]);
  });

  it('what one person typed is not offered to the next', async () => {
    const { page, problems } = await at.page('/settings/general', { alone: true });
    await page.getByLabel('Billing hour').selectOption({ index: 7 });
    await page.getByText('1 unsaved change').waitFor();
    await fetch(`${at.product.url}/host/user/logout`, {
      method: 'POST',
      headers: { authorization: (await token(page))!, 'content-type': 'application/json' },
      body: '{}',
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await loginPage(page);
    await page.locator('.p-demo-user', { hasText: 'Admin' }).click();
    await page.getByLabel('Billing hour').waitFor();
    expect(await page.getByText('Restore your unsaved changes?').count()).toBe(0);
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('S289 calls that are refused at once lead to one sign-in', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await rows(page);
    const logins = countLogins(page);
    let refused = 0;
    const answers = await hold(page, '**/host/main/**');
    // Every view asks again, and so does the list behind each.
    await page.evaluate(() => {
      for (const link of document.querySelectorAll<HTMLElement>('nav[aria-label="Views"] a')) link.click();
    });
    await page.getByRole('searchbox').first().fill('an');
    await page.keyboard.press('Enter');
    await atPath(page, /q=an/);
    await answers(route => {
      refused++;
      return refuse(401, 'Sign in again.', 'UNAUTHORIZED')(route).catch(() => undefined);
    });
    await loginPage(page);
    expect(refused).toBeGreaterThan(1);
    expect(logins.times).toBe(1);
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('S290 S291 S292 D229 D230 a lost connection shows a banner that can be dismissed, and what failed comes by itself when it is back', async () => {
    const { page, context, problems } = await at.visit();
    await page.goto('/subscriptions');
    await page.locator('main h1').first().waitFor();
    await rows(page);
    const banner = page.getByRole('alert').filter({ hasText: 'Unable to connect to server.' });
    await context.setOffline(true);
    await banner.waitFor({ timeout: 5000 });
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Paused/ })
      .click();
    await atPath(page, /paused/);
    await context.setOffline(false);
    await page.getByText('Connected again.').waitFor();
    await rows(page);
    expect(await banner.count()).toBe(0);
    // It is lost a second time: the banner is there again, and its button tries at once.
    await context.setOffline(true);
    await banner.waitFor();
    await context.setOffline(false);
    await banner.waitFor({ state: 'detached' });
    expect(problems.filter(provokedFailure())).toEqual([]);
  });

  it('S023 a page whose data can not be had stays where it is, says so, and tries again in place', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.route(LIST, refuse(422, 'This filter makes no sense.', 'VALIDATION'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByText('This filter makes no sense.').waitFor();
    await atPath(page, '/subscriptions');
    await frame(page);
    await page.unroute(LIST);
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page);
    await atPath(page, '/subscriptions');
    expect(problems.filter(provokedFailure(422))).toEqual([]);
  });

  it('an answer that takes three seconds comes; one that never comes is given up on within ten', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.route(LIST, async route => {
      await new Promise(resolve => {
        setTimeout(resolve, 3000);
      });
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Subscriptions' }).click();
    await rows(page);
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
    await page.unroute(LIST);
    await page.route(LIST, () => undefined);
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Paused/ })
      .click();
    await page.getByText('The server takes too long to answer. Try again in a moment.').waitFor({ timeout: 15_000 });
    await page.unroute(LIST);
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page);
    expect(problems).toEqual([]);
  });

  it('S307 S308 D234 an uncaught error is reported with the shop, the function and the file', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.route('**/broken-on-purpose.js', route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'export function brokenOnPurpose() { throw new Error("Broken on purpose"); }\nsetTimeout(brokenOnPurpose);',
      }),
    );
    await page.evaluate('import("/broken-on-purpose.js").then(() => undefined)');
    await eventually(() => service.reports.filter(one => one.message === 'Broken on purpose').map(one => one.tags)).toEqual([
      expect.objectContaining({
        shop: 'fernandember.myshopify.com',
        source_function: 'brokenOnPurpose',
        file: expect.stringContaining('/broken-on-purpose.js:1:'),
        origin: 'admin',
      }),
    ]);
    await frame(page);
    expect(problems).toEqual(['error: Broken on purpose']);
  });
});

describe('the policy of the page', () => {
  // That no screen breaks it is looked at where every screen is (pages.test.ts): the browser says so in its console.
  it('lets no text become a script, and nothing listens to other pages', async () => {
    const { page, context, problems } = await at.visit();
    await page.goto('/settings');
    await page.locator('main h1').first().waitFor();
    // Text that no policy gave becomes no script, and HTML at most once the policy of the editors has cleaned it.
    expect(
      await page.evaluate(() =>
        [
          () => {
            const place = document.createElement('div');
            place.innerHTML = '<a href="javascript:x()">x</a><iframe src="/x"></iframe>';
            if (!/javascript|<iframe/.test(place.innerHTML)) throw new TypeError('cleaned');
          },
          () => {
            document.createElement('script').src = '/x.js';
          },
        ].map(set => {
          try {
            set();
            return 'was set';
          } catch (error) {
            return (error as Error).name;
          }
        }),
      ),
    ).toEqual(['TypeError', 'TypeError']);
    const devtools = await context.newCDPSession(page);
    const { result } = await devtools.send('Runtime.evaluate', { expression: 'window' });
    const { listeners } = await devtools.send('DOMDebugger.getEventListeners', { objectId: result.objectId! });
    expect(listeners.map(one => one.type)).toContain('popstate');
    expect(listeners.filter(one => one.type === 'message' || one.type === 'messageerror')).toEqual([]);
    expect(problems.filter(problem => !problem.includes('TrustedHTML') && !problem.includes('TrustedScriptURL'))).toEqual([]);
  });
});
