// The first day of a store: the welcome page and nothing else until its form is saved, then the set-up panel, whose tasks are completed by
// doing them.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { categoriesOf } from '../../../src/navigation/set-up.ts';
import type { GoalCategory } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';
import { violations, type View, type Visit } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });
const TOKEN = 'perennial.token';
const GO = 'Get started';

/** A new store of its own, signed in, at an address. */
async function fresh(path: string, view: View = {}): Promise<Visit & { token: string }> {
  const { data } = (await (
    await fetch(`${at.product.url}/host/user/login/demo/new-store`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  ).json()) as { data: { token: string } };
  // The popups of the first days were put aside: they are another journey's (banners.test.ts).
  for (const id of [1, 2, 3, 4, 5, 8])
    await fetch(`${at.product.url}/host/app/settings/popup/mark`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: data.token },
      body: JSON.stringify({ id, state: 'DISMISSED' }),
    });
  const found = await at.visit({ ...view, as: null });
  await found.context.addInitScript(
    ([key, value]) => {
      if (!sessionStorage.getItem('signed-in-once')) {
        localStorage.setItem(key!, value!);
        sessionStorage.setItem('signed-in-once', '1');
      }
    },
    [TOKEN, data.token] as const,
  );
  await found.page.goto(path);
  await found.page.locator('main h1').first().waitFor();
  return { ...found, token: data.token };
}
/** The same with its form saved already. */
async function onboarded(path: string, view: View = {}): Promise<Visit> {
  const found = await fresh('/login', view);
  await fetch(`${at.product.url}/host/app/onboarding/onboardingForm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: found.token },
    body: JSON.stringify({ storeIndustry: 'wine', storeBizDetails: 'Wine', alreadyRunningSubscriptions: 0, referralSource: 'friend' }),
  });
  await found.page.goto(path);
  await found.page.locator('.p-shell main h1').first().waitFor();
  return found;
}
const form = (page: Page) => ({
  industry: page.getByLabel(/^Industry/),
  sells: page.getByLabel(/^What do you sell/),
  running: (answer: 'Yes' | 'No') => page.getByRole('radio', { name: answer, exact: true }),
  platform: page.getByLabel(/^Which platform/),
  heard: page.getByLabel(/^How did you hear about Perennial/),
  go: page.getByRole('button', { name: GO }),
});
const said = (page: Page): Promise<string[]> =>
  page
    .locator('main .p-error')
    .allInnerTexts()
    .then(all => all.map(text => text.trim()));
const fill = async (page: Page): Promise<void> => {
  const { industry, sells, running, heard } = form(page);
  await industry.selectOption('wine');
  await sells.fill('Natural wine');
  await running('No').check();
  await heard.selectOption('friend');
};
/** The calls that the page sends from here on, by method and path. */
const calls = (page: Page): string[] => {
  const sent: string[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    if (url.pathname.startsWith('/host/')) sent.push(`${request.method()} ${url.pathname.replace(/^\/host\/\w+/, '')}`);
  });
  return sent;
};
/** Answers the insights as they will be when every screen is built: with the tasks of the free plan that are left out until then. */
async function allBuilt(page: Page, newTasks: readonly string[] = [], undone: readonly string[] = []): Promise<void> {
  const { setUp } = productDefinitions();
  await page.route('**/storeInsights*', async route => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { goalCategories: GoalCategory[] } };
    const known = new Set(
      body.data.goalCategories.flatMap(one => one.subEntities.filter(task => task.isCompleted)).map(one => one.subModuleKey),
    );
    const tasks = setUp.tabs.flatMap(tab =>
      tab.modules.flatMap(module =>
        module.tasks
          .filter(task => [undefined, 'selling_plans', 'customer_portal'].includes(task.feature) && task.key !== 'giftProgram')
          .map(task => ({ tab: tab.name, module, task })),
      ),
    );
    const done = [...known, 'migration'].filter(key => !undone.includes(key));
    body.data.goalCategories = categoriesOf(setUp, tasks, new Set(done), new Set(newTasks));
    await route.fulfill({ response: answer, json: body });
  });
}
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Setup Score' });
/** The card on the dashboard, which opens the panel. */
const card = (page: Page): Locator => page.getByRole('region', { name: 'Setup Score' });
const OPENER = 'See all tasks';
const openPanel = async (page: Page): Promise<Locator> => {
  await card(page).getByRole('button', { name: OPENER }).click();
  await panel(page).getByRole('tab', { selected: true }).waitFor();
  return panel(page);
};
const openSections = (page: Page): Promise<string[]> =>
  panel(page).locator('.p-setup-toggle[aria-expanded="true"] > .p-cut').allInnerTexts();
const section = (page: Page, name: string): Locator =>
  panel(page).locator('.p-setup-section', { has: page.locator('.p-setup-toggle', { hasText: name }) });
/** Opens a section of the panel, unless it is the one that stands open. */
const opened = async (page: Page, name: string): Promise<Locator> => {
  const found = section(page, name);
  const toggle = found.locator('.p-setup-toggle');
  await toggle.waitFor();
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
  return found;
};
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '');

describe('the welcome page', () => {
  it('S006 S007 S008 S016 greets by first name with the tagline and the form, and is all there is, whatever the path', async () => {
    const { page, problems } = await fresh('/selling-plans');
    await page.getByRole('heading', { level: 1, name: 'Welcome, Robin' }).waitFor();
    await page.getByText('Acquire, manage & retain subscribers like pro', { exact: true }).waitFor();
    for (const path of ['/subscriptions', '/dashboard', '/settings/general', '/404', '/no/such/page', '/_app', '/']) {
      await page.goto(path);
      await form(page).go.waitFor();
      expect(
        [await page.locator('h1').allInnerTexts(), await page.getByRole('navigation').count(), await page.locator('.p-shell').count()],
        path,
      ).toEqual([['Welcome, Robin'], 0, 0]);
    }
    expect(await page.title()).toBe('Welcome - Perennial');
    expect(problems).toEqual([]);
  });

  it('S124 S125 has two panels side by side, which collapse on small screens; it is accessible in both schemes', async () => {
    const { page, problems } = await fresh('/');
    const boxes = async () =>
      Promise.all(['.p-welcome-main', '.p-welcome-side'].map(async part => (await page.locator(part).boundingBox())!));
    const wrong: Record<string, unknown> = {};
    for (const [width, schemes] of [
      [1440, ['light', 'dark']],
      [1024, ['dark']],
      [390, ['dark', 'light']],
    ] as const) {
      for (const scheme of schemes) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await eventually(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe(scheme);
        const [left, right] = await boxes();
        const isBeside = right!.x >= left!.x + left!.width && right!.y === left!.y;
        const isBelow = right!.y >= left!.y + left!.height && right!.x === left!.x;
        const found = {
          isRight: width < 900 ? isBelow : isBeside,
          violations: await violations(page),
          tooWide: await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        };
        if (JSON.stringify(found) !== '{"isRight":true,"violations":[],"tooWide":0}') wrong[`${width} px, ${scheme}`] = found;
      }
    }
    expect(wrong).toEqual({});
    expect(problems).toEqual([]);
  });

  it('S195 S196 S197 S198 S199 S202 an empty form is not sent; every field says what is missing, the platform not yet', async () => {
    const { page, problems } = await fresh('/');
    const sent = calls(page);
    await form(page).go.click();
    await eventually(() => said(page)).toEqual([
      'Please select an industry',
      'Please tell us what you sell',
      'Please select an option',
      'Please tell us how you heard about Perennial',
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(await form(page).industry.getAttribute('id'));
    expect(await violations(page)).toEqual([]);
    await form(page).industry.selectOption('wine');
    await eventually(() => said(page)).toEqual([
      'Please tell us what you sell',
      'Please select an option',
      'Please tell us how you heard about Perennial',
    ]);
    expect(sent.filter(call => call.startsWith('POST'))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('S200 S201 S203 S204 S205 the platform is there until the answer is no, and must be named when it is yes', async () => {
    const { page, problems } = await fresh('/');
    const { platform, running, go } = form(page);
    await fill(page);
    expect(await platform.count()).toBe(0);
    await running('Yes').check();
    await platform.waitFor();
    await go.click();
    await eventually(() => said(page)).toEqual(['Please select your current platform']);
    expect(await platform.locator('option:enabled').evaluateAll(all => all.map(one => (one as HTMLOptionElement).textContent))).toEqual([
      'Recharge',
      'Yotpo',
      'Smartrr',
      'Other Shopify apps',
      'WooCommerce',
      'Subly',
      'Recurly',
      'Salesforce Commerce Cloud',
      'Other platforms',
    ]);
    await running('No').check();
    await eventually(() => said(page)).toEqual([]);
    expect(await platform.count()).toBe(0);
    const other = await fresh('/');
    await form(other.page).platform.waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
  });

  it('S017 S173 S191 S192 S267 filled in by keyboard it saves, reads the session again and leads to the dashboard, in place of the page that was asked for', async () => {
    const { page, problems } = await at.visit({ as: null });
    await page.goto('/settings/general');
    await page.getByRole('button', { name: 'Open a new store' }).focus();
    await page.keyboard.press('Enter');
    await form(page).go.waitFor();
    await atPath(page, '/settings/general');
    const sent = calls(page);
    await form(page).industry.focus();
    await page.keyboard.type('Wine');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Natural wine');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight'); // to "No"
    expect(await form(page).running('No').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('A friend');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(GO);
    await page.keyboard.press('Enter');
    await atPath(page, '/dashboard');
    await page.locator('.p-shell main h1').first().waitFor();
    expect(sent.filter(call => /onboardingForm|GET \/session/.test(call))).toEqual(['POST /onboarding/onboardingForm', 'GET /session']);
    // What to do first, and what comes after it, each with a way to do it.
    await card(page).getByText('Do this first').waitFor();
    expect(await card(page).locator('.p-btn-primary').count()).toBe(1);
    const after = card(page).getByRole('list', { name: 'After that' }).getByRole('link');
    expect(await after.allInnerTexts()).toEqual(['Add products to a plan', 'Make the widget yours', 'Offer fixed pause lengths']);
    for (const link of await after.all()) expect(await link.getAttribute('href')).toMatch(/^\/\w/);
    await page.goBack().catch(() => null);
    expect(new URL(page.url()).pathname).not.toBe('/settings/general');
    expect(problems).toEqual([]);
  });

  it('S299 a save that fails is only logged: the form stays as it is and can be sent again', async () => {
    const { page, problems } = await fresh('/');
    const warned: string[] = [];
    page.on('console', message => {
      if (message.type() === 'warning') warned.push(message.text());
    });
    const reports: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/host/user/errors')) reports.push(request.postData() ?? '');
    });
    await page.route('**/onboarding/onboardingForm', route =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'Broken on purpose.', requestId: 'x' }),
      }),
    );
    await fill(page);
    await form(page).go.click();
    await eventually(() => warned.join('\n')).toContain('saveOnboardingForm');
    await eventually(() => reports.join('\n')).toContain('saveOnboardingForm');
    await eventually(() => form(page).go.getAttribute('aria-busy')).toBe('false');
    expect([
      await said(page),
      await page.getByRole('alert').count(),
      await page.getByText('Broken on purpose.').count(),
      await form(page).sells.inputValue(),
    ]).toEqual([[], 0, 0, 'Natural wine']);
    await page.unroute('**/onboarding/onboardingForm');
    await form(page).go.click();
    await atPath(page, '/dashboard');
    expect(problems.filter(problem => !/saveOnboardingForm|status of 500|^500 .*onboardingForm/.test(problem))).toEqual([]);
  });

  it('S300 a completion callback that fails is only logged: the dashboard shows all the same', async () => {
    const { page, problems } = await fresh('/');
    await fill(page);
    await page.route('**/host/user/session', route =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'Broken on purpose.', requestId: 'x' }),
      }),
    );
    await form(page).go.click();
    await atPath(page, '/dashboard');
    await page.locator('.p-shell main h1').first().waitFor();
    expect([await page.getByText('Broken on purpose.').count(), await page.locator('.p-notice').count()]).toEqual([0, 0]);
    expect(problems.some(problem => problem.includes('completeOnboarding'))).toBe(true);
    expect(problems.filter(problem => !/completeOnboarding|status of 500|^500 /.test(problem))).toEqual([]);
  });

  it('who may not answer sees who does', async () => {
    const { page } = await at.visit({ as: 'readOnly' });
    await page.route('**/host/user/session', async route => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { store: { isOnboardingFormComplete: boolean } } };
      body.data.store.isOnboardingFormComplete = false;
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto('/subscriptions');
    await page.getByText('An admin of your store answers these questions.').waitFor();
    expect([await form(page).go.count(), await page.locator('main').locator('input, select, textarea').count()]).toEqual([0, 0]);
  });
});

describe('the set-up panel', () => {
  it('S095 S096 S097 S098 S099 S100 S117 S315 opens over the page, 390 pixels wide, and closes by backdrop, button and Escape; the focus returns', async () => {
    const { page, problems } = await onboarded('/dashboard');
    const before = page.url();
    const dialog = await openPanel(page);
    expect(await dialog.getByRole('heading', { level: 2 }).innerText()).toBe('Setup Score');
    expect((await dialog.boundingBox())!.width).toBe(390);
    expect(await dialog.evaluate(element => getComputedStyle(element, '::backdrop').backgroundColor)).toMatch(/^rgba\(.*0\.[3-9]/);
    expect(
      await page.evaluate(() =>
        [document.documentElement, document.querySelector('.p-main')!].map(element => getComputedStyle(element).overflowY),
      ),
    ).toEqual(['hidden', 'hidden']);
    // The focus goes round inside.
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => document.activeElement === document.body || document.activeElement!.closest('dialog') !== null),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(OPENER);
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('.p-main')!).overflowY)).toBe('auto');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(OPENER);
    await openPanel(page);
    await page.mouse.click(200, 400);
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
    expect(problems).toEqual([]);
  });

  it('S101 S102 S103 S104 S105 S106 S193 S317 four tabs by keyboard, each with its figures and one open section at most', async () => {
    const { page, problems } = await onboarded('/dashboard');
    await allBuilt(page);
    await page.reload();
    const dialog = await openPanel(page);
    const tabs = dialog.getByRole('tab');
    expect(await tabs.allInnerTexts()).toEqual(['Acquire', 'Retain', 'Grow', 'Manage']);
    // The widget is on its product pages from the beginning.
    await dialog.getByText('1 of 4 tasks completed').waitFor();
    expect(await dialog.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(await openSections(page)).toEqual(['Selling plans']);

    await tabs.nth(0).focus();
    await page.keyboard.press('End');
    expect(await dialog.getByRole('tab', { selected: true }).innerText()).toBe('Manage');
    expect(await focused(page)).toBe('Manage');
    await dialog.getByText('2 of 9 tasks completed').waitFor(); // nothing has to be moved from elsewhere, and orders are announced
    expect(await dialog.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('22');
    const [first] = await openSections(page);
    await section(page, 'Billing time')
      .getByRole('button', { name: /^Billing time/ })
      .click();
    expect(await openSections(page)).toEqual(['Billing time']);
    await section(page, 'Billing time')
      .getByRole('button', { name: /^Billing time/ })
      .click();
    expect(await openSections(page)).toEqual([]);
    await tabs.nth(3).click();
    expect(await openSections(page)).toEqual([first]);
    await tabs.nth(3).focus();
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getByRole('tab', { selected: true }).innerText()).toBe('Acquire');
    await page.keyboard.press('ArrowLeft');
    expect(await dialog.getByRole('tab', { selected: true }).innerText()).toBe('Manage');
    expect(problems).toEqual([]);
  });

  it('S107 S108 S109 S110 S111 S112 S113 S114 S116 sections and tasks say how far they are, and where to go on', async () => {
    const { page, problems } = await onboarded('/dashboard');
    await allBuilt(page);
    await page.reload();
    const dialog = await openPanel(page);
    const plans = section(page, 'Selling plans');
    const create = plans.getByRole('listitem').nth(0);
    expect(await create.getByRole('heading').innerText()).toBe('Create a selling plan');
    await create.getByText('Decide how often customers are billed and what they save.').waitFor();
    await create.getByRole('img', { name: 'Not completed' }).waitFor();
    expect(
      await create
        .getByRole('link')
        .evaluate(link => [link.textContent, link.getAttribute('href'), link.classList.contains('p-btn-primary')]),
    ).toEqual(['Create plan', '/selling-plans/create', true]);
    expect(await section(page, 'Widget').locator('a').first().getAttribute('href')).toBe('/widgets/storefront/library');

    await dialog.getByRole('tab', { name: 'Manage' }).click();
    const migration = section(page, 'Migration');
    expect(await migration.locator('.p-setup-toggle .p-badge').innerText()).toBe('Completed');
    await migration.getByRole('button').click();
    await migration.getByRole('img', { name: 'Completed' }).waitFor();
    expect([
      await migration.getByRole('link').count(),
      await migration.getByRole('heading', { level: 4 }).count(),
      await migration.getByText('Only if you come from another app.').isVisible(),
    ]).toEqual([0, 0, true]);
    expect(await dialog.locator('.p-badge', { hasText: /^New$/ }).count()).toBe(0);

    expect(problems).toEqual([]);
  });

  it('S107 a store on the next plan finds what came with it marked as new', async () => {
    const { page, problems } = await onboarded('/dashboard');
    await allBuilt(page, ['productMapping']);
    await page.reload();
    const plans = section(page, 'Selling plans');
    await openPanel(page);
    expect(await panel(page).locator('.p-badge', { hasText: /^New$/ }).count()).toBe(1);
    expect(await plans.locator('.p-setup-toggle .p-badge').innerText()).toBe('New');
    expect(problems).toEqual([]);
  });

  it('S115 with the widget of version 1 its task leads to the widget design', async () => {
    const { page, problems } = await at.visit();
    await page.route('**/host/user/session', async route => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { store: { storefrontWidgetVersion: number } } };
      body.data.store.storefrontWidgetVersion = 1;
      await route.fulfill({ response: answer, json: body });
    });
    await allBuilt(page, [], ['widget']);
    await page.goto('/dashboard');
    await openPanel(page);
    expect(await section(page, 'Widget').locator('a').first().getAttribute('href')).toBe('/settings/widget-design?tab=0&standardWidget=0');
    await section(page, 'Widget')
      .getByRole('link', { name: /^Set up widget/ })
      .click();
    await atPath(page, '/settings/widget-design?tab=0&standardWidget=0');
    await panel(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('S118 is at most 95 percent of a phone, and it is accessible in both schemes', async () => {
    const { page, problems } = await onboarded('/dashboard', { width: 390 });
    const wrong: Record<string, unknown> = {};
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await eventually(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe(scheme);
      const dialog = await openPanel(page);
      await eventually(async () => (await dialog.boundingBox())!.x).toBe(19.5);
      const found = {
        width: (await dialog.boundingBox())!.width,
        violations: await violations(page),
        tooWide: await dialog.evaluate(element => element.scrollWidth - element.clientWidth),
      };
      if (JSON.stringify(found) !== '{"width":370.5,"violations":[],"tooWide":0}') wrong[scheme] = found;
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(wrong).toEqual({});
    expect(problems).toEqual([]);
  });
});

describe('the first day', () => {
  it('from “Open a new store” to the first subscription sold takes at most twelve clicks, each on what is offered next', async () => {
    const { page, problems } = await at.visit({ as: null });
    let clicks = 0;
    const press = async (control: Locator): Promise<void> => {
      clicks++;
      await control.click();
    };
    const choose = async (field: Locator, value: string): Promise<void> => {
      clicks++;
      await field.selectOption(value);
    };
    await page.goto('/login');
    await press(page.getByRole('button', { name: 'Open a new store' }));
    const { industry, sells, running, heard, go } = form(page);
    await choose(industry, 'wine');
    await sells.fill('Natural wine');
    await press(running('No'));
    await choose(heard, 'friend');
    await press(go);
    // The one filled button of each page leads on.
    await press(page.locator('main .p-btn-primary'));
    await atPath(page, '/selling-plans/create?start=subscribe-and-save');
    await press(page.getByRole('list', { name: 'Products to begin with' }).getByRole('button').first());
    await press(page.getByRole('button', { name: 'Create selling plan group' }));
    await atPath(page, /^\/selling-plans\/\d+$/);
    const next = page.getByRole('region', { name: 'Next step' });
    await next.getByRole('heading', { name: 'Place a test order' }).waitFor();
    const opened = page.waitForEvent('popup');
    await press(next.getByRole('link', { name: 'Open your shop' }));
    const shop = await opened;
    // By the widget, or by the page itself where it is newer than what was published.
    await shop
      .locator('perennial-widget')
      .getByRole('radio', { name: /Subscribe and save|Delivered every month/ })
      .first()
      .waitFor();
    await press(shop.getByRole('button', { name: 'Buy now' }));
    for (const [label, words] of [
      ['E-mail', 'robin@home.example'],
      ['First name', 'Robin'],
      ['Last name', 'Hale'],
      ['Street and number', '1 Main Street'],
      ['City', 'Portland'],
      ['Postal code', '97201'],
    ] as const)
      await shop.getByLabel(label, { exact: true }).fill(words);
    await shop.getByLabel('State or province').selectOption('OR');
    await press(shop.getByRole('button', { name: 'Continue to payment' }));
    await shop.getByLabel('Card number').fill('4242424242424242');
    await shop.getByLabel('Name on the card').fill('Robin Hale');
    await shop.getByLabel('Valid until').fill('12/2034');
    await shop.getByLabel('Security code').fill('123');
    await press(shop.getByRole('button', { name: /^Pay / }));
    await shop.waitForURL(/\/thanks\/\d+/);
    expect(clicks).toBeLessThanOrEqual(12);
    await page.goto('/subscriptions');
    await page.locator('tbody').getByText('Robin Hale').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('a task is completed by doing it', async () => {
    const { page, problems } = await onboarded('/dashboard');
    const done = async (tab: string, text: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
      await openPanel(page);
      await panel(page).getByRole('tab', { name: tab }).click();
      await panel(page).getByText(text, { exact: true }).waitFor();
    };

    // The billing hour: from its task to the page, and back with the task completed.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await openPanel(page);
    await panel(page).getByRole('tab', { name: 'Manage' }).click();
    const said = await panel(page)
      .getByText(/^\d+ of \d+ tasks completed$/)
      .innerText();
    const [before, all] = said.match(/\d+/g)!.map(Number) as [number, number];
    expect(before).toBeGreaterThan(0); // orders are announced
    await (await opened(page, 'Billing time')).getByRole('link', { name: 'Set hour' }).press('Enter');
    await atPath(page, '/settings/general');
    await page.getByLabel('Billing hour').selectOption({ index: 8 });
    await page.keyboard.press('Control+s');
    await page.getByText('Settings saved.').first().waitFor();
    await done('Manage', `${before + 1} of ${all} tasks completed`);
    expect(await section(page, 'Billing time').locator('.p-badge').innerText()).toBe('Completed');

    expect(problems).toEqual([]);
  });
});
