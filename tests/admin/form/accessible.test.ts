// No accessibility violation in any widget, in any state, in both schemes, on wide and narrow screens.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GalleryBrowser } from '../gallery/open.ts';

let gallery: GalleryBrowser;
beforeAll(async () => {
  gallery = await GalleryBrowser.start();
});
afterAll(async () => {
  await gallery?.stop();
});

/** What axe finds on the page, or only within a part of it. */
async function violations(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page: page as never });
  const { violations: found } = await (within ? axe.include(within) : axe).analyze();
  return found.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')} (${node.failureSummary?.split('\n')[1]?.trim()})`),
  );
}

describe.each(['light', 'dark'] as const)('%s', scheme => {
  describe.each([1440, 390])('%d px wide', width => {
    // Filled and wrong everywhere; empty and read-only look alike in both schemes, so once wide and once narrow.
    const states = (scheme === 'light') === (width === 1440) ? ['filled', 'empty', 'wrong', 'read'] : ['filled', 'wrong'];
    test.each(states)('widgets, %s', async state => {
      const { page, troubles } = await gallery.open({ page: 'widgets', state, scheme, width });
      // Parts of the code arrive later: the editor, the clock.
      if (state !== 'read') await page.waitForSelector('.f-rich-text');
      if (state === 'wrong') {
        await page.click('#submit');
        await page.waitForSelector('.p-error');
      }
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(troubles).toEqual([]);
      await page.context().close();
    });

    test('record page with changes, an error and an open list', async () => {
      const { page, troubles } = await gallery.open({ page: 'record', scheme, width });
      await page.getByLabel('Name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForSelector('.p-error');
      expect(await violations(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await page.context().close();
    });

    test('dialog of an action', async () => {
      const { page, troubles } = await gallery.open({ page: 'dialog', scheme, width });
      await page.click('#open');
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.waitForSelector('.p-error');
      expect(await violations(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await page.context().close();
    });

    test('what floats: lists, colours, pickers', async () => {
      const { page, troubles } = await gallery.open({ page: 'widgets', scheme, width });
      await page.getByRole('combobox', { name: 'Customer' }).click();
      await page.waitForSelector('[role=option]');
      expect(await violations(page, '[data-at="/customer"]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Pick Button colour' }).click();
      await page.waitForSelector('.react-colorful');
      expect(await violations(page, '[data-at="/color"]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Change selection' }).first().click();
      await page.getByRole('button', { name: 'variants of Brazil Cerrado' }).click();
      await page.waitForSelector('.f-picker-parts input');
      expect(await violations(page, '.MuiDialog-root')).toEqual([]);
      expect(troubles).toEqual([]);
      await page.context().close();
    });
  });
});
