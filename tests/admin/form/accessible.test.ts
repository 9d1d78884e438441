// No accessibility violation in any widget, in any state, in both schemes, on wide and narrow screens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { GalleryBrowser } from '../gallery/open.ts';

let gallery: GalleryBrowser;
beforeAll(async () => {
  gallery = await GalleryBrowser.start();
});
afterAll(async () => {
  await gallery?.stop();
});

test('what is wrong is found: on the whole page, and in the part that is looked at alone', async () => {
  const { page } = await gallery.open({ page: 'dialog' });
  await page.evaluate(() => {
    const part = document.createElement('section');
    part.innerHTML = '<p id="faint">Faint</p><p id="plain">Plain</p><button id="nameless"></button>';
    // The policy of the page refuses styles in markup.
    (part.firstElementChild as HTMLElement).style.cssText = 'color: #ccc; background: #fff';
    document.body.append(part);
  });
  const rules = async (within?: string): Promise<string[]> => (await violations(page, within)).map(line => line.split(' (')[0]!);
  expect(await rules()).toEqual(expect.arrayContaining(['button-name: #nameless', 'color-contrast: #faint']));
  expect(await rules('#nameless')).toEqual(['button-name: #nameless']);
  expect(await rules('#plain')).toEqual([]);
  await page.close();
});

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
      await page.close();
    });

    test('record page with changes, an error and an open list', async () => {
      const { page, troubles } = await gallery.open({ page: 'record', scheme, width });
      await page.getByLabel('Name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForSelector('.p-error');
      expect(await violations(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await page.close();
    });

    test('dialog of an action', async () => {
      const { page, troubles } = await gallery.open({ page: 'dialog', scheme, width });
      await page.click('#open');
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.waitForSelector('.p-error');
      expect(await violations(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await page.close();
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
      await page.close();
    });
  });
});
