// The alert center as its users meet it: from Home to what is wrong, to the subscriptions behind it, and what happens when it is settled.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/contract/request.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { violations, type View } from '../../support/browser/browser.ts';
import { definitionsWith } from '../../support/definitions.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

const KIND = 'Subscriptions with inactive products';
const rows = (page: Page) => page.locator('.l-table tbody tr[data-row]');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const badge = (page: Page) =>
  page
    .locator('.p-side')
    .getByRole('link', { name: /Alert center/ })
    .locator('.p-count, [data-tone="critical"]');
/** "3 open", of which a screen reader says the second word. */
const counted = async (page: Page): Promise<number> => Number.parseInt(await badge(page).first().innerText(), 10);
const dialog = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]').last();
const notice = (page: Page, text: string | RegExp) => page.locator('.p-notice', { hasText: text }).first().waitFor();

interface Alert {
  id: number;
  title: string;
  affectedCount: number;
}
async function open(): Promise<Alert[]> {
  const answer = await fetch(`${at.product.url}/host/alertCentre/alerts/unresolved`, {
    headers: { authorization: await at.product.token() },
  });
  return ((await answer.json()) as { data: Alert[] }).data;
}
const definitions = definitionsWith({});
/** A call of the owner, beside the browser. */
async function send(name: string, input: JsonObject): Promise<void> {
  const request = buildRequest(definitions, definitions.calls[name]!, input, {});
  const answer = await fetch(at.product.url + request.url, {
    method: request.method,
    headers: { ...request.headers, authorization: await at.product.token() },
    body: JSON.stringify(request.body),
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
}
/** The alert about inactive products, which the demo store has. */
const inactive = async (): Promise<Alert> => {
  const found = (await open()).find(one => one.title === KIND);
  if (!found) throw new Error('The demo store has no inactive products.');
  return found;
};

describe('alert center', () => {
  it('D008 S061 S072 leads from Home and the badge to the alert, and from there to the subscriptions behind it', async () => {
    const { page, problems } = await at.page('/dashboard');
    const alerts = await open();
    await eventually(() => counted(page)).toBe(alerts.length);
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: KIND }).click();
    const { id, affectedCount } = await inactive();
    await atPath(page, `/alerts/${id}`);
    await page.getByRole('heading', { name: KIND }).waitFor();
    const affected = page.locator('[data-section="subscriptions"]');
    await eventually(() => affected.locator('tbody tr').count()).toBe(affectedCount);
    await page.locator('[data-section="history"]').getByText('Raised').waitFor();
    const first = affected.getByRole('link').first();
    const contract = (await first.innerText()).replace('#', '');
    await first.click();
    await atPath(page, `/subscriptions/${contract}`);
    await page
      .locator('.p-side')
      .getByRole('link', { name: /Alert center/ })
      .click();
    await atPath(page, '/alerts/open');
    await eventually(() => rows(page).count()).toBe(alerts.length);
    await row(page, KIND).click();
    await atPath(page, `/alerts/${id}`);
    expect(problems).toEqual([]);
  });

  it.each<[string, View]>([
    ['light', {}],
    ['dark', { scheme: 'dark' }],
    ['on a phone', { width: 390 }],
  ])(
    'can be used by everybody: %s',
    async (_name, view) => {
      const { id } = await inactive();
      for (const path of ['/alerts/open', `/alerts/${id}`, '/alerts/types', '/alerts/history']) {
        const { page, problems } = await at.page(path, view);
        await (path === `/alerts/${id}` ? page.locator('[data-section="history"] tbody tr') : rows(page)).first().waitFor();
        expect(await violations(page), path).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
        expect(problems, path).toEqual([]);
      }
    },
    120_000,
  );

  it('D110 says to those who may only look why they can’t settle anything', async () => {
    const { id } = await inactive();
    const { page, problems } = await at.page(`/alerts/${id}`, { as: 'readOnly' });
    await page.getByText('You can see this alert and not change it.').waitFor();
    for (const name of ['Check again', 'Mark as resolved']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto('/alerts/types');
    await row(page, KIND).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps what went wrong on the page, and tries again', async () => {
    const { page, problems } = await at.tab();
    let broken = true;
    await page.route('**/alerts/unresolved*', route =>
      broken
        ? route.fulfill({
            status: 400,
            contentType: 'application/json',
            body: JSON.stringify({ success: false, code: 'BAD_REQUEST', message: 'Not now.', requestId: 'r1' }),
          })
        : route.continue(),
    );
    await page.goto('/alerts/open');
    await page.getByText('Not now.').first().waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, KIND).waitFor();
    await page.goto('/alerts/999999');
    await page.getByRole('heading').first().waitFor();
    await page.getByText(/alert/i).first().waitFor();
    expect(problems.filter(provoked(400, 404))).toEqual([]);
  });

  it('S062 a kind that is switched off closes its alert and takes it off the badge; switched on it is looked for at once', async () => {
    const before = await open();
    const { page, problems } = await at.page('/alerts/open');
    await page
      .getByRole('link', { name: 'What is watched' })
      .or(page.getByRole('button', { name: 'What is watched' }))
      .first()
      .click();
    await atPath(page, '/alerts/types');
    const act = async (name: string): Promise<void> => {
      await row(page, KIND)
        .getByRole('button', { name: /Actions/ })
        .click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Switch off');
    await dialog(page).getByRole('button', { name: 'Switch off' }).click();
    await notice(page, 'is no longer watched');
    await row(page, KIND).getByText('Off', { exact: true }).waitFor();
    if (before.length === 1) await eventually(() => badge(page).count()).toBe(0);
    else await eventually(() => counted(page)).toBe(before.length - 1);
    await page
      .getByRole('link', { name: 'Open alerts' })
      .or(page.getByRole('button', { name: 'Open alerts' }))
      .first()
      .click();
    if (before.length === 1) await page.getByRole('heading', { name: 'All clear' }).waitFor();
    await page.goBack();
    await act('Switch on');
    await row(page, KIND).getByText('Alert open').waitFor();
    await eventually(() => counted(page)).toBe(before.length);
    expect(problems).toEqual([]);
  });

  it('D087 D088 swaps the inactive product in all subscriptions at once, shows how far that is, and closes by itself', async () => {
    const { id } = await inactive();
    const { page, problems } = await at.page(`/alerts/${id}`);
    await page.getByRole('region', { name: 'What to do' }).getByRole('button', { name: 'Swap products' }).click();
    const asked = dialog(page);
    await asked
      .getByText(/Winter Ferment|subscription\)|subscriptions\)/)
      .first()
      .waitFor();
    await asked.getByRole('button', { name: 'Swap products' }).click();
    await asked.getByText('Choose what takes the place of at least one product.').waitFor();
    const pickers = asked.getByRole('button', { name: 'Choose a product' });
    for (let left = await pickers.count(); left > 0; left--) {
      await pickers.first().click();
      await dialog(page).locator('.f-picker > li input:enabled').first().click();
      const choose = page.getByRole('button', { name: 'Choose', exact: true });
      if (await choose.count()) await choose.click();
    }
    expect(await violations(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Swap products' }).click();
    await notice(page, 'The products are being swapped.');
    await page.getByRole('region', { name: 'Resolved' }).getByText('Resolved by itself', { exact: false }).waitFor();
    await page.locator('[data-section="history"]').getByText('Resolution started').waitFor();
    await eventually(async () => (await open()).some(one => one.title === KIND)).toBe(false);
    expect(problems.filter(provoked(422))).toEqual([]);
  });

  it('S062 is settled by hand, with the way back for what grows, and remembered in the history', async () => {
    // A published group on no product, and a look for such groups at once.
    await send('selling-plan-groups.create', {
      name: 'Lonely',
      merchantCode: 'lonely',
      optionLabel: 'Deliver every',
      publish: true,
      sellingPlans: [
        {
          name: 'Every month',
          optionLabel: '1 month',
          recurringDeliveryPolicyInterval: 'MONTH',
          recurringDeliveryPolicyIntervalCount: 1,
          isPrepaid: false,
          fixedDiscountType: 'PERCENTAGE',
          fixedDiscountValue: 10,
        },
      ],
    });
    await send('alerts.watch', { typeKey: 'UNMAPPED_PLAN', isOn: false });
    await send('alerts.watch', { typeKey: 'UNMAPPED_PLAN', isOn: true });
    const before = await open();
    const alert = before.find(one => one.title === 'Selling plan group without products');
    const { page, problems } = await at.page(`/alerts/${alert?.id}`);
    await page.locator('[data-section="groups"]').getByRole('link', { name: 'Lonely' }).waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await notice(page, 'Checked moments ago, try again later');
    await page.getByRole('button', { name: 'Mark as resolved' }).click();
    await dialog(page).getByText('only if more are affected').waitFor();
    await dialog(page).getByRole('button', { name: 'Mark as resolved' }).click();
    await page
      .getByRole('region', { name: 'Resolved' })
      .getByText(/Marked as resolved by/)
      .waitFor();
    await page.locator('[data-section="history"]').getByText('Resolved by hand').waitFor();
    if (before.length === 1) await eventually(() => badge(page).count()).toBe(0);
    else await eventually(() => counted(page)).toBe(before.length - 1);
    await page.goto('/alerts/history?tab=resolved');
    await row(page, 'Selling plan group without products').first().click();
    await atPath(page, `/alerts/${alert?.id}`);
    expect(problems.filter(provoked(429))).toEqual([]);
  });
});
