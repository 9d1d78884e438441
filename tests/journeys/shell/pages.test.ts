// Every screen at three widths in both schemes: readable for everybody, never wider than the window, named, without a word in the console,
// true to the page's policy, and nothing on it moves while it loads.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { stands } from '../../support/browser/axe.ts';
import { addressOf, screensOf } from '../../support/browser/addresses.ts';
import { violations, type OpenPage } from '../../support/browser/browser.ts';
import { productDefinitions } from '../../support/definitions.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });
const DEFINITIONS = productDefinitions();
const WIDTHS = [1440, 1024, 390];

interface Screen {
  name: string;
  path: string | (() => Promise<string>);
  title: RegExp;
  as?: null;
  /** Opened on a page of its own, at each width and in each scheme; the others within the admin, as people go from screen to screen. */
  alone?: true;
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
  { name: 'sign-in', path: '/login', title: /^Sign in - Perennial$/, as: null, alone: true },
  { name: 'home', path: '/dashboard', title: /^Home - Perennial$/, alone: true },
  { name: 'subscriptions', path: '/subscriptions', title: /^Subscriptions - Perennial$/, alone: true },
  ...['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'].map(status => ({
    name: `a subscription that is ${status.toLowerCase()}`,
    path: withStatus(status),
    title: /^Subscriptions > #\d+ \S.* - Perennial$/,
    ...(status === 'ACTIVE' || status === 'FAILED' ? { alone: true as const } : {}),
  })),
  { name: 'a new subscription', path: '/subscriptions/create', title: /^Subscriptions > \S.* - Perennial$/, alone: true },
  { name: 'customers', path: '/customers', title: /^Subscriptions > Customers - Perennial$/ },
  { name: 'products', path: '/products', title: /^Products - Perennial$/ },
  { name: 'payments in recovery', path: '/payment-recovery', title: /^Retain > \S.* - Perennial$/ },
  { name: 'bulk actions', path: '/bulk-actions', title: /^Tools & apps > Bulk actions - Perennial$/ },
  { name: 'a new bulk action', path: '/bulk-actions/create', title: /^Tools & apps > Bulk actions - Perennial$/ },
  { name: 'open alerts', path: '/alerts/open', title: /^Alert center - Perennial$/ },
  { name: 'history of alerts', path: '/alerts/history', title: /^Alert center > \S.* - Perennial$/ },
  { name: 'account logs', path: '/settings/account-logs', title: /^Settings > Account logs - Perennial$/ },
  { name: 'order schedule', path: '/settings/order-schedule', title: /^Settings > Order schedule - Perennial$/ },
  { name: 'selling plans', path: '/selling-plans', title: /^Acquire > Selling plans - Perennial$/ },
  { name: 'a new selling plan group', path: '/selling-plans/create', title: /^Acquire > Selling plans - Perennial$/, alone: true },
  { name: 'settings', path: '/settings', title: /^Settings - Perennial$/ },
  { name: 'general settings', path: '/settings/general', title: /^Settings > General - Perennial$/, alone: true },
  { name: 'payment recovery', path: '/settings/paymentRecovery', title: /^Retain > Payment recovery - Perennial$/ },
  { name: 'inventory settings', path: '/settings/inventory-settings', title: /^Tools & apps > Inventory - Perennial$/ },
  { name: 'automatic updates', path: '/settings/auto-updates', title: /^Settings > \S.* - Perennial$/ },
  { name: 'subscription tags', path: '/settings/subscription-tags', title: /^Settings > \S.* - Perennial$/ },
  { name: 'import of products', path: '/products/import', title: /Import.* - Perennial$/ },
  { name: 'a page that comes later', path: '/bundles/snippets', title: /^Bundles > Snippets - Perennial$/ },
  { name: 'an address that leads nowhere', path: '/no/such/page', title: /^Page not found - Perennial$/, alone: true },
];

/** The other screens and settings pages that there are, beside those that the list above names. */
const named = new Set(SCREENS.map(one => one.path));
const OTHERS = screensOf(DEFINITIONS)
  .map(({ name, screen }): Screen => {
    const isOfRecord = screen?.route.includes('[');
    return { name, path: screen && isOfRecord ? () => addressOf(at.product, DEFINITIONS, screen) : name, title: / - Perennial$/ };
  })
  .filter(({ name }) => !named.has(name) && name !== '/subscriptions/[id]');

/** Screens of records of which the store has none, and those that are not there for a store like the demo store. */
const notSeen: string[] = [];

/** Screens that are only there for stores whose widget is the one of version 1. */
const OF_OLD_WIDGET = ['/settings/widget-design', '/widget-installation'];

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

