// The admin in a second language, as a person comes by it: in the user menu, in another browser, at the sign-in.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });
const languageOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('lang');
const choose = async (page: Page, name: string): Promise<void> => {
  await page.locator('.p-store-btn').click();
  await page.getByRole('menuitemradio', { name }).click();
};

describe('languages', () => {
  it('is chosen in the user menu, holds on every page, follows to another browser, and back', async () => {
    const { page, problems } = await at.page('/subscriptions');
    expect(await languageOf(page)).toBe('en');
    await choose(page, 'Deutsch');
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor();
    expect(await languageOf(page)).toBe('de');
    await page.locator('tbody tr').first().waitFor();
    await page.locator('.p-store-btn').click();
    expect(await page.getByRole('menuitemradio', { name: 'Deutsch' }).getAttribute('aria-checked')).toBe('true');
    await page.getByRole('menuitem', { name: 'Abmelden' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // A date as German writes it: 28. Nov. 2026
    await page
      .locator('tbody')
      .getByText(/\d{1,2}\. \p{L}+\.? 20\d\d/u)
      .first()
      .waitFor();
    // Words of definitions, and a sentence of code with a figure.
    await page.goto('/settings/general');
    await page.getByRole('heading', { level: 1, name: 'Allgemein' }).waitFor();
    await page.getByText('Abbuchungsstunde', { exact: true }).waitFor();
    expect(await languageOf(page)).toBe('de');
    await page.goto('/dashboard');
    await page.getByText(/^\d+ pausiert$/).waitFor();
    expect(await violations(page)).toEqual([]);

    const second = await at.visit();
    await second.page.goto('/subscriptions');
    await second.page.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor();
    expect(await languageOf(second.page)).toBe('de');
    expect(second.problems).toEqual([]);

    await choose(page, 'English');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await languageOf(page)).toBe('en');
    expect(problems).toEqual([]);
  });

  it('is chosen at the sign-in, which then speaks it', async () => {
    const { page, problems } = await at.visit({ as: null });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.getByRole('button', { name: 'Deutsch' }).getAttribute('aria-pressed')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(() => languageOf(page)).toBe('en');
    expect(problems).toEqual([]);
  });
});
