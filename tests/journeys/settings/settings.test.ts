// Settings as people use them: found, changed, kept, read without the right to change.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved.').first().waitFor();
};

const retries = async (page: Page, choice: string): Promise<void> => {
  await page.getByLabel('Number of retries').click();
  await page.getByRole('option', { name: choice, exact: true }).click();
};

describe('settings', () => {
  const at = journeys({ size: 60 });

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

  it('payment recovery: fields come and go with what they depend on; a change by another person is compared', async () => {
    const [{ page, problems }, other] = [
      await at.page('/settings/paymentRecovery'),
      await at.page('/settings/paymentRecovery', { as: 'admin' }),
    ];
    await page.getByLabel('Retry at').waitFor();
    await retries(page, "Don't retry");
    await page.getByLabel('Retry at').waitFor({ state: 'detached' });
    await retries(page, '6 retries');
    await page.getByLabel('Retry at').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Settings saved.').first().waitFor();

    await retries(other.page, '2 retries');
    await other.page.keyboard.press('Control+s');
    const asked = other.page.getByRole('dialog', { name: 'This was changed meanwhile' });
    await asked.getByText('6 retries').waitFor();
    await asked.getByText('2 retries').waitFor();
    await asked.getByRole('button', { name: 'Save this choice' }).click();
    await other.page.getByText('Settings saved.').first().waitFor();
    await page.goto('/settings/paymentRecovery');
    await eventually(() => page.getByLabel('Number of retries').inputValue()).toBe('2 retries');
    expect([...problems, ...other.problems.filter(provoked(409))]).toEqual([]);
  });

  it('the index finds a page by what it is about', async () => {
    const { page, problems } = await at.page('/settings');
    await page.getByLabel('Search settings').fill('dunning');
    await eventually(() =>
      page
        .locator('.f-settings-card')
        .allInnerTexts()
        .then(all => all.map(text => text.split('\n')[0])),
    ).toEqual(['Payment recovery']);
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
