// The dialogs of a record in a slow moment: one at a time, pressed once, gone as soon as their answer is there, and the focus stays where
// the person was.
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, inDays, notice, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 300 });
const { another, open } = subscriptionPages(at);
const YOUNG = { ...ACTIVE, completedOrdersCount: { min: 2, max: 4 } };

const dialogs = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]');
const upcoming = (page: Page) => page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr');
/** What has the focus, by its name and the part of the page it stands in. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const section = element?.closest('[data-section]')?.getAttribute('data-section') ?? '';
    return `${section}: ${(element?.getAttribute('aria-label') ?? element?.innerText ?? '').trim()}`;
  });
const focusOn = (page: Page, selector: string): Promise<void> => page.locator(selector).first().focus();
/** Holds requests back until it is called. */
async function hold(page: Page, pattern: string | RegExp): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let isOpen = false;
  await page.route(pattern, async route => {
    if (isOpen) await route.continue();
    else waiting.push(route);
  });
  return async () => {
    isOpen = true;
    for (const route of waiting.splice(0)) await route.continue().catch(() => undefined);
  };
}
/** How often a call is sent. */
function sent(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith(path)) count++;
  });
  return () => count;
}

describe('a dialog of a record', () => {
  it('opens once and stays when its entry of the menu is double-clicked, and the second click presses nothing in it', async () => {
    const { page, problems } = await open(await another(YOUNG));
    const delays = sent(page, '/delayOrder');
    await page.locator('.r-head').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delay by days' }).dblclick();
    await dialog(page).getByLabel('Later by').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await dialogs(page).count()).toBe(1);
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).dblclick();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await dialogs(page).count()).toBe(0);
    // The header's own buttons: the second click would be one beside the dialog, which closes it.
    await page.locator('.r-head').getByRole('button', { name: 'Pause' }).dblclick();
    await dialog(page).getByText('Until it is resumed').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await dialogs(page).count()).toBe(1);
    expect(delays()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is gone with the answer, shows what it changed, and is sent once, while the rest of the page still waits', async () => {
    const { page, problems } = await open(await another(YOUNG));
    const release = await hold(page, /ordersSchedule|read_activity_logs|subscriptionContract\/read\?|ordersHistory/);
    const pauses = sent(page, '/pauseContract');
    await page.locator('.r-head').getByRole('button', { name: 'Pause' }).click();
    const button = dialog(page).getByRole('button', { name: 'Pause', exact: true });
    await button.waitFor();
    await button.evaluate(element => {
      (element as HTMLElement).click();
      (element as HTMLElement).click();
    });
    await dialog(page).waitFor({ state: 'detached' });
    await notice(page, 'Paused.');
    // The record is that of the answer: its state, its banner and its actions, before anything was read again.
    await page.locator('.r-title-row').getByText('Paused', { exact: true }).waitFor();
    await page.locator('.r-head').getByRole('button', { name: 'Resume' }).waitFor();
    expect([pauses(), await dialogs(page).count()]).toEqual([1, 0]);
    // The next change waits for its turn and is made on the version that the first one left.
    await page.locator('.r-head').getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByRole('button', { name: 'Resume', exact: true }).click();
    await release();
    await dialog(page).waitFor({ state: 'detached' });
    await page.locator('.r-title-row').getByText('Active', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('S181 is never covered by a popup that was on its way', async () => {
    const found = await another(YOUNG);
    const { page, problems } = await at.tab();
    await page.route('**/popup/fetch', route =>
      route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({
          data: {
            id: 77,
            header: 'A word from us',
            body: '<p>Something new.</p>',
            primary_cta_text: 'Have a look',
            primary_cta_link: '/selling-plans',
          },
          display: true,
          placeholderData: {},
        }),
      }),
    );
    await page.route('**/popup/mark', route => route.fulfill({ contentType: 'application/json', body: '{"data":null}' }));
    const release = await hold(page, /\/popup-[^/]+\.js/);
    const asked = page.waitForRequest(/\/popup-[^/]+\.js/);
    await page.goto(`/subscriptions/${found.id}`);
    await asked;
    await page.locator('.r-head').getByRole('button', { name: 'Pause' }).click();
    await dialog(page).getByText('Until it is resumed').waitFor();
    await release();
    await page.waitForLoadState('networkidle');
    // It looks again every one and a half seconds.
    await page.waitForTimeout(2000);
    expect(await dialogs(page).count()).toBe(1);
    expect(await page.getByText('A word from us').count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('heading', { name: 'A word from us' }).waitFor();
    expect(await dialogs(page).count()).toBe(1);
    expect(problems).toEqual([]);
  });
});

