// One product and one browser for a file of journeys, and what every journey ends with: nothing broke on the way.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { sharedBrowser, visit, type View, type Visit } from './browser.ts';
import { startProduct, type Product } from './product.ts';

export interface Journeys {
  readonly product: Product;
  readonly browser: Browser;
  visit(view?: View): Promise<Visit>;
  page(path: string, view?: View): Promise<Visit>;
}

/** Starts both before the file's tests and removes them after. */
export function journeys(options: Parameters<typeof startProduct>[0] = {}): Journeys {
  let product: Product | undefined;
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    product = await startProduct(options);
    browser = await sharedBrowser();
  }, 120_000);
  afterAll(async () => {
    for (const context of contexts) await context.close().catch(() => undefined);
    await product?.remove();
  });
  const open = async (view?: View): Promise<Visit> => {
    if (!browser || !product) throw new Error('The product is not started yet.');
    const found = await visit(browser, product, view);
    found.page.setDefaultTimeout(20_000);
    contexts.push(found.context);
    return found;
  };
  return {
    get product() {
      return product!;
    },
    get browser() {
      return browser!;
    },
    visit: open,
    /** A fresh profile at an address, when its heading stands. */
    async page(path, view) {
      const found = await open(view);
      await found.page.goto(path);
      await found.page.locator('main h1').first().waitFor();
      return found;
    },
  };
}

/** Answers that a journey provokes on purpose are named by the browser's console too: "…the server responded with a status of 404…". */
export const provoked =
  (...statuses: number[]) =>
  (problem: string): boolean =>
    !statuses.some(status => problem.includes(`responded with a status of ${status} `));

/** An expectation that may take its time: `await eventually(() => rows.count()).toBe(3)`. */
export const eventually = <T>(read: () => T, what?: string) => expect.poll(read, { timeout: 20_000, ...(what ? { message: what } : {}) });

/** Waits until the page's address meets the expectation. */
export const atPath = (page: Page, path: string | RegExp): Promise<void> =>
  eventually(() => {
    const url = new URL(page.url());
    return url.pathname + url.search;
  })[typeof path === 'string' ? 'toBe' : 'toMatch'](path as string);
