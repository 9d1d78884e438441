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
export interface Visit {
  page: Page;
  context: BrowserContext;
  problems: string[];
}

const HEIGHT = 900;
/** Where the admin keeps its token (src/admin/platform/session/token.ts). */
const TOKEN = 'perennial.token';

/** A browser of one's own, for whoever closes it. */
export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS });

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

/** A fresh profile, signed in as a demo user unless `as` is null. `problems` fills with everything that must not happen. */
export async function visit(
  browser: Browser,
  product: Pick<Product, 'url' | 'token' | 'signIn'>,
  { width = 1440, scheme = 'light', as = 'owner', alone = false, withoutPolicy = false }: View = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    baseURL: product.url,
    locale: 'en-US',
    bypassCSP: withoutPolicy,
  });
  if (as) {
    const token = await (alone ? product.signIn(as) : product.token(as));
    await context.addInitScript(
      ([key, value]) => {
        // The frame of an e-mail has no storage.
        if (window.origin === 'null') return;
        if (!sessionStorage.getItem('signed-in-once')) {
          localStorage.setItem(key!, value!);
          sessionStorage.setItem('signed-in-once', '1');
        }
      },
      [TOKEN, token] as const,
    );
  }
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('response', response => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`);
  });
  return { page, context, problems };
}
