// The demo store's clock: the owner moves it from the top bar, sees how far it is, and reads at the end what it brought.
import { expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });

it('a week forward ends with a summary whose figures lead to the subscriptions behind them', async () => {
  const { page, problems } = await at.page('/subscriptions');
  const clock = page.locator('.p-clock');
  const before = await clock.getAttribute('aria-label');
  await clock.click();
  await page.getByRole('button', { name: '+ 1 week' }).click();
  const summary = page.getByRole('dialog', { name: /^It is now / });
  await summary.waitFor({ timeout: 60_000 });
  await eventually(() => clock.getAttribute('aria-label')).not.toBe(before);
  const figures = Object.fromEntries((await summary.locator('dt').allInnerTexts()).map((title, i) => [title, i] as const));
  expect(Object.keys(figures)).toEqual([
    'Orders charged',
    'Charges refused',
    'Recovered after a refusal',
    'New subscriptions',
    'Subscriptions cancelled',
    'Changed by customers',
    'E-mails written',
  ]);
  expect(Number(await summary.locator('dd').first().innerText())).toBeGreaterThan(0);
  expect(await violations(page)).toEqual([]);
  const link = summary.getByRole('link').last();
  const address = (await link.getAttribute('href'))!.split('?')[0]!;
  await link.click();
  await atPath(page, new RegExp(`^${address}`));
  await eventually(() => summary.count()).toBe(0);
  expect(problems).toEqual([]);
});