/** Buttons of which a part is cut off, and links of which nothing is left, where the part that cuts them off can't be scrolled. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (control: Element): boolean => {
      const { left, right, width, height } = control.getBoundingClientRect();
      // What is smaller, or in something smaller, only screen readers find.
      if (width < 4 || height < 4) return false;
      const [first, last] = control.localName === 'a' ? [right - 8, left + 8] : [left + 3, right - 3];
      for (let around = control.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'auto' || overflowX === 'scroll') return false;
        const box = around.getBoundingClientRect();
        if (box.width < 4) return false;
        if (overflowX !== 'visible' && (first < box.left || last > box.right)) return true;
      }
      return false;
    };
    return [...document.querySelectorAll('main button, main a[href]')]
      .filter(control => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isCut(control))
      .map(control => control.getAttribute('aria-label') ?? control.textContent ?? '');
  });

/** The most that may move, as browsers measure it (cumulative layout shift): a quarter of what they call good. */
const STILL = 0.025;
interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}
/**
 * Notes from the first paint of each page on what moved, and by how much; what broke the page's policy, and whether it listens to other
 * pages.
 */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { value: number; what: string; isOfFrame: boolean }[] = [];
    const unsafe: string[] = [];
    Object.assign(window, { shifts: seen, unsafe });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      unsafe.push(`${violatedDirective} ${blockedURI}`);
    });
    const listen = window.addEventListener.bind(window);
    window.addEventListener = (type: string, ...rest: [EventListenerOrEventListenerObject, (boolean | AddEventListenerOptions)?]) => {
      if (/^message(error)?$/.test(type)) unsafe.push(`listens to ${type}`);
      listen(type, ...rest);
    };
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as unknown as Shift[]) {
        const nodes = entry.sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement));
        const isOfFrame = nodes.length > 0 && nodes.every(node => node?.closest('nav, header.p-topbar'));
        if (!entry.hadRecentInput) {
          const what = nodes.map(node => `${node?.localName}.${node?.className} “${node?.textContent?.slice(0, 30)}”`).join(', ');
          seen.push({ value: entry.value, what, isOfFrame });
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
/** What moved on the page since it was opened, where that is too much. `inPage`: the navigation beside it may open another section. */
async function moved(page: Page, inPage: boolean): Promise<string[]> {
  const all = await page.evaluate(() => (window as unknown as { shifts: { value: number; what: string; isOfFrame: boolean }[] }).shifts);
  const shifts = all.filter(({ isOfFrame }) => !inPage || !isOfFrame);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  return sum < STILL ? [] : shifts.map(({ value, what }) => `${value.toFixed(3)} ${what}`);
}

/**
 * What axe finds. Between both widths nothing is drawn in another way: what is read there was read at one of them. The second scheme of a
 * width changes nothing but colours, and those of a narrow page are those of a wide one: they are read in one scheme there, from screen to
 * screen in the other, and not at all where definitions draw the screen without code of its own: there the frame around it is left out too,
 * which is the same as around the others.
 */
async function found(page: Page, width: number, isFirst: boolean, isGeneric: boolean): Promise<string[]> {
  if (width === 1024) return [];
  if (isFirst) return violations(page, isGeneric ? 'main' : undefined, isGeneric && width === 390 ? 'structure' : 'all');
  return width === 390 ? [] : violations(page, undefined, 'contrast');
}

/** What was noted since this was last asked. The frame of letters and previews says how high it is: beside one that is heard. */
const unsafeOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const noted = (window as unknown as { unsafe: string[] }).unsafe.splice(0);
    return document.querySelector('iframe[src$="/frame"]') ? noted.filter(one => one !== 'listens to message') : noted;
  });

