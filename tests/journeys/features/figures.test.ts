// Who reads a number of a page of figures opens the rows behind it, sees that they come to it, and goes on to one of them; and puts charts
// together that stand on Home.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 300 });

describe('a number of a page of figures', () => {
  it('leads by keyboard to its rows, those that it is divided by among them, and to the subscription of one', async () => {
    const { page, problems } = await at.page('/analytics/subscribers');
    const dialog = page.getByRole('dialog');
    const number = page.locator('.b-tile', { hasText: 'New MRR' }).getByRole('button', { name: /Rows behind New MRR/ });
    const amount = (await number.innerText()).replace(/\s*\. Rows.*$/s, '');
    await number.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('status').getByText(`together ${amount}`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => number.evaluate(element => element === document.activeElement)).toBe(true);

    await page.getByRole('button', { name: /Rows behind Subscriber churn/ }).click();
    await dialog.getByRole('button', { name: 'What it is divided by' }).click();
    await dialog.getByText(/^1 to 50 of \d+$/).waitFor();
    await dialog.getByRole('button', { name: 'Next page' }).click();
    await dialog.getByText(/^51 to \d+ of \d+$/).waitFor();
    await page.keyboard.press('Escape');

    // A point of a chart is one of its table.
    await page.getByRole('button', { name: 'New and lost subscribers: show as table' }).click();
    const point = page.getByRole('button', { name: /^1 \. Rows behind New subscribers/ }).first();
    await point.click();
    await dialog.getByText(/^1 row/).waitFor();
    await dialog.getByRole('link', { name: /^#/ }).first().click();
    await atPath(page, /^\/subscriptions\/\d+$/);
    expect(problems).toEqual([]);
  });
});

describe('a chart of one’s own', () => {
  it('is put together while it is drawn, says what can’t be drawn, stands on Home, and leads to its rows', async () => {
    const { page, problems } = await at.page('/analytics');
    await page.getByRole('link', { name: 'Own charts' }).click();
    await page.getByRole('link', { name: 'Create chart' }).first().click();
    await page.getByLabel('Name').fill('New by plan');
    const figures = page.getByRole('combobox', { name: 'Figures' });
    await figures.fill('Active subscriptions');
    await page
      .getByRole('option', { name: /^Active subscriptions/ })
      .first()
      .click();
    await page.getByText('has no past').waitFor();
    await page.getByRole('button', { name: 'Remove Active subscriptions' }).click();
    await figures.fill('New subscriptions');
    await page
      .getByRole('option', { name: /^New subscriptions/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Drawn as').selectOption('table');
    await page.getByRole('combobox', { name: 'Split by' }).click();
    await page.getByRole('option', { name: 'Plan', exact: true }).click();
    const card = page.getByRole('region', { name: 'New by plan' });
    await card.getByRole('columnheader', { name: 'New subscriptions' }).waitFor();
    await page.getByLabel('On Home').click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create chart' }).click();
    await atPath(page, /^\/analytics\/custom\/\d+$/);
    await page.getByRole('link', { name: 'Home' }).first().click();
    await atPath(page, /^\/dashboard$/);
    await card.getByRole('columnheader', { name: 'New subscriptions' }).waitFor();
    await card
      .getByRole('button', { name: /Rows behind/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('link', { name: /^#/ }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
