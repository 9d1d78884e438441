// What people hear of a bulk action: elsewhere, when they have left its page; on its page, which subscriptions a reason is about; in the
// list, how many there are of each kind.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

interface Sub {
  id: number;
  customerName: string;
}
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${at.product.url}${path}`, {
    method,
    headers: {
      authorization: await at.product.token(),
      ...(body ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status, `${method} ${path}: ${await answer.clone().text()}`).toBeLessThan(300);
  return ((await answer.json()) as { data: T }).data;
}
const some = (status: string, n: number): Promise<Sub[]> =>
  call<Sub[]>(
    'GET',
    `/host/main/api/merchant/subscriptionContract/list?pageSize=${n}&filter=${encodeURIComponent(JSON.stringify({ status: [status] }))}`,
  );
const statusOf = async (id: number): Promise<string> => (await call<{ status: string }>('GET', `/host/bulk/bulkActions/${id}`)).status;
async function started(actionKey: string, ids: (number | string)[], input: object): Promise<number> {
  const { id } = await call<{ id: number }>('POST', '/host/bulk/bulkActions/create', { actionKey, selection: { mode: 'IDS', ids }, input });
  await call('POST', '/host/bulk/bulkActions/runBulkAction', { id });
  return id;
}
const fits = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
};

describe('bulk actions that people have left', () => {
  it('D076 a person who leaves the page of one that runs sees elsewhere how far it is, and when it is over; on its own page nothing is said twice', async () => {
    const ids = (await some('ACTIVE', 150)).map(sub => sub.id);
    // One of a kind at a time: the last has to wait for the others, long enough to be left.
    for (let i = 0; i < 11; i++) await started('UPDATE_NOTE', ids, { mode: 'REPLACE', note: `Round ${i}` });
    const last = await started('UPDATE_NOTE', ids, { mode: 'REPLACE', note: 'The last round' });
    const { page, problems } = await at.page(`/bulk-actions/${last}`);
    const notices = page.locator('.p-notice');
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    expect(await notices.count()).toBe(0);
    await page.getByRole('link', { name: 'Subscriptions', exact: true }).first().click();
    await atPath(page, '/subscriptions');
    await notices.filter({ hasText: `Change note: ${ids.length} subscriptions` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await notices.filter({ hasText: `Change note: ${ids.length} done.` }).waitFor({ timeout: 90_000 });
    expect(await statusOf(last)).toBe('COMPLETED');
    await notices.getByRole('button', { name: 'View' }).click();
    await atPath(page, `/bulk-actions/${last}`);
    await page
      .getByRole('region', { name: 'Progress' })
      .getByText(/^Done /)
      .waitFor();
    // A busy machine may have said meanwhile that the server is there again.
    await eventually(() => notices.filter({ hasText: 'Change note' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('what came of a bulk action', () => {
  it('D075 each reason opens to the subscriptions it is about, on a phone too', async () => {
    const paused = await some('PAUSED', 3);
    const id = await started('PAUSE_SUBSCRIPTION', [...paused.map(sub => sub.id), 99_999_991, 'abc'], { until: 'INDEFINITE' });
    await eventually(() => statusOf(id)).toMatch(/^(COMPLETED_WITH_ERRORS|FAILED)$/);
    for (const width of [1440, 390] as const) {
      const { page, problems } = await at.page(`/bulk-actions/${id}`, { width, scheme: width === 390 ? 'dark' : 'light' });
      const reasons = page.getByRole('region', { name: 'What failed, and why' });
      const unknown = reasons.getByRole('button', { name: /No subscription has this id\. 2$/ });
      const already = reasons.getByRole('button', { name: /This subscription is already paused\. 3$/ });
      // What failed stands above what was skipped, however many of those there are.
      expect(await reasons.locator('.ba-reason').first().innerText()).toContain('No subscription has this id.');
      await unknown.click();
      await reasons.getByText('abc', { exact: true }).waitFor();
      await already.click();
      await eventually(() => already.getAttribute('aria-expanded')).toBe('true');
      for (const sub of paused) await reasons.getByRole('link', { name: `#${sub.id}` }).waitFor();
      await fits(page);
      expect(await violations(page)).toEqual([]);
      await already.press('Enter');
      await eventually(() => reasons.getByRole('link').count()).toBe(0);
      await already.press('Enter');
      await reasons.getByRole('link', { name: `#${paused[0]!.id}` }).click();
      await atPath(page, `/subscriptions/${paused[0]!.id}`);
      expect(problems).toEqual([]);
    }
  });
});

