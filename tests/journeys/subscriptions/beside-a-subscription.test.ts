// What stands around a subscription, as people meet it: stock rules that show what matters, an alert without the customers behind it, a backup that is not tried.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/contract/request.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { violations } from '../../support/browser/browser.ts';
import { definitionsWith } from '../../support/definitions.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });
const definitions = definitionsWith({});

/** A call of the owner, beside the browser. */
async function send(name: string, input: JsonObject): Promise<JsonObject> {
  const request = buildRequest(definitions, definitions.calls[name]!, input, {});
  const answer = await fetch(at.product.url + request.url, {
    method: request.method,
    headers: { ...request.headers, authorization: await at.product.token() },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  return answer.json() as Promise<JsonObject>;
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

describe('inventory settings', () => {
  it('D074 D263 ask how long to wait only while something waits, whichever of the two it is', async () => {
    const { page, problems } = await at.page('/settings/inventory-settings');
    const choose = (group: string, option: string) =>
      page
        .getByRole('radiogroup', { name: group })
        .getByRole('radio', { name: new RegExp(`^${option}`) })
        .check({ force: true });
    const [some, none] = ['If only some products are available', 'If nothing is available'];
    const wait = page.getByLabel('Wait at most');
    const then = page.getByLabel('Then');
    await choose(some, 'Skip the order');
    await choose(none, 'Skip the order');
    await eventually(() => wait.count()).toBe(0);
    expect(await then.count()).toBe(0);
    await choose(some, 'Wait for stock');
    await wait.waitFor();
    await then.waitFor();
    await choose(some, 'Send what is there');
    await eventually(() => wait.count()).toBe(0);
    await choose(none, 'Wait for stock');
    await wait.fill('12');
    await then.selectOption({ label: 'Pause the subscription' });
    await save(page);
    await page.locator('.p-notice', { hasText: 'Inventory settings saved.' }).waitFor();
    await page.reload();
    await eventually(() => wait.inputValue()).toBe('12');
    await wait.fill('');
    await eventually(() => then.count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a payment that was lost', () => {
  it('is charged for an amount that is said with its currency', async () => {
    const { page, problems } = await at.page('/payment-recovery?tab=lost');
    const row = page.locator('.l-table tbody tr[data-row]').filter({ hasNotText: 'Cancelled' }).first();
    await row.waitFor();
    const amount = (await row.locator('[data-cell="money"]').first().innerText()).trim();
    expect(amount).toMatch(/^\D+[\d.,]+$/);
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Retry now' }).click();
    const dialog = page.getByRole('dialog', { name: `Charge ${amount} now?` });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain(`is charged ${amount} for the unpaid order`);
    await page.keyboard.press('Escape');
    expect(problems).toEqual([]);
  });
});

describe('several payments that were lost', () => {
  it('are charged only after it was said that each customer is charged', async () => {
    const { page, problems } = await at.page('/payment-recovery?tab=lost');
    const boxes = page.locator('.l-table tbody tr[data-row]').getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Retry now' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Each customer is charged for the unpaid order at once.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => dialog.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('an alert', () => {
  it('D110 shows who may not see subscriptions what is wrong and how much is at stake, and no customer', async () => {
    const alerts = (await send('alerts.unresolved', {})).data as { id: number; typeKey: string }[];
    const about = alerts.find(one => one.typeKey === 'INACTIVE_PRODUCTS')!;
    const names = ((await send('alerts.data', { id: about.id })).data as { customerName: string }[]).map(row => row.customerName);
    const users = (await send('users.list', {})).data as { userId: number }[];
    const people = (await (await fetch(`${at.product.url}/host/user/login/demo`)).json()) as { data: { users: { userId: number }[] } };
    const id = people.data.users[3]!.userId;
    expect(users.some(user => user.userId === id)).toBe(true);
    await send('users.updatePermissions', {
      id,
      permissions: Object.keys(definitions.permissions).map(permissionKey => ({
        permissionKey,
        access: permissionKey === 'alertCentre' ? 'READ' : 'NO_ACCESS',
      })),
    });
    const { page, problems } = await at.page(`/alerts/${about.id}`, { as: 'readOnly' });
    const affected = page.locator('[data-section="subscriptions"]');
    await affected.locator('tbody tr').first().waitFor();
    expect(await affected.getByRole('columnheader').allInnerTexts()).not.toContain('Customer');
    expect(await affected.getByRole('link').count()).toBe(0);
    expect(await affected.locator('tbody tr').first().innerText()).toMatch(/#\d+/);
    const text = await page.locator('main').innerText();
    for (const name of names) expect(text).not.toContain(name);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
