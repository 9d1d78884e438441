// Check 19: what is clicked twice, entered and clicked, or clicked in two tabs, is done once. (Every action of a subscription: subscription-actions.test.ts.)
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { buildRequest } from '../../../src/contract/request.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { definitionsWith } from '../../support/definitions.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 300 });
const { another, open } = subscriptionPages(at);
const definitions = definitionsWith({});

/** A call of the owner, beside the browser. */
async function ask<T = JsonObject>(name: string, input: JsonObject = {}): Promise<T> {
  const request = buildRequest(definitions, definitions.calls[name]!, input);
  const answer = await fetch(at.product.url + request.url, {
    method: request.method,
    headers: { ...request.headers, authorization: await at.product.token() },
    body: request.body === undefined ? null : JSON.stringify(request.body),
  });
  const body = (await answer.json()) as JsonObject;
  expect(answer.status, JSON.stringify(body)).toBeLessThan(300);
  return body.data as T;
}
/** How often the subscription's log has something. */
const noted = async (id: number, key: string): Promise<number> =>
  (await ask<{ key: string }[]>('subscription-contract.activity', { id, limit: 100 })).filter(entry => entry.key === key).length;
/** Waits until nothing is under way in the pages. */
const quiet = (...pages: Page[]): Promise<unknown> => Promise.all(pages.map(page => page.waitForLoadState('networkidle')));

describe('done once', () => {
  it('a page of settings whose button is clicked twice', async () => {
    const { page, problems } = await at.page('/settings/general');
    const before = (await ask('settings.get', { settingsPage: 'general' })).version as number;
    const hours = page.getByLabel('Billing hour');
    await hours.selectOption({ index: (await hours.evaluate(select => (select as HTMLSelectElement).selectedIndex)) === 5 ? 6 : 5 });
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick();
    await page.getByText('Settings saved.').first().waitFor();
    await quiet(page);
    expect((await ask('settings.get', { settingsPage: 'general' })).version).toBe(before + 1);
    expect(problems).toEqual([]);
  });

  it.each([
    ['clicked twice', 'double'],
    ['entered and clicked', 'enter'],
  ] as const)('a new customer whose form is %s', async (_what, how) => {
    const { page, problems } = await at.page('/customers/create');
    // A try of its own has an address of its own.
    const email = `once-${how}-${Date.now()}@journey.example`;
    let sent = 0;
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/customers/create')) sent++;
    });
    await page.getByLabel('Last name').first().fill('Once');
    await page.getByLabel(/^E-mail/).fill(email);
    const button = page.getByRole('button', { name: 'Create customer' });
    if (how === 'double') await button.dblclick();
    else {
      await page.getByLabel(/^E-mail/).press('Enter');
      await button.click({ timeout: 2000 }).catch(() => undefined);
    }
    await atPath(page, /^\/customers\/\d+$/);
    await quiet(page);
    expect(await ask<JsonObject[]>('customers.list', { q: email })).toHaveLength(1);
    expect(sent).toBe(1);
    expect(problems).toEqual([]);
  });

  it('an order that is skipped in two tabs', async () => {
    const found = await another(ACTIVE);
    const tabs = [await open(found), await open(found)];
    const before = await noted(found.id, 'order_skipped');
    await Promise.all(
      tabs.map(({ page }) => page.locator('.r-head').getByRole('button', { name: 'Skip next order', exact: true }).click()),
    );
    await eventually(() => noted(found.id, 'order_skipped')).toBe(before + 1);
    await quiet(...tabs.map(tab => tab.page));
    expect(await noted(found.id, 'order_skipped')).toBe(before + 1);
    for (const { problems } of tabs) expect(problems.filter(provoked(409))).toEqual([]);
  });

  it('an order that is charged in two tabs, with both confirmed by a double click', async () => {
    const found = await another({ ...ACTIVE, completedOrdersCount: { min: 2, max: 5 } });
    const tabs = [await open(found), await open(found)];
    for (const { page } of tabs) {
      await page
        .getByRole('table', { name: 'Upcoming orders' })
        .locator('tbody tr')
        .first()
        .getByRole('button', { name: /^(Actions for|More actions)/ })
        .first()
        .click();
      await page
        .getByRole('menuitem')
        .filter({ hasText: /^Charge/ })
        .first()
        .click();
      await dialog(page).waitFor();
    }
    const before = await noted(found.id, 'order_charged_now');
    await Promise.all(
      tabs.map(({ page }) =>
        dialog(page)
          .getByRole('button', { name: /^Charge/ })
          .dblclick(),
      ),
    );
    await eventually(() => noted(found.id, 'order_charged_now')).toBe(before + 1);
    await quiet(...tabs.map(tab => tab.page));
    expect(await noted(found.id, 'order_charged_now')).toBe(before + 1);
    for (const { problems } of tabs) expect(problems.filter(provoked(409))).toEqual([]);
  });

  it('a bulk action that is started in two tabs', async () => {
    const { id: contract } = await another(ACTIVE);
    const draft = await ask('bulk-actions.create', {
      actionKey: 'UPDATE_NOTE',
      selection: { mode: 'IDS', ids: [contract] },
      input: { mode: 'REPLACE', note: 'Once.' },
    });
    const id = draft.id as number;
    const tabs = [await at.page(`/bulk-actions/${id}`), await at.page(`/bulk-actions/${id}`)];
    for (const { page } of tabs) {
      await page.getByRole('button', { name: 'Start now' }).first().click();
      await dialog(page).waitFor();
    }
    await Promise.all(tabs.map(({ page }) => dialog(page).getByRole('button', { name: 'Start', exact: true }).dblclick()));
    await eventually(async () => (await ask('bulk-actions.progress', { id })).status).toBe('COMPLETED');
    await quiet(...tabs.map(tab => tab.page));
    expect((await ask<JsonObject[]>('bulk-actions.rows', { id })).map(row => row.status)).toEqual(['SUCCESS']);
    for (const { problems } of tabs) expect(problems.filter(provoked(409))).toEqual([]);
  });
});
