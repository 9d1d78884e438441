// Finding subscriptions among many: search, filters, order, columns, views, pages, keyboard, export.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { minorDigits } from '../../../src/domain/money/money.ts';
import { CURRENCIES } from '../../../src/server/features/demo/people.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 400 });
const rows = (page: Page) => page.locator('.l-table tbody tr[data-row]');
const ids = (page: Page): Promise<(string | null)[]> => rows(page).evaluateAll(all => all.map(row => row.getAttribute('data-row')));
const ready = async (page: Page): Promise<void> => {
  await rows(page).or(page.locator('.l-card .p-empty')).first().waitFor();
  await eventually(() => page.locator('.l-scroll[data-busy]').count()).toBe(0);
};
const open = async (query = '', view = {}) => {
  const found = await at.page(`/subscriptions${query}`, view);
  await ready(found.page);
  return found;
};
/** The total that the foot of the list says. */
const total = async (page: Page): Promise<number> =>
  Number((/of ([\d,]+)/.exec(await page.locator('.l-foot').innerText()) ?? [])[1]?.replaceAll(',', ''));

describe('the list of subscriptions', () => {
  it('finds a subscription by a piece of its e-mail address, from the keyboard', async () => {
    const { page, problems } = await open();
    const answer = (await (
      await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/list?pageSize=1`, {
        headers: { authorization: await at.product.token() },
      })
    ).json()) as { data: { id: number; customerEmail: string }[] };
    const { id, customerEmail } = answer.data[0]!;
    await page.keyboard.press('/');
    await page.keyboard.type(customerEmail.slice(1, customerEmail.indexOf('@') + 3));
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe(customerEmail.slice(1, customerEmail.indexOf('@') + 3));
    await eventually(() => ids(page)).toContain(String(id));
    await eventually(async () => (await ids(page)).length).toBeLessThan(25);
    await page.keyboard.press('Escape');
    await atPath(page, '/subscriptions');
    expect(problems).toEqual([]);
  });

  it('a filter stands as a chip and in the address; the address opens the same rows for another person', async () => {
    const { page, problems } = await open();
    const all = await total(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Paused' }).click();
    await page.locator('.l-chips').getByText('Paused').first().waitFor();
    await page.getByRole('checkbox', { name: 'Cancelled' }).click();
    await page.keyboard.press('Escape');
    await page.locator('.l-chips').getByText('Paused').first().waitFor();
    await eventually(() => total(page)).toBeLessThan(all);
    await ready(page);
    await atPath(page, /status=PAUSED(,|%2C)CANCELLED/);
    const mine = await ids(page);
    expect(
      new Set(
        (await rows(page).locator('td[data-title="Status"]').allInnerTexts())
          .map(text => text.trim())
          .filter(text => !['Paused', 'Cancelled'].includes(text)),
      ).size,
    ).toBe(0);
    const other = await at.page(page.url(), { as: 'readOnly' });
    await ready(other.page);
    expect(await ids(other.page)).toEqual(mine);
    await page.getByRole('button', { name: 'Remove filter Status' }).click();
    await eventually(() => total(page)).toBe(all);
    await atPath(page, '/subscriptions');
    expect([...problems, ...other.problems]).toEqual([]);
  });

  it('tabs count what they show', async () => {
    const { page, problems } = await open();
    const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    expect((await tabs.allInnerTexts()).map(text => text.split(/\s/)[0])).toEqual([
      'All',
      'Active',
      'Paused',
      'Failed',
      'Cancelled',
      'Expired',
    ]);
    const paused = tabs.filter({ hasText: 'Paused' });
    // The numbers come once the rows stand.
    await eventually(() => paused.locator('.p-count').innerText()).toMatch(/\d/);
    const said = Number((await paused.locator('.p-count').innerText()).replaceAll(',', ''));
    await paused.click();
    await atPath(page, '/subscriptions?tab=paused');
    await eventually(() => total(page)).toBe(said);
    expect(problems).toEqual([]);
  });

  it('a column sorts up and down, and says so: amounts by what they are worth', async () => {
    const { page, problems } = await open();
    const header = page.getByRole('columnheader', { name: 'Total' });
    const currencies = new Map<string, string>();
    for (const list of [1, 2]) {
      const answer = (await (
        await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/list?pageSize=250&page=${list}`, {
          headers: { authorization: await at.product.token() },
        })
      ).json()) as { data: { id: number; currencyCode: string }[] };
      for (const row of answer.data) currencies.set(String(row.id), row.currencyCode);
    }
    const totals = async (): Promise<number[]> => {
      const said = await rows(page).locator('td[data-title="Total"]').allInnerTexts();
      return (await ids(page)).map((id, i) => {
        const currency = currencies.get(String(id)) ?? 'USD';
        const { usd = 1 } = CURRENCIES[currency] ?? {};
        return Number(said[i]?.replace(/[^\d.]/g, '')) * (minorDigits(currency) === 0 ? usd / 100 : usd);
      });
    };
    await page.evaluate(() => {
      const order: string[] = [];
      const [ask, push] = [window.fetch, history.pushState.bind(history)];
      window.fetch = (...request) => {
        order.push('asked');
        return ask(...request);
      };
      history.pushState = (...entry) => {
        order.push('drawn');
        push(...entry);
      };
      Object.assign(window, { order });
    });
    for (const [direction, sign, address] of [
      ['descending', -1, /sort=-total/],
      ['ascending', 1, /sort=total/],
    ] as const) {
      await header.getByRole('button').click();
      await atPath(page, address);
      await eventually(() => header.getAttribute('aria-sort')).toBe(direction);
      await ready(page);
      const found = await totals();
      expect(found.length).toBeGreaterThan(10);
      expect(found).toEqual([...found].sort((a, b) => sign * (a - b)));
    }
    // The server is asked before the page is redrawn, not after it.
    expect(await page.evaluate(() => (window as unknown as { order: string[] }).order[0])).toBe('asked');
    expect(problems).toEqual([]);
  });

  it('columns are chosen and stay chosen', async () => {
    const { page, problems } = await open();
    expect(await page.getByRole('columnheader', { name: 'Country' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Country' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Country' }).waitFor();
    await page.reload();
    await ready(page);
    await page.getByRole('columnheader', { name: 'Country' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('a view is saved, shared with the store, opened again and deleted', async () => {
    const { page, problems } = await open('?status=PAUSED&sort=total');
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByText('Give the view a name.').waitFor();
    await dialog.getByLabel('Name').fill('Sleepers');
    await dialog.getByLabel(/Share with everybody/).check();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View "Sleepers" saved.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const mine = await ids(page);
    const other = await open('', { as: 'admin' });
    await other.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Sleepers/ })
      .click();
    await atPath(other.page, /status=PAUSED/);
    await ready(other.page);
    await eventually(() => ids(other.page)).toEqual(mine);
    // The tab of a view says how many it has, as the tab of the status does (which says that it leaves the filter aside).
    const tab = (name: string) => other.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: new RegExp(`^${name}`) });
    const [paused] = (await tab('Paused').locator('.p-count').innerText()).split('\n');
    await eventually(() => tab('Sleepers').locator('.p-count').innerText()).toBe(paused);
    await page.getByRole('button', { name: 'View Sleepers' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
    await page.getByText('View "Sleepers" deleted.').waitFor();
    await eventually(() => new URL(page.url()).searchParams.has('status')).toBe(false);
    expect([...problems, ...other.problems]).toEqual([]);
  });

  it('goes through the pages and back, without a row twice', async () => {
    const { page, problems } = await open();
    const first = await ids(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await atPath(page, /page=2/);
    await eventually(async () => (await ids(page))[0]).not.toBe(first[0]);
    await ready(page);
    const second = await ids(page);
    expect(second.filter(id => first.includes(id))).toEqual([]);
    await page.getByRole('button', { name: 'Previous page' }).click();
    await eventually(() => ids(page)).toEqual(first);
    await page.goBack();
    await eventually(() => ids(page)).toEqual(second);
    expect(problems).toEqual([]);
  });

  it('opens a row by keyboard alone; going back finds the row again', async () => {
    const { page, problems } = await open();
    const third = (await ids(page))[2]!;
    for (const key of ['ArrowDown', 'ArrowDown', 'j']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe(third);
    await page.keyboard.press('Enter');
    await atPath(page, `/subscriptions/${third}`);
    await page.getByRole('heading', { level: 1, name: `#${third}` }).waitFor();
    await page.goBack();
    await ready(page);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe(third);
    expect(problems).toEqual([]);
  });

  it('on a phone a tap opens the row under the finger, going back finds the list, and a filter is set', async () => {
    const { page, problems } = await open('', { width: 390 });
    const second = (await ids(page))[1]!;
    await page.locator(`tr[data-row="${second}"]`).click();
    await atPath(page, `/subscriptions/${second}`);
    await page.getByRole('heading', { level: 1, name: `#${second}` }).waitFor();
    await page.goBack();
    await ready(page);
    expect(await rows(page).locator('input:checked').count()).toBe(0);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    // A range takes what is typed as it is, or says why not.
    await page.getByRole('button', { name: 'Orders completed', exact: true }).click();
    await page.getByRole('textbox', { name: 'At least' }).fill('-5');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('“-5” is below 0, and nothing below 0 is possible here. Enter another number.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'At least' }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('completedOrdersCount');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Paused' }).click();
    await page.keyboard.press('Escape');
    await atPath(page, /status=PAUSED/);
    await ready(page);
    await page.locator('.l-chips').getByText('Paused').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
  });

  it('exports every matching row as CSV', async () => {
    const { page, problems } = await open('?tab=active');
    const expected = await total(page);
    expect(expected).toBeGreaterThan(50);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const records = parse(readFileSync(await download.path(), 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
    expect(records.length).toBe(expected);
    expect(new Set(records.map(record => record['Status']))).toEqual(new Set(['ACTIVE']));
    expect(problems).toEqual([]);
  });

  it('selects what is on the page and all that match', async () => {
    const { page, problems } = await open('?tab=active');
    const all = await total(page);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('25 subscriptions selected').waitFor();
    await page.getByRole('button', { name: `Select all ${all.toLocaleString('en-US')} that match` }).click();
    await page.getByText(`All ${all.toLocaleString('en-US')} subscriptions selected`).waitFor();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear' }).click();
    expect(await rows(page).locator('input:checked').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('an empty result says why and offers the way out', async () => {
    const { page, problems } = await open('?q=zzzqqq&status=PAUSED');
    await page.getByRole('heading', { name: 'No subscriptions match' }).waitFor();
    await page.getByText('Nothing was found for “zzzqqq” with these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows(page).first().waitFor();
    await atPath(page, '/subscriptions');
    expect(problems).toEqual([]);
  });
});
