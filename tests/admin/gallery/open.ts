// Opens pages of the gallery in a real browser and notices everything that should not happen there.
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import { sharedBrowser } from '../../support/browser/browser.ts';
import { freePort } from '../../support/postgres.ts';
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
  /** Numbers and dates are those of this language; the words stay English. */
  language?: string;
}

/** Its files have the same address in each of a process's files, so that the browser keeps their code. */
let port: number | undefined;

export class GalleryBrowser {
  private readonly gallery: Gallery;
  private readonly browser: Browser;
  /** Profiles whose page is closed: their storage is emptied, their cache is warm. */
  private readonly idle: BrowserContext[] = [];
  private constructor(gallery: Gallery, browser: Browser) {
    this.gallery = gallery;
    this.browser = browser;
  }

  static async start(): Promise<GalleryBrowser> {
    port ??= await freePort();
    return new GalleryBrowser(await serveGallery(port, join(inject('runFolder'), 'gallery')), await sharedBrowser());
  }

  async stop(): Promise<void> {
    await Promise.all(this.idle.map(profile => profile.close()));
    await this.gallery.close();
  }

  /** A page with empty storage; close it at the end. `troubles` gathers errors, warnings of the console and breaches of the security policy. */
  async open({ page: name, state = 'filled', scheme = 'light', width = 1440, language }: Look): Promise<DisclosureState> {
    const profile = this.idle.pop() ?? (await this.browser.newContext({ reducedMotion: 'reduce' }));
    const page = await profile.newPage();
    page.once('close', () => this.idle.push(profile));
    await page.setViewportSize({ width, height: 900 });
    const troubles: string[] = [];
    page.on('pageerror', error => troubles.push(error.message));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
    });
    await page.addInitScript(() => {
      // Once: a reload finds what the page kept.
      if (!sessionStorage.getItem('opened')) localStorage.clear();
      sessionStorage.setItem('opened', 'yes');
      addEventListener('securitypolicyviolation', event => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    if (language)
      await page.addInitScript(code => {
        globalThis.perennialLanguage = { language: code, texts: {}, withTexts: definition => definition };
      }, language);
    await page.goto(`${this.gallery.url}/?page=${name}&state=${state}&scheme=${scheme}`);
    await page.waitForSelector(name === 'dialog' ? '#open' : '.f-section');
    return { page, troubles };
  }
}
