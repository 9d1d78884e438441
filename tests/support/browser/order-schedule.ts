// The page of the order schedule as journeys use it: its preview, and what is done on it step by step.
import type { Locator, Page } from 'playwright-core';

export const PATH = '/settings/order-schedule';
const DAY_MS = 86_400_000;

/** The next orders of the preview. */
export const orders = (page: Page): Locator => page.locator('.r-schedule-orders > li');
/** The page with its preview stands. */
export const ready = (page: Page): Promise<void> => orders(page).nth(2).waitFor();

export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved.').first().waitFor();
}

/** After saving: takes the change over to existing subscriptions, and waits until it is through. */
export async function apply(page: Page, question: string, button: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: button }).click();
  await page
    .getByLabel(/^Apply .*: progress$/)
    .getByText(/looked at, .* changed/)
    .waitFor();
}

/** Delivery dates instead of charge dates, charged so many days before, and so many before delivery to Canada. */
export async function chooseDelivery(page: Page, days: number, toCanada: number): Promise<void> {
  await page.getByText('Delivery dates', { exact: true }).click();
  await page.getByLabel('Charge before delivery').fill(String(days));
  await page.getByRole('button', { name: 'Add a country' }).click();
  const row = page.locator('.f-rows .f-row').nth(1);
  await row.getByLabel('Country').fill('Canada');
  await page
    .getByRole('option', { name: /^Canada/ })
    .first()
    .click();
  await row.getByLabel('Days before delivery').fill(String(toCanada));
  await page.keyboard.press('Tab');
}

/** Days from a charge to its delivery, as the page writes both ("Tue, Dec 22, 2026"). */
export const daysBetween = (charge = '', delivery = ''): number => Math.round((Date.parse(delivery) - Date.parse(charge)) / DAY_MS);

/** The same of the first order of the preview. */
export async function firstWait(page: Page): Promise<number> {
  const [charge, delivery] = await orders(page).first().locator('dd > span').allInnerTexts();
  return daysBetween(charge, delivery);
}
