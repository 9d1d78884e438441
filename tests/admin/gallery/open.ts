// Opens pages of the gallery in a real browser and notices everything that should not happen there.
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, FLAGS } from './browser.ts';
import { serveGallery } from './serve.ts';
import type { Gallery } from './serve.ts';

export interface DisclosureState {
  page: Page;
  troubles: string[];
}
export interface Look {
  page: 'widgets' | 'record' | 'dialog';
  state?: string;
  scheme?: 'light' | 'dark';
  width?: number;
}

export class GalleryBrowser {
  private readonly gallery: Gallery;
  private readonly browser: Browser;
  private constructor(gallery: Gallery, browser: Browser) {
    this.gallery = gallery;
    this.browser = browser;
  }

  static async start(): Promise<GalleryBrowser> {
    const gallery = await serveGallery();
    return new GalleryBrowser(gallery, await chromium.launch({ executablePath: chromiumPath(), args: FLAGS }));
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.gallery.close();
  }

  /** A page in a profile of its own. `troubles` gathers errors, warnings of the console and breaches of the security policy. */
  async open({ page: name, state = 'filled', scheme = 'light', width = 1440 }: Look): Promise<DisclosureState> {
    const context = await this.browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', error => troubles.push(error.message));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
    });
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', event => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await page.goto(`${this.gallery.url}/?page=${name}&state=${state}&scheme=${scheme}`);
    await page.waitForSelector(name === 'dialog' ? '#open' : '.f-section');
    return { page, troubles };
  }
}
