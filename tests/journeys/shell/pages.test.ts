// Every screen at both widths in both schemes: readable for everybody, never wider than the window, named, and without a word in the console.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { stands } from '../../support/browser/axe.ts';
import { violations, type View } from '../../support/browser/browser.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });
const VIEWS: Required<Pick<View, 'width' | 'scheme'>>[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'dark' },
  { width: 390, scheme: 'light' },
];

interface Screen {
  name: string;
  path: string | (() => Promise<string>);
  title: RegExp;
  as?: null;
}
/** The first subscription of a status. */
const withStatus = (status: string) => async (): Promise<string> => {
  const filter = encodeURIComponent(JSON.stringify({ status: [status] }));
  const answer = (await (
    await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/list?pageSize=1&filter=${filter}`, {
      headers: { authorization: await at.product.token() },
    })
  ).json()) as { data: { id: number }[] };
  expect(answer.data[0], `a subscription that is ${status}`).toBeDefined();
  return `/subscriptions/${answer.data[0]!.id}`;
};

const SCREENS: Screen[] = [
  { name: 'sign-in', path: '/login', title: /^Sign in - Perennial$/, as: null },
  { name: 'home', path: '/dashboard', title: /^Home - Perennial$/ },
  { name: 'subscriptions', path: '/subscriptions', title: /^Subscriptions - Perennial$/ },
  ...['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'].map(status => ({
    name: `a subscription that is ${status.toLowerCase()}`,
    path: withStatus(status),
    title: /^Subscriptions > #\d+ \S.* - Perennial$/,
  })),
  { name: 'selling plans', path: '/selling-plans', title: /^Acquire > Selling plans - Perennial$/ },
  { name: 'a new selling plan group', path: '/selling-plans/create', title: /^Acquire > Selling plans - Perennial$/ },
  { name: 'settings', path: '/settings', title: /^Settings - Perennial$/ },
  { name: 'general settings', path: '/settings/general', title: /^Settings > General - Perennial$/ },
  { name: 'payment recovery', path: '/settings/paymentRecovery', title: /^Retain > Payment recovery - Perennial$/ },
  { name: 'inventory settings', path: '/settings/inventory-settings', title: /^Tools & apps > Inventory - Perennial$/ },
  { name: 'automatic updates', path: '/settings/auto-updates', title: /^Settings > \S.* - Perennial$/ },
  { name: 'subscription tags', path: '/settings/subscription-tags', title: /^Settings > \S.* - Perennial$/ },
  { name: 'import of products', path: '/products/import', title: /Import.* - Perennial$/ },
  { name: 'a page that comes later', path: '/analytics/cohorts', title: /^Analytics > Cohorts - Perennial$/ },
  { name: 'an address that leads nowhere', path: '/no/such/page', title: /^Page not found - Perennial$/ },
];

/** Everything has arrived: no shape stands in for what comes, nothing moves any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await eventually(() => page.locator('main .p-skeleton').count()).toBe(0);
  await stands(page);
}
/** By how many pixels the window and the page's own area can be pushed sideways. */
const tooWide = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('main')!].map(element => element.scrollWidth - element.clientWidth),
  );

describe('every screen', () => {
  it.each(SCREENS)(
    'S066 $name',
    async screen => {
      const path = typeof screen.path === 'string' ? screen.path : await screen.path();
      const { page, context, problems } = await at.page(path, screen.as === null ? { as: null } : {});
      const wrong: Record<string, unknown> = {};
      for (const { width, scheme } of VIEWS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await eventually(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe(scheme);
        await settled(page);
        const found = { violations: await violations(page), tooWide: await tooWide(page), headings: await page.locator('h1').count() };
        if (JSON.stringify(found) !== '{"violations":[],"tooWide":[0,0],"headings":1}') wrong[`${width} px, ${scheme}`] = found;
      }
      expect(wrong).toEqual({});
      await eventually(() => page.title()).toMatch(screen.title);
      expect(problems).toEqual([]);
      await context.close();
    },
    180_000,
  );
});
