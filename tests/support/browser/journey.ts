// One product and one browser for a file of journeys, and what every journey ends with: nothing broke on the way.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { nextPage, type OpenPage, sharedBrowser, visit, type View, type Visit } from './browser.ts';
import { freePort } from '../postgres.ts';
import { oneEngine, type EngineKind } from '../database.ts';
import { demoStore, type DemoStore } from './demo-store.ts';
import { startProduct, type Product } from './product.ts';

/** What is waited for in a browser (ms). */
const PATIENCE = 90_000;

export interface Journeys {
  readonly product: Product;
  readonly browser: Browser;
  /**
   * A fresh profile, for what a browser does that was never here, and for tests that change the profile itself; open until the file's end.
   */
  visit(view?: View): Promise<Visit>;
  /** A page with empty storage and a warm cache, closed after the test. */
  tab(view?: View): Promise<OpenPage>;
  /** The same at an address, when its heading stands. */
  page(path: string, view?: View): Promise<OpenPage>;
}

/**
 * Profiles that no test uses at the moment. The products of a process's files listen at the same port one after the other, so that the
 * browser keeps the admin's compiled code from file to file.
 */
const idle: BrowserContext[] = [];
const isOpen = new WeakSet<BrowserContext>();
let port: number | undefined;

async function idleProfile(browser: Browser, url: string): Promise<BrowserContext> {
  for (let profile = idle.pop(); profile; profile = idle.pop()) if (isOpen.has(profile)) return profile;
  const fresh = await browser.newContext({ baseURL: url, locale: 'en-US' });
  isOpen.add(fresh);
  fresh.once('close', () => isOpen.delete(fresh));
  return fresh;
}

export interface JourneyOptions {
  /** Subscriptions of the demo store. */
  size?: number;
  env?: Record<string, string>;
  /** PostgreSQL, which takes half of the processor's time, unless what people start on their own machine is the subject. */
  engine?: EngineKind;
}

/** Starts both before the file's tests and removes them after. */
export function journeys({ size = 400, env, engine = oneEngine[0]! }: JourneyOptions = {}): Journeys {
  let product: Product | undefined;
  let store: DemoStore | undefined;
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const inUse: BrowserContext[] = [];
  /** What the test that runs opened. */
  const opened: Page[] = [];
  beforeAll(async () => {
    browser = await sharedBrowser();
    port ??= await freePort();
    store = await demoStore(
      engine,
      size,
      Object.keys(env ?? {}).every(name => !name.startsWith('PERENNIAL_DEMO')),
    );
    const { folder } = store;
    product = await startProduct({ size, env: { PORT: String(port), ...store.env, ...env }, ...(folder ? { folder } : {}) });
  }, 120_000);
  afterEach(async ({ task }) => {
    const pages = opened.splice(0);
    // Also of a try that is followed by another: this is the only report of what went wrong in it.
    if (task.result?.state === 'fail') {
      console.log(task.result.errors?.map(({ message }) => message).join('\n'));
      for (const page of pages) console.log(await onScreen(page));
    }
    for (const profile of inUse.splice(0)) {
      await Promise.all(profile.pages().map(page => page.close()));
      if (isOpen.has(profile)) idle.push(profile);
    }
  });
  afterAll(async () => {
    for (const context of contexts) await context.close().catch(() => undefined);
    await product?.remove();
    await store?.remove();
  });
  const started = (): [Browser, Product] => {
    if (!browser || !product) throw new Error('The product is not started yet.');
    return [browser, product];
  };
  const tab: Journeys['tab'] = async (view = {}) => {
    const [openBrowser, served] = started();
    // Each page of a test has a profile of its own, as people have who work at the same time.
    const profile = await idleProfile(openBrowser, served.url);
    inUse.push(profile);
    const found = await nextPage(profile, served, view);
    opened.push(found.page);
    found.page.setDefaultTimeout(PATIENCE);
    return found;
  };
  return {
    get product() {
      return product!;
    },
    get browser() {
      return browser!;
    },
    async visit(view) {
      const found = await visit(...started(), view);
      found.page.setDefaultTimeout(PATIENCE);
      contexts.push(found.context);
      opened.push(found.page);
      return found;
    },
    tab,
    async page(path, view) {
      const found = await tab(view);
      await found.page.goto(path);
      await found.page.locator('main h1').first().waitFor();
      return found;
    },
  };
}

/** What stood on a page when its test failed: its address, what asks or tells something, what refuses a field, and the buttons. */
async function onScreen(page: Page): Promise<string> {
  const found = page.locator('h1, [role=dialog], [role=alert], [role=status], .p-error').filter({ visible: true });
  const texts = await found.allInnerTexts().catch(() => ['(the page is closed)']);
  const buttons = await page
    .getByRole('button')
    .allInnerTexts()
    .catch(() => []);
  texts.push(`Buttons: ${buttons.filter(Boolean).slice(0, 20).join(' | ')}`);
  return [`On the screen of the failed test: ${page.url()}`, ...texts.filter(Boolean).map(text => `  ${text.replace(/\s+/g, ' ')}`)].join(
    '\n',
  );
}

/** Answers that a journey provokes on purpose are named by the browser's console too: "…the server responded with a status of 404…". */
export const provoked =
  (...statuses: number[]) =>
  (problem: string): boolean =>
    !statuses.some(status => problem.includes(`responded with a status of ${status} `));

/** An expectation that may take its time: `await eventually(() => rows.count()).toBe(3)`. */
export const eventually = <T>(read: () => T, what?: string) => expect.poll(read, { timeout: PATIENCE, ...(what ? { message: what } : {}) });

/** Waits until the page's address meets the expectation. */
export const atPath = (page: Page, path: string | RegExp): Promise<void> =>
  eventually(() => {
    const url = new URL(page.url());
    return url.pathname + url.search;
  })[typeof path === 'string' ? 'toBe' : 'toMatch'](path as string);
