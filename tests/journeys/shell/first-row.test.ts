// What the first row of a list waits for: few requests, and nothing of the rest of the catalogue, which comes after and is waited for
// where it is needed.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coreOf } from '../../../src/browser-definitions/core.ts';
import { isListOnly } from '../../../src/browser-definitions/core-parts.ts';
import { callFor } from '../../../src/contract/find.ts';
import { productDefinitions } from '../../support/definitions.ts';
import type { StartTable } from '../../../src/server/platform/http/start-table.ts';
import { loadFirstRow } from '../../support/browser/first-row.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ engine: 'embedded', size: 300 });
const definitions = productDefinitions();
const LISTS = Object.values(definitions.resources)
  .filter(isListOnly)
  // Plain REST writes its query in a way of its own, which the start does not know.
  .filter(screen => callFor(definitions, screen, 'list')?.encode === undefined)
  .map(({ route }) => `/${route}`);
/** Lists of the demo store that have rows from the start. */
const WITH_ROWS = ['/subscriptions', '/customers', '/products', '/selling-plans', '/alerts/types', '/settings/account-logs'];
const CATALOGUE = '**/assets/catalogue-*.js';

describe('before the first row of a list', () => {
  it.each(WITH_ROWS)('at most 15 requests are sent: %s', async path => {
    const { context } = await at.visit();
    const { loaded } = await loadFirstRow(context, at.product.url + path, 'tbody tr[data-row]');
    const asked = loaded.map(({ method, path: to }) => `${method} ${to}`);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15);
    expect(asked.filter(one => one.includes('/assets/screen-'))).toHaveLength(1);
  });

  it('the page names its own file and call alone, and no list of the rest', async () => {
    const { screens, other } = JSON.parse(readFileSync('dist/admin/start.json', 'utf8')) as StartTable;
    for (const path of LISTS) expect(existsSync(`dist/admin${(screens[path.slice(1)] as { file: string }).file}`), path).toBe(true);
    const sizes = await Promise.all(
      ['/no/such/page', ...WITH_ROWS].map(async path => {
        const text = await (await fetch(at.product.url + path, { headers: { accept: 'text/html' } })).text();
        expect(text).toContain(`content='{"session":`);
        return text.length - (path === '/no/such/page' ? JSON.stringify(other) : JSON.stringify(screens[path.slice(1)])).length;
      }),
    );
    // The same page everywhere, but for the entry of its address.
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(100);
    expect((await fetch(`${at.product.url}/start.json`)).status).toBe(404);
  });

  it('the app knows of the calls, screens and schemas only what the navigation and its own code name', () => {
    const html = readFileSync('dist/admin/index.html', 'utf8');
    const entries = [...html.matchAll(/<script type="module"[^>]* src="\/(assets\/[^"]+)"/g)].map(([, file]) => file as string);
    expect(entries.length).toBeGreaterThan(0);
    const text = entries.map(file => readFileSync(`dist/admin/${file}`, 'utf8')).join('\n');
    // Files of lists, schemas, validators and forms are found by way of the catalogue, which the app names once.
    expect(text.match(/assets\/catalogue-|\.\/catalogue-/g)).toHaveLength(1);
    expect(text).not.toMatch(/\/screen-\w/);
    const paths = [...new Set(Object.values(coreOf(definitions).calls).map(call => call.path))].filter(path => path.length > 12);
    const known = paths.filter(path => text.includes(` ${path}"`));
    expect(known.length).toBeGreaterThan(10);
    expect(known.length / paths.length).toBeLessThan(0.4);
  });
});

describe('while the rest of the definitions is on its way', () => {
  it.each(WITH_ROWS)('%s stands with its rows and the navigation; what needs more waits for it', async path => {
    const { page, problems } = await at.visit();
    let open = (): void => undefined;
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    await page.route(CATALOGUE, async route => {
      await opened;
      await route.continue();
    });
    await page.goto(path);
    await page.locator('tbody tr[data-row]').first().waitFor();
    const shown = (): Promise<string> => page.getByRole('navigation', { name: 'Main' }).innerText();
    const before = [await shown(), await page.title(), await page.locator('main h1').innerText()];
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click();
    await atPath(page, '/settings');
    await page.locator('main').getByRole('status', { name: 'Loading' }).waitFor();
    open();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.goBack();
    await page.locator('tbody tr[data-row]').first().waitFor();
    await eventually(async () => [await shown(), await page.title(), await page.locator('main h1').innerText()]).toEqual(before);
    expect(problems).toEqual([]);
  });

  it('it may fail, and comes with another try', async () => {
    const { page, problems } = await at.visit();
    await page.route(CATALOGUE, route =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503, body: 'Not yet.' }) : route.continue(),
    );
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click();
    const failed = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
    await failed.waitFor();
    await page.unroute(CATALOGUE);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(problems.filter(provoked(503)).filter(problem => !/catalogue-/.test(problem))).toEqual([]);
  });

  it("a list whose own file can't be had is drawn from the rest", async () => {
    const { page, problems } = await at.visit();
    await page.route('**/assets/screen-*.js', route => route.abort());
    await page.goto('/subscriptions');
    await page.locator('tbody tr[data-row]').first().waitFor();
    expect(problems.filter(problem => !/screen-|ERR_FAILED/.test(problem))).toEqual([]);
  });
});
