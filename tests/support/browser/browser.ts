// A real browser on the built product: signed-in pages that remember every console error, refused policy and failed request.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { chromiumPath, FLAGS } from '../../admin/gallery/browser.ts';
import type { Product, Role } from './product.ts';

export { violations } from './axe.ts';

export interface View {
  width?: 1440 | 1024 | 390;
  scheme?: 'light' | 'dark';
  as?: Role | null;
  /** A session of its own, for a journey that ends it; else the one that the other journeys share. */
  alone?: boolean;
  /** Without the page's policy, which would hide what the admin itself lets through. */
  withoutPolicy?: boolean;
}
export interface OpenPage {
  page: Page;
  problems: string[];
}
export interface Visit extends OpenPage {
  context: BrowserContext;
}

const HEIGHT = 900;
/** Where the admin keeps its token (src/admin/platform/session/token.ts). */
const TOKEN = 'perennial.token';

/**
 * A page lives for seconds: machine code that is made again and better while it runs pays for itself in none; without it a page costs a
 * fourteenth less of the processor's time. What measures pages starts browsers of its own.
 */
const SHORT_LIVED = '--js-flags=--no-maglev --no-turbofan';

/** A browser of one's own, for the test that closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), headless: true, args: [...FLAGS, SHORT_LIVED] });

let shared: Promise<Browser> | undefined;
/**
 * The browser that the files of this process share: every visit is a profile of its own, so nothing goes from one to the next.
 * A new one when the last one ended; Playwright ends it with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const open = await shared?.catch(() => undefined);
  if (open?.isConnected()) return open;
  shared = openBrowser();
  return shared;
}

/**
 * The admin's storage as a page finds it at first: empty, but for the token of the person who is signed in. Frames of e-mails have none.
 */
const enter = ([key, value, shouldEmpty]: readonly [string, string, boolean]): void => {
  if (window.origin === 'null' || sessionStorage.getItem('signed-in-once')) return;
  if (shouldEmpty) localStorage.clear();
  if (value) localStorage.setItem(key, value);
  sessionStorage.setItem('signed-in-once', '1');
};

type Served = Pick<Product, 'url' | 'token' | 'signIn'>;

/** Fills with everything that must not happen on a page. */
function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Of a request that failed the text says the status alone.
    const where = message.text().startsWith('Failed to load resource') ? ` ${message.location().url}` : '';
    problems.push(`console ${message.type()}: ${message.text()}${where}`);
  });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('response', response => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

const tokenOf = async (product: Served, { as = 'owner', alone = false }: View): Promise<string> =>
  as ? (alone ? product.signIn(as) : product.token(as)) : '';

/** A fresh profile, signed in as a demo user unless `as` is null. `problems` fills with everything that must not happen. */
export async function visit(browser: Browser, product: Served, view: View = {}): Promise<Visit> {
  const { width = 1440, scheme = 'light', withoutPolicy = false } = view;
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    baseURL: product.url,
    locale: 'en-US',
    bypassCSP: withoutPolicy,
  });
  const token = await tokenOf(product, view);
  if (token) await context.addInitScript(enter, [TOKEN, token, false] as const);
  const page = await context.newPage();
  return { page, context, problems: problemsOf(page) };
}

/**
 * A page of a profile that other tests of the file used before: its storage is empty, its cache is warm, so that the admin's code is not
 * read and compiled again for each test (three quarters of what opening a page costs).
 */
export async function nextPage(profile: BrowserContext, product: Served, view: View = {}): Promise<OpenPage> {
  const { width = 1440, scheme = 'light' } = view;
  await profile.clearCookies();
  const page = await profile.newPage();
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.addInitScript(enter, [TOKEN, await tokenOf(product, view), true] as const);
  return { page, problems: problemsOf(page) };
}
