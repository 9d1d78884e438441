// E-mails, as a merchant changes them: found, rewritten with a variable, seen before it is sent, tried, switched off, put back.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const PATH = '/settings/notifications/emails';

describe('e-mails', () => {
  const at = journeys({ size: 60 });

  it('are written in own words with a variable, previewed while typing, tried, and put back', async () => {
    const { page, problems } = await at.page(PATH);
    await page.getByPlaceholder('Search by name, occasion or subject').fill('failed for good');
    await page.getByRole('link', { name: 'Payment failed', exact: true }).click();
    await atPath(page, `${PATH}/PAYMENT_FAILED`);
    const preview = page.getByRole('article', { name: 'The e-mail' });
    const letter = preview.frameLocator('iframe');
    await preview.getByText('Your payment failed').waitFor();

    const subject = page.getByRole('textbox', { name: 'Subject' });
    await subject.fill('A word about ');
    await page.getByRole('button', { name: 'Insert a variable into subject' }).click();
    await page.getByRole('menuitem', { name: /The amount with its currency/ }).click();
    await eventually(() => subject.inputValue()).toBe('A word about {{ amount }}');
    await preview.getByText('A word about $24.00').waitFor();

    // An unknown name is reported beside the text before it is saved, and refused where it stands.
    const body = page.getByRole('textbox', { name: 'Text' });
    await body.fill('Hi {{ customer.firstName }},\n\nplease see {{ custommer.name }}.');
    await page.getByText('Line 3: Unknown variable {{custommer.name}}. Did you mean {{customer.name}}?').first().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => body.getAttribute('aria-invalid')).toBe('true');
    await body.fill('Hi {{ customer.firstName }},\n\n- one\n- two');
    await eventually(() => letter.getByRole('listitem').count()).toBe(2);

    // With a subscription of the store.
    await page.getByLabel('Filled in with').selectOption({ index: 1 });
    await letter.getByText('Hi Anna,').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await eventually(() => letter.locator('body').evaluate(body => body.style.backgroundColor)).toBe('rgb(18, 20, 17)');
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByText('Your own').waitFor();

    // The e-mail is read again behind the answer; what is typed into the next question meanwhile stays.
    let answer = (): void => undefined;
    const typed = new Promise<void>(resolve => (answer = resolve));
    await page.route('**/templates/read_by_pref_key*', async route => {
      await typed;
      await route.continue();
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reset to the standard words' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('The standard words are back.').first().waitFor();
    await page.getByRole('button', { name: 'Send test e-mail' }).click();
    await page.getByLabel('Send it to').fill('me@example.com');
    answer();
    await page.getByText('Your own').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Send it to').inputValue()).toBe('me@example.com');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The test e-mail is on its way').first().waitFor();
    await eventually(() => subject.inputValue()).toBe('Your payment failed');
    expect(problems.filter(provoked(422))).toEqual([]);
  });

  it('are switched off in the list, with undo, and those to the team have only a switch', async () => {
    const { page, problems } = await at.page(PATH);
    const row = page.getByRole('row').filter({ hasText: 'Order skipped' });
    await row.getByRole('button', { name: /actions|more/i }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await row.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('On', { exact: true }).waitFor();

    await page.getByText('To your team', { exact: true }).click();
    // By its address: the rows of the other tab, with one of the same name, stay until those of this one are there.
    await page.locator('a[href*="ADMIN_SUBSCRIPTION_PAUSED"]').first().click();
    await page.getByLabel('Send this e-mail').waitFor();
    expect(await page.getByRole('textbox', { name: 'Subject' }).count()).toBe(0);
    await page.getByRole('article', { name: 'The e-mail' }).waitFor();
    expect(problems).toEqual([]);
  });
});
