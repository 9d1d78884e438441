// Customers as support staff work with them, and the account log that tells what they did.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

const rows = (page: Page) => page.locator('.l-table tbody tr[data-row]');
const notice = (page: Page, text: string | RegExp): Promise<void> => page.locator('.p-notice', { hasText: text }).first().waitFor();
const ask = async (path: string, init: { method?: string; body?: JsonObject } = {}): Promise<JsonObject> =>
  (
    await fetch(at.product.url + path, {
      method: init.method ?? 'GET',
      headers: { authorization: await at.product.token(), 'content-type': 'application/json' },
      ...(init.body ? { body: JSON.stringify(init.body) } : {}),
    })
  ).json() as Promise<JsonObject>;
/** A customer that only one journey works on; with a failed payment where that is asked for. */
async function someone(filter: JsonObject = { subscriberStatus: ['ACTIVE'] }, index = 0): Promise<JsonObject> {
  const { data } = await ask(`/host/main/api/merchant/customers/list?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  return (data as JsonObject[])[index] as JsonObject;
}
const made = async (name: string): Promise<JsonObject> =>
  (
    await ask('/host/app/customers/create', {
      method: 'POST',
      body: { variables: { firstName: name, lastName: 'Journey', email: `${name.toLowerCase()}@journey.example` } },
    })
  ).data as JsonObject;

describe('customers', () => {
  it('are listed by tab, found by a fragment of the e-mail address, and lead to their record', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await page.getByRole('link', { name: 'Customers' }).first().click();
    await atPath(page, '/customers');
    await rows(page).first().waitFor();
    await page.getByRole('link', { name: /Failed payment/ }).click();
    await eventually(async () =>
      (await rows(page).locator('td[data-title="Payment"]').allInnerTexts()).every(text => text.trim() === 'Failed'),
    ).toBe(true);
    const who = await someone({ subscriberStatus: ['ACTIVE'] }, 3);
    const email = String(who.email);
    await page.goto('/customers');
    await page
      .getByRole('searchbox')
      .first()
      .fill(email.slice(2, email.indexOf('@') + 3));
    await eventually(() => rows(page).count()).toBe(1);
    await rows(page).first().getByText(String(who.name)).click();
    await atPath(page, `/customers/${String(who.id)}`);
    await page.getByRole('heading', { level: 1, name: String(who.name) }).waitFor();
    await page.getByRole('table', { name: 'Subscriptions' }).locator('tbody a').first().click();
    await atPath(page, /^\/subscriptions\/\d+$/);
    await page
      .getByRole('complementary')
      .getByRole('link', { name: String(who.name) })
      .first()
      .click();
    await atPath(page, `/customers/${String(who.id)}`);
    expect(problems).toEqual([]);
  });

  it('are found in the palette', async () => {
    const who = await someone({ subscriberStatus: ['ACTIVE'] }, 5);
    const { page, problems } = await at.page('/customers');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search...').fill(String(who.email));
    await page
      .getByRole('option', { name: new RegExp(String(who.email)) })
      .last()
      .click();
    await atPath(page, new RegExp(`^/customers/${String(who.id)}|/subscriptions/`));
    expect(problems).toEqual([]);
  });

  it('one is added with an address; mistakes are said at their fields', async () => {
    const { page, problems } = await at.page('/customers/create');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByText('Enter an e-mail address', { exact: true }).waitFor();
    await page.getByLabel('First name').first().fill('Nora');
    await page.getByLabel('Last name').first().fill('Journey');
    await page.getByLabel(/^E-mail/).fill('nora@journey.example');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nora Journey' }).waitFor();
    await page.getByText('No subscriptions yet.').waitFor();
    await page.getByText('No address is saved.').waitFor();
    expect(problems).toEqual([]);
  });

  it('one is changed; tags of the store are written on the record, and the log tells what was before', async () => {
    const { id } = await made('Petra');
    const { page, problems } = await at.page(`/customers/${String(id)}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await atPath(page, `/customers/${String(id)}/edit`);
    await page.getByLabel('First name').first().fill('Petronella');
    await page.keyboard.press('Control+s');
    await notice(page, 'Saved.');
    await page.getByRole('link', { name: /Back/ }).click();
    await atPath(page, `/customers/${String(id)}`);
    await page.getByRole('heading', { level: 1, name: 'Petronella Journey' }).waitFor();

    await page.goto('/settings/account-logs?q=petronella');
    await rows(page).first().getByText('Customer Petronella Journey updated').click();
    const table = page.getByRole('table', { name: 'What changed' });
    await table.waitFor();
    expect(await table.locator('tbody tr').allInnerTexts()).toEqual([expect.stringMatching(/First name\s+Petra\s+Petronella/)]);
    await page.getByRole('link', { name: 'Open the customer' }).click();
    await atPath(page, `/customers/${String(id)}`);
    expect(problems).toEqual([]);
  });

  it('another person saved meanwhile: both changes are joined', async () => {
    const { id } = await made('Ulla');
    const { page, problems } = await at.page(`/customers/${String(id)}/edit`);
    await page.getByLabel('First name').first().waitFor();
    await ask('/host/app/customers/update', { method: 'POST', body: { variables: { id: id!, lastName: 'Elsewhere' } } });
    await page.getByLabel('First name').first().fill('Ursula');
    await page.keyboard.press('Control+s');
    await eventually(async () => {
      const { data } = await ask(`/host/app/customers/read_by_id?id=${String(id)}`);
      return (data as JsonObject).name;
    }).toMatch(/Elsewhere/);
    await page.locator('[role="dialog"], [role="alertdialog"], .p-notice').first().waitFor();
    expect(problems.filter(provoked(409))).toEqual([]);
  });

  it('a member who only reads sees everything, and why nothing can be changed', async () => {
    const who = await someone();
    const { page, problems } = await at.page(`/customers/${String(who.id)}`, { as: 'readOnly' });
    await page.getByText('You can see this customer and not change it.').waitFor();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.goto('/customers/create');
    await page
      .getByText(/permission/i)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Create customer' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
  ] as const) {
    it(`read well and reach everybody (${width}, ${scheme})`, async () => {
      const who = await someone({ hasFailedPayment: true });
      const { page, problems } = await at.page('/customers', { width, scheme });
      for (const path of [
        '/customers',
        `/customers/${String(who.id)}`,
        `/customers/${String(who.id)}/edit`,
        '/customers/create',
        '/settings/account-logs',
      ]) {
        await page.goto(path);
        await page.locator('main h1').first().waitFor();
        await eventually(() => page.locator('.p-skeleton').count()).toBe(0);
        expect([path, await violations(page)]).toEqual([path, []]);
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)]).toEqual([
          path,
          true,
        ]);
      }
      expect(problems).toEqual([]);
    });
  }
});
