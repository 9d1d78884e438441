// Apps, as a merchant connects them: found, refused with a wrong key, connected, tried with samples, chosen who tells customers, and one
// that is approved at its own page.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

describe('apps', () => {
  const at = journeys({ size: 60 });
  const shoot = process.env['APPS_SHOTS'];

  it('are connected by their form, tried, told of what is chosen, and disconnected', async () => {
    const { page, problems } = await at.page('/integrations');
    await page.getByText('Sends what happens to subscriptions to Klaviyo').waitFor();
    if (shoot) await page.screenshot({ path: `${shoot}/library.png` });
    await page.getByPlaceholder('Search by name or what an app does').fill('klaviyo');
    await page.getByRole('link', { name: 'Klaviyo', exact: true }).click();
    await atPath(page, '/integrations/klaviyo');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Public key').fill('AbC123');
    await dialog.getByLabel('Private key').fill('sk_wrong-key-1234');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('This is not a private API key.').first().waitFor();
    if (shoot) await page.screenshot({ path: `${shoot}/dialog.png` });
    await dialog.getByLabel('Private key').fill('pk_invalid-key-1234');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('Klaviyo did not accept these credentials.').first().waitFor();
    await dialog.getByLabel('Private key').fill('pk_valid-key-1234');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('••••1234').waitFor();
    expect(await violations(page)).toEqual([]);
    if (shoot) await page.screenshot({ path: `${shoot}/overview.png` });

    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByRole('button', { name: 'Send sample events' }).click();
    // What happens in the demo store meanwhile, such as an order that becomes due, is sent as well.
    const sent = page.getByText(/^\d\d sent, 0 failed, 0 waiting$/);
    await sent.waitFor({ timeout: 60_000 });
    expect(Number.parseInt(await sent.innerText(), 10)).toBeGreaterThanOrEqual(19);
    expect(await violations(page)).toEqual([]);
    if (shoot) await page.screenshot({ path: `${shoot}/statistics.png` });

    await page.getByRole('tab', { name: 'Statistics' }).press('ArrowLeft');
    const choice = page.getByLabel('Who tells customers: Subscription paused');
    await choice.selectOption('APP');
    await page.getByText('Saved.').first().waitFor();
    await eventually(() => choice.inputValue()).toBe('APP');
    expect(await violations(page)).toEqual([]);
    if (shoot) await page.screenshot({ path: `${shoot}/preferences.png` });
    await page.getByRole('tab', { name: 'Set-up' }).click();
    await page.getByText('Connect and paste both.').waitFor();
    if (shoot) {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${shoot}/narrow.png` });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect(problems.filter(provoked(422, 400))).toEqual([]);
  });

  it('are approved at the page of their vendor, and come back connected', async () => {
    const { page, problems } = await at.page('/integrations/yotpoEmailAndSms');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('link', { name: 'Approve and return' }).click();
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    await atPath(page, '/integrations/yotpoEmailAndSms');
    expect(problems).toEqual([]);
  });

  it('a loyalty app shows points beside a subscription, and a reward becomes a discount on the next order', async () => {
    const { page, problems } = await at.page('/integrations/rise-ai');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('API key').fill('valid-key-of-rise');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    await page.goto('/subscriptions?status=ACTIVE');
    const row = page.locator('[data-row]').first();
    await row.waitFor();
    await page.goto(`/subscriptions/${await row.getAttribute('data-row')}`);
    const loyalty = page.getByRole('region', { name: 'Loyalty' });
    await loyalty
      .getByText(/^\d+ points$/)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    if (shoot) await page.screenshot({ path: `${shoot}/loyalty.png`, fullPage: true });
    await loyalty.getByRole('listitem').filter({ hasText: '$5 off' }).getByRole('button', { name: 'Redeem' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeem', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await loyalty.getByText(/^\$5 off, /).waitFor();
    await page.getByText('Loyalty reward').first().waitFor();
    if (shoot) await loyalty.screenshot({ path: `${shoot}/redeemed.png` });
    expect(problems).toEqual([]);
  });
});
