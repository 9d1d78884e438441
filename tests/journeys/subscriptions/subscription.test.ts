// Working on one subscription by keyboard, and with less than all rights.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { ACTIVE, dialog, type Found, notice, says, status, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 400 });
const { another, open } = subscriptionPages(at);
const active = (): Promise<Found> => another(ACTIVE);

describe('a subscription', () => {
  it('is paused by keyboard alone', async () => {
    const { page, problems } = await open(await active());
    await page.keyboard.press('p');
    await dialog(page).getByRole('heading', { name: 'Pause this subscription' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    for (let i = 0; i < 12; i++) {
      if (await page.evaluate(() => document.activeElement?.textContent === 'Pause')) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await status(page, 'Paused');
    await says(page, 'Subscription paused', /Until it is resumed/);
    expect(problems).toEqual([]);
  });

  it('skips its next order by keyboard, and Undo puts it back', async () => {
    const { page, problems } = await open(await active());
    const first = page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr').first();
    await first.waitFor();
    await page.keyboard.press('s');
    await notice(page, /comes next\.$|comes next/);
    await says(page, 'Order skipped', /It was due on /);
    await eventually(() => first.getAttribute('data-state')).toBe('SKIPPED');
    await page.locator('.p-notice').getByRole('button', { name: 'Undo' }).first().click();
    await says(page, 'Skipped order put back', /It is due on .* again/);
    await eventually(() => first.getAttribute('data-state')).not.toBe('SKIPPED');
    expect(problems).toEqual([]);
  });

  it('a read-only member sees everything, one sentence says why nothing can be changed, and no button that can not be pressed', async () => {
    const { page, problems } = await open(await active(), { as: 'readOnly' });
    await page.getByText('You can see this subscription and not change it.').waitFor();
    await page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr').first().waitFor();
    await page.locator('[data-section="activity"] .r-events li').first().waitFor();
    expect(await page.locator('main [aria-disabled="true"]').count()).toBe(0);
    expect(await page.locator('.r-head .r-actions button, [data-section="upcoming"] tbody button').count()).toBe(0);
    await page.keyboard.press('s');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('says at once how it is doing, when the next charge comes and what happened last; three orders ahead, and all on demand', async () => {
    const id = await active();
    const { page, problems } = await open(id);
    const story = page.getByRole('region', { name: 'At a glance' });
    await story.getByText(/^On track: \S+ is charged (in \d+|today|tomorrow|next|this)/).waitFor();
    await story.getByText('Orders completed').waitFor();
    const latest = story.getByRole('list', { name: 'What happened last' }).locator('li');
    const whole = page.locator('[data-section="activity"] .r-events li');
    await whole.first().waitFor();
    await eventually(async () => (await latest.count()) === Math.min(3, await whole.count())).toBe(true);
    expect((await whole.first().innerText()).startsWith((await latest.first().locator('p').innerText()).split(':')[0]!)).toBe(true);
    const rows = page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr');
    expect(await rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Show all 10' }).click();
    expect(await rows.count()).toBe(10);
    expect(problems).toEqual([]);
  });

  it('a product is swapped for one that is sold alike, with picture and price of both sides in the currency of the subscription', async () => {
    const found = await another(ACTIVE, record => record.currencyCode !== 'USD');
    const { page, problems } = await open(found);
    const present = (await page.locator('.r-lines .r-line-name').first().innerText()).split(' · ')[0]!;
    const [sign] = /[^\d\s.,-]+/.exec(await page.locator('.r-line-price .p-strong').first().innerText()) ?? [];
    await page
      .locator('.r-lines > li')
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Swap product' }).click();
    await dialog(page).getByRole('button', { name: 'Choose a product' }).click();
    const picker = dialog(page);
    await picker.locator('.f-picker > li').first().waitFor();
    expect(await picker.locator('.f-picker-heading').first().innerText()).toBe('On the same selling plan');
    await picker.locator('.f-picker > li', { hasText: present }).getByText('The present one').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    for (const price of await picker.locator('.f-picker-row > .p-tabular').allInnerTexts()) expect(price).toContain(sign!);
    await page.keyboard.press('Escape');
    await picker.locator('.f-picker').waitFor({ state: 'detached' });
    await dialog(page).getByRole('button', { name: 'Choose a product' }).click();
    await picker.locator('.f-picker > li', { hasNotText: present }).locator('input:enabled').first().click();
    await picker.getByRole('button', { name: 'Choose', exact: true }).click();
    const sides = dialog(page).getByRole('list', { name: 'Products that change' }).locator('.r-next-side');
    await eventually(() => sides.count()).toBe(2);
    expect(await sides.first().innerText()).toContain(present);
    for (const text of await sides.allInnerTexts()) expect(text).toContain(sign!);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('is printed whole, without what only a screen needs, black on white', async () => {
    const { page, problems } = await open(await active(), { scheme: 'dark' });
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print this subscription' }).click();
    expect(await page.locator('body[data-printed]').count()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible, nav:visible').count()).toBe(0);
    const look = await page.evaluate(() => {
      const main = document.querySelector('main')!;
      return [getComputedStyle(main).overflowY, main.scrollHeight <= main.clientHeight + 1, getComputedStyle(document.body).color];
    });
    expect(look).toEqual(['visible', true, 'rgb(23, 32, 29)']);
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('a log that can not be read leaves the rest of the story, and is asked for again', async () => {
    const { page } = await at.tab();
    let isBroken = true;
    await page.route('**/read_activity_logs*', route =>
      isBroken
        ? route.fulfill({ status: 400, contentType: 'application/json', body: '{"success":false,"message":"Broken."}' })
        : route.continue(),
    );
    await page.goto(`/subscriptions/${(await active()).id}`);
    const story = page.getByRole('region', { name: 'At a glance' });
    await story.getByText('What happened last could not be loaded').waitFor();
    await story.getByText(/^On track/).waitFor();
    isBroken = false;
    await story.getByRole('button', { name: 'Try again' }).click();
    await story.getByRole('list', { name: 'What happened last' }).waitFor();
  });

  it('“?” shows the keys of the page and those that work everywhere, but not while text is typed', async () => {
    const { page, problems } = await open(await active());
    await page.getByRole('button', { name: 'Skip next order' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const of = async (group: string): Promise<string[]> =>
      (await help.getByRole('region', { name: group }).locator('dl > div').allInnerTexts()).map(text => text.replace(/\s+/g, ' '));
    await help.waitFor();
    expect(await of('On this page')).toEqual(expect.arrayContaining(['Skip next order S', 'Pause P']));
    expect(await of('Everywhere')).toEqual(['Search Ctrl K', 'Show these shortcuts ?', 'Close what is open Esc']);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });

    await page.goto('/subscriptions');
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/^Search customer/))
      .first()
      .focus();
    await page.keyboard.type('?');
    expect(await help.count()).toBe(0);
    // Where typing rests before it is gone again, it is searched for, and refused.
    await page.keyboard.press('Escape');
    await page.locator('main h1').first().click();
    await page.keyboard.press('?');
    await help.waitFor();
    expect(await of('On this page')).toEqual(expect.arrayContaining([expect.stringMatching(/^Search.* \/$/)]));
    expect(problems.filter(provoked(422))).toEqual([]);
  });

  it('a member with mixed rights is offered exactly what the rights allow', async () => {
    const { page, problems } = await open(await active(), { as: 'mixed' });
    const session = (await (
      await fetch(`${at.product.url}/host/user/session`, { headers: { authorization: await at.product.token('mixed') } })
    ).json()) as { data: { user: { permissions: { permissionKey: string; access: string }[] } } };
    const may = (area: string): boolean => session.data.user.permissions.some(one => one.permissionKey === area && one.access === 'WRITE');
    const offered = async (name: string): Promise<boolean> =>
      (await page.getByRole('button', { name, exact: true }).first().getAttribute('aria-disabled')) !== 'true';
    expect({
      pause: await offered('Pause'),
      note: await offered('Edit note'),
      product: await offered('Add product'),
      discount: await offered('Add discount'),
    }).toEqual({
      pause: may('changeSubscriptionStatus'),
      note: may('orderNotesAndAttributes'),
      product: may('subscriptionProduct'),
      discount: may('subscriptionDiscount'),
    });
    expect(may('subscriptionDiscount')).toBe(false);
    expect(problems).toEqual([]);
  });
});
