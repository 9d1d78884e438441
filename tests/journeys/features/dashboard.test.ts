// Home, as its users meet it: figures of the real store, days in the address, the table behind the chart, what one may not see left out, a card that fails.
import { describe, expect, it } from 'vitest';
import { at as valueAt } from '../../../src/contract/paths.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

describe('home', () => {
  it('shows what the store earned in the days of the address, as a chart and as a table', async () => {
    const { page, problems } = await at.page('/dashboard');
    const overview = page.getByRole('region', { name: 'Overview' });
    const token = await at.product.token();
    const answer = (await (
      await fetch(`${at.product.url}/host/main/api/merchant/home/overview`, { headers: { authorization: token } })
    ).json()) as { data: { activeSubscriptions: number } };
    await eventually(() => overview.locator('dd').first().innerText()).toBe(String(valueAt(answer as never, 'data.activeSubscriptions')));
    const revenue = page.getByRole('region', { name: 'Revenue', exact: true });
    await revenue.locator('.recharts-surface').waitFor();
    await revenue.getByRole('button', { name: 'Show as table' }).click();
    await eventually(() => revenue.locator('tbody tr').count()).toBe(30);
    await page.getByRole('button', { name: /^Days: Last 30 days/ }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await atPath(page, '/dashboard?range=last-7-days');
    await eventually(() => revenue.locator('tbody tr').count()).toBe(7);
    await page.goBack();
    await atPath(page, '/dashboard');
    await eventually(() => revenue.locator('tbody tr').count()).toBe(30);
    await page.getByRole('region', { name: 'Upcoming orders' }).getByRole('link', { name: 'Show subscriptions' }).click();
    await atPath(page, /^\/subscriptions\?.*next-7-days/);
    expect(problems).toEqual([]);
  });

  it('keeps the rest usable when the figures of one card fail, and tries again', async () => {
    const { page, problems } = await at.tab();
    let broken = true;
    await page.route('**/home/movement*', route =>
      broken
        ? route.fulfill({
            status: 403,
            contentType: 'application/json',
            body: JSON.stringify({ success: false, code: 'FORBIDDEN', message: 'Not now.', requestId: 'r1' }),
          })
        : route.continue(),
    );
    await page.goto('/dashboard');
    const card = page.getByRole('region', { name: 'Subscriptions', exact: true });
    await card.getByText('Subscriptions could not be loaded. Not now.').waitFor();
    await page.getByRole('region', { name: 'Revenue', exact: true }).locator('.recharts-surface').waitFor();
    broken = false;
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('Churn rate').waitFor();
    await eventually(() => card.getByRole('alert').count()).toBe(0);
    expect(problems.filter(provoked(403))).toEqual([]);
  });
});
