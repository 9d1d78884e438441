// The look of e-mails, as a merchant changes it: a logo uploaded, a colour chosen, seen beside the form, saved.
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';

describe('branding of e-mails', () => {
  const at = journeys({ size: 60 });

  it('follows what is typed and uploaded, is shown as HTML, and is saved', async () => {
    const { page, problems } = await at.page('/settings/notifications/branding');
    const letter = page.frameLocator('iframe[title="The e-mail"]');
    await letter.getByText('Update payment method').waitFor();
    const logo = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#aa3300' } })
      .png()
      .toBuffer();
    await page.locator('input[type="file"]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await letter.locator('img').waitFor();
    await eventually(() => letter.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(400);
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Meadow Lane 1, Albany');
    await letter.getByText('Meadow Lane 1, Albany').waitFor();
    await page.getByRole('button', { name: 'Pick Links and buttons', exact: true }).click();
    await page.locator('.react-colorful').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Desktop' }).click();
    await page.getByRole('button', { name: 'View the HTML' }).click();
    await eventually(() => page.getByLabel('HTML of the e-mail').inputValue()).toContain('Meadow Lane 1');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/saved/i).first().waitFor();
    expect(problems).toEqual([]);
  });
});
