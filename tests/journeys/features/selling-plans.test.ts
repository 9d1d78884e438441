// Selling plan groups as merchants make them: typed, seen in plain words before customers buy, validated, saved, put in order, offered on
// products; and what must not get lost on the way: by leaving, by a reload, by another person.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/contract/request.ts';
import { definitionsWith } from '../../support/definitions.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });

const preview = (page: Page): Locator => page.getByRole('region', { name: 'What customers see' });
const card = (page: Page, index: number): Locator => page.locator('.f-card-item').nth(index);
const rows = (page: Page): Locator => page.locator('.l-table tbody tr[data-row]');
const names = (page: Page): Promise<string[]> =>
  rows(page)
    .locator('td[data-title="Name"]')
    .allInnerTexts()
    .then(all => all.map(text => text.split('\n')[0]!.trim()));
const notice = (page: Page, text: string | RegExp): Promise<void> => page.locator('.p-notice', { hasText: text }).first().waitFor();
const dialog = (page: Page): Locator => page.locator('[role="dialog"], [role="alertdialog"]').last();
const more = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const list = async (view = {}) => {
  const found = await at.page('/selling-plans', view);
  await rows(found.page).first().waitFor();
  return found;
};

const definitions = definitionsWith({});
let number = 0;
/** A group that only one journey works on. */
async function group(): Promise<{ lspgId: number; merchantCode: string }> {
  const merchantCode = `journey-${++number}-${randomUUID().slice(0, 8)}`;
  const request = buildRequest(
    definitions,
    definitions.calls['selling-plan-groups.create']!,
    {
      name: `Journey ${number}`,
      merchantCode,
      optionLabel: 'Deliver every',
      sellingPlans: [
        {
          name: 'Every month',
          optionLabel: '1 month',
          recurringDeliveryPolicyInterval: 'MONTH',
          recurringDeliveryPolicyIntervalCount: 1,
          isPrepaid: false,
          fixedDiscountType: 'PERCENTAGE',
          fixedDiscountValue: 10,
        },
      ],
    },
    {},
  );
  const answer = await fetch(at.product.url + request.url, {
    method: request.method,
    headers: { ...request.headers, authorization: await at.product.token() },
    body: JSON.stringify(request.body),
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  return { merchantCode, lspgId: ((await answer.json()) as { data: { lspgId: number } }).data.lspgId };
}
const open = async (id: number, view = {}) => {
  const found = await at.page(`/selling-plans/${id}`, view);
  await found.page.locator('.f-card-item').first().waitFor();
  return found;
};

describe('selling plan groups', () => {
  it('one is made: what customers will see follows what is typed, mistakes are said at their fields', async () => {
    const { page, problems } = await list();
    await page
      .getByRole('link', { name: 'Create group' })
      .or(page.getByRole('button', { name: 'Create group' }))
      .first()
      .click();
    await atPath(page, '/selling-plans/create');
    await page.getByLabel('Name *').first().waitFor();
    await preview(page).getByText('Add a selling plan to see it here.').waitFor();

    await page.getByRole('button', { name: 'Create selling plan group' }).click();
    await page.getByText('Enter a name', { exact: true }).waitFor();
    await page.getByText('Enter an internal name', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('Fill in the 2 fields that are marked.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    await page.getByLabel('Name *').first().fill('Morning ritual');
    await page.keyboard.press('Tab');
    await eventually(() => page.getByLabel('Internal name *').inputValue()).toBe('morning-ritual');
    await page.getByRole('button', { name: 'Add a selling plan' }).click();
    await preview(page).getByText('Morning ritual').waitFor();
    const plan = card(page, 0);
    // The name of a frequency follows it until another is typed; nothing is taken off the price unless asked for.
    expect(await plan.getByLabel('Name *').inputValue()).toBe('Delivered every month');
    await plan.getByLabel('Deliver every: how many').fill('2');
    await plan.getByLabel('Deliver every: unit').selectOption('WEEK');
    await eventually(() => plan.getByLabel('Name *').inputValue()).toBe('Delivered every 2 weeks');
    await eventually(() => plan.getByLabel('Choice *').inputValue()).toBe('2 weeks');
    await eventually(() => preview(page).innerText()).toMatch(/\$24\.00/);
    await plan.getByLabel('Name *').fill('Every two weeks');
    await plan.getByLabel('Percentage', { exact: true }).check();
    await plan.getByLabel('Discount value').fill('25');
    await preview(page).getByText('2 weeks', { exact: true }).waitFor();
    await eventually(() => preview(page).innerText()).toMatch(/every 2 weeks/i);
    await eventually(() => preview(page).innerText()).toMatch(/\$18\.00/);
    await preview(page).getByLabel('Price of the example product').fill('40');
    await eventually(() => preview(page).innerText()).toMatch(/\$30\.00/);
    expect(await preview(page).getByRole('table').getByRole('row').count()).toBeGreaterThan(2);

    await plan.getByLabel('Later orders').selectOption({ label: 'Another percentage off' });
    await plan.getByLabel('After order').fill('3');
    await plan.getByLabel('Later discount').fill('50');
    await eventually(() => preview(page).innerText()).toMatch(/\$20\.00/);

    const products = page.getByRole('group', { name: 'Products', exact: true });
    await products.getByRole('button', { name: 'Choose products' }).click();
    const picks = dialog(page).locator('.f-picker > li > .f-picker-row input:enabled');
    await eventually(() => picks.count()).toBeGreaterThan(2);
    await picks.nth(0).click();
    await picks.nth(1).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await eventually(() => products.getByRole('listitem').count()).toBe(2);

    await page.getByRole('button', { name: 'Create selling plan group' }).click();
    await notice(page, 'Created Morning ritual.');
    await atPath(page, /^\/selling-plans\/\d+$/);
    await page.getByRole('heading', { level: 1, name: 'Morning ritual' }).waitFor();
    await eventually(() =>
      page
        .getByRole('region', { name: /^Products/ })
        .getByRole('list', { name: 'Products' })
        .locator('> li')
        .count(),
    ).toBe(2);
    // A name that is saved stays, whatever it was proposed from.
    await page.getByLabel('Name *').first().fill('Evening ritual');
    await page.keyboard.press('Tab');
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.getByLabel('Internal name *').inputValue()).toBe('morning-ritual');
    page.on('dialog', asked => void asked.accept());
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.reload();
    await page.locator('.f-card-item').first().waitFor();
    expect(await page.getByLabel('Internal name *').inputValue()).toBe('morning-ritual');
    await eventually(() => preview(page).innerText()).toMatch(/every 2 weeks/i);
    expect(problems).toEqual([]);
  });

  it('one is changed: leaving asks, Ctrl+S saves, a name that is taken is said at its field', async () => {
    const [mine, other] = [await group(), await group()];
    const { page, problems } = await open(mine.lspgId);
    await page.getByLabel('Name *').first().fill('Changed');
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Subscriptions' }).first().click();
    await dialog(page).getByText('You have 1 change that is not saved. If you leave, it is lost.').waitFor();
    await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
    await atPath(page, `/selling-plans/${mine.lspgId}`);
    expect(await page.getByLabel('Name *').first().inputValue()).toBe('Changed');

    await page.getByLabel('Internal name *').fill(other.merchantCode);
    await page.keyboard.press('Control+s');
    await eventually(() => page.getByLabel('Internal name *').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Internal name *').fill(`${mine.merchantCode}-b`);
    await page.keyboard.press('Control+s');
    await notice(page, 'Saved.');
    await page.getByRole('heading', { level: 1, name: 'Changed' }).waitFor();
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' });

    await page.getByLabel('Name *').first().fill('Never saved');
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Subscriptions' }).first().click();
    await dialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await atPath(page, '/subscriptions');
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Changed' }).waitFor();
    expect(problems.filter(provoked(409, 422))).toEqual([]);
  });

  it('what was typed survives a reload as a draft that can be taken back', async () => {
    const mine = await group();
    const { page, problems } = await open(mine.lspgId);
    page.on('dialog', asked => void asked.accept());
    await page.getByLabel('Note for your team').fill('Ask Ana before the summer.');
    await page.getByText('1 unsaved change').waitFor();
    await page.reload();
    await page.getByText('Restore your unsaved changes?').waitFor();
    expect(await page.getByLabel('Note for your team').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Restore' }).click();
    await eventually(() => page.getByLabel('Note for your team').inputValue()).toBe('Ask Ana before the summer.');
    await page.keyboard.press('Control+s');
    await notice(page, 'Saved.');
    await page.goto(page.url());
    await page.locator('.f-card-item').first().waitFor();
    expect(await page.getByText('Restore your unsaved changes?').count()).toBe(0);
    expect(await page.getByLabel('Note for your team').inputValue()).toBe('Ask Ana before the summer.');
    expect(problems).toEqual([]);
  });

  it('two people change one: the second compares and chooses, and what only one changed is kept of both', async () => {
    const mine = await group();
    const [here, there] = [await open(mine.lspgId), await open(mine.lspgId, { as: 'admin' })];
    await there.page.getByLabel('Name *').first().fill('Theirs');
    await there.page.getByLabel('Note for your team').fill('Seen by both.');
    await there.page.keyboard.press('Control+s');
    await notice(there.page, 'Saved.');

    await here.page.getByLabel('Name *').first().fill('Mine');
    await here.page.getByLabel('Selector title *').fill('Comes every');
    await here.page.keyboard.press('Control+s');
    const asked = dialog(here.page);
    await asked.getByRole('heading', { name: 'This was changed meanwhile' }).waitFor();
    await asked.getByText('Theirs').waitFor();
    await asked.getByText('Seen by both.').waitFor();
    await asked.getByText('Comes every').waitFor();
    await asked.getByRole('radio').nth(1).check();
    await asked.getByRole('button', { name: 'Save this choice' }).click();
    await notice(here.page, 'Saved.');
    await here.page.reload();
    await here.page.locator('.f-card-item').first().waitFor();
    expect(await here.page.getByLabel('Name *').first().inputValue()).toBe('Theirs');
    expect(await here.page.getByLabel('Note for your team').inputValue()).toBe('Seen by both.');
    expect(await here.page.getByLabel('Selector title *').inputValue()).toBe('Comes every');
    expect([...here.problems.filter(provoked(409)), ...there.problems]).toEqual([]);
  });

  it('its plans are duplicated, put in order and removed by keyboard alone; so is the order of groups', async () => {
    const mine = await group();
    const { page, problems } = await open(mine.lspgId);
    const titles = (): Promise<string[]> => page.locator('.f-card-item-toggle .p-strong').allInnerTexts();
    await page.getByRole('button', { name: 'More for Every month' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('.f-card-item').count()).toBe(2);
    const second = card(page, 1);
    if ((await second.locator('.f-card-item-toggle').getAttribute('aria-expanded')) === 'false') {
      await second.locator('.f-card-item-toggle').focus();
      await page.keyboard.press('Enter');
    }
    await second.getByLabel('Name *').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Every quarter');
    await second.getByLabel('Choice *').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3 months');
    await second.getByLabel('Deliver every: how many').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3');
    await page.keyboard.press('Tab');
    await eventually(titles).toEqual(['Every month', 'Every quarter']);
    await page.getByRole('button', { name: /^Move Every quarter, 2 of 2/ }).focus();
    await page.keyboard.press('ArrowUp');
    await eventually(titles).toEqual(['Every quarter', 'Every month']);
    await page.keyboard.press('Control+s');
    await notice(page, 'Saved.');
    await page.reload();
    await eventually(titles).toEqual(['Every quarter', 'Every month']);
    await page.getByRole('button', { name: 'More for Every month' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await eventually(titles).toEqual(['Every quarter']);
    await page.keyboard.press('Control+s');
    await notice(page, 'Saved.');

    // A list is put in order where all of it is in view, whatever other tests have added to it.
    await page.goto('/selling-plans?size=100');
    await rows(page).first().waitFor();
    const [first, next] = await names(page);
    const below = await rows(page).nth(1).getAttribute('data-row');
    await page.locator('.l-grip').first().focus();
    await page.keyboard.press('Space');
    const lifted = page.locator('tr[data-dragging]');
    await lifted.waitFor();
    await page.keyboard.press('ArrowDown');
    await eventually(() => lifted.getAttribute('style')).toMatch(/translate3d\(0px, [1-9]/);
    await eventually(() => page.locator('[id^="DndLiveRegion"]').allInnerTexts()).toEqual([
      expect.stringContaining(`droppable area ${below}.`),
    ]);
    await page.keyboard.press('Space');
    await eventually(async () => (await names(page)).slice(0, 2)).toEqual([next, first]);
    await notice(page, 'Order saved.');
    // Reloaded; a second reload within two seconds would end at /404 (S024).
    await page.goto('/selling-plans');
    await rows(page).first().waitFor();
    await eventually(async () => (await names(page)).slice(0, 2)).toEqual([next, first]);
    expect(problems).toEqual([]);
  });

  it('is duplicated, published and deleted', async () => {
    const mine = await group();
    const { page, problems } = await open(mine.lspgId);
    await more(page, 'Duplicate');
    await notice(page, 'Copied as a draft without products.');
    await eventually(() => new URL(page.url()).pathname).not.toBe(`/selling-plans/${mine.lspgId}`);
    await atPath(page, /^\/selling-plans\/\d+$/);
    await page.locator('.f-card-item').first().waitFor();
    const copy = Number(new URL(page.url()).pathname.split('/').at(-1));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await notice(page, 'Published. Product pages offer it now.');
    await page.getByText('Published', { exact: true }).first().waitFor();
    await more(page, 'Delete');
    await dialog(page).getByText('Deleting is final.').waitFor();
    await dialog(page).getByRole('button', { name: /^Keep/ }).click();
    await more(page, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).dblclick();
    await notice(page, 'The group was deleted.');
    await atPath(page, '/selling-plans');
    await rows(page).first().waitFor();
    expect(await page.locator(`tr[data-row="${copy}"]`).count()).toBe(0);
    await page.goto(`/selling-plans/${copy}`);
    await page
      .getByText(/deleted|no such/i)
      .first()
      .waitFor();
    expect(problems.filter(provoked(404, 409, 410))).toEqual([]);
  });

  it('is offered on products, variants and collections, at once and with a way back', async () => {
    const mine = await group();
    const { page, problems } = await open(mine.lspgId);
    const panel = page.getByRole('region', { name: /^Products/ });
    await panel.getByText('No product has this offer yet.').waitFor();
    await panel.getByRole('button', { name: 'Add products' }).click();
    const picks = dialog(page).locator('.f-picker > li > .f-picker-row input:enabled');
    await eventually(() => picks.count()).toBeGreaterThan(5);
    await picks.nth(0).click();
    await picks.nth(1).click();
    await dialog(page).getByText('2 selected').waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    const products = panel.getByRole('list', { name: 'Products' }).locator('> li');
    await eventually(() => products.count()).toBe(2);

    const several = products.filter({ has: page.getByRole('button', { name: /^Variants of / }) }).first();
    await several.getByRole('button', { name: /^Variants of / }).click();
    const variant = several.locator('.r-variants input').first();
    await variant.click();
    await eventually(() => variant.isChecked()).toBe(false);
    await eventually(() => several.locator('.p-hint').first().innerText()).toMatch(/^\d+ of \d+/);
    await panel
      .getByRole('button', { name: /^Remove / })
      .last()
      .click();
    await eventually(() => products.count()).toBe(1);
    await page.locator('.p-notice').getByRole('button', { name: 'Undo' }).last().click();
    await eventually(() => products.count()).toBe(2);

    await panel.getByRole('button', { name: 'Add collections' }).click();
    await dialog(page).locator('.f-picker > li input:enabled').first().click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await panel.getByRole('list', { name: 'Collections' }).locator('> li').first().waitFor();
    await eventually(() => products.count()).toBeGreaterThan(2);
    await panel
      .getByRole('button', { name: /^Remove the collection/ })
      .first()
      .click();
    await eventually(() => products.count()).toBe(2);
    await page.reload();
    await eventually(() => products.count()).toBe(2);
    expect(await page.getByText(/unsaved change/).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is worked on with a phone, and read without the right to change it', async () => {
    const mine = await group();
    const { page, problems } = await at.page(`/selling-plans?q=${mine.merchantCode}`, { width: 390 });
    await page.locator(`tr[data-row="${mine.lspgId}"]`).click();
    await page.locator('.f-card-item').first().waitFor();
    await page.getByLabel('Name *').first().fill('By thumb');
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await notice(page, 'Saved.');
    await page.goBack();
    await page.locator(`tr[data-row="${mine.lspgId}"]`, { hasText: 'By thumb' }).waitFor();

    const reader = await at.page(`/selling-plans/${mine.lspgId}`, { as: 'readOnly' });
    await reader.page.getByRole('heading', { level: 1, name: 'By thumb' }).waitFor();
    await reader.page
      .getByText(/permission/i)
      .first()
      .waitFor();
    await preview(reader.page).waitFor();
    expect(await reader.page.locator('main .f-bar').count()).toBe(0);
    expect(await reader.page.getByLabel('Name *').count()).toBe(0);
    for (const button of await reader.page.getByRole('button', { name: /^(Add products|Add collections|Publish)$/ }).all())
      expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect([...problems, ...reader.problems]).toEqual([]);
  });
});
