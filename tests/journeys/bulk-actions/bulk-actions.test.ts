// Bulk actions as merchants use them: four steps by mouse and by keyboard, files with bad rows, progress that outlives the page, stopping, trying again, and from a list's selection.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

interface Sub {
  id: number;
  status: string;
  tags: string[];
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
const LIST = '/host/main/api/merchant/subscriptionContract/list';
const some = (status: string, n: number, offset = 0): Promise<Sub[]> =>
  call<Sub[]>('GET', `${LIST}?pageSize=${n + offset}&filter=${encodeURIComponent(JSON.stringify({ status: [status] }))}`).then(rows =>
    rows.slice(offset),
  );
const one = (id: number): Promise<Sub> => call<Sub>('GET', `/host/main/api/merchant/subscriptionContract/read?id=${id}`);
const bulk = (
  id: number,
): Promise<{ status: string; total: number; succeeded: number; failed: number; skipped: number; processed: number }> =>
  call('GET', `/host/bulk/bulkActions/${id}`);
/** A bulk action made by the calls alone, for journeys about its page. */
async function made(actionKey: string, ids: (number | string)[], input: object, run: object | false = {}): Promise<number> {
  const { id } = await call<{ id: number }>('POST', '/host/bulk/bulkActions/create', { actionKey, selection: { mode: 'IDS', ids }, input });
  if (run) await call('POST', '/host/bulk/bulkActions/runBulkAction', { id, ...run });
  return id;
}

const step = (page: Page, title: string): Promise<void> => page.getByRole('heading', { level: 2, name: title }).waitFor();
const go = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue', exact: true }).click();
const progress = (page: Page): Locator => page.getByRole('region', { name: 'Progress' });
const idOf = (page: Page): number => Number(/\/bulk-actions\/(\d+)/.exec(page.url())?.[1]);
const isOnPage = (page: Page): Promise<void> => atPath(page, /^\/bulk-actions\/\d+$/);
const notice = (page: Page, text: string | RegExp): Promise<void> => page.locator('.p-notice', { hasText: text }).first().waitFor();
/** The third step of an action for these numbers. */
async function pasted(page: Page, action: RegExp, ids: (number | string)[]): Promise<void> {
  await page.goto('/bulk-actions/create');
  await page.getByRole('button', { name: action }).click();
  await step(page, 'Which subscriptions?');
  await page.getByRole('radio', { name: 'Paste numbers' }).check();
  await page.getByLabel('Subscription numbers').fill(ids.join('\n'));
}

describe('starting a bulk action', () => {
  it('D075 goes through four steps by mouse: action, filter, input with a preview, review; and runs', async () => {
    const { page, problems } = await at.page('/bulk-actions');
    await page.getByRole('link', { name: 'Create bulk action' }).first().click();
    await step(page, 'What do you want to do?');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Change tags/ }).click();
    await step(page, 'Which subscriptions?');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Paused' }).click();
    await page.keyboard.press('Escape');
    const paused = (await call<Record<string, number>>('GET', '/host/main/api/merchant/subscriptionContract/counts')).PAUSED ?? 0;
    expect(paused).toBeGreaterThan(2);
    await page.locator('.ba-count').getByText(String(paused), { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await go(page);
    await step(page, 'Set up the change');
    await page.getByText('Fill in the form, and you see here').waitFor();
    await go(page);
    await page.getByText('Enter at least one tag.').first().waitFor();
    await page.getByRole('textbox', { name: 'Tags' }).fill('spring');
    await page.keyboard.press('Enter');
    const preview = page.getByRole('table', { name: 'Before and after' });
    await eventually(() => preview.locator('tbody').count()).toBe(Math.min(5, paused));
    expect(await preview.innerText()).toContain('spring');
    expect(await violations(page)).toEqual([]);
    await go(page);
    await step(page, 'Review and start');
    await page.getByText('It can be undone for a day').waitFor();
    expect(await violations(page)).toEqual([]);
    // Back and forth keeps everything.
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await preview.waitFor();
    await page.goBack();
    await step(page, 'Review and start');
    await page.getByRole('button', { name: `Start for ${paused} subscriptions` }).click();
    await isOnPage(page);
    await notice(page, 'Bulk action started. You can leave this page.');
    await progress(page)
      .getByText(/^Done /)
      .waitFor();
    expect(await bulk(idOf(page))).toMatchObject({ status: 'COMPLETED', total: paused, succeeded: paused });
    for (const { id } of await some('PAUSED', 3)) expect((await one(id)).tags).toContain('spring');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('works by keyboard alone, from the command palette to the start', async () => {
    const { page, problems } = await at.page('/subscriptions');
    const [first, second] = (await some('ACTIVE', 2)) as [Sub, Sub];
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').waitFor();
    await page.keyboard.type('new bulk');
    await page
      .getByRole('option', { name: /New bulk action/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await atPath(page, '/bulk-actions/create');
    const search = page.getByRole('searchbox', { name: 'Search actions' });
    await search.waitFor();
    await search.focus();
    await page.keyboard.type('pause');
    await page.keyboard.press('Enter');
    await step(page, 'Which subscriptions?');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ba-step');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('mode');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${first.id} ${second.id}`);
    await page.getByText('2 subscriptions found').waitFor();
    await page.keyboard.press('Control+Enter');
    await step(page, 'Set up the change');
    await page.getByRole('table', { name: 'Before and after' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await step(page, 'Review and start');
    await page.keyboard.press('Control+Enter');
    await isOnPage(page);
    await eventually(async () => (await one(second.id)).status).toBe('PAUSED');
    expect((await one(first.id)).status).toBe('PAUSED');
    expect(problems).toEqual([]);
  });

  it('a file with bad rows: what is left out is counted by reason, the rest runs', async () => {
    const { page, problems } = await at.page('/bulk-actions/create');
    const [first, second] = (await some('ACTIVE', 2)) as [Sub, Sub];
    const [cancelled] = (await some('CANCELLED', 1)) as [Sub];
    await page.getByRole('button', { name: /^Pause/ }).click();
    await step(page, 'Which subscriptions?');
    await page.getByRole('radio', { name: 'Upload a file' }).check();
    const [template] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download template' }).click()]);
    expect(readFileSync(await template.path(), 'utf8').replace('\uFEFF', '')).toMatch(/^"?subscription_id/);
    const choose = (name: string, text: string): Promise<void> =>
      page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('wrong.csv', `id\n${first.id}\n`);
    await page.getByText('The first column must be headed subscription_id.').waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await step(page, 'Which subscriptions?');
    await choose('pause.csv', `subscription_id\n${first.id}\n${second.id}\n${first.id}\nabc\n987654321\n${cancelled.id}\n`);
    await page.getByText('2 subscriptions found').waitFor();
    await page.getByText('1 repetition is left out.').waitFor();
    await page.getByText('1 entry is no subscription number').click();
    await page.getByText('line 5: abc').waitFor();
    await page.getByText("1 number wasn't found").waitFor();
    await page.getByText('1 is in a state this action does not apply to').waitFor();
    await page.getByText('These 4 rows are not done. The result file lists them with the reason.').waitFor();
    expect(await violations(page)).toEqual([]);
    await go(page);
    await go(page);
    await page.getByRole('button', { name: 'Pause 2 subscriptions' }).click();
    await isOnPage(page);
    await progress(page).getByText('Done, but 2 of 6 failed.').waitFor();
    await page.getByText('2 rows name no subscription').waitFor();
    await page.getByText('The file pause.csv').waitFor();
    const [result] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download result' }).click()]);
    const rows = parse(readFileSync(await result.path(), 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
    expect(rows.map(row => [row.subscription_id, row.status])).toEqual(
      [
        [first.id, 'SUCCESS'],
        [second.id, 'SUCCESS'],
        [first.id, 'SKIPPED'],
        ['abc', 'FAILED'],
        [987654321, 'FAILED'],
        [cancelled.id, 'SKIPPED'],
      ].map(([id, status]) => [String(id), status]),
    );
    expect(problems).toEqual([]);
  });

  it('a reload keeps the draft; leaving asks and drops it', async () => {
    const { page, problems } = await at.page('/bulk-actions/create');
    const [first] = (await some('ACTIVE', 1)) as [Sub];
    await pasted(page, /^Change note/, [first.id]);
    await page.getByText('1 subscription found').waitFor();
    await go(page);
    await page.getByLabel(/^Note/).fill('Ring twice');
    await page.getByRole('table', { name: 'Before and after' }).getByText('Ring twice').waitFor();
    await page.reload();
    await step(page, 'Set up the change');
    expect(await page.getByLabel(/^Note/).inputValue()).toBe('Ring twice');
    await page.getByRole('link', { name: 'Subscriptions', exact: true }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Leave this bulk action?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel(/^Note/).inputValue()).toBe('Ring twice');
    await page.getByRole('link', { name: 'Subscriptions', exact: true }).first().click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await atPath(page, '/subscriptions');
    await page.goto('/bulk-actions/create?step=review');
    await step(page, 'What do you want to do?');
    expect((await one(first.id)).tags).toEqual(first.tags);
    expect(problems).toEqual([]);
  });

  it('charging cards says so and wants the number typed; a later start waits for its hour', async () => {
    const { page, problems } = await at.page('/bulk-actions/create');
    const ids = (await some('ACTIVE', 3)).map(sub => sub.id);
    await pasted(page, /^Charge order/, ids);
    await page.getByText('3 subscriptions found').waitFor();
    await go(page);
    await go(page);
    await step(page, 'Review and start');
    await page.getByText('Up to 3 cards are charged').waitFor();
    await page.getByRole('radio', { name: /^At a date and hour/ }).check();
    await page.getByText(/^It starts /).waitFor();
    const start = page.getByRole('button', { name: 'Schedule for 3 subscriptions' });
    await start.click();
    await page.getByText('Type 3 to confirm.').waitFor();
    await page.getByLabel('To confirm, type the number of subscriptions: 3').fill('3');
    expect(await violations(page)).toEqual([]);
    await start.click();
    await isOnPage(page);
    await progress(page)
      .getByText(/^Starts /)
      .waitFor();
    expect(await bulk(idOf(page))).toMatchObject({ status: 'SCHEDULED', total: 3, processed: 0 });
    await page.getByRole('button', { name: 'Cancel bulk action' }).click();
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Cancel bulk action' }).click();
    await progress(page).getByText('Cancelled before it began. Nothing was changed.').waitFor();
    expect(problems).toEqual([]);
  });

  it('on a phone every step fits, in the dark scheme too', async () => {
    const { page, problems } = await at.page('/bulk-actions/create', { width: 390, scheme: 'dark' });
    const fits = async (): Promise<void> => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      expect(await violations(page)).toEqual([]);
    };
    await page.getByRole('button', { name: /^Pause/ }).click();
    await step(page, 'Which subscriptions?');
    await page.locator('.ba-figure').waitFor();
    await fits();
    await go(page);
    await page.getByRole('table', { name: 'Before and after' }).waitFor();
    await fits();
    await go(page);
    await step(page, 'Review and start');
    await fits();
    expect(problems).toEqual([]);
  });
});

describe('the page of a bulk action', () => {
  it('D076 progress stands after a reload; it can be stopped, and what is done stays done', async () => {
    const ids = (await some('ACTIVE', 40)).map(sub => sub.id);
    const id = await made('UPDATE_NOTE', ids, { mode: 'REPLACE', note: 'Checked' });
    const { page, problems } = await at.page(`/bulk-actions/${id}`);
    await progress(page).getByText('Subscriptions').first().waitFor();
    await page.reload();
    await progress(page)
      .getByText(/^Done /)
      .waitFor();
    await eventually(() => progress(page).locator('[data-tone="success"] dd').innerText()).toBe('40');
    await page.getByRole('table', { name: 'Subscriptions' }).getByText('Changed').first().waitFor();
    const later = await made(
      'UPDATE_NOTE',
      ids,
      { mode: 'REPLACE', note: 'Later' },
      { scheduledAtEpoch: Math.floor(Date.parse(await now()) / 1000) + 7200 },
    );
    await page.goto(`/bulk-actions/${later}`);
    await page.getByRole('button', { name: 'Cancel bulk action' }).click();
    await page.locator('[role="dialog"], [role="alertdialog"]').getByRole('button', { name: 'Cancel bulk action' }).click();
    await progress(page)
      .getByText(/^Cancelled/)
      .waitFor();
    expect((await bulk(later)).status).toBe('CANCELLED');
    expect(problems).toEqual([]);
  });

  it('D075 failures are counted by reason; a draft with those that failed is made, its number typed, and started', async () => {
    const id = await made(
      'CHARGE_ORDER',
      (await some('ACTIVE', 120)).map(sub => sub.id),
      { which: 'NEXT' },
      { confirmCount: 120 },
    );
    await eventually(async () => (await bulk(id)).status).toBe('COMPLETED_WITH_ERRORS');
    const { failed } = await bulk(id);
    expect(failed).toBeGreaterThan(0);
    const { page, problems } = await at.page(`/bulk-actions/${id}`);
    const reasons = page.getByRole('region', { name: 'What failed, and why' });
    await reasons
      .getByText(/^Payment failed: /)
      .first()
      .waitFor();
    const counts = (await reasons.locator('.ba-reasons > li', { hasText: 'Failed' }).locator('.ba-reason-count').allInnerTexts()).map(
      Number,
    );
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(failed);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry failed' }).first().click();
    await eventually(() => idOf(page)).not.toBe(id);
    await progress(page).getByText('Not started yet. Nothing was changed.').waitFor();
    await page.getByText('What failed in another bulk action').waitFor();
    await page.getByRole('button', { name: 'Start now' }).first().click();
    const dialog = page.locator('[role="dialog"], [role="alertdialog"]').last();
    await dialog.getByLabel(/^Number of subscriptions/).fill(String(failed));
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await progress(page)
      .locator('.ba-progress-head')
      .getByText(/^(Done|Failed)/)
      .waitFor();
    expect((await bulk(idOf(page))).total).toBe(failed);
    expect(problems).toEqual([]);
  });

  it('who may only look sees everything and can start nothing', async () => {
    const [first] = (await some('ACTIVE', 1)) as [Sub];
    const id = await made('UPDATE_NOTE', [first.id], { mode: 'REPLACE', note: 'Seen' }, false);
    const { page, problems } = await at.page('/bulk-actions', { as: 'readOnly' });
    const create = page.getByRole('button', { name: 'Create bulk action' });
    await create.waitFor();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await page.goto('/bulk-actions/create');
    await page.getByRole('heading', { name: "You can't start bulk actions" }).waitFor();
    await page.goto(`/bulk-actions/${id}`);
    await progress(page).getByText('Not started yet. Nothing was changed.').waitFor();
    await page.getByText('You can see this bulk action and not change it.').waitFor();
    expect(await page.getByRole('button', { name: 'Start now' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('D190 what the system started stands among the others and can be looked at only', async () => {
    const { bulkActionId } = await call<{ bulkActionId: number }>('POST', '/host/bulk/bulkActions/createSystemBulkAction', {
      action_key: 'UPDATE_BILLING_HOUR',
      context: {},
    });
    const { page, problems } = await at.page('/bulk-actions', { scheme: 'dark' });
    const row = page.locator(`.l-table tbody tr[data-row="${bulkActionId}"]`);
    await row.getByText('System').waitFor();
    expect(await violations(page)).toEqual([]);
    await row.click();
    await isOnPage(page);
    await progress(page).waitFor();
    await eventually(async () => (await bulk(bulkActionId)).status).toBe('COMPLETED');
    for (const name of ['Cancel bulk action', 'Start now', 'Retry failed'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('from the list of subscriptions', () => {
  it('chosen rows are paused at once by the server; the list shows it, and a notice leads to the bulk action', async () => {
    const { page, problems } = await at.page('/subscriptions?tab=active');
    const rows = page.locator('.l-table tbody tr[data-row]');
    await rows.first().waitFor();
    const ids = await rows.evaluateAll(all => all.slice(0, 2).map(row => Number(row.getAttribute('data-row'))));
    const paused = async (): Promise<number> => Number((await page.getByRole('link', { name: /^Paused/ }).innerText()).replace(/\D/g, ''));
    // The numbers of the tabs come behind the rows.
    await eventually(paused).toBeGreaterThan(0);
    const before = await paused();
    for (const id of ids) await page.locator(`tr[data-row="${id}"] input`).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByRole('button', { name: 'Cancel subscriptions' }).waitFor();
    expect(await bar.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause: 2 subscriptions' });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pause 2 subscriptions' }).click();
    await notice(page, '2 subscriptions paused.');
    // A notice that is pointed at stays.
    await page.locator('.p-notice', { hasText: '2 subscriptions paused.' }).hover();
    await eventually(() => page.locator(`tr[data-row="${ids[0]}"], tr[data-row="${ids[1]}"]`).count()).toBe(0);
    for (const id of ids) expect((await one(id)).status).toBe('PAUSED');
    await eventually(paused).toBe(before + 2);
    await page.locator('.p-notice').getByRole('button', { name: 'Undo' }).last().waitFor();
    await page.locator('.p-notice').getByRole('button', { name: 'View' }).last().click();
    await isOnPage(page);
    await progress(page)
      .getByText(/^Done /)
      .waitFor();
    // What fits some of the chosen rows alone says how many, and is done to those.
    await page.goto('/subscriptions');
    await rows.first().waitFor();
    const active = await rows.filter({ hasText: 'Active' }).first().getAttribute('data-row');
    for (const id of [ids[0], active]) await page.locator(`tr[data-row="${id}"] input`).check();
    await bar.getByRole('button', { name: 'Pause 1' }).waitFor();
    await bar.getByRole('button', { name: 'Resume 1' }).click();
    await page.getByRole('dialog', { name: 'Resume: 1 subscription' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('all that match are taken along into the steps of any other action', async () => {
    const { page, problems } = await at.page('/subscriptions?tab=paused');
    await page.locator('.l-table tbody tr[data-row]').first().waitFor();
    const total = (await call<Record<string, number>>('GET', '/host/main/api/merchant/subscriptionContract/counts')).PAUSED ?? 0;
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    if (total > 25) await page.getByRole('button', { name: /^Select all .* that match/ }).click();
    await page.getByRole('button', { name: 'More…' }).click();
    await page.getByRole('searchbox', { name: 'Search actions' }).fill('note');
    await page.getByRole('button', { name: 'Change note' }).click();
    await step(page, 'Set up the change');
    await page.getByRole('complementary', { name: 'So far' }).getByText(`${total} subscriptions`).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await step(page, 'Which subscriptions?');
    expect(problems).toEqual([]);
  });
});

/** The store's present moment. */
async function now(): Promise<string> {
  return (await call<{ store: { now: string } }>('GET', '/host/user/session')).store.now;
}
