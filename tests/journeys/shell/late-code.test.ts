// Code and styles that arrive after the start, when they can't be had at first: another try brings them whole, and nothing is asked ahead
// of a server that is away.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });

const rows = (page: Page): Promise<void> => page.locator('tbody tr[data-row]').first().waitFor();
/** The page's stylesheets by the beginning of their names: how many rules each has, or that there is no reading it. */
const sheets = (page: Page): Promise<Record<string, number | string>> =>
  page.evaluate(() => {
    const found: Record<string, number | string> = {};
    for (const sheet of document.styleSheets) {
      const name = /([\w-]+)-[\w-]{8}\.css$/.exec(sheet.href ?? '')?.[1];
      if (name)
        try {
          found[name] = sheet.cssRules.length;
        } catch {
          found[name] = 'unreadable';
        }
    }
    return found;
  });

describe('a stylesheet that can not be had', () => {
  it('is asked for again by every other try, until the screen stands with its styles', async () => {
    const { page, problems } = await at.visit();
    // Ahead of need the server is not there; at the first try by hand it is only just starting; then it answers.
    let asked = 0;
    await page.route('**/assets/record-page-*.css', route => {
      if (route.request().method() !== 'GET') return route.continue(); // the page looks whether the file is gone for good
      asked++;
      return asked === 1
        ? route.abort('connectionrefused')
        : asked === 2
          ? route.fulfill({ status: 503, contentType: 'text/plain', body: 'Not yet.' })
          : route.continue();
    });
    await page.goto('/subscriptions');
    await rows(page);
    await eventually(() => asked, 'the record is loaded ahead').toBe(1);
    await page.locator('tbody tr[data-row]').first().click();
    const failed = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
    await failed.getByText('A part of the app could not be loaded.').waitFor();
    expect(Object.keys(await sheets(page))).not.toContain('record-page');

    await failed.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => asked).toBe(2);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.locator('main .r-head').waitFor();
    expect(asked).toBe(3);
    // Only its own sheet lays its head out in a line.
    expect(await page.locator('main .r-head').evaluate(head => getComputedStyle(head).display)).toBe('flex');
    const there = await sheets(page);
    expect(there['record-page']).toBeGreaterThan(50);
    expect(Object.entries(there).filter(([, rules]) => typeof rules !== 'number' || rules === 0)).toEqual([]);
    expect(await page.locator('link[rel="stylesheet"][href*="/record-page-"]').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    const expected = /ERR_CONNECTION_REFUSED|Unable to preload CSS for \S+\/record-page-|^503 \S+\/record-page-/;
    expect(problems.filter(provoked(503)).filter(problem => !expected.test(problem))).toEqual([]);
  });
});

describe('while the server can not be reached', () => {
  it('nothing is loaded ahead; what waited comes as soon as it is back', async () => {
    const { page, problems } = await at.visit();
    await page.clock.install();
    const palette: string[] = [];
    page.on('request', request => {
      if (/\/assets\/palette-[^/]*\.(js|css)$/.test(request.url())) palette.push(request.url());
    });
    // The session comes, then the server goes.
    await page.route(
      url => url.pathname === '/healthz' || (url.pathname.startsWith('/host/') && url.pathname !== '/host/user/session'),
      route => route.abort('connectionrefused'),
    );
    await page.goto('/subscriptions');
    const lost = page
      .getByRole('alert')
      .filter({ hasText: 'Unable to connect to server.' })
      .filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    await lost.waitFor();
    // The palette's time comes, and the browser is idle more than once.
    await page.clock.fastForward(60_000);
    for (let i = 0; i < 3; i++)
      await page.evaluate(
        () =>
          new Promise<void>(resolve => {
            requestIdleCallback(() => resolve());
          }),
      );
    expect(palette).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await lost.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Connected again.').waitFor();
    await eventually(async () => Object.keys(await sheets(page))).toContain('palette');
    expect(problems.filter(problem => !/ERR_CONNECTION_REFUSED/.test(problem))).toEqual([]);
  });
});
