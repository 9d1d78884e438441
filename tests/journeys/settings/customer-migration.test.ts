// Subscriptions of another app, moved as a merchant does it: the file chosen, its columns said, its errors seen, imported, looked at, taken back.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys } from '../../support/browser/journey.ts';
import { file, FOREIGN, goodRow, type Row } from '../../server/features/migration/helpers.ts';

const PATH = '/settings/customer-migration';

describe('customer migration', () => {
  const at = journeys({ size: 60 });
  /** Heads as the other app writes them: "Buyer" says nothing, and the products go by their SKU. */
  const heads = [
    'Subscription ID',
    'Buyer',
    'SKU',
    ...Object.keys(FOREIGN).filter(head => !['Subscription ID', 'Email', 'External variant ID'].includes(head)),
  ];
  const content = (name: string): Buffer =>
    Buffer.from(
      file(
        Array.from({ length: 6 }, (_, n) => ({
          ...goodRow(`${name}-${n}`, { id: 0, shopify_id: 0, price: 0 }, n === 3 ? { 'Unit price': '12,50' } : {}),
          Buyer: `${name}-${n}@elsewhere.example`,
          SKU: 'MOS-30',
        })) as Row[],
        heads,
      ),
    );

  for (const width of [1440, 390] as const)
    it(`takes a foreign file through at ${width}: columns, dry run, import, result, undo`, async () => {
      const name = `w${width}`;
      const { page, problems } = await at.page(PATH, { width });
      await page
        .getByRole('button', { name: 'Import subscriptions' })
        .or(page.getByRole('link', { name: 'Import subscriptions' }))
        .first()
        .click();
      await atPath(page, `${PATH}/create`);
      await page.locator('input[type="file"]').setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: content(name) });
      await page.getByText(`${name}.csv · 1 KB`).waitFor();
      await page.getByRole('button', { name: 'Check file' }).click();
      await atPath(page, /customer-migration\/\d+$/);

      await page.getByText('Say what the columns hold').waitFor();
      await page.getByRole('button', { name: 'Choose columns' }).first().click();
      const dialog = page.getByRole('dialog');
      const buyer = dialog.getByRole('combobox').nth(1);
      await buyer.fill('Customer: e-mail');
      await page.getByRole('option', { name: 'Customer: e-mail' }).click();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Check again' }).click();

      await page.getByText('1 row has errors').waitFor();
      await page.getByText("“12,50” isn't an amount. Write it with digits and a dot only, such as 12.50.").waitFor();
      await page.getByText('5 subscriptions can be imported.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Import 5 subscriptions?').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();

      await page.getByText('Imported, but 1 row has errors').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Result file' }).click();
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);
      const first = page.locator('a[href^="/subscriptions/"]').first();
      await first.click();
      await page.getByText(`Noa Person ${name}-0`).first().waitFor();
      await page.goBack();

      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Undo import' }).click();
      await page.getByText('The import was undone').waitFor();
      await eventually(() => page.locator('a[href^="/subscriptions/"]').count()).toBe(0);
      expect(problems).toEqual([]);
    });

  it('gives an example file of the store’s own products that imports as it is', async () => {
    const { page, problems } = await at.page(PATH);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Example file' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('subscriptions-example.csv');
    await page.goto(`${PATH}/create`);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: file.suggestedFilename(), mimeType: 'text/csv', buffer: readFileSync(await file.path()) });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('3 subscriptions can be imported').waitFor();
    await page.getByText('No row has an error. Nothing is imported yet.').waitFor();
    expect(problems).toEqual([]);
  });

  it('moves a payment method in three steps, says what the provider finds wrong, and tries corrected tokens', async () => {
    const { page, problems } = await at.page(`${PATH}/providers`);
    await page.getByRole('button', { name: 'Connect provider' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Provider' }).selectOption('STRIPE');
    await dialog.getByLabel('Account').fill('acct_1');
    await dialog.getByLabel('Secret key').fill('sk_live_1234567');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'acct_1' }).getByText('Connected', { exact: true }).waitFor();

    await page.goto(`${at.product.url}${PATH}/payment-methods/create`);
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('STRIPE');
    await page.getByText('A new customer').click();
    await page.getByLabel('E-mail').fill('moved@elsewhere.example');
    await page.getByLabel('Last name').fill('Moved');
    await page.getByLabel('Customer token').fill('cus_1');
    await page.getByLabel('Payment token').fill('bank-1');
    await page.getByRole('button', { name: 'Move payment method' }).click();
    await page.getByText('The token is that of a bank account or a wallet at Stripe. Give the token of a card.').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Correct tokens' }).click();
    await page.getByRole('dialog').getByLabel('Payment token').fill('pm_1');
    await page.getByRole('button', { name: 'Try these' }).click();
    await page.getByText('The payment method was moved', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
