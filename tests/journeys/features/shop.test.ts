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
    const card = async (number: string, presses = 1): Promise<void> => {
      await page.getByLabel('Kartennummer').fill(number);
      await page.getByLabel('Name auf der Karte').fill('Anna Berg');
      await page.getByLabel('Gültig bis').fill('11/40');
      await page.getByLabel('Sicherheitscode').fill('123');
      await page.getByRole('button', { name: /bezahlen$/ }).click({ clickCount: presses });
    };
    await card('4000 0000 0000 0002');
    await page.getByRole('alert').filter({ hasText: 'Die Karte wurde abgelehnt.' }).waitFor();
    expect(await page.getByLabel('Name auf der Karte').inputValue()).toBe('Anna Berg');
    // Pressed twice it is paid once, and the back button leads to no second payment.
    await card('4242 4242 4242 4242', 2);
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('status').filter({ hasText: 'ist bezahlt.' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Bestellung ansehen' }).click();
    await page.getByRole('link', { name: 'Abo verwalten' }).click();
    await page.getByText('Anna').first().waitFor();
    await page.close();
    const admin = await at.page(`/subscriptions?filter=${encodeURIComponent(JSON.stringify({ q: EMAIL }))}`);
    await admin.page.getByText('Anna Berg').first().click();
    await admin.page
      .getByText(new RegExp(`\\$${(total / 100).toFixed(2)}`))
      .first()
      .waitFor();
    expect([...problems, ...admin.problems]).toEqual([]);
  });

  it('a gift is bought on a phone; its recipient moves a delivery and thanks, which the giver and the merchant see', async () => {
    const giver = 'lena.voss@mail.example';
    const outbox = /\S+\/dev\/outbox\S+/.exec(at.product.output())?.[0] ?? '';
    const letters = async (): Promise<string> => (await fetch(outbox)).text();
    // What is published is there a moment after the start.
    const published = `${at.product.url}/storefront/1/index.json`;
    await expect.poll(async () => (await fetch(published)).status, { timeout: 30_000 }).toBe(200);
    const phone = await at.visit({ as: null, width: 390 });
    const { page } = phone;
    await page.goto('/shop/1/products/harbour-house-blend?lang=de');
    // The published element leads on: what was filled in on the page of the product stands in the form of the gift.
    const element = page.locator('perennial-gift');
    await element.getByRole('checkbox', { name: 'Verschenken' }).check();
    await element.getByLabel('Name der beschenkten Person').fill('Jonas');
    await element.getByLabel('E-Mail der beschenkten Person').fill('jonas.berg@mail.example');
    await element.getByLabel('Ihre Nachricht').fill('Alles Gute zum Geburtstag!');
    await page.getByRole('button', { name: 'Abonnieren' }).click();
    await page.getByRole('heading', { name: 'Hafenhaus-Mischung verschenken' }).waitFor();
    expect(await violations(page)).toEqual([]);
    for (const [label, value] of [
      ['Nachname', 'Berg'],
      ['Straße und Hausnummer', 'Lindenstraße 5'],
      ['Postleitzahl', '10969'],
      ['Ort', 'Berlin'],
      ['Von wem ist es?', 'Lena'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel('Land', { exact: true }).selectOption('DE');
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Jonas');
    await page.getByRole('button', { name: 'Geschenk in den Warenkorb legen' }).click();
    await page.getByText('Geschenk für Jonas Berg').waitFor();
    await page.getByRole('link', { name: 'Weiter zur Kasse' }).click();
    await page.getByLabel('E-Mail').fill(giver);
    await page.getByLabel('Vorname').fill('Lena');
    await page.getByLabel('Nachname').fill('Voss');
    await page.getByRole('button', { name: 'Weiter zur Zahlung' }).click();
    const total = await page.locator('dd.all').innerText();
    await page.getByLabel('Kartennummer').fill('4242 4242 4242 4242');
    await page.getByLabel('Name auf der Karte').fill('Lena Voss');
    await page.getByLabel('Gültig bis').fill('11/40');
    await page.getByLabel('Sicherheitscode').fill('123');
    await page.getByRole('button', { name: /bezahlen$/ }).click();
    await page.getByRole('heading', { name: 'Ihr Geschenk für Jonas' }).waitFor();
    await page.close();

    const [link = ''] = /\/a\/loop_subscriptions\/gift\/\d+\?token=[0-9a-f]{32}/.exec(await letters()) ?? [];
    const recipient = await phone.context.newPage();
    await recipient.goto(link);
    await recipient.getByText('Alles Gute zum Geburtstag!').waitFor();
    expect(await violations(recipient)).toEqual([]);
    await recipient.getByRole('link', { name: 'Anderen Tag wählen' }).click();
    const day = recipient.getByLabel('Neuer Tag');
    const later = new Date(Date.parse(await day.inputValue()) + 6 * 86_400_000).toISOString().slice(0, 10);
    await day.fill(later);
    await recipient.getByRole('button', { name: 'Speichern' }).click();
    await recipient.getByRole('status').filter({ hasText: 'Ihre nächste Lieferung kommt am' }).waitFor();
    await recipient.getByLabel('Schreiben Sie Lena ein paar Worte').fill('Wie schön, danke!');
    await recipient.getByRole('button', { name: 'Danke sagen' }).click();
    await recipient.getByRole('status').filter({ hasText: 'Lena bekommt Ihre Worte per E-Mail.' }).waitFor();
    await recipient.close();

    const own = await phone.context.newPage();
    await own.goto('/portal/1');
    await own.locator('input[name=email]').fill(giver);
    await own.getByRole('button').click();
    await own.getByRole('status').waitFor();
    const given = /\/a\/loop_subscriptions\/customer\/\d+\/gifts\?merchantToken=[0-9a-f]{32}/;
    let way: string | undefined;
    await expect.poll(async () => (way = given.exec(await letters())?.[0]), { timeout: 20_000 }).toBeTruthy();
    await own.goto(way ?? '');
    await own.getByText('Wie schön, danke!').waitFor();
    expect(await violations(own)).toEqual([]);
    await own.close();

    const admin = await at.page(`/gift?q=${encodeURIComponent(giver)}`);
    await admin.page.getByText('Jonas Berg').first().click();
    await admin.page.getByText('Wie schön, danke!').first().waitFor();
    await admin.page.getByText('Gift recipient').first().waitFor();
    const paid = (Number(total.replace(/\D/g, '')) / 100).toFixed(2);
    await admin.page.getByText(`$${paid}`).first().waitFor();
    expect([...phone.problems, ...admin.problems].filter(one => !one.includes('status of 422'))).toEqual([]);
  });
});