describe('tabs of lists', () => {
  it.each([
    ['/bulk-actions', 5],
    ['/products', 4],
    ['/selling-plans', 3],
    ['/settings/account-logs', 4],
  ] as const)('%s: each tab says how many rows it holds', async (path, n) => {
    await started('UPDATE_TAGS', [(await some('ACTIVE', 1))[0]!.id], { mode: 'ADD', tags: ['counted'] });
    const { page, problems } = await at.page(path);
    const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    expect(await tabs.count()).toBe(n);
    await eventually(async () => (await tabs.locator('.p-count').allInnerTexts()).every(text => /^[\d,]+$/.test(text))).toBe(true);
    for (let i = 0; i < n; i++) {
      await tabs.nth(i).click();
      const said = Number((await tabs.nth(i).locator('.p-count').innerText()).replace(/,/g, ''));
      await eventually(async () =>
        said === 0
          ? (await page.locator('.p-empty').count()) === 1
          : (await page.locator('.l-foot [role="status"]').innerText()).endsWith(` of ${said.toLocaleString('en-US')}`),
      ).toBe(true);
    }
    expect(problems).toEqual([]);
  });
});

describe('the list of subscriptions by keyboard alone', () => {
  it('D075 finds, narrows, opens, comes back to its place, chooses rows and changes them', async () => {
    const { page, problems } = await at.page('/subscriptions?tab=active');
    const rows = page.locator('.l-table tbody tr[data-row]');
    await rows.first().waitFor();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const here = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? null);
    const mail = (await some('ACTIVE', 1))[0]!.customerName.split(' ')[0]!;
    await press('/');
    await page.keyboard.type(mail);
    await atPath(page, new RegExp(`q=${encodeURIComponent(mail)}`));
    await eventually(async () => (await rows.first().innerText()).includes(mail)).toBe(true);
    await press('Escape');
    await atPath(page, '/subscriptions?tab=active');
    await eventually(() => rows.count()).toBe(25);
    // From the search to the filter beside it, its fields, its values.
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Filter');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Filter' }).waitFor();
    await page.keyboard.type('prep');
    await eventually(() => page.getByRole('dialog', { name: 'Filter' }).locator('.p-menu-item').count()).toBe(1);
    await press('ArrowDown', 'Enter');
    await page.getByRole('radio', { name: 'No' }).waitFor();
    await press('ArrowDown', ' ');
    await atPath(page, /isPrepaid=no/);
    await page.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'detached' });
    // Into the table, down to the third row, in and out again.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await press('j', 'j', 'j');
    const third = await here();
    expect(third).toBe(await rows.nth(2).getAttribute('data-row'));
    await press('Enter');
    await atPath(page, `/subscriptions/${third}`);
    await page.goBack();
    await atPath(page, /isPrepaid=no/);
    await eventually(here).toBe(third);
    // Two rows are chosen, a letter opens what is done with them.
    await press('x', 'j', 'x');
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText('2 subscriptions selected').waitFor();
    expect(await violations(page)).toEqual([]);
    await press('p');
    await page.getByRole('dialog', { name: 'Pause: 2 subscriptions' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog', { name: 'Pause: 2 subscriptions' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-keyshortcuts'))).toBe('P');
    await press('m');
    await page.getByRole('searchbox', { name: 'Search actions' }).waitFor();
    await page.keyboard.type('note');
    await press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Set up the change' }).waitFor();
    await page.getByText('2 subscriptions').first().waitFor();
    expect(problems).toEqual([]);
  });
});
