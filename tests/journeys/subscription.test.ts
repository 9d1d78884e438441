// Working on one subscription: every action by the words people see, each with what it leaves in the activity.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../support/journey.ts';

const at = journeys({ size: 400 });

interface Found { id: number; customerName: string; nextBillingDateEpoch: number }
const used = new Set<number>();
/** A subscription of a kind that no other journey of this file touches. */
async function another(filter: object): Promise<Found> {
  const query = new URLSearchParams({ pageSize: '100', filter: JSON.stringify(filter) });
  const answer = await (await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/list?${query}`, { headers: { authorization: await at.product.token() } })).json() as { data: Found[] };
  const found = answer.data.find(one => !used.has(one.id));
  expect(found, `a subscription with ${JSON.stringify(filter)}`).toBeDefined();
  used.add(found!.id);
  return found!;
}
const ACTIVE = { status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'] };
const active = (): Promise<Found> => another(ACTIVE);

const events = (page: Page) => page.locator('.r-events > li');
async function open(found: { id: number }, view = {}) {
  const visit = await at.page(`/subscriptions/${found.id}`, view);
  await visit.page.locator('.r-head .p-page-actions, .r-head').first().waitFor();
  await events(visit.page).first().waitFor();
  return visit;
}
/** The newest entries of the activity say this. */
const says = async (page: Page, title: string, more?: string | RegExp): Promise<void> => {
  const entry = events(page).filter({ has: page.locator('.p-strong', { hasText: new RegExp(`^${title}$`) }) }).first();
  await entry.waitFor();
  if (more !== undefined) await eventually(() => entry.innerText()).toMatch(more);
  expect(await entry.innerText()).toContain('Admin portal');
};
const notice = (page: Page, text: string | RegExp) => page.locator('.p-notice', { hasText: text }).first().waitFor();
const status = (page: Page, text: string) => page.locator('.r-title-row').getByText(text, { exact: true }).waitFor();
const more = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).first().click();
};
const dialog = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]').last();
/** A day so many days from now, as a field for date and time takes it. */
const inDays = (days: number): string => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T09:00`;

describe('a subscription', () => {
  it('is paused by keyboard alone', async () => {
    const { page, problems } = await open(await active());
    await page.keyboard.press('p');
    await dialog(page).getByRole('heading', { name: 'Pause this subscription' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    for (let i = 0; i < 12; i++) {
      if (await page.evaluate(() => document.activeElement?.textContent === 'Pause')) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await status(page, 'Paused');
    await says(page, 'Subscription paused', /Until somebody resumes it/);
    expect(problems).toEqual([]);
  });

  it('skips its next order by keyboard, and Undo puts it back', async () => {
    const { page, problems } = await open(await active());
    const first = page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr').first();
    await first.waitFor();
    await page.keyboard.press('s');
    await notice(page, /comes next\.$|comes next/);
    await says(page, 'Order skipped', /It was due on /);
    await eventually(() => first.getAttribute('data-state')).toBe('SKIPPED');
    await page.locator('.p-notice').getByRole('button', { name: 'Undo' }).first().click();
    await says(page, 'Skipped order put back', /It is due on .* again/);
    await eventually(() => first.getAttribute('data-state')).not.toBe('SKIPPED');
    expect(problems).toEqual([]);
  });

  it('reschedules all orders, and one alone', async () => {
    const { page, problems } = await open(await active());
    await more(page, 'Reschedule all orders');
    await dialog(page).locator('input[type="datetime-local"]').first().fill(inDays(45));
    await dialog(page).getByRole('button', { name: 'Reschedule all' }).click();
    await notice(page, /^The next order is on /);
    await says(page, 'Schedule moved');
    const upcoming = page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr');
    await upcoming.first().getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Reschedule this order' }).click();
    await dialog(page).locator('input[type="datetime-local"]').first().fill(inDays(47));
    await dialog(page).getByRole('button', { name: 'Reschedule', exact: true }).click();
    await says(page, 'Order moved');
    await upcoming.getByText('Moved').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('is charged now; the order history shows the payment', async () => {
    const { page, problems } = await open(await active());
    const before = await page.locator('.r-history-row').count();
    await page.keyboard.press('c');
    await dialog(page).getByRole('heading', { name: 'Charge the next order now?' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Charge now' }).click();
    await notice(page, 'The charge was made.');
    await says(page, 'Order charged by hand', /Next order on /);
    if (before < 10) await eventually(() => page.locator('.r-history-row').count()).toBe(before + 1);
    await page.locator('.r-history-row').first().locator('.r-expand').click();
    await page.getByRole('heading', { name: 'Payment attempts' }).first().waitFor();
    expect(problems).toEqual([]);
  });

  it('changes the quantity of a product', async () => {
    const { page, problems } = await open(await active());
    const lines = page.locator('.r-lines > li');
    const act = async (line: number, item: string): Promise<void> => { await lines.nth(line).getByRole('button', { name: /^Actions for/ }).click(); await page.getByRole('menuitem', { name: item }).first().click(); };
    await act(0, 'Change quantity');
    await dialog(page).getByLabel('Quantity').fill('4');
    await dialog(page).getByRole('button', { name: 'Change quantity' }).click();
    await notice(page, 'Quantity changed.');
    await lines.first().getByText('× 4').waitFor();
    await says(page, 'Quantity changed', /4/);
    expect(problems).toEqual([]);
  });

  it('keeps a note by keyboard, tags and attributes', async () => {
    const { page, problems } = await open(await active());
    await page.getByRole('button', { name: 'Edit note' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await page.keyboard.type('Leave it with the neighbour.');
    await page.keyboard.press('Control+Enter');
    await notice(page, 'Note saved.');
    await says(page, 'Note changed', /Leave it with the neighbour\./);

    await page.getByRole('button', { name: 'Edit tags' }).click();
    const tags = page.getByRole('group', { name: 'Edit tags' });
    await tags.locator('input').first().fill('gift-wrap');
    await page.keyboard.press('Enter');
    await tags.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Tags saved.');
    await says(page, 'Tags changed', /gift-wrap/);

    await page.getByRole('button', { name: 'Edit attributes' }).click();
    const attributes = page.getByRole('group', { name: 'Edit attributes' });
    await attributes.getByRole('button', { name: /^Add/ }).click();
    await attributes.locator('input').nth(-2).fill('Doorbell');
    await attributes.locator('input').last().fill('Second floor');
    await attributes.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Attributes saved.');
    await says(page, 'Attributes changed', /Doorbell: Second floor/);
    await page.reload();
    await page.getByText('Leave it with the neighbour.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('a read-only member sees everything and can press nothing, and is told why', async () => {
    const { page, problems } = await open(await active(), { as: 'readOnly' });
    const buttons = page.locator('.r-head .r-actions button').filter({ hasNotText: 'More actions' });
    expect(await buttons.count()).toBeGreaterThan(0);
    for (const button of await buttons.all()) {
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      expect(await button.getAttribute('data-tip')).toMatch(/permission/i);
    }
    await page.getByRole('button', { name: 'More actions' }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    for (const item of await items.all()) expect(await item.getAttribute('aria-disabled'), await item.innerText()).toBe('true');
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await notice(page, /permission/i);
    expect(problems).toEqual([]);
  });

  it('a member with mixed rights is offered exactly what the rights allow', async () => {
    const { page, problems } = await open(await active(), { as: 'mixed' });
    const session = await (await fetch(`${at.product.url}/host/user/session`, { headers: { authorization: await at.product.token('mixed') } })).json() as { data: { user: { permissions: { permissionKey: string; access: string }[] } } };
    const may = (area: string): boolean => session.data.user.permissions.some(one => one.permissionKey === area && one.access === 'WRITE');
    const offered = async (name: string): Promise<boolean> => await page.getByRole('button', { name, exact: true }).first().getAttribute('aria-disabled') !== 'true';
    expect({ pause: await offered('Pause'), note: await offered('Edit note'), product: await offered('Add product'), discount: await offered('Add discount') })
      .toEqual({ pause: may('changeSubscriptionStatus'), note: may('orderNotesAndAttributes'), product: may('subscriptionProduct'), discount: may('subscriptionDiscount') });
    expect(may('subscriptionDiscount')).toBe(false);
    expect(problems).toEqual([]);
  });
});
