// The order schedule as a merchant changes it: typed, seen before it is saved, saved, brought to existing subscriptions with progress, read without the right to change.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { apply, chooseDelivery, firstWait, orders, PATH, ready, save } from '../../support/browser/order-schedule.ts';

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
/** The weekdays of the dates that the preview says orders are charged on. */
const charged = async (page: Page): Promise<string[]> =>
  (await orders(page).locator('dl > div:first-child dd > span').allInnerTexts()).map(text => text.slice(0, 3));

describe('order schedule', () => {
  const at = journeys({ size: 60 });

  it('weekdays show their dates while they are chosen, crossed out beside what is saved; saving asks whether existing subscriptions take them over, and they do with progress', async () => {
    const { page, problems } = await at.page(PATH);
    await ready(page);
    expect(await page.locator('.r-schedule-orders del').count()).toBe(0);
    await page.getByLabel('Charge on certain weekdays only').click();
    const days = group(page, 'Charge orders on');
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) if (day !== 'Tuesday') await days.getByLabel(day).click();
    await eventually(() => charged(page)).toEqual(['Tue', 'Tue', 'Tue']);
    expect(await page.locator('.r-schedule-orders del').count()).toBeGreaterThan(0);
    await save(page);
    await apply(page, 'Apply to existing subscriptions?', 'Update schedules');
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('delivery dates: the preview follows the days before them while countries get their own', async () => {
    const { page, problems } = await at.page(PATH);
    await ready(page);
    await chooseDelivery(page, 3, 9);
    await eventually(() => firstWait(page)).toBe(3);
    expect(problems).toEqual([]);
  });

  it('tags and the date field are shown on the next orders; a text that can not be filled in is an error of its field', async () => {
    const { page, problems } = await at.page(PATH);
    await ready(page);
    const tag = group(page, 'Delivery date').last();
    await tag.getByLabel('Add this tag').click();
    await eventually(() => orders(page).first().locator('.p-tag').allInnerTexts()).toEqual([
      expect.stringMatching(/^Deliver \d{4}-\d\d-\d\d$/),
    ]);
    await tag.getByLabel('Text of the tag').fill('On {day}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Unknown placeholder \{day\}\. Use \{delivery_date\}/)
      .first()
      .waitFor();
    await tag.getByLabel('Text of the tag').fill('On {delivery_date}');
    const field = group(page, 'Delivery date').first();
    await field.getByLabel('Write it on orders').click();
    await eventually(() => orders(page).first().locator('.p-tag').allInnerTexts()).toEqual([
      expect.stringMatching(/^On \d/),
      expect.stringMatching(/^Delivery date: \d/),
    ]);
    await save(page);
    await apply(page, 'Use the date fields for existing subscriptions?', 'Update date fields');
    expect(problems.filter(problem => !problem.includes('status of 422'))).toEqual([]);
  });

  it('an address that names a part of the page brings it into view', async () => {
    const { page, problems } = await at.page(`${PATH}?action=deliveryDateField`);
    await ready(page);
    await eventually(() => page.evaluate(() => document.activeElement?.closest('[data-section]')?.getAttribute('data-section') ?? '')).toBe(
      'section:deliveryDateField',
    );
    expect(problems).toEqual([]);
  });

  it('a read-only member sees the settings and the preview, and nothing to change', async () => {
    const { page, problems } = await at.page(PATH, { as: 'readOnly' });
    await page.getByText(/^You don't have permission to change these settings/).waitFor();
    await ready(page);
    expect(await page.locator('main form').locator('input:enabled, textarea:enabled').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 1024],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no accessibility violation and nothing wider than the page: %s, %i px', async (scheme, width) => {
    const { page, problems } = await at.page(PATH, { scheme, width });
    await ready(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });

  it('a subscription shows charge and delivery of its orders ahead', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await page.locator('tbody tr[data-row]').first().click();
    const table = page.getByRole('table', { name: 'Upcoming orders' });
    await page.getByRole('heading', { name: 'Upcoming orders' }).waitFor();
    await table.getByRole('columnheader', { name: 'Delivered' }).waitFor();
    await table.getByRole('columnheader', { name: 'Charged' }).waitFor();
    expect(problems).toEqual([]);
  });
});
