// The work of payment recovery in a real browser: the list with its tiles and tabs, actions on rows, and the settings that show their days before they are saved.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 400 });
const rows = (page: Page) => page.locator('.l-table tbody tr[data-row]');
const tab = (page: Page, name: RegExp) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
const timeline = (page: Page) => page.getByRole('region', { name: 'What happens when a payment fails' });

describe('payment recovery', () => {
  it('shows what is at risk, why and when it is tried again, and asks a customer for a new method', async () => {
    const { page, problems } = await at.page('/payment-recovery');
    await page.getByRole('region', { name: 'Payments of the last 30 days' }).getByText('Collected').waitFor();
    await page.getByRole('region', { name: 'Risks of the next 30 days' }).getByText('High risk').waitFor();
    await rows(page).first().waitFor();
    const open = await rows(page).count();
    expect(open).toBeGreaterThan(0);
    await eventually(() => tab(page, /^In recovery/).textContent()).toContain(String(open));
    await rows(page)
      .first()
      .getByRole('button', { name: /actions|More/i })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Ask for a new payment method' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send e-mail' }).click();
    await page
      .getByText(/The e-mail is on its way to /)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('skips an unpaid order, which leaves the list and its count', async () => {
    const { page, problems } = await at.page('/payment-recovery');
    await rows(page).first().waitFor();
    const before = await rows(page).count();
    await rows(page)
      .first()
      .getByRole('button', { name: /actions|More/i })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Skip the unpaid order' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Skip order' }).click();
    await page.getByText('The order is skipped.').first().waitFor();
    await eventually(() => rows(page).count()).toBe(before - 1);
    expect(problems).toEqual([]);
  });

  it('goes by tabs to what is ahead and what was lost, and keeps them in the address', async () => {
    const { page, problems } = await at.page('/payment-recovery', { scheme: 'dark', width: 1024 });
    await tab(page, /^Upcoming payments/).click();
    await atPath(page, '/payment-recovery?tab=upcoming-payments');
    await rows(page).first().waitFor();
    await tab(page, /^Lost/).click();
    await atPath(page, '/payment-recovery?tab=lost');
    await rows(page).first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lets a person who may only read look, and refuses the actions', async () => {
    const { page, problems } = await at.page('/payment-recovery?tab=lost', { as: 'readOnly' });
    await rows(page).first().waitFor();
    await rows(page)
      .first()
      .getByRole('button', { name: /actions|More/i })
      .last()
      .click();
    expect(await page.getByRole('menuitem', { name: 'Ask for a new payment method' }).getAttribute('aria-disabled')).toBe('true');
    expect(problems).toEqual([]);
  });

  it('fits a phone', async () => {
    const { page, problems } = await at.page('/payment-recovery', { width: 390 });
    await page.getByText('High risk').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('D250 shows the days of the settings as they are typed, before they are saved', async () => {
    const { page, problems } = await at.page('/settings/paymentRecovery');
    const steps = timeline(page).locator('.rt-step');
    await eventually(() => steps.count()).toBe(6);
    expect(await steps.last().textContent()).toContain('the order is skipped');
    await page
      .getByRole('radio', { name: /Cancel the subscription/ })
      .first()
      .check({ force: true });
    await eventually(() => steps.last().textContent()).toContain('the subscription is cancelled');
    await timeline(page).getByRole('combobox').selectOption('fraud_suspected');
    await eventually(() => steps.count()).toBe(2);
    await timeline(page).getByRole('combobox').selectOption('amount_too_small');
    await eventually(() => steps.allTextContents().then(all => all.join(' '))).toContain('the customer is not told');
    await timeline(page).getByText('The last retry falls after your next order date.', { exact: false }).waitFor();
    expect(await violations(page)).toEqual([]);
    await timeline(page).getByRole('link', { name: 'Payments in recovery now' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await atPath(page, '/payment-recovery');
    expect(problems).toEqual([]);
  });
});
