// Settings as people use them: found, changed, kept, read without the right to change.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../support/journey.ts';

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved.').first().waitFor();
};

describe('settings', () => {
  const at = journeys({ size: 100 });

  it('general: the billing hour changes and stays changed', async () => {
    const { page, problems } = await at.page('/settings/general');
    await page.getByLabel('Billing hour').selectOption({ index: 8 });
    const chosen = await page.getByLabel('Billing hour').inputValue();
    await page.getByText('1 unsaved change').waitFor();
    await save(page);
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByLabel('Billing hour').waitFor();
    expect(await page.getByLabel('Billing hour').inputValue()).toBe(chosen);
    expect(problems).toEqual([]);
  });

  it('the index finds a page by what it is about', async () => {
    const { page, problems } = await at.page('/settings');
    await page.getByLabel('Search settings').fill('dunning');
    await eventually(() => page.locator('.f-settings-card').allInnerTexts().then(all => all.map(text => text.split('\n')[0]))).toEqual(['Payment recovery']);
    await page.locator('.f-settings-card').click();
    await page.getByRole('heading', { level: 1, name: 'Payment recovery' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('a read-only member sees the values and nothing to change', async () => {
    const { page, problems } = await at.page('/settings/general', { as: 'readOnly' });
    await page.getByText(/^You don't have permission to change these settings/).waitFor();
    expect(await page.locator('main').locator('input:enabled, select:enabled, textarea:enabled').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
