// API tokens and webhooks, as a merchant sets them up: a token that is shown when it is made and again later, the reference tried with it,
// a webhook.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, journeys, provoked } from '../../support/browser/journey.ts';

describe('API tokens and webhooks', () => {
  const at = journeys({ size: 60 });

  it('a token is made with scopes, shown again, tried in the reference, and revoked', async () => {
    const { page, problems } = await at.page('/settings/api-tokens');
    await page
      .getByRole('link', { name: 'Create token' })
      .or(page.getByRole('button', { name: 'Create token' }))
      .first()
      .click();
    await page.getByLabel('Name').fill('Warehouse sync');
    await page.getByRole('radio', { name: 'Subscriptions: Read only' }).check();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create token' }).click();
    const told = page.getByRole('dialog').getByLabel('Token');
    const value = await told.textContent();
    expect(value).toMatch(/^[0-9a-f]{32}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await atPath(page, /\/settings\/api-tokens\/\d+$/);
    await page.getByRole('button', { name: 'Show token' }).click();
    expect(await told.textContent()).toBe(value);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.goto('/settings/api-tokens/reference?group=Subscription%20contract&call=subscription-contract.pause');
    const pause = page.locator('details[open]').filter({ hasText: 'Try it' }).first();
    await pause.getByLabel('As').selectOption({ index: 1 });
    await pause.getByRole('button', { name: 'Send' }).click();
    await pause.getByText("This token doesn't have access to Subscriptions for changes").waitFor();
    expect(await violations(page)).toEqual([]);

    await page.goto('/settings/api-tokens');
    await page.getByRole('link', { name: 'Warehouse sync' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('“Warehouse sync” is revoked.').first().waitFor();
    expect(problems.filter(provoked(403))).toEqual([]);
  });

  it('a webhook is added with its secret, a sample is sent, and its deliveries say what became of it', async () => {
    const { page, problems } = await at.page('/settings/webhooks/create');
    await page.getByRole('textbox', { name: 'Address' }).fill('http://example.com/hook');
    await page.getByRole('combobox', { name: 'Events' }).fill('order placed');
    await page.getByRole('option', { name: /Order placed/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('Use an address that begins with https://').first().waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://receiver.invalid/hook');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    expect(await page.getByRole('dialog').getByLabel('Secret').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await atPath(page, /\/settings\/webhooks\/\d+$/);
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('order placed');
    await page.getByRole('option', { name: /Order placed/ }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'Order placed' }).click();
    await atPath(page, /\/settings\/webhooks\/deliveries\/\d+$/);
    await page.getByRole('heading', { name: 'Request' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems.filter(provoked(422))).toEqual([]);
  });
});
