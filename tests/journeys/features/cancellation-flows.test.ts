// A member of the team speaks with a customer who wants to cancel: the steps of the flow, a suggestion that is taken, and the end of
// another one.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });
const notice = (page: Page, text: string): Promise<void> => page.locator('.p-notice', { hasText: text }).first().waitFor();

describe('the cancellation flow', () => {
  it('is set up on pages that belong together, and leads a subscription to a pause or to its end', async () => {
    const { page, problems } = await at.page('/customer-portal/cancellation-flows');
    const tabs = page.getByRole('navigation', { name: 'Pages' });
    for (const [tab, title] of [
      ['Benefits', 'Benefits pages'],
      ['Offers', 'Cancellation offers'],
      ['Attempts', 'Cancellation attempts'],
      ['Reasons', 'Cancellation reasons'],
    ] as const) {
      await tabs.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { name: title }).waitFor();
    }
    await page.getByRole('link', { name: 'I have too much of it' }).click();
    await page.getByRole('region', { name: 'What a subscriber sees' }).getByText('Pause for 2 months').waitFor();

    await page.goto(`${at.product.url}/subscriptions?tab=active`);
    await page.locator('.l-table tbody tr[data-row]').first().click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Go through the cancellation flow' }).click();
    await page.getByRole('button', { name: 'Begin' }).click();
    // The customer of this subscription reads German, and so do those who go through the flow with them.
    await page.getByRole('button', { name: 'Weiter zur Kündigung' }).click();
    await page.getByLabel('Ich habe zu viel davon').check();
    await page.getByRole('button', { name: 'Pausieren', exact: true }).click();
    await notice(page, 'The subscription stays.');
    await page.getByText('Stayed instead of cancelling').first().waitFor();
    await page.goto(`${page.url()}/cancellation`);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('button', { name: 'Weiter zur Kündigung' }).click();
    await page.getByLabel('Aus Versehen abgeschlossen').check();
    await page.getByRole('button', { name: 'Weiter zur Kündigung' }).click();
    await page.getByRole('button', { name: 'Abo jetzt kündigen' }).click();
    await notice(page, 'The subscription is cancelled.');
    await page.getByText('Reason: Created by mistake').first().waitFor();
    expect(problems).toEqual([]);
  });
});
