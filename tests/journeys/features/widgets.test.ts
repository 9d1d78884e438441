// A merchant changes a widget: the picture beside the form follows each field, what is wrong is brought into view, its places are undone.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });
const notice = (page: Page, text: string): Locator => page.locator('.p-notice', { hasText: text }).first();

describe('the editor of a widget', () => {
  it('shows what shoppers would see while it is typed, resets a part, and puts the widget on templates', async () => {
    const { page, problems } = await at.page('/widgets/storefront/library');
    // What a new store publishes is there within seconds; until then elements ask again.
    await eventually(async () => (await page.request.get('/storefront/1/index.json')).status()).toBe(200);
    await page.getByRole('link', { name: 'Subscribe and save' }).click();
    const picture = page.frameLocator('iframe[title="What shoppers see"]');
    await picture.getByText('How would you like it?').waitFor();
    const parts = page.getByRole('navigation', { name: 'Parts of the form' });

    await parts.getByRole('button', { name: 'Texts' }).click();
    await page.getByLabel('Heading', { exact: true }).fill('Your coffee, your rhythm');
    await picture.getByText('Your coffee, your rhythm').waitFor();
    await parts.getByRole('button', { name: 'Preferences' }).click();
    await page.getByLabel('Show the discount as a badge').click();
    await picture.locator('.badge').first().waitFor({ state: 'hidden' });

    await parts.getByRole('button', { name: 'Styles' }).click();
    await page.getByRole('button', { name: 'Button', exact: true }).click();
    const section = page.locator('[data-section="section:addToCartButton"]');
    await section.getByLabel('Background', { exact: true }).fill('#ffee00');
    await section.getByText('Contrast 1.2: hard to read').waitFor();
    await section.getByRole('button', { name: 'Pick Background', exact: true }).click();
    await page.locator('.react-colorful').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => picture.locator('.add').evaluate(one => getComputedStyle(one).backgroundColor)).toBe('rgb(255, 238, 0)');
    await section.getByRole('button', { name: 'Reset Button to the standard' }).click();
    await eventually(() => picture.locator('.add').evaluate(one => getComputedStyle(one).backgroundColor)).toBe('rgb(32, 34, 35)');

    await section.getByLabel('Size', { exact: true }).fill('90');
    await parts.getByRole('button', { name: 'Texts' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a number between 8 and 72.').waitFor();
    await section.getByLabel('Size', { exact: true }).fill('16');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Saved.').waitFor();

    await parts.getByRole('button', { name: 'Configuration' }).click();
    await page.getByRole('button', { name: 'Show on Coffee instead' }).click();
    await page.getByRole('button', { name: 'Remove from Coffee' }).waitFor();
    await notice(page, 'It is shown on Coffee.').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Show on Coffee instead' }).waitFor();
    expect(problems).toEqual([]);
  });
});

/** The words of an element in its shadow root, however wide it is. */
const wordsOf = async (place: Locator): Promise<string> => (await place.innerText()).split(/\s+/).join(' ');

describe('a preview', () => {
  it('says what the page of the shop says, in the language of the shopper, of a widget and of a box', async () => {
    const { page, problems } = await at.page('/widgets/storefront/library');
    const shop = (await at.visit({ as: null })).page;
    const picture = page.frameLocator('iframe[title="What shoppers see"], iframe[title="Preview"]');
    const compare = async (address: string, part: string): Promise<string> => {
      await page.getByLabel('Language', { exact: true }).selectOption('German');
      await shop.goto(address);
      const expected = await wordsOf(shop.locator(part));
      await eventually(() => wordsOf(picture.locator(part))).toEqual(expected);
      return expected;
    };
    await page.getByRole('link', { name: 'Subscribe and save' }).click();
    // The product has its German name in both.
    await page.getByLabel('Language', { exact: true }).selectOption('German');
    await shop.goto('/shop/1?lang=de');
    const named = async (): Promise<Locator> => shop.getByRole('link', { name: (await picture.locator('header').innerText()).trim() });
    await eventually(async () => (await named()).count()).toBeGreaterThan(0);
    const address = await (await named()).first().getAttribute('href');
    expect(await compare(address ?? '', 'perennial-widget .box')).toContain('Einmaliger Kauf');

    await page.goto('/settings/bundle-branding');
    const title = (await picture.locator('perennial-box h1, perennial-box h2').first().innerText()).trim();
    await shop.goto('/shop/1?lang=de');
    const box = await shop.locator('a[href*="/boxes/"]').first().getAttribute('href');
    expect(title).not.toBe('');
    await page.getByRole('button', { name: 'Desktop' }).click();
    expect((await compare(box ?? '', 'perennial-box .parts')).length).toBeGreaterThan(20);
    // What is typed is seen before it is saved, as wide as it will be.
    await page.getByLabel('Show prices').click();
    await picture.locator('perennial-box .price').first().waitFor({ state: 'hidden' });
    await eventually(() => picture.locator('body').evaluate(() => innerWidth)).toBe(1100);
    expect(problems).toEqual([]);
  });
});

describe('a section of fields inside of an object', () => {
  it('shows and hides them while their conditions are answered, before anything is saved', async () => {
    const { page, problems } = await at.page('/grow/upgrade/profiles/create');
    const price = page.locator('[data-section="section:price"]');
    const again = page.locator('[data-section="section:again"]');
    await price.getByLabel('Discount').selectOption('PERCENTAGE');
    await price.getByRole('textbox').fill('15');
    await again.getByLabel('Show it again').selectOption('TIME_DURATION_DAYS');
    await again.getByRole('textbox').waitFor();
    await price.getByLabel('Discount').selectOption('NONE');
    await price.getByRole('textbox').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});
