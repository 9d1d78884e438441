// A card that a customer tells the support: entered, refused in words, charged from now on, replaced and deleted. Its number goes to the
// vault and nowhere else.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, notice, says, subscriptionPages } from '../../support/browser/subscription-page.ts';
import { violations } from '../../support/browser/browser.ts';

const at = journeys({ size: 300 });
const { another, open } = subscriptionPages(at);
const panel = (page: Page): Locator => page.locator('[data-section="payment"]');
const label = (text: string): RegExp => new RegExp(`^${text}( \\*)?$`);

async function enter(page: Page, card: { number: string; expiry?: string; code?: string; name?: string }): Promise<void> {
  await dialog(page).getByLabel(label('Card number')).pressSequentially(card.number);
  await dialog(page)
    .getByLabel(label('Expires'))
    .pressSequentially(card.expiry ?? '0431');
  await dialog(page)
    .getByLabel(label('Security code'))
    .fill(card.code ?? '123');
  await dialog(page)
    .getByLabel(label('Name on the card'))
    .fill(card.name ?? 'Ann Lee');
}
const submit = (page: Page, name: string): Promise<void> => dialog(page).getByRole('button', { name, exact: true }).click();
/** A method's own menu, opened. */
async function menu(page: Page, which: Locator, item: string): Promise<void> {
  await which.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await dialog(page).waitFor();
}

describe('a card that is entered for a customer', () => {
  it('D209 goes to the vault alone, is charged from now on, and D039 shows the icon of its brand', async () => {
    const { page, problems } = await open(await another(ACTIVE));
    const sent: { url: string; body: string }[] = [];
    page.on('request', request => {
      sent.push({ url: request.url(), body: request.postData() ?? '' });
    });
    await panel(page).getByRole('button', { name: 'Add a card' }).click();
    await dialog(page).locator('[data-brand="others"]').waitFor();
    await enter(page, { number: '378282246310005' });
    expect(await dialog(page).getByLabel(label('Card number')).inputValue()).toBe('3782 822463 10005');
    expect(await dialog(page).getByLabel(label('Expires')).inputValue()).toBe('04/31');
    await dialog(page).locator('[data-brand="amex"]').waitFor();
    expect(await violations(page)).toEqual([]);
    await submit(page, 'Add card');
    await notice(page, 'The card was added.');
    const primary = panel(page).locator('.r-method').first();
    await eventually(() => primary.innerText()).toMatch(/American Express •••• 0005\s+Expires 04\/2031 · Ann Lee/);
    await primary.locator('[data-brand="amex"]').waitFor();
    await says(page, 'Payment method changed', /0005/);
    const told = sent.filter(one => /3782 ?822463|123"/.test(one.body) || one.url.includes('3782'));
    expect(told.map(one => new URL(one.url).pathname)).toEqual(['/host/external/cardVault/session']);
    expect(JSON.stringify(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(/3782 ?822463/);
    expect(problems).toEqual([]);
  });

  it('says what is wrong with a number, a date and a code before anything is sent', async () => {
    const { page, problems } = await open(await another(ACTIVE));
    let calls = 0;
    page.on('request', request => {
      if (request.url().includes('/cardVault/')) calls++;
    });
    await panel(page).getByRole('button', { name: 'Add a card' }).click();
    await enter(page, { number: '4242424242424241', expiry: '0224', code: '12', name: '' });
    await submit(page, 'Add card');
    for (const text of [
      'This number has a typing mistake. Compare it with the card.',
      'This card has expired.',
      'Enter the three or four digits.',
      'Enter the name on the card.',
    ])
      await dialog(page).getByText(text, { exact: true }).waitFor();
    expect(calls).toBe(0);
    // The demo names cards for trying it out.
    await dialog(page).getByRole('button', { name: 'Use a test card' }).click();
    await page.getByRole('menuitem', { name: /Mastercard, pays/ }).click();
    await eventually(() => dialog(page).getByLabel(label('Card number')).inputValue()).toBe('5555 5555 5555 4444');
    await dialog(page).getByText('This number has a typing mistake. Compare it with the card.').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('D238 the refusal of a vault, or its failure, is shown in words with its status, and what was typed stays', async () => {
    const { page, problems } = await open(await another(ACTIVE));
    await panel(page).getByRole('button', { name: 'Add a card' }).click();
    await enter(page, { number: '4242424242424242' });
    for (const [status, words] of [
      [503, 'out of order'],
      [422, 'did not take this card'],
      [403, 'does not let this store in'],
      [429, 'asked too often'],
    ] as const) {
      await page.route('**/cardVault/session', route => route.fulfill({ status, body: '' }), { times: 1 });
      await submit(page, 'Add card');
      await eventually(() => dialog(page).getByRole('alert').innerText()).toMatch(
        new RegExp(`${words}.*\\(HTTP error! status ${status}\\)`, 's'),
      );
    }
    await page.route('**/cardVault/session', route => route.abort(), { times: 1 });
    await submit(page, 'Add card');
    await eventually(() => dialog(page).getByRole('alert').innerText()).toContain('The card vault could not be reached.');
    // A card number it knows to be wrong is reported at its field, in the vault's own words.
    await dialog(page).getByLabel(label('Card number')).fill('4111111111111111');
    await submit(page, 'Add card');
    await dialog(page).getByText('Only test cards can be entered here, for example 4242 4242 4242 4242.').waitFor();
    await dialog(page).getByLabel(label('Card number')).fill('4242 4242 4242 4242');
    expect(await dialog(page).getByLabel(label('Name on the card')).inputValue()).toBe('Ann Lee');
    await submit(page, 'Add card');
    await notice(page, 'The card was added.');
    expect(problems.filter(problem => provoked(422, 403, 429, 503)(problem) && !/ERR_FAILED|^503 /.test(problem))).toEqual([]);
  });

  it('C531 replaces the card in its place, and C532 deletes one that nothing active is charged to', async () => {
    const found = await another(ACTIVE, record => (record.paymentMethod as JsonObject | null)?.type === 'CREDIT_CARD');
    const { page, problems } = await open(found);
    // It stands at the card, not behind a menu.
    await panel(page)
      .locator('.r-method')
      .first()
      .getByRole('button', { name: /^Replace card/ })
      .click();
    await dialog(page).waitFor();
    await enter(page, { number: '6011111111111117' });
    await submit(page, 'Replace card');
    await notice(page, 'The card was replaced.');
    await eventually(() => panel(page).locator('.r-method').first().innerText()).toMatch(/Discover •••• 1117/);
    await says(page, 'Payment method changed', /1117/);

    await panel(page).getByRole('button', { name: 'Add a card' }).click();
    await enter(page, { number: '5555555555554444', name: 'To Be Deleted' });
    await dialog(page).getByLabel('Charge this subscription to it from now on').uncheck();
    await submit(page, 'Add card');
    await notice(page, 'The card was added.');
    const saved = panel(page).locator('.r-methods > li').filter({ hasText: 'To Be Deleted' });
    await saved.waitFor();
    await eventually(() => panel(page).locator('.r-method').first().innerText()).toMatch(/1117/);
    await menu(page, saved, 'Delete');
    await submit(page, 'Delete');
    await notice(page, '•••• 4444 was deleted.');
    await saved.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('who may only read sees why, and is offered no card to enter', async () => {
    const { page, problems } = await open(await another(ACTIVE), { as: 'readOnly' });
    await page.getByText('You can see this subscription and not change it.').waitFor();
    await panel(page)
      .getByText(/•••• \d{4}/)
      .first()
      .waitFor();
    expect(await panel(page).getByRole('button').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
