// `npm run pictures`, third part: the pictures of the README's tour, from the built product (npm run build) with its demo store. WebP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../src/server/platform/definitions.ts';
import { activeSubscription, openBrowser, picture, show, signedIn, startDemo } from './lib/demo-browser.ts';

interface Stop {
  address: string;
  /** What is done on the page before. */
  act?: (tab: Page) => Promise<void>;
}
const STOPS: Record<string, Stop> = {
  home: { address: '/dashboard' },
  subscription: { address: '/subscriptions/{subscription}' },
  figures: {
    address: '/analytics/subscribers',
    act: async tab => {
      await tab
        .getByRole('button', { name: /Rows behind New MRR/ })
        .first()
        .click();
      await tab.getByRole('dialog').getByRole('table').waitFor();
    },
  },
  shop: { address: '/shop/1/products/harbour-house-blend', act: async tab => tab.locator('perennial-widget').first().waitFor() },
};

const data = mkdtempSync(join(tmpdir(), 'perennial-tour-'));
try {
  const browser = await openBrowser();
  const { link, stop } = await startDemo(projectRoot, data);
  try {
    const tab = await signedIn(browser, link);
    const maker = await browser.newPage();
    const subscription = await activeSubscription(tab);
    for (const [name, { address, act }] of Object.entries(STOPS)) {
      await show(tab, new URL(address.replace('{subscription}', String(subscription)), link).href);
      await act?.(tab);
      const file = `docs/pictures/tour-${name}.webp`;
      writeFileSync(join(projectRoot, file), await picture(tab, maker));
      console.log(`${file}  ${address}`);
    }
  } finally {
    await browser.close();
    await stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}