describe('a subscription made by hand', () => {
  it('D055 names its products on their cards, asks for a customer, and says on its page that nothing can be charged yet', async () => {
    const { page, problems } = await at.page('/subscriptions/create');
    await page.getByRole('button', { name: 'Create subscription' }).click();
    await page.getByText('Choose a customer, or enter a new one.').waitFor();
    await page.getByText('Add at least one product.').waitFor();
    await page.getByRole('button', { name: 'Add a product' }).click();
    await page.getByRole('button', { name: 'Choose a product' }).click();
    const choice = dialog(page).locator('.f-picker > li').nth(1);
    await choice.locator('input:enabled').first().click();
    const name = (await choice.locator('.f-choice-text .p-cut').first().innerText()).trim();
    await eventually(() => dialog(page).locator('.f-picker-count').innerText()).toBe('1 selected');
    await dialog(page).getByRole('button', { name: 'Choose', exact: true }).click();
    await eventually(() => page.locator('.f-card-item-toggle .p-strong').innerText()).toContain(name);
    await page.getByText('A new customer').click();
    await page.getByLabel('Last name').first().fill('Byhand');
    await page
      .getByLabel(/^E-mail/)
      .first()
      .fill('by.hand@journey.example');
    await page.locator('input[type="datetime-local"]').first().fill(inDays(9));
    // The line that said that a day is missing goes with the press, which hits all the same, however long it takes.
    await page.getByText('Pickup', { exact: true }).click({ delay: 120 });
    await page.getByLabel('Delivered by').locator('option').nth(1).waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'First three orders' }).waitFor();
    await page.getByRole('button', { name: 'Create subscription' }).click();
    await page.waitForURL(/\/subscriptions\/\d+$/);
    await page.getByRole('heading', { name: 'There is no payment method' }).waitFor();
    await page.locator('.r-note').getByRole('button', { name: 'Ask for a new payment method' }).waitFor();
    expect(problems.filter(provoked(422))).toEqual([]);
  });
});

it('what there is to choose from is asked again by itself when the server had no time for it', async () => {
  const { page, problems } = await at.page('/subscriptions/create');
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await page.getByText('Add at least one product.').waitFor();
  let isBusy = true;
  const refused: number[] = [];
  await page.route('**/creationChoices**', route => {
    if (!isBusy) return route.continue();
    refused.push(Date.now());
    return route.fulfill({ status: 503, contentType: 'application/json', body: '{"code":"OVERLOADED","message":"Busy."}' });
  });
  await page.getByRole('button', { name: 'Add a product' }).click();
  await page.getByRole('button', { name: 'Choose a product' }).click();
  await dialog(page).locator('.f-picker > li').nth(1).locator('input:enabled').first().click();
  await dialog(page).getByRole('button', { name: 'Choose', exact: true }).click();
  await page.getByText('Pickup', { exact: true }).click();
  await eventually(() => refused.length > 0 && Date.now() - refused.at(-1)! > 500).toBe(true);
  isBusy = false;
  await page.getByLabel('Delivered by').locator('option').nth(1).waitFor({ state: 'attached' });
  expect(problems.filter(provoked(422, 503)).filter(problem => !problem.startsWith('503 '))).toEqual([]);
});

describe('the focus', () => {
  it('stays in the row, the section or the head whose button went away', async () => {
    const { page, problems } = await open(await another(YOUNG, record => (record.lines as unknown[]).length > 1));
    const row = upcoming(page).nth(1);
    await row.getByRole('button', { name: 'Skip', exact: true }).focus();
    await page.keyboard.press('Enter');
    await row.getByRole('button', { name: 'Unskip' }).waitFor();
    await eventually(() => focused(page)).toBe('upcoming: Unskip');

    await focusOn(page, '[data-section="note"] .p-icon-btn');
    await page.keyboard.press('Enter');
    await page.locator('[data-section="note"] textarea').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => focused(page)).toBe('note: Edit note');
    await page.keyboard.press('Enter');
    await page.locator('[data-section="note"] textarea').fill('Ring twice');
    await page.keyboard.press('Control+Enter');
    await notice(page, 'Note saved.');
    await eventually(() => focused(page)).toBe('note: Edit note');

    const lines = page.locator('.r-lines > li');
    const count = await lines.count();
    await lines
      .last()
      .getByRole('button', { name: /^Actions for/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Remove product' }).click();
    await eventually(() => lines.count()).toBe(count - 1);
    await eventually(() => focused(page)).toMatch(/^lines: ./);

    await page.locator('.r-head').getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('.r-title-row').getByText('Paused', { exact: true }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.closest('.r-head') !== null)).toBe(true);
    expect(problems).toEqual([]);
  });
});
