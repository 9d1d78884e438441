// Finding one's way: the navigation at the left and as a drawer, what a person may not open, and the command palette by keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });
const nav = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });
const entry = (page: Page, name: string | RegExp): Locator => nav(page).getByRole('link', { name, exact: typeof name === 'string' });
const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Command palette' });
const options = (page: Page): Promise<string[]> => palette(page).getByRole('option').allInnerTexts();
const open = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await palette(page).getByPlaceholder('Search...').waitFor();
};
const heading = (page: Page, name: string): Promise<void> =>
  page.locator('main').getByRole('heading', { level: 1, name, exact: true }).waitFor();

describe('the navigation', () => {
  it('S009 S031 S061 S066 S067 S068 opens sections, highlights where one is, titles the page', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await entry(page, 'Retain').click();
    await atPath(page, '/streaks');
    await heading(page, 'Streaks');
    await eventually(() => page.title()).toBe('Retain > Streaks - Perennial');
    expect(await nav(page).locator('[aria-current="page"]').innerText()).toContain('Streaks');
    expect(await nav(page).locator('[data-current]').count()).toBe(2);
    const titles = (await nav(page).locator('.p-nav-main > li > .p-nav-item').allInnerTexts()).map(text => text.replace('\n', ' '));
    expect(titles).toEqual([
      ...['Home', 'Subscriptions', 'Campaigns', 'Analytics', 'Acquire', 'Bundles', 'Grow', 'Retain', 'Tools & apps', 'Customer portal'],
      ...['Gifts'],
    ]);
    expect(await nav(page).getByRole('img', { name: 'New' }).count()).toBe(1);
    await entry(page, 'Customer portal').click();
    await atPath(page, '/customer-portal/preferences');
    await heading(page, 'Portal preferences');
    const pages = nav(page)
      .locator('.p-nav-main > li', { has: page.getByRole('link', { name: 'Customer portal', exact: true }) })
      .locator('li');
    expect((await pages.allInnerTexts()).map(text => text.replace('\n', ' '))).toEqual([
      'Portal preferences',
      'Portal accessibility',
      'Themes',
    ]);
    await entry(page, /^Themes/).click();
    await heading(page, 'Themes');
    expect(await violations(page)).toEqual([]);
    const session = (await (
      await fetch(`${at.product.url}/host/user/session`, { headers: { authorization: await at.product.token() } })
    ).json()) as { data: { alertCount: number } };
    expect(session.data.alertCount).toBeGreaterThan(0);
    await entry(page, /^Alert center/)
      .locator('.p-count[data-tone="critical"]')
      .getByText(String(session.data.alertCount))
      .waitFor();
    await entry(page, /^Alert center/).click();
    await atPath(page, '/alerts/open');
    await page.goto('/customer-portal?from=mail');
    await atPath(page, '/customer-portal/preferences?from=mail');
    await heading(page, 'Portal preferences');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('S169 S037 showHidden=true shows hidden entries on this and the following pages, showHidden=false ends it', async () => {
    const { page, problems } = await at.page('/analytics');
    expect(await entry(page, 'Subscriptions').count()).toBe(1);
    await page.goto('/analytics?showHidden=true');
    await eventually(() => entry(page, 'Subscriptions').count()).toBe(2);
    await entry(page, 'Cohorts').click();
    await heading(page, 'Cohorts');
    expect(await entry(page, 'Subscriptions').count()).toBe(2);
    await page.goto('/analytics?showHidden=false');
    await eventually(() => entry(page, 'Subscriptions').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('S069 there is none for people who are not signed in', async () => {
    const { page, problems } = await at.page('/login', { as: null });
    expect(await nav(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Open navigation' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    expect(await palette(page).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is put away, stays so over a reload, and comes back, with the focus on the button that does the opposite', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await nav(page).hover();
    await page.getByRole('button', { name: 'Hide navigation' }).press('Enter');
    await eventually(() => nav(page).isVisible()).toBe(false);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open navigation');
    await page.goto('/subscriptions');
    await heading(page, 'Subscriptions');
    expect(await nav(page).isVisible()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open navigation' }).press('Enter');
    await nav(page).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Hide navigation');
    expect(problems).toEqual([]);
  });

  it('S094 S275 Refer and earn leads to its page, and the click is noted', async () => {
    const { page, problems } = await at.page('/subscriptions');
    const tracked = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/merchantReferralClick'));
    await entry(page, 'Refer and earn').click();
    expect((await (await tracked).response())?.status()).toBe(200);
    await atPath(page, '/refer');
    expect(problems).toEqual([]);
  });

  it('S010 S314 under 768 px it is a drawer: the focus stays in it, Escape, the backdrop, the button and a choice close it', async () => {
    const { page, problems } = await at.page('/subscriptions', { width: 390 });
    const button = page.getByRole('button', { name: 'Open navigation' });
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await page.setViewportSize({ width: 768, height: 900 });
    await nav(page).waitFor();
    expect(await button.isVisible()).toBe(false);
    await page.setViewportSize({ width: 767, height: 900 });
    await button.waitFor();
    expect(await nav(page).isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 800 });

    await button.press('Enter');
    await drawer.waitFor();
    expect(await violations(page)).toEqual([]);
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null),
        `after ${i + 1} tabs`,
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await button.evaluate(element => element === document.activeElement)).toBe(true);
    await button.click();
    await page.mouse.click(380, 400);
    await drawer.waitFor({ state: 'detached' });
    await button.click();
    await drawer.getByRole('button', { name: 'Close navigation' }).click();
    await drawer.waitFor({ state: 'detached' });
    await button.click();
    await drawer.getByRole('link', { name: 'Tools & apps' }).click();
    await drawer.waitFor({ state: 'detached' });
    await atPath(page, '/bulk-actions');
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(problems).toEqual([]);
  });
});

describe('what a person may not open', () => {
  it('S031 S218 S220 S221 S225 a member with three permissions sees just those: by entry, by address and by call', async () => {
    const owner = await at.product.token('owner');
    const call = async (method: string, path: string, token: string, body?: object): Promise<{ status: number; body: any }> => {
      // any: answers of many shapes
      const answer = await fetch(at.product.url + path, {
        method,
        headers: { authorization: token, ...(body ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const people = (await call('GET', '/host/user/users/list', owner)).body.data as { userId: number; firstName: string }[];
    const nadia = people.find(person => person.firstName === 'Nadia')!.userId;
    const held = (await call('GET', `/host/user/users/permissions/${nadia}`, owner)).body.data.permissions as { permissionKey: string }[];
    const three = ['subscriptionDetails', 'sellingPlan', 'paymentRecovery'];
    const changed = await call('PUT', `/host/user/users/permissions/${nadia}`, owner, {
      permissions: held.map(one => ({
        permissionKey: one.permissionKey,
        access: three.includes(one.permissionKey) ? 'READ' : 'NO_ACCESS',
      })),
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);

    const { page, problems } = await at.page('/subscriptions', { as: 'readOnly', scheme: 'dark' });
    const links = nav(page).getByRole('link');
    const disabled = await links.evaluateAll(all =>
      all.filter(one => one.getAttribute('aria-disabled') === 'true').map(one => one.textContent?.replace(/\d.*$/, '').trim()),
    );
    expect(disabled).toEqual([
      'Home',
      'Campaigns',
      'Analytics',
      'Bundles',
      'Grow',
      'Tools & apps',
      'Customer portal',
      'Gifts',
      'Refer and earn',
      'Alert center',
      'Settings',
    ]);

    // A disabled entry says why, and leads nowhere.
    const grow = entry(page, 'Grow');
    await grow.focus();
    await page.getByRole('tooltip').getByText("You don't have permission to see this (Grow). Ask an admin of your store for it.").waitFor();
    await grow.press('Enter');
    await page.locator('.p-notice').getByText("You don't have permission to see this (Grow). Ask an admin of your store for it.").waitFor();
    await atPath(page, '/subscriptions');
    expect(await violations(page)).toEqual([]);

    // A section leads to the first of its pages that is open.
    await entry(page, 'Retain').click();
    await atPath(page, '/settings/paymentRecovery');
    await page.getByText(/^You don't have permission to change these settings \(Payment recovery\)/).waitFor();

    // By address: the page names the right and who can give it.
    for (const [path, title, right] of [
      ['/streaks', 'Streaks', 'Streaks'],
      ['/bulk-actions', 'Bulk actions', 'Tools & apps'],
      ['/settings', 'Settings', 'Settings'],
      ['/settings/general', 'General', 'Settings'],
      ['/flows', 'Flows', 'Flows'],
    ] as const) {
      await page.goto(path);
      await heading(page, title);
      await page.getByRole('heading', { name: "You can't see this" }).waitFor();
      expect(await page.locator('main dl').innerText()).toMatch(
        new RegExp(`^Permission needed\\s+${right}\\s+Who can give it\\s+Amira Fontaine, the owner, and every admin$`),
      );
    }
    expect(await violations(page)).toEqual([]);

    // What may be looked at and not changed: buttons are disabled with the reason.
    await page.goto('/selling-plans');
    const create = page.getByRole('button', { name: 'Create group' });
    await create.waitFor();
    expect([await create.getAttribute('aria-disabled'), await create.getAttribute('data-tip')]).toEqual([
      'true',
      "You don't have permission to change this (Selling plans). Ask an admin of your store for it.",
    ]);

    // By call: the same.
    const own = await at.product.token('readOnly');
    const domain = 'myshopify_domain=fernandember.myshopify.com';
    expect((await call('GET', '/host/main/api/merchant/subscriptionContract/list?pageSize=1', own)).status).toBe(200);
    expect((await call('GET', `/host/main/api/merchant/sellingPlanGroups/read_spg?${domain}`, own)).status).toBe(200);
    expect((await call('GET', '/host/main/api/preferences/setting/paymentRecovery', own)).status).toBe(200);
    for (const path of [
      '/host/main/api/preferences/setting/general',
      `/host/main/api/merchant/accountLogs?${domain}`,
      '/host/user/users/list',
    ]) {
      const { status, body } = await call('GET', path, own);
      expect([path, status, body.code]).toEqual([path, 403, 'FORBIDDEN']);
      expect(body.message).toMatch(/^You don't have permission to see (this|these settings) \(.+\)\. Ask an admin of your store for it\.$/);
    }

    // The palette has what may be opened, and of the open sections what may not, with the reason.
    await open(page);
    const listed = (await options(page)).map(text => text.replace(/\s+/g, ' '));
    expect(
      listed.filter(text => /^(Campaigns|Analytics|Bundles|Grow|Tools & apps|Customer portal|Settings|Alert center)/.test(text)),
    ).toEqual([]);
    expect(listed).toEqual(
      expect.arrayContaining([
        'Retain › Payment recovery',
        "Retain › Flows You don't have permission to see this (Flows). Ask an admin of your store for it.",
      ]),
    );
    expect(
      await palette(page)
        .getByRole('option', { name: /Retain › Flows/ })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    expect(problems.filter(provoked(403))).toEqual([]);
  });

  it('S140 S056 gifts are not there without a gift widget, not by their address either', async () => {
    const { page, problems } = await at.tab();
    // The demo store has one.
    await page.route('**/session', async route => {
      const answer = await route.fetch();
      const body = await answer.text();
      await route.fulfill({ response: answer, body: body.replace('"hasGiftWidget":true', '"hasGiftWidget":false') });
    });
    await page.goto('/gift/programs');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found - Perennial');
    expect(await entry(page, 'Gifts').count()).toBe(0);
    await page.goto('/widget-installation');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe('the command palette', () => {
  it('S073 S078 S079 S080 S081 S082 S316 D279 goes anywhere by keyboard alone, at most 600 px wide', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    await open(page);
    expect((await palette(page).boundingBox())?.width).toBe(600);
    expect(await palette(page).getByText('Navigation', { exact: true }).count()).toBe(1);
    const all = (await options(page)).map(text => text.replace(/\s+/g, ' ').trim());
    expect(all).toEqual(
      expect.arrayContaining([
        'Home',
        'Analytics › Cohorts',
        'Customer portal › Themes',
        'Bundles › Snippets',
        'Gifts › Programs',
        'Acquire › Selling plans',
        'Settings › General',
        'Settings › API tokens',
        'Alert center',
      ]),
    );
    expect(all.join()).not.toContain('Analytics › Subscriptions');
    expect(all.filter((one, i) => all.indexOf(one) < i)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('cohor');
    await eventually(() => options(page)).toEqual(['Analytics › Cohorts']);
    await page.keyboard.press('Enter');
    await atPath(page, '/analytics/cohorts');
    await heading(page, 'Cohorts');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');

    // Arrows go round, Escape gives the focus back, the same keys close it.
    await page.getByRole('button', { name: 'Search', exact: true }).press('Enter');
    await palette(page).waitFor();
    const chosen = (): Promise<string> => palette(page).locator('[role="option"][aria-selected="true"]').innerText();
    await eventually(chosen).toBe('Home');
    await page.keyboard.press('ArrowDown');
    await eventually(chosen).toBe('Subscriptions');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await eventually(chosen).toBe('Logout');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search');
    await open(page);
    await page.keyboard.press('Control+k');
    await palette(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('finds subscriptions, customers, products and plans by typing, and remembers where one was', async () => {
    const { page, problems } = await at.page('/subscriptions');
    const row = page.locator('tbody tr[data-row]').first();
    await row.waitFor();
    const [number, name] = [/#(\d+)/.exec(await row.innerText())![1]!, (await row.locator('td').nth(2).innerText()).split('\n')[0]!];
    await open(page);
    await page.keyboard.type(number);
    const hit = palette(page).getByRole('option', { name: new RegExp(`#${number} ·`) });
    await hit.waitFor();
    expect(await hit.innerText()).toContain(name);
    await eventually(() => hit.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await atPath(page, `/subscriptions/${number}`);
    await page.locator('main h1').filter({ hasText: name }).waitFor();

    // What the record offers stands first; choosing it asks as its button does.
    await open(page);
    await page.keyboard.type('cancel');
    const cancel = palette(page)
      .getByRole('group', { name: 'This page' })
      .getByRole('option', { name: /^Cancel/ })
      .first();
    await eventually(() => cancel.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.locator('.MuiDialog-root').getByRole('heading').first().waitFor();
    await page.keyboard.press('Control+k');
    expect(await palette(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.MuiDialog-root').waitFor({ state: 'detached' });

    await page.goto('/selling-plans');
    await heading(page, 'Selling plans');
    await open(page);
    await palette(page)
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: new RegExp(`#${number}`) })
      .waitFor();
    for (const [text, group] of [
      ['moss', 'Products'],
      ['subscribe', 'Selling plans'],
      [name.split(' ')[0]!, 'Customers'],
    ] as const) {
      await palette(page).getByPlaceholder('Search...').fill(text);
      await palette(page).getByRole('group', { name: group, exact: true }).getByRole('option').first().waitFor();
    }
    await palette(page).getByPlaceholder('Search...').fill('create group');
    await eventually(() => options(page)).toEqual(['Create group']);
    await page.keyboard.press('Enter');
    await atPath(page, '/selling-plans/create');
    expect(problems).toEqual([]);
  });

  it('S309 an action of the order schedule that there is not is an error that names it', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await page.evaluate(() =>
      localStorage.setItem(
        'perennial.1.1001.recent',
        JSON.stringify([{ to: '/settings/order-schedule?action=moveEverything', title: 'Move everything', section: 'Settings' }]),
      ),
    );
    await open(page);
    await page.keyboard.type('move everything');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid action key: moveEverything').waitFor();
    await atPath(page, '/subscriptions');
    await open(page);
    await page.keyboard.type('delivery date');
    await page.keyboard.press('Enter');
    await atPath(page, '/settings/order-schedule?action=deliveryDateField');
    await heading(page, 'Order schedule');
    expect(problems).toEqual([]);
  });

  it('says when nothing fits, and when records can not be searched', async () => {
    const { page, problems } = await at.page('/subscriptions', { scheme: 'dark' });
    await page.locator('tbody tr[data-row]').first().waitFor();
    await open(page);
    await page.keyboard.type('zzqqxx');
    await palette(page).getByText('Nothing found for “zzqqxx”').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.route(/subscriptionContract\/list/, route =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, code: 'FORBIDDEN', message: 'No.', requestId: 'r' }),
      }),
    );
    await palette(page).getByPlaceholder('Search...').fill('moss');
    await palette(page).getByRole('alert').getByText('Subscriptions could not be searched.').waitFor();
    await palette(page).getByRole('group', { name: 'Products' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems.filter(provoked(403))).toEqual([]);
  });

  it('fills the screen of a phone, and closes by its button', async () => {
    const { page, problems } = await at.page('/subscriptions', { width: 390 });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await palette(page).waitFor();
    const size = page.viewportSize();
    await eventually(() => palette(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: size?.width, height: size?.height });
    expect(await violations(page)).toEqual([]);
    await palette(page).getByRole('button', { name: 'Close' }).click();
    await palette(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});
