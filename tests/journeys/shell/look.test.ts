// What lists, records and figures look like in a real browser where they are full, loading, failing, small: nothing jumps, nothing is cut off that matters, and every state says what to do.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 400 });
const heads = (page: Page) => page.locator('.l-table thead th').allInnerTexts();
const named = async (page: Page): Promise<string[]> =>
  (await heads(page)).map(text => text.trim()).filter(text => text && text !== 'Actions');
const before = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(cell => getComputedStyle(cell, '::before').content);
/** Calls of the admin that begin so wait until they are let go. */
async function hold(page: Page, path: RegExp): Promise<() => void> {
  let go = (): void => undefined;
  const free = new Promise<void>(resolve => {
    go = resolve;
  });
  await page.route(
    url => path.test(url.pathname),
    async route => {
      await free;
      await route.continue().catch(() => undefined);
    },
  );
  return go;
}

describe('lists', () => {
  it('a tab has its own columns and order, and keeps what was chosen there to itself', async () => {
    const { page, problems } = await at.page('/payment-recovery');
    await eventually(() => named(page)).toEqual([
      'Customer',
      'Subscription',
      'At risk',
      'Reason',
      'Tries',
      'Next try',
      'Payment method',
      'Risk',
    ]);
    await page.goto('/payment-recovery?tab=lost');
    await page.locator('.l-table tbody tr[data-row]').first().waitFor();
    await eventually(() => named(page)).toEqual([
      'Customer',
      'Subscription',
      'Amount',
      'Reason',
      'Tries',
      'Payment method',
      'First failed',
      'Subscription is',
    ]);
    expect(await page.locator('th[aria-sort="descending"]').innerText()).toBe('First failed');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('group', { name: 'Columns' }).getByLabel('Tries', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await eventually(() => named(page)).not.toContain('Tries');
    await page.goto('/payment-recovery');
    await page.locator('.l-table tbody tr[data-row]').first().waitFor();
    expect(await named(page)).toContain('Tries');
    expect(problems).toEqual([]);
  });

  it('columns and figures stand where their shapes stood while they loaded', async () => {
    const { page, problems } = await at.tab();
    const go = await hold(page, /dunning|paymentSummary/);
    await page.goto('/payment-recovery');
    const places = (): Promise<number[]> =>
      page.locator('.b-row, .l-card, .l-table thead th').evaluateAll(all =>
        all.flatMap(one => {
          const [{ x, y }, top] = [one.getBoundingClientRect(), all[0]!.getBoundingClientRect().y];
          return [Math.round(x), Math.round(y - top)];
        }),
      );
    await page.locator('.l-scroll-skeleton').waitFor();
    const shapes = await places();
    go();
    await page.locator('.l-table tbody tr[data-row]').first().waitFor();
    await page.locator('.b-sk-value').first().waitFor({ state: 'detached' });
    expect(await places()).toEqual(shapes);
    expect(problems).toEqual([]);
  });

  it('the last digits of a card are never cut off, at any width', async () => {
    for (const width of [1440, 1024, 390] as const) {
      const { page } = await at.page('/payment-recovery?tab=upcoming-payments', { width });
      const digits = page.locator('.l-method-digits');
      await digits.first().waitFor();
      expect(
        await digits.evaluateAll(
          all =>
            all.filter(one => {
              const [own, row] = [one.getBoundingClientRect(), one.closest('td')!.getBoundingClientRect()];
              return own.right > row.right + 1 || own.bottom > row.bottom + 1;
            }).length,
        ),
        String(width),
      ).toBe(0);
    }
  });

  it('on a phone a row begins at the edge of the page, says what its number counts, and shows the e-mail', async () => {
    const { page, problems } = await at.page('/customers', { width: 390, scheme: 'dark' });
    const row = page.locator('.l-table tbody tr[data-row]').first();
    await row.waitFor();
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(one => Math.round(one.getBoundingClientRect().x));
    expect(await left('.l-table td[data-slot="title"]')).toBe(await left('main h1'));
    expect(await row.locator('.l-second').innerText()).toContain('@');
    expect(await before(page, '.l-table td[data-slot="end"]')).toBe('"Active subs"');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('the alert center', () => {
  it('each of its pages says where it is', async () => {
    const { page, problems } = await at.page('/alerts/types');
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    expect(await crumbs.innerText()).toContain('What is watched');
    await page.goto('/alerts/history');
    await eventually(() => crumbs.innerText()).toContain('History of alerts');
    await page.goto('/alerts/open');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect((await crumbs.locator('li').allInnerTexts()).map(text => text.trim())).toEqual(['Alert center']);
    expect(problems).toEqual([]);
  });

  it('an alert begins with what happened and what to do; on a phone every column of its rows has its name', async () => {
    const { page, problems } = await at.page('/alerts/open', { width: 390 });
    const title = page.locator('.l-table td[data-slot="title"]').filter({ hasText: 'inactive products' });
    await title.click();
    await page
      .getByRole('region', { name: 'What to do' })
      .getByRole('heading', { name: /hold a product that was deleted, archived or made a draft/ })
      .waitFor();
    await page.locator('[data-section="subscriptions"] .r-table tbody tr').first().waitFor();
    const names = () =>
      page
        .locator('[data-section="subscriptions"] .r-table tbody tr')
        .first()
        .locator('td')
        .evaluateAll(all =>
          all.flatMap(cell => {
            const { content } = getComputedStyle(cell, '::before');
            return content === 'none' ? [] : [content];
          }),
        );
    // Shapes stand there first.
    await eventually(names).toEqual(['"Customer "', '"Inactive products "', '"Next order "']);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('what failed', () => {
  it('home says which figures, why and with which request, without shapes that wait for ever, and tries again', async () => {
    const { page, problems } = await at.tab();
    await page.route(
      url => url.pathname.startsWith('/host/main/api/merchant/home'),
      route =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'The figures are out of reach.', requestId: 'r-4711' }),
        }),
    );
    await page.goto('/dashboard');
    const card = page.getByRole('region', { name: 'Overview' });
    await card.getByRole('alert').getByText('Request r-4711').waitFor({ timeout: 60_000 });
    expect(await card.locator('.p-skeleton').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByText('Active subscriptions').waitFor();
    expect(problems.filter(provoked(500)).filter(problem => !problem.startsWith('500 '))).toEqual([]);
  });

  it('a record that could not be read heads the page with that, and is there after another try', async () => {
    const { page, problems } = await at.tab();
    const headers = { authorization: await at.product.token() };
    const open = (await (await fetch(`${at.product.url}/host/alertCentre/alerts/unresolved`, { headers })).json()) as {
      data: { id: number }[];
    };
    const own = `/alerts/${open.data[0]!.id}`;
    await page.route(
      url => url.pathname.startsWith('/host/') && url.pathname.endsWith(own),
      route =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'The alert is out of reach.', requestId: 'r-12' }),
        }),
    );
    await page.goto(own);
    await page.getByRole('heading', { level: 1, name: 'This alert could not be shown' }).waitFor({ timeout: 60_000 });
    await page.getByText('Request r-12').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'What to do' }).waitFor();
    expect(problems.filter(provoked(500)).filter(problem => !problem.startsWith('500 '))).toEqual([]);
  });
});

describe('settings', () => {
  it('D005 D007 /settings leads to General, which holds the billing hour and the delivery methods', async () => {
    const { page, problems } = await at.page('/settings');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^General/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
    await page.getByLabel('Billing hour').waitFor();
    await page.getByRole('heading', { name: 'Delivery methods' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('D263 stock rules are cards that say what each means', async () => {
    const { page, problems } = await at.page('/settings/inventory-settings');
    const some = page.getByRole('radiogroup', { name: 'If only some products are available' });
    await some.waitFor();
    expect((await some.getByRole('radio').all()).length).toBe(4);
    expect((await page.getByRole('radiogroup', { name: 'If nothing is available' }).getByRole('radio').all()).length).toBe(3);
    expect(await page.getByText('Nothing is charged or sent.').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
