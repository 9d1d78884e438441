// What people who help customers all day are spared: dialogs that wait for lists, searches that lead nowhere, clicks into the first field, the same said twice.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { violations } from '../../support/browser/browser.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { dialog, notice, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 400 });
const { another, open } = subscriptionPages(at);

const rows = (page: Page) => page.locator('tbody tr[data-row]');
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement;
    return (
      one?.getAttribute('aria-label') ?? (one instanceof HTMLInputElement ? one.labels?.[0]?.innerText : undefined) ?? one?.tagName ?? ''
    );
  });

describe('an action of a list', () => {
  it('closes its dialog and tells that it is done as soon as it is, and the rows follow', async () => {
    const { page, problems } = await at.page('/alerts/types');
    const row = rows(page).first();
    const title = (await row.locator('td').first().innerText()).trim();
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await dialog(page).waitFor();
    // Whatever the list asks for from here on is answered when the journey says so.
    let answer: () => void = () => undefined;
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route('**/host/alertCentre/**', async route => {
      if (route.request().method() === 'GET') await held;
      await route.fallback();
    });
    await dialog(page).getByRole('button', { name: 'Switch off' }).click();
    await notice(page, `“${title}” is no longer watched.`);
    await page.locator('[role="dialog"], [role="alertdialog"]').waitFor({ state: 'detached' });
    expect(await row.innerText()).not.toContain('Off');
    answer();
    await eventually(() => row.innerText()).toContain('Off');
    // The next one is sent with what is new, also when it is asked for at once.
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Switch on' }).click();
    await notice(page, `“${title}” is watched again.`);
    await eventually(() => row.innerText()).not.toContain('Off');
    expect(problems).toEqual([]);
  });

  it('that takes something away stands last in the bar of the rows chosen', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await rows(page).first().getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await eventually(async () =>
      (await bar.locator('.l-bulk-actions').getByRole('button').allInnerTexts()).map(text => text.trim()),
    ).toEqual(['Pause', 'Change tags', 'More…', 'Cancel subscriptions']);
    await bar.getByRole('button', { name: 'Clear', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});

describe('a list with nothing to search or filter', () => {
  it('has no row of tools; its columns are chosen in the head of the page', async () => {
    const { page, problems } = await at.page('/alerts/open');
    await rows(page).first().waitFor();
    expect(await page.locator('.l-tools').count()).toBe(0);
    await page.locator('.p-page-actions').getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Area' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Area' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a search that is refused', () => {
  it('S023 says what is missing and is taken back with one press, and the keyboard is in the search again', async () => {
    const { page, problems } = await at.page('/subscriptions');
    await rows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('!!!');
    const failed = page.getByRole('alert').filter({ hasText: 'Type at least one letter or digit to search for.' });
    await failed.waitFor();
    await failed.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await failed.getByRole('button', { name: 'Clear search' }).click();
    await rows(page).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('searchbox', { name: 'Search customer, product, order or number' }).inputValue()).toBe('');
    expect(await focused(page)).toBe('Search customer, product, order or number');
    expect(problems.filter(provoked(422))).toEqual([]);
  });

  it('finds nothing: what was typed is cleared with one press, and the next can be typed at once', async () => {
    const { page, problems } = await at.page('/customers?q=zzznobody');
    await page.getByText('Nothing was found for “zzznobody”.').waitFor();
    await page.locator('.p-empty').getByRole('button', { name: 'Clear search' }).click();
    await rows(page).first().waitFor();
    expect(await focused(page)).toBe('Search name, e-mail or phone');
    expect(problems).toEqual([]);
  });
});

describe('a form of something new', () => {
  it('is ready to be typed into, unless the address has filled it in', async () => {
    const { page, problems } = await at.page('/customers/create');
    await eventually(() => focused(page)).toBe('First name');
    await page.goto('/subscriptions/create');
    await eventually(() => focused(page)).toMatch(/^Customer/);
    expect(await page.getByRole('listbox').count()).toBe(0);
    const { id } = await another({ status: ['ACTIVE'] });
    const { customerId } = (
      (await (
        await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/read?id=${id}`, {
          headers: { authorization: await at.product.token() },
        })
      ).json()) as { data: JsonObject }
    ).data;
    await page.goto(`/subscriptions/create?customer=${String(customerId)}`);
    await page.getByRole('button', { name: 'Add a product' }).waitFor();
    expect(await focused(page)).toBe('BODY');
    expect(problems).toEqual([]);
  });

  it('tells two people of one name apart where one is chosen, and a product that is added is chosen next', async () => {
    const { page, problems } = await at.page('/subscriptions/create');
    await eventually(() => focused(page)).toMatch(/^Customer/);
    await page.keyboard.type('june');
    await eventually(() => page.getByRole('option').first().innerText()).toMatch(/June .+\s+june\S*@\S+$/i);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a product' }).press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Choose a product');
    expect(problems).toEqual([]);
  });
});

describe('a dialog that asks', () => {
  it('has the keyboard in its first field, so that the answer can be typed and sent at once', async () => {
    const { page, problems } = await open(await another({ status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'] }));
    const choose = async (name: string): Promise<void> => {
      await page.locator('.r-head').getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name }).click();
      await dialog(page).waitFor();
    };
    await choose('Delay by days');
    await eventually(() => focused(page)).toMatch(/^Later by/);
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await notice(page, /^The next order is on /);
    // Of choices the one that is made; what a field holds is marked, so that typing replaces it.
    await page.keyboard.press('p');
    await dialog(page).waitFor();
    await eventually(() =>
      page.evaluate(
        () =>
          document.activeElement instanceof HTMLInputElement && document.activeElement.type === 'radio' && document.activeElement.checked,
      ),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page
      .locator('[data-section="lines"]')
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Change quantity' }).click();
    await eventually(() => focused(page)).toMatch(/^Quantity/);
    await page.keyboard.type('7');
    expect(await dialog(page).getByLabel('Quantity').inputValue()).toBe('7');
    expect(problems).toEqual([]);
  });
});

describe('the screen of a subscription', () => {
  it('whose billing has ended says so once, and what can be done about it now stands out', async () => {
    const { page, problems } = await open(await another({ status: ['FAILED'] }));
    const notes = page.locator('.r-note');
    expect(await notes.getByRole('heading').allInnerTexts()).toEqual(['Billing has ended']);
    const buttons = await notes.getByRole('button').evaluateAll(all =>
      all.map(one => ({
        title: one.textContent?.trim(),
        isOff: one.getAttribute('aria-disabled') === 'true',
        isMain: one.classList.contains('p-btn-primary'),
      })),
    );
    expect(buttons.map(one => one.title)).toEqual(expect.arrayContaining(['Reactivate', 'Ask for a new payment method']));
    expect(buttons.filter(one => one.isMain)).toEqual([buttons.find(one => !one.isOff)]);
    expect(problems).toEqual([]);
  });

  it('has a column of notes where one of its orders has any', async () => {
    const heads = (page: Page): Promise<string[]> => page.locator('[data-section="upcoming"] thead th').allInnerTexts();
    const paid = await open(await another({ status: ['ACTIVE'], isPrepaid: true }, record => Number(record.prepaidCreditsLeft) > 0));
    await eventually(() => heads(paid.page)).toContain('Notes');
    const plain = await open(await another({ status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'] }));
    await eventually(() => heads(plain.page)).toContain('Charged');
    expect(await plain.page.locator('[data-section="upcoming"] .r-flags > *').count()).toBe(0);
    expect(await heads(plain.page)).not.toContain('Notes');
    expect([...paid.problems, ...plain.problems]).toEqual([]);
  });

  it('tells for each product of an order what all its pieces came to, and which variant it was', async () => {
    const one = (record: JsonObject): JsonObject | undefined => {
      const lines = record.lines as JsonObject[];
      return lines.length === 1 && Number(lines[0]!.quantity) > 1 && lines[0]!.variantTitle ? lines[0] : undefined;
    };
    const { page, problems } = await open(
      await another({ status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'] }, record => one(record) !== undefined),
    );
    const history = page.locator('[data-section="history"]');
    await history.getByRole('button', { name: /^Open/ }).last().click();
    const lines = history.locator('.r-detail-lines > li');
    await lines.first().waitFor();
    const [product, sum] = await Promise.all([lines.first().innerText(), lines.filter({ hasText: /^Products/ }).innerText()]);
    expect(product).toMatch(/ - .+ × \d/);
    expect(/[\d.,]+$/.exec(product.trim())?.[0]).toBe(/[\d.,]+$/.exec(sum.trim())?.[0]);
    expect(problems).toEqual([]);
  });
});
