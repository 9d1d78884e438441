// The subscription workspace where it was hard to use: narrow pages, phones, a server that fails, words that were not true of a state.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { act, dialog, status, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 300 });
const { another } = subscriptionPages(at);
const facts = (record: JsonObject, name: string): JsonObject => record[name] as JsonObject;

describe('the subscription workspace', () => {
  it.each([
    '/payment-recovery',
    '/payment-recovery?tab=upcoming-payments',
    '/payment-recovery?tab=lost',
    '/bulk-actions',
    '/subscriptions',
    '/customers',
    '/selling-plans',
    '/products',
  ])('needs no sideways scrolling at 1024 with the navigation open: %s', async path => {
    const { page, problems } = await at.page(path, { width: 1024 });
    await page.locator('.l-table tbody tr, .l-card .p-empty').first().waitFor();
    await eventually(() =>
      page.evaluate(() => {
        const box = document.querySelector('.l-scroll');
        return (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0);
      }),
    ).toBe(0);
    expect(problems).toEqual([]);
  });

  it('keeps on a narrow page the columns that a person chose', async () => {
    const { page } = await at.page(
      '/payment-recovery?columns=customerName,amount,lastError,attemptsMade,paymentDateEpoch,methodBrand,riskLevel',
      { width: 1024 },
    );
    await page.getByRole('columnheader', { name: 'Payment method' }).waitFor();
    await page.goto('/payment-recovery');
    await page.getByRole('columnheader', { name: 'Risk', exact: true }).waitFor();
    await page.locator('.l-table tbody tr').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Payment method' }).count()).toBe(0);
  });

  it('selects the rows of the page and all that match on a phone', async () => {
    const { page, problems } = await at.page('/subscriptions', { width: 390 });
    const rows = page.locator('.l-table tbody tr');
    await rows.first().waitFor();
    const shown = await rows.count();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText(`${shown} subscriptions selected`).waitFor();
    expect(await rows.locator('input:checked').count()).toBe(shown);
    await bar.getByRole('button', { name: 'Select all 300 that match' }).click();
    await bar.getByText('All 300 subscriptions selected').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await eventually(() => bar.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('D134 D135 counts the payments of home over the same days as the banner: thirty that end yesterday', async () => {
    const { page, problems } = await at.tab();
    const asked: JsonObject[] = [];
    page.on('request', request => {
      if (request.url().includes('paymentSummaryInfoForBanner')) asked.push(request.postDataJSON() as JsonObject);
    });
    await page.goto('/dashboard');
    await page.getByRole('region', { name: 'Payments', exact: true }).getByText('Success rate').waitFor();
    const banner = page.getByRole('group', { name: 'Payments of the last 30 days' });
    const lost = await banner.locator('dl > div', { hasText: 'Lost' }).locator('dd').first().innerText();
    await eventually(() => page.getByRole('region', { name: 'Payments', exact: true }).innerText()).toContain(lost.split(/\s/)[0]!);
    const days = new Set(
      asked.map(({ startDate, endDate, comparisonStartDate, comparisonEndDate }) =>
        JSON.stringify({ startDate, endDate, comparisonStartDate, comparisonEndDate }),
      ),
    );
    expect([...days]).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('D288 says beside a skeleton that the server is asked again, and stops saying so when it answers', async () => {
    const { page, problems } = await at.tab();
    let broken = true;
    await page.route('**/subscriptionContract/list*', route =>
      broken
        ? route.fulfill({
            status: 500,
            contentType: 'application/json',
            body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'No.', requestId: 'r1' }),
          })
        : route.continue(),
    );
    await page.goto('/subscriptions');
    const line = page.getByRole('status').getByText('Having trouble reaching the server. Trying again…');
    await line.waitFor();
    broken = false;
    await page.locator('.l-table tbody tr').first().waitFor();
    await eventually(() => line.count()).toBe(0);
    expect(problems.filter(provoked(500)).filter(problem => !problem.startsWith('500 '))).toEqual([]);
  });

  it('says of a subscription without a renewal that it was paid at the checkout', async () => {
    const found = await another({ status: ['ACTIVE'] }, record => record.lastPaymentStatus === null && record.source === 'CHECKOUT');
    const { page } = await at.page(`/subscriptions/${found.id}`);
    await page
      .locator('.r-figure', { hasText: 'Last payment' })
      .getByText(/^Paid at checkout on [A-Z][a-z]{2} \d{1,2}, \d{4}$/)
      .waitFor();
  });

  it('names what an action means for a paused subscription, and begins in its first field', async () => {
    const found = await another(
      { status: ['PAUSED'] },
      record =>
        record.resumeDateEpoch !== null &&
        (record.lines as JsonObject[]).length === 1 &&
        record.isPrepaid === false &&
        facts(record, 'paymentMethod')?.status === 'ACTIVE',
    );
    const { page, problems } = await at.page(`/subscriptions/${found.id}`);
    const menu = async (title: string): Promise<void> => {
      await page.locator('.r-head').getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: title }).click();
    };
    await menu('Charge now');
    await dialog(page).getByText('The subscription stays paused after it.').waitFor();
    expect((await dialog(page).getByRole('switch').count()) + (await dialog(page).getByRole('checkbox').count())).toBe(0);
    await page.keyboard.press('Escape');
    await menu('Change the pause');
    await dialog(page).getByText('Nothing is changed yet.').waitFor();
    await page.keyboard.press('Escape');
    await menu('Cancel subscription');
    await dialog(page).getByText('It does not resume any more').waitFor();
    await page.keyboard.press('Escape');
    await page
      .locator('main [data-section="lines"]')
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    const remove = page.getByRole('menuitem', { name: 'Remove', exact: true });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await page.locator('.r-head').getByRole('button', { name: 'Resume' }).click();
    await eventually(() =>
      dialog(page)
        .getByLabel('Next order', { exact: true })
        .evaluate(field => field === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await act(page, 'chargePaused', { log: 'Order charged by hand' });
    await status(page, 'Paused');
    expect(problems).toEqual([]);
  });

  it('asks for a higher maximum before it reactivates a subscription that reached its own', async () => {
    const found = await another(
      { status: ['EXPIRED'] },
      record => typeof record.maxCycles === 'number' && (record.actions as string[]).includes('reactivate'),
    );
    const { page } = await at.page(`/subscriptions/${found.id}`);
    await page.locator('.r-head').getByRole('button', { name: 'Reactivate' }).click();
    await dialog(page).getByText('Enter a higher maximum, or clear it').waitFor();
    await eventually(() =>
      dialog(page)
        .getByLabel('Maximum orders')
        .evaluate(field => field === document.activeElement),
    ).toBe(true);
    await dialog(page).getByText('Nothing is changed yet.').waitFor();
    await page.keyboard.press('Escape');
    await act(page, 'reactivateBeyond', { fill: asked => asked.getByLabel('Maximum orders').fill('40'), log: 'Subscription reactivated' });
    await status(page, 'Active');
  });

  it('puts the keyboard into the first field of a dialog however late its code comes', async () => {
    const found = await another({ status: ['ACTIVE'] });
    const { page } = await at.tab();
    await page.route('**/assets/float-*.js', async route => {
      await new Promise(resolve => {
        setTimeout(resolve, 1500);
      });
      await route.continue();
    });
    await page.goto(`/subscriptions/${found.id}`);
    await page.locator('.r-head').getByRole('button', { name: 'Pause' }).click();
    await dialog(page).waitFor();
    await eventually(() =>
      dialog(page).evaluate(box => box.contains(document.activeElement) && document.activeElement?.matches('input, select, textarea')),
    ).toBe(true);
  });
});
