// A change beside what it does to the next orders, and a subscription made by hand, in a real browser.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations, type View } from '../../support/browser/browser.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, inDays, notice, status, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 300 });
const { another, open } = subscriptionPages(at);
const columns = (page: Page) => dialog(page).locator('.r-next-column');
/** How often something is sent. */
function sent(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith(path)) count++;
  });
  return () => count;
}
async function ofLine(page: Page, title: string): Promise<void> {
  await page
    .locator('.r-lines > li')
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: title }).click();
  await dialog(page).waitFor();
}

describe('a change', () => {
  it.each<[string, View]>([
    ['on a wide screen', { width: 1440 }],
    ['in the dark', { width: 1024, scheme: 'dark' }],
    ['on a phone', { width: 390 }],
  ])('is shown beside the present state, %s', async (_where, view) => {
    const { page, problems } = await open(await another({ ...ACTIVE, deliveryType: ['SHIPPING'] }), view);
    const asked = sent(page, '/preview');
    const changed = sent(page, '/updateQuantity');
    await ofLine(page, 'Change quantity');
    await dialog(page).getByText('The next three orders stay as they are.').waitFor();
    await dialog(page)
      .getByLabel(/^Quantity/)
      .fill('7');
    await eventually(() => columns(page).last().innerText()).toMatch(/7 ×/);
    expect(await columns(page).count()).toBe(2);
    expect(await columns(page).first().locator('li').count()).toBe(3);
    const [now, after] = [await columns(page).first().boundingBox(), await columns(page).last().boundingBox()];
    expect(view.width === 390 ? after!.y > now!.y : after!.x > now!.x).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(asked()).toBeLessThan(5);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(changed()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('that would be refused says so at once, in the words of the action', async () => {
    const { page, problems } = await open(
      await another({ ...ACTIVE, deliveryType: ['SHIPPING'] }, record => (record.lines as unknown[]).length === 1),
    );
    await page.keyboard.press('d');
    await dialog(page).locator('input[type="datetime-local"]').first().fill(inDays(-3));
    await dialog(page).getByText('Choose a date after today.').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    // What can never be done is not even begun: the menu says why.
    await page
      .locator('.r-lines > li')
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    const remove = page.getByRole('menuitem', { name: 'Remove' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    expect(await remove.getAttribute('data-tip')).toBe('A subscription must have at least one product.');
    expect(problems).toEqual([]);
  });
});

describe('a subscription made by hand', () => {
  it.each<[string, View]>([
    ['on a wide screen', { width: 1440 }],
    ['on a phone, in the dark', { width: 390, scheme: 'dark' }],
  ])('says what is missing, shows its first orders, keeps its draft, and is there, %s', async (_where, view) => {
    const found = await another({ ...ACTIVE, deliveryType: ['SHIPPING'] });
    const customer = (
      (await (
        await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/read?id=${found.id}`, {
          headers: { authorization: await at.product.token() },
        })
      ).json()) as { data: { customerId: number } }
    ).data.customerId;
    const { page, problems } = await at.page(`/subscriptions/create?customer=${customer}`, view);
    const create = page.getByRole('button', { name: 'Create subscription' });
    await create.waitFor();
    expect(await violations(page)).toEqual([]);
    await create.click();
    await page.getByText('Add at least one product.').first().waitFor();
    await page.getByText('Choose a date.').first().waitFor();
    await page.getByRole('button', { name: 'Add a product' }).click();
    await page.getByRole('button', { name: 'Choose a product' }).click();
    await dialog(page)
      .getByLabel(/^(Find|Search)/)
      .first()
      .fill('Ember');
    await dialog(page).locator('.f-picker > li input:enabled').first().click();
    await dialog(page).getByRole('button', { name: 'Choose', exact: true }).click();
    await page.locator('input[type="datetime-local"]').first().fill(inDays(10));
    await page.locator('input[type="datetime-local"]').first().press('Tab');
    const first = page.getByRole('list', { name: 'Next orders' }).locator('li');
    await eventually(() => first.count()).toBe(3);
    expect(await first.first().innerText()).toMatch(/1 × /);
    await page.getByRole('textbox', { name: 'Note' }).fill('Leave it at the door');
    await page.getByRole('textbox', { name: 'Note' }).press('Tab');
    await eventually(() =>
      page.evaluate(() => Object.keys({ ...sessionStorage, ...localStorage }).some(key => key.includes('subscription/new'))),
    ).toBe(true);
    expect(await violations(page)).toEqual([]);
    await create.click();
    await notice(page, /^Created/);
    await status(page, 'Active');
    await page.getByText('Leave it at the door').first().waitFor();
    await page.getByText('Subscription created').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('is not offered to those who may not make one', async () => {
    const { page } = await at.page('/subscriptions', { as: 'readOnly' });
    const button = page.getByRole('button', { name: 'Create subscription' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
  });
});
