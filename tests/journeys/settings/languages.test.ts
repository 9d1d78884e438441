// The e-mail for a failed payment in another language: what is missing, rewritten with a variable, seen with a failed payment, tried, put
// back.
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const PATH = '/settings/notifications/emails';

describe('e-mails in the languages of a store', () => {
  const at = journeys({ size: 60 });

  it('have a tab for each, with its own preview, versions and test', async () => {
    const { page, problems } = await at.page(`${PATH}/PAYMENT_FAILED_WITH_RETRIES`);
    const tabs = page.getByRole('navigation', { name: 'Languages' });
    await tabs.getByRole('button', { name: /French.*Missing/ }).waitFor();
    await tabs.getByRole('button', { name: 'German' }).click();
    await atPath(page, `${PATH}/PAYMENT_FAILED_WITH_RETRIES?language=de`);
    const subject = page.getByRole('textbox', { name: 'Subject' });
    await eventually(() => subject.inputValue()).toBe('Ihre Zahlung hat nicht geklappt');
    const preview = page.getByRole('article', { name: 'The e-mail' });
    const letter = preview.frameLocator('iframe');
    await letter.getByText('Ihre Karte wurde abgelehnt.').waitFor();
    await letter.getByText('Do., 3. Dez. 2026').waitFor();

    await subject.fill('Bitte prüfen: ');
    await page.getByRole('button', { name: 'Insert a variable into subject' }).click();
    await page.getByRole('menuitem', { name: /The amount with its currency/ }).click();
    await preview.getByText(/Bitte prüfen: 24,00\s\$/).waitFor();
    // On a subscription whose payment failed.
    const choice = page.getByLabel('Filled in with');
    await eventually(() => choice.locator('option').count()).toBeGreaterThan(1);
    await choice.selectOption({ index: 1 });
    await letter.getByText('Hallo Anna,').waitFor({ state: 'detached' });

    // What is not there is reported with its line, and refused where it stands; what is missing as well.
    const body = page.getByRole('textbox', { name: 'Text' });
    const words = await body.inputValue();
    await body.fill('Hallo,\n\n{{ custommer.name }}');
    await page.getByText('Line 3: Unknown variable {{custommer.name}}. Did you mean {{customer.name}}?').first().waitFor();
    await body.fill('Hallo {{ customer.firstName }}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => body.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('The variable {{explanation}} is missing.').first().waitFor();
    await body.fill(words);
    expect(await violations(page)).toEqual([]);

    // Looking at another language loses nothing that was typed.
    await tabs.getByRole('button', { name: /English/ }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();

    await page.getByRole('button', { name: 'Send test e-mail' }).click();
    await page.getByLabel('Send it to').fill('me@example.com');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The test e-mail is on its way').first().waitFor();

    const versions = page.getByRole('combobox', { name: 'Compare with' });
    await versions.selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await eventually(() => subject.inputValue()).toBe('Ihre Zahlung hat nicht geklappt');

    // What is empty says what is read in its place.
    await tabs.getByRole('button', { name: /French/ }).click();
    await eventually(() => subject.getAttribute('placeholder')).toBe('We could not take your payment');
    await preview.getByText('We could not take your payment').waitFor();
    expect(problems.filter(provoked(422))).toEqual([]);
  });

  it('a text that another person changed meanwhile shows whose words there are, and none are lost', async () => {
    const texts = async (view: Parameters<typeof at.page>[1] = {}) => {
      const { page, problems } = await at.page('/settings/multilingual', view);
      await page.getByRole('main').getByRole('link', { name: 'German' }).first().click();
      return { page, problems, field: (key: string) => page.locator(`[data-text="${key}"]`) };
    };
    const [mine, theirs] = [await texts(), await texts({ as: 'admin' })];
    const words = (one: typeof mine, key: string) => one.field(key).getByRole('textbox');
    await words(mine, 'pause').fill('Pause machen');
    await words(mine, 'resume').fill('Weiter geht es');
    for (const [key, text] of [
      ['pause', 'Anhalten'],
      ['resume', 'Fortfahren'],
      ['cancel', 'Abo kündigen'],
    ] as const)
      await words(theirs, key).fill(text);
    await theirs.page.getByRole('button', { name: 'Save', exact: true }).click();
    await theirs.page.getByText('The texts are saved.').first().waitFor();

    await mine.page.getByRole('button', { name: 'Save', exact: true }).click();
    await mine.page.getByText('2 texts were changed by another person meanwhile.').waitFor();
    await mine.field('pause').getByText('Anhalten').waitFor();
    await eventually(() => words(mine, 'pause').inputValue()).toBe('Pause machen');
    // What only they changed is there without a question.
    await eventually(() => words(mine, 'cancel').inputValue()).toBe('Abo kündigen');
    expect(await violations(mine.page)).toEqual([]);
    await mine.field('pause').getByRole('button', { name: 'Keep mine' }).click();
    await mine.field('resume').getByRole('button', { name: 'Take theirs' }).click();
    await mine.page.getByText('1 unsaved change').waitFor();
    await mine.page.getByRole('button', { name: 'Save', exact: true }).click();
    await mine.page.getByText('The texts are saved.').first().waitFor();
    await mine.page.reload();
    await eventually(() => words(mine, 'pause').inputValue()).toBe('Pause machen');
    await eventually(() => words(mine, 'resume').inputValue()).toBe('Fortfahren');
    expect([...mine.problems, ...theirs.problems].filter(provoked(409))).toEqual([]);
  });

  it('and those of selling plans, whose words stand on their page', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.getByRole('main').getByRole('row').nth(1).getByRole('link').first().click();
    await page
      .getByRole('navigation', { name: 'Languages' })
      .getByRole('button', { name: /German/ })
      .click();
    const field = page.getByRole('main').getByRole('textbox').first();
    // Another person has the same words open.
    const other = await at.page(new URL(page.url()).pathname + new URL(page.url()).search, { as: 'admin' });
    const theirs = other.page.getByRole('main').getByRole('textbox').first();
    await theirs.fill('Mit Abo günstiger');
    await other.page.getByRole('button', { name: 'Save', exact: true }).click();
    await other.page.getByText('Saved.').first().waitFor();
    await field.fill('Abonnieren lohnt sich');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const choice = page.getByRole('dialog', { name: 'This was changed meanwhile' });
    await choice.getByText('Mit Abo günstiger').waitFor();
    await choice.getByText('Abonnieren lohnt sich').waitFor();
    expect(await violations(page)).toEqual([]);
    await choice.getByRole('button', { name: 'Save this choice' }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.reload();
    await eventually(() => field.inputValue()).toBe('Abonnieren lohnt sich');
    expect([...problems, ...other.problems].filter(provoked(409))).toEqual([]);
  });
});