async function ownPage(screen: Screen): Promise<OpenPage> {
  const found = await at.tab(screen.as === null ? { as: null } : {});
  await watch(found.page);
  return found;
}
let shared: OpenPage | undefined;
/** Whether that page shows the demo store as one that has not moved to the newest widget yet. */
let hasOldWidget = false;
/** One page that goes from screen to screen as people do: opening the admin again for each costs a third more of the processor's time. */
async function samePage(): Promise<OpenPage> {
  if (!shared) {
    shared = await at.visit();
    await watch(shared.page);
    if (hasOldWidget)
      await shared.page.route('**/session', async route => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replace('"storefrontWidgetVersion":2', '"storefrontWidgetVersion":1'),
        });
      });
    await shared.page.goto('/settings/general');
    await settled(shared.page);
    // Notices at the top of the window come with the first page alone, when their figures are there.
    await shared.page.waitForLoadState('networkidle');
  }
  shared.problems.length = 0;
  return shared;
}
/** The next screen is opened on a fresh page. */
async function leave(): Promise<void> {
  await shared?.page.close();
  shared = undefined;
}
/** Goes to another screen within the admin, and waits until its heading stands in place of the one before. */
async function go(page: Page, path: string): Promise<void> {
  // What the change of the window before this moved is not the screen's doing.
  await stands(page);
  await page.evaluate(to => {
    // What the screen before this did on its way out is not this one's doing.
    const { shifts, unsafe } = window as unknown as { shifts: unknown[]; unsafe: unknown[] };
    shifts.length = 0;
    unsafe.length = 0;
    const before = { heading: document.querySelector('main h1'), title: document.title };
    Object.assign(window, { before });
    history.pushState({ idx: history.length }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, path);
  await page.waitForFunction(() => {
    const { before } = window as unknown as { before: { heading: Element | null; title: string } };
    const heading = document.querySelector('main h1');
    return heading !== null && (heading !== before.heading || document.title !== before.title);
  });
}

/**
 * Looks at one screen at each width, in one scheme after the other. Answers what is wrong, by view; empty: nothing. `undefined`: the store
 * has no such screen, or no record for it. It is loaded wide and narrow; between them the window is only made narrower. What definitions
 * draw without code of its own is opened once within the admin, at one width after the other from screen to screen, and looked at in the
 * first scheme of each width alone.
 */
async function look(screen: Screen, odd: number, isGeneric = false): Promise<Record<string, unknown> | undefined> {
  const path = typeof screen.path === 'string' ? screen.path : await screen.path();
  if (path === '') return undefined;
  const { page, problems } = isGeneric ? await samePage() : await ownPage(screen);
  const wrong: Record<string, unknown> = {};
  const widths = isGeneric ? [...WIDTHS.slice(odd % 3), ...WIDTHS.slice(0, odd % 3)] : WIDTHS;
  for (const [i, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    const isLoaded = i === 0 || (!isGeneric && width !== 1024);
    const schemes = (i + odd) % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    for (const scheme of isGeneric ? schemes.slice(0, 1) : schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      if (isLoaded && scheme === schemes[0]) await (isGeneric ? go(page, path) : page.goto(path));
      await eventually(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe(scheme);
      await settled(page);
      if (isGeneric && (await page.locator('main h1').first().textContent()) === 'Page not found') {
        await leave();
        return undefined;
      }
      const unsafe = await unsafeOf(page);
      const seen = {
        violations: await found(page, width, scheme === schemes[0], isGeneric),
        tooWide: await tooWide(page),
        cutOff: await cutOff(page),
        headings: await page.locator('h1').count(),
        unsafe,
        // That a window is made narrower moves things.
        moved: isLoaded ? await moved(page, isGeneric) : [],
      };
      if (JSON.stringify(seen) !== '{"violations":[],"tooWide":[0,0],"cutOff":[],"headings":1,"unsafe":[],"moved":[]}')
        wrong[`${width} px, ${scheme}`] = seen;
      // axe itself listens to messages.
      await unsafeOf(page);
    }
  }
  await eventually(() => page.title()).toMatch(screen.title);
  if (problems.length) wrong.problems = [...problems];
  // What is wrong on one screen is no reason for what is seen on the next.
  if (isGeneric && Object.keys(wrong).length) await leave();
  return wrong;
}

describe('every screen', () => {
  it.each(SCREENS.map((screen, i) => ({ ...screen, i })))(
    'S066 $name',
    async ({ i, ...screen }) => {
      expect(await look(screen, i, !screen.alone)).toEqual({});
    },
    180_000,
  );

  it.each(OTHERS.map((screen, i) => ({ ...screen, i })))(
    'S066 $name',
    async ({ i, ...screen }) => {
      const wrong = await look(screen, i, true);
      if (wrong === undefined) notSeen.push(screen.name);
      expect(wrong ?? {}).toEqual({});
    },
    180_000,
  );

  it('all are there in the demo store, with a record to look at, but for these', () => {
    expect(notSeen.sort()).toEqual([
      '/bulk-actions/[id]',
      '/customer-portal/themes/[nanoId]/texts/[id]',
      '/gift/subscriptions/[id]',
      '/help/[id]',
      '/settings/billing/[id]',
      '/settings/customer-migration/[id]',
      '/settings/customer-migration/payment-methods/[id]',
      '/settings/store-connection/[id]',
      '/settings/webhooks/deliveries/[id]',
      ...OF_OLD_WIDGET,
    ]);
  });

  it.each(OF_OLD_WIDGET.map((path, i) => ({ path, i })))('S066 $path of a store with the widget of version 1', async ({ path, i }) => {
    if (!hasOldWidget) await leave();
    hasOldWidget = true;
    expect(await look({ name: path, path, title: / - Perennial$/ }, i, true)).toEqual({});
  });
});
