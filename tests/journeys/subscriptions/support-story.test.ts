// One letter to the support, answered by keyboard alone: "I was charged twice. Please skip a month, send me decaf instead, to my office,
// and use my other card."
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { dialog, events, notice, says, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ engine: 'embedded', size: 300 });
const { another } = subscriptionPages(at);
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const label =
      element?.getAttribute('aria-label') ?? (element?.id ? document.querySelector(`label[for="${element.id}"]`)?.textContent : undefined);
    return (label ?? element?.innerText ?? '').trim().replace(/\s+/g, ' ');
  });
/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 160; i++) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Nothing called ${String(name)} is reached by ${key}.`);
}
const post = async (path: string, body: JsonObject): Promise<JsonObject> => {
  const answer = await fetch(`${at.product.url}/host/${path}`, {
    method: 'POST',
    headers: { authorization: await at.product.token(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: JsonObject }).data;
};

/** A subscriber with a second card and an office, whose last order was charged by hand a moment after the last one. */
async function subscriber(): Promise<JsonObject> {
  for (;;) {
    const found = await another(
      { status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'], deliveryType: ['SHIPPING'] },
      record =>
        record.backupPaymentMethod === null &&
        (record.lines as JsonObject[]).length === 1 &&
        !String((record.lines as JsonObject[])[0]!.productTitle).includes('Decaf'),
    );
    const read = async <T>(path: string): Promise<T> =>
      (
        (await (
          await fetch(`${at.product.url}/host/main/api/merchant/${path}`, { headers: { authorization: await at.product.token() } })
        ).json()) as { data: T }
      ).data;
    const record = await read<JsonObject>(`subscriptionContract/read?id=${found.id}`);
    const methods = await read<JsonObject[]>(
      `backupPaymentMethod/availablePaymentMethods?subscriptionShopifyId=${String(record.shopifyId)}`,
    );
    if (!methods.some(method => method.role === 'OTHER' && method.status === 'ACTIVE')) continue;
    // Not every card of the demo pays; a charge that was declined took nothing.
    if (
      (
        await post('main/api/merchant/subscriptionContract/chargeNow', {
          id: found.id,
          orderId: record.nextOrderId ?? null,
          keepSchedule: true,
        })
      ).lastPaymentStatus !== 'SUCCESS'
    )
      continue;
    await post('app/customers/update', {
      variables: {
        id: record.customerId ?? null,
        address: { ...(record.shippingAddress as JsonObject), company: 'Office Lane Ltd', address1: '12 Office Lane' },
      },
    });
    return record;
  }
}

describe('the support', () => {
  it('D055 finds the customer, understands the two charges, and does all that was asked, by keyboard alone', async () => {
    const record = await subscriber();
    const { page, problems } = await at.page('/');
    await page.keyboard.press('Control+k');
    const search = page.getByPlaceholder('Search...');
    await search.waitFor();
    await page.keyboard.type(String(record.customerEmail).slice(0, 14));
    const hit = page
      .getByRole('option')
      .filter({ hasText: `#${String(record.id)}` })
      .first();
    await hit.waitFor();
    for (let i = 0; i < 20 && (await hit.getAttribute('aria-selected')) !== 'true'; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/subscriptions/${String(record.id)}`);
    await events(page).first().waitFor();

    // Charged twice: the log says that one of the two was charged by hand, by whom and when.
    await says(page, 'Order charged by hand', /Order \d+/);
    expect(
      await events(page)
        .filter({ hasText: /\d charged\b/ })
        .count(),
    ).toBeGreaterThan(1);
    await says(page, 'Order charged by hand', /It was due on /);

    await page.keyboard.press('s');
    await notice(page, /comes next/);

    await tabTo(page, /^Actions for (?!discount)/);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Swap product' }).waitFor();
    for (let i = 0; i < 12 && (await focused(page)) !== 'Swap product'; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Quantity').first().waitFor();
    await tabTo(page, /^Choose a product$/);
    await page.keyboard.press('Enter');
    await page.locator('.f-picker').waitFor();
    await tabTo(page, /^(Find|Search)/);
    await page.keyboard.type('decaf');
    await eventually(() => page.locator('.f-picker > li').first().innerText()).toMatch(/decaf/i);
    for (
      let i = 0;
      i < 20 &&
      !(await page.evaluate(
        () => document.activeElement instanceof HTMLInputElement && document.activeElement.closest('.f-picker') !== null,
      ));
      i++
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await tabTo(page, /^Choose$/);
    await page.keyboard.press('Enter');
    await eventually(() => dialog(page).locator('.r-next-column').last().innerText()).toMatch(/Decaf/);
    expect(await dialog(page).locator('.r-next-column').first().innerText()).not.toMatch(/Decaf/);
    await tabTo(page, /^Swap product$/);
    await page.keyboard.press('Enter');
    await notice(page, 'Product swapped.');

    await tabTo(page, /^Change address$/);
    await page.keyboard.press('Enter');
    await dialog(page).getByLabel('Saved address').waitFor();
    await dialog(page).getByLabel('Saved address').locator('option').filter({ hasText: '12 Office Lane' }).waitFor({ state: 'attached' });
    await tabTo(page, /^Saved address$/);
    await page.keyboard.type('Office');
    await eventually(() =>
      dialog(page)
        .getByLabel('Saved address')
        .evaluate(element => (element as HTMLSelectElement).selectedOptions[0]?.text ?? ''),
    ).toContain('12 Office Lane');
    await dialog(page).getByLabel('City').waitFor({ state: 'detached' });
    await tabTo(page, /^Save address$/);
    await page.keyboard.press('Enter');
    await notice(page, 'The address was changed.');
    await page.locator('[data-section="delivery"]').getByText('12 Office Lane').waitFor();

    // The other card stands in the panel of payments, after the schedule.
    for (
      let i = 0;
      i < 200 &&
      !(await page.evaluate(
        () =>
          document.activeElement?.closest('[data-section="payment"]') !== null &&
          document.activeElement?.getAttribute('aria-label')?.startsWith('Actions for'),
      ));
      i++
    )
      await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Charge this method' }).waitFor();
    for (let i = 0; i < 5 && (await focused(page)) !== 'Charge this method'; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await tabTo(page, /^Change payment method$/);
    await page.keyboard.press('Enter');
    await notice(page, /Orders are charged to/);

    await says(page, 'Order skipped', /It was due on /);
    await says(page, 'Product swapped', /Decaf/);
    await says(page, 'Shipping address changed', /12 Office Lane/);
    await says(page, 'Payment method changed');
    expect(problems).toEqual([]);
  });
});
