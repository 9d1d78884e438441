// What all lists, forms and the frame have in common, where it was once wrong: looked at as people meet it.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });

describe('who may only read', () => {
  it('chooses and moves no rows with which nothing could be done', async () => {
    const { page, problems } = await at.page('/selling-plans', { as: 'readOnly' });
    await page.locator('tbody tr[data-row]').first().waitFor();
    expect(await page.locator('.l-card input[type="checkbox"], .l-grip').count()).toBe(0);
    expect(problems).toEqual([]);
    const owner = await at.page('/selling-plans');
    await owner.page.locator('.l-grip').first().waitFor();
    expect(await owner.page.locator('tbody input[type="checkbox"]').count()).toBeGreaterThan(0);
  });

  it('is named instead of getting an empty form of something new', async () => {
    const { page, problems } = await at.page('/selling-plans/create', { as: 'readOnly' });
    await page.getByRole('heading', { name: "You can't create selling plan groups" }).waitFor();
    await page.getByText(/^You don't have permission to change this \(.+\)\. Ask an admin of your store for it\.$/).waitFor();
    expect(await page.locator('main form').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('reads the plans of a group as the form would say them, without what the form would hide', async () => {
    const { page, problems } = await at.page('/selling-plans', { as: 'readOnly' });
    await page.getByRole('link', { name: 'Subscribe and save', exact: true }).click();
    const card = page.locator('.f-card-item-shown').first();
    await card.waitFor();
    const facts = Object.fromEntries(
      await card
        .locator('.f-shown-facts > div')
        .evaluateAll(rows => rows.map(row => [row.querySelector('dt')?.textContent ?? '', row.querySelector('dd')?.textContent ?? ''])),
    );
    expect(facts['Deliver every']).toMatch(/^\d+ (day|week|month|year)s?$/);
    expect(facts['Discount value']).toMatch(/^\d+%$/);
    for (const hidden of ['Charge every', 'First delivery', 'Cut-off', 'Reserve stock'])
      expect([hidden, facts[hidden]]).toEqual([hidden, undefined]);
    expect(problems).toEqual([]);
  });
});

describe('the selling plan form', () => {
  it('refuses a percentage over 100 at its field before anything is sent, and takes it as an amount', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.getByRole('link', { name: 'Subscribe and save', exact: true }).click();
    await page.locator('.f-card-item button[aria-expanded="false"]').first().click();
    let sent = 0;
    page.on('request', request => {
      if (request.method() !== 'GET' && request.url().includes('/sellingPlanGroups/')) sent++;
    });
    await page
      .getByLabel(/^Discount value/)
      .first()
      .fill('150');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter a percentage of 100 or less.').first().waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(sent).toBe(0);
    await page.getByText('Amount off', { exact: true }).first().click();
    await page.getByText('Enter a percentage of 100 or less.').first().waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});

describe('lists', () => {
  it('a picture that can not be had leaves an empty frame', async () => {
    const { page } = await at.tab();
    await page.route('**/*', route => (route.request().resourceType() === 'image' ? route.abort() : route.fallback()));
    await page.goto('/products');
    await page.locator('tbody tr[data-row]').first().waitFor();
    await page.locator('tbody .p-thumbnail-none').first().waitFor();
    await eventually(() =>
      page.locator('tbody img.p-thumbnail').evaluateAll(all => all.filter(one => (one as HTMLImageElement).complete).length),
    ).toBe(0);
  });

  it('the account log is read on a phone by what was done, then by whom', async () => {
    const owner = await at.page('/settings/subscription-tags');
    await owner.page.getByLabel('Paused subscriber').fill('On pause');
    await owner.page.keyboard.press('Control+s');
    await owner.page.getByText('Settings saved.').first().waitFor();
    const { page, problems } = await at.page('/settings/account-logs', { width: 390 });
    const row = page.locator('tbody tr[data-row]', { hasText: 'Subscription tags' }).first();
    await row.waitFor();
    expect(await row.locator('td[data-slot="title"]').innerText()).toContain('Subscription tags');
    expect((await row.locator('td[data-slot="line"]').innerText()).trim()).not.toBe('');
    const [box, title] = [await row.boundingBox(), await row.locator('td[data-slot="title"]').boundingBox()];
    expect(title!.width).toBeGreaterThan(box!.width * 0.8);
    expect(await violations(page)).toEqual([]);
    expect([...owner.problems, ...problems]).toEqual([]);
    await row.click();
    const change = page.getByRole('row', { name: /Paused subscriber/ });
    await change.waitFor();
    expect(await change.innerText()).toMatch(/Paused Subscriber[\s\S]*On pause/);
  });
});

describe('the frame', () => {
  it('what is typed before the palette is there belongs to it, not to the shortcuts of the page', async () => {
    const { page, problems } = await at.tab();
    await page.route(/\/assets\/palette-[^/]*\.js/, async route => {
      await new Promise(resolve => setTimeout(resolve, 1500));
      await route.continue();
    });
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('/bulks');
    await page.keyboard.press('Backspace');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    expect(await page.getByPlaceholder('Search...').inputValue()).toBe('/bulk');
    await page.getByPlaceholder('Search...').fill('bulk');
    await page
      .getByRole('option', { name: /Bulk actions/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('the main action stands last, and on a phone the others are icons with names beside it', async () => {
    const wide = await at.page('/subscriptions');
    const names = await wide.page.locator('.p-page-actions > *').allInnerTexts();
    expect(names.at(-1)).toBe('Create subscription');
    const { page, problems } = await at.page('/subscriptions', { width: 390 });
    const [other, main] = [
      await page.getByRole('link', { name: 'Customers', exact: true }).boundingBox(),
      await page.getByRole('link', { name: 'Create subscription' }).boundingBox(),
    ];
    expect(other!.width).toBeLessThanOrEqual(40);
    expect(Math.abs(other!.y - main!.y)).toBeLessThan(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    expect([...wide.problems, ...problems]).toEqual([]);
  });

  it('screens that the navigation does not name stand below each other by their addresses', async () => {
    const { page, problems } = await at.page('/products/import');
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    await eventually(() => crumbs.locator('li').allInnerTexts()).toEqual(['Products', 'Import products']);
    await crumbs.getByRole('link', { name: 'Products' }).click();
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });
});
