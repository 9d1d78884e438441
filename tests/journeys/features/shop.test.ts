// A merchant's product on sale: bought on a phone in German, at exactly the price it should have, and found in the admin.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { journeys } from '../../support/browser/journey.ts';

const EMAIL = 'anna.berg@mail.example';

describe('the shop', () => {
  const at = journeys();

  it('sells a plan paid ahead to a customer who reads German on a phone, and the subscription stands in the admin', async () => {
    const { context, problems } = await at.visit({ as: null, width: 390 });
    const page = await context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/shop/1?lang=de');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.goto('/shop/1/products/harbour-house-blend?lang=de');
    const price = await page.locator('p.price').innerText();
    const cents = Number(price.replace(/\D/g, ''));
    // 18 % less for each delivery, three of them paid at once.
    const piece = Math.round((cents * 82) / 100) * 3;
    const euros = (minor: number): RegExp => new RegExp(`^${(minor / 100).toFixed(2).replace('.', ',')}\\s`);
    // The published widget stands in the place of the page's own choice.
    const plan = page.locator('perennial-widget .option', { hasText: 'Drei Monate im Voraus' });
    await plan.getByRole('radio').check();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Menge').fill('2');
    await page.getByRole('button', { name: 'Abonnieren' }).click();
    await page.getByRole('link', { name: 'Weiter zur Kasse' }).click();
    await page.getByLabel('E-Mail').fill(EMAIL);
    await page.getByLabel('Land', { exact: true }).selectOption('DE');
    for (const [label, value] of [
      ['Vorname', 'Anna'],
      ['Nachname', 'Berg'],
      ['Straße und Hausnummer', 'Lindenstraße 5'],
      ['Postleitzahl', '10969'],
      ['Ort', 'Berlin'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Weiter zur Zahlung' }).click();
    // One delivery is worth less than what ships for nothing.
    const total = piece * 2 + 495;
    expect(await page.locator('dd.all').innerText()).toMatch(euros(total));
    expect(await violations(page)).toEqual([]);
    const card = async (number: string): Promise<void> => {
      await page.getByLabel('Kartennummer').fill(number);
      await page.getByLabel('Name auf der Karte').fill('Anna Berg');
      await page.getByLabel('Gültig bis').fill('11/40');
      await page.getByLabel('Sicherheitscode').fill('123');
      await page.getByRole('button', { name: /bezahlen$/ }).click();
    };
    await card('4000 0000 0000 0002');
    await page.getByRole('alert').filter({ hasText: 'Die Karte wurde abgelehnt.' }).waitFor();
    expect(await page.getByLabel('Name auf der Karte').inputValue()).toBe('Anna Berg');
    await card('4242 4242 4242 4242');
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Abo verwalten' }).click();
    await page.getByText('Anna').first().waitFor();
    await page.close();
    const admin = await at.page(`/subscriptions?filter=${encodeURIComponent(JSON.stringify({ q: EMAIL }))}`);
    await admin.page.getByText('Anna Berg').first().click();
    await admin.page
      .getByText(new RegExp(`\\$${(total / 100).toFixed(2)}`))
      .first()
      .waitFor();
    expect([...problems, ...admin.problems].filter(one => !one.includes('status of 402'))).toEqual([]);
  });
});
