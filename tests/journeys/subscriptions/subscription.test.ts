// Working on one subscription by keyboard, and with less than all rights.
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, type Found, notice, says, status, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 400 });
const { another, open } = subscriptionPages(at);
const active = (): Promise<Found> => another(ACTIVE);

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

  it('a read-only member sees everything and can press nothing, and sees why', async () => {
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
    const session = (await (
      await fetch(`${at.product.url}/host/user/session`, { headers: { authorization: await at.product.token('mixed') } })
    ).json()) as { data: { user: { permissions: { permissionKey: string; access: string }[] } } };
    const may = (area: string): boolean => session.data.user.permissions.some(one => one.permissionKey === area && one.access === 'WRITE');
    const offered = async (name: string): Promise<boolean> =>
      (await page.getByRole('button', { name, exact: true }).first().getAttribute('aria-disabled')) !== 'true';
    expect({
      pause: await offered('Pause'),
      note: await offered('Edit note'),
      product: await offered('Add product'),
      discount: await offered('Add discount'),
    }).toEqual({
      pause: may('changeSubscriptionStatus'),
      note: may('orderNotesAndAttributes'),
      product: may('subscriptionProduct'),
      discount: may('subscriptionDiscount'),
    });
    expect(may('subscriptionDiscount')).toBe(false);
    expect(problems).toEqual([]);
  });
});
