// A merchant looks for what shipping costs, changes it, and goes to a lower plan and back.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';

describe('plan, shipping and help', () => {
  const at = journeys({ size: 60 });

  it('the help of a page opens its article, which leads back to the page', async () => {
    const { page, problems } = await at.page('/settings/shipping-profile');
    await page.getByRole('link', { name: 'Help for this page' }).click();
    await atPath(page, '/help/shipping-profiles');
    await page.getByText('A group belongs to one profile at most.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('article').getByRole('link', { name: 'Auto updates' }).click();
    await atPath(page, '/settings/auto-updates');
    await page.goto('/help');
    await page.getByPlaceholder('Search articles').fill('declined card');
    await page.getByRole('link', { name: 'Recover failed payments' }).waitFor();
    await page.getByRole('link', { name: 'Write to us' }).first().click();
    await page.getByLabel('What is it about?').fill('Zones');
    await page.getByRole('textbox', { name: 'Your question' }).fill('Can a zone have no rates?');
    await page
      .getByRole('button', { name: /^(Create|Send|Save)/ })
      .first()
      .click();
    await page.getByText('Your question is on its way. We answer by e-mail.').waitFor();
    expect(problems).toEqual([]);
  });

  it('a rate is changed within its zone, and saved', async () => {
    const { page, problems } = await at.page('/settings/shipping-profile');
    await page.getByRole('link', { name: 'General rates' }).click();
    await page
      .getByRole('heading', { name: /General rates/ })
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
    await name.fill('Rates for everybody');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('a lower plan is chosen, told what stops, approved for later, and taken back', async () => {
    const { page, problems } = await at.page('/settings/billing');
    await page.getByRole('article', { name: 'Starter plan' }).getByRole('button', { name: 'Change to Starter' }).click();
    await page.getByText('You keep your plan until the billing period ends.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on to approval' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await atPath(page, '/settings/billing');
    await page.getByText('Your plan changes to Starter on').waitFor();
    await page.getByRole('link', { name: 'Show the change' }).click();
    await page.getByRole('button', { name: 'Keep the present plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep plan' }).click();
    await atPath(page, '/settings/billing');
    await eventually(() => page.getByText('Your plan changes to').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('S094 a merchant is referred: the link stands ready, an invitation is sent and on the list', async () => {
    const { page, problems } = await at.page('/dashboard');
    await page.getByRole('link', { name: 'Refer and earn' }).first().click();
    await atPath(page, '/refer');
    expect(await page.getByRole('textbox', { name: 'Your link' }).inputValue()).toMatch(/\/login\?ref=fernandember$/);
    await page.getByText('hello@northbeans.example').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Invite a merchant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Their e-mail address').fill('kim@shop.example');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('The invitation is on its way.').waitFor();
    await page.getByRole('row', { name: /kim@shop\.example/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
