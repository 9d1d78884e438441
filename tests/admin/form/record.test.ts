// A form as a page: changes, saving, leaving, drafts, conflicts, errors from the server. In a real browser, under the product's policy.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GalleryBrowser } from '../gallery/open.ts';
import { recordValue } from '../gallery/schemas.ts';

let gallery: GalleryBrowser;
beforeAll(async () => {
  gallery = await GalleryBrowser.start();
});
afterAll(async () => {
  await gallery?.stop();
});

const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
const received = (page: Page) => page.evaluate(() => window.server.received);
const shut = async ({ page, troubles }: { page: Page; troubles: string[] }) => {
  expect(troubles).toEqual([]);
  await page.close();
};

test('the save bar comes with the first change, counts, saves once and goes', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  expect(await bar(page).count()).toBe(0);
  await name(page).fill('Gentle');
  await bar(page).getByText('1 unsaved change').waitFor();
  await page.getByRole('textbox', { name: 'Retries' }).fill('6');
  await bar(page).getByText('2 unsaved changes').waitFor();
  await page.evaluate(() => {
    window.server.answerNext = { status: 200, delay: 300 };
  });
  await page.getByRole('button', { name: 'Save' }).dblclick();
  await page.keyboard.press('Control+s');
  await bar(page).waitFor({ state: 'detached' });
  const sent = await received(page);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ version: 1, value: { name: 'Gentle', retries: 6 } });
  expect(sent[0]!.value).not.toHaveProperty('reason');
  await name(page).fill('Gentler');
  await page.keyboard.press('Control+s');
  await bar(page).waitFor({ state: 'detached' });
  expect((await received(page)).map(one => one.version)).toEqual([1, 2]);
  await shut(opened);
});

test('no letter is lost when Enter or Ctrl+S follows the last one at once', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Enter at once');
  await page.keyboard.press('Enter');
  await bar(page).waitFor({ state: 'detached' });
  await page.keyboard.type('!');
  await page.keyboard.press('Control+s');
  await bar(page).waitFor({ state: 'detached' });
  expect((await received(page)).map(one => one.value.name)).toEqual(['Enter at once', 'Enter at once!']);
  await shut(opened);
});

test('discarding puts everything back, Undo brings it again', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Gentle');
  await page.getByRole('button', { name: 'Remove row 1' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await name(page).inputValue()).toBe('Standard');
  expect(await page.getByRole('group', { name: 'Steps, row 2' }).count()).toBe(1);
  await page.locator('.p-notice', { hasText: 'Changes discarded' }).getByRole('button', { name: 'Undo' }).click();
  expect(await name(page).inputValue()).toBe('Gentle');
  expect(await page.getByRole('group', { name: 'Steps, row 2' }).count()).toBe(0);
  await shut(opened);
});

test('a conditional field comes with its condition, keeps its text, is required only while seen and is not sent while hidden', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  const reason = page.getByRole('textbox', { name: 'Cancellation reason' });
  expect(await reason.count()).toBe(0);
  await page.getByLabel('If the last try fails too').selectOption('CANCEL');
  await reason.fill('Too many failures');
  await page.getByLabel('If the last try fails too').selectOption('PAUSE');
  await reason.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await bar(page).waitFor({ state: 'detached' });
  expect((await received(page))[0]!.value).toMatchObject({ finalAction: 'PAUSE' });
  expect((await received(page))[0]!.value).not.toHaveProperty('reason');
  await shut(opened);
});

test('D101 errors appear on leaving a field, below its floor or above its ceiling; on saving the first is focused, its closed section opened, the rest summed up', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await page.getByRole('textbox', { name: 'Retries' }).fill('99');
  expect(await page.getByText('Choose between 0 and 16 retries.').count()).toBe(0);
  await page.keyboard.press('Tab');
  await page.getByText('Choose between 0 and 16 retries.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Retries' }).getAttribute('aria-invalid')).toBe('true');
  const describedBy = await page.getByRole('textbox', { name: 'Retries' }).getAttribute('aria-describedby');
  expect(await page.locator(`[id="${describedBy}"]`).innerText()).toContain('Choose between');
  await page.getByRole('textbox', { name: 'Retries' }).fill('9');
  await page.keyboard.press('Tab');
  await page.getByText('Choose between 0 and 16 retries.').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^Advanced/ }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('ab');
  await page.getByRole('button', { name: /^Advanced/ }).click();
  expect(await page.getByRole('textbox', { name: 'Key' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value)).toBe('ab');
  expect(await received(page)).toEqual([]);
  await shut(opened);
});

test('a press that leaves a field hits what it aimed at, though the error goes away meanwhile', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  const retries = page.getByRole('textbox', { name: 'Retries' });
  await retries.fill('99');
  await page.keyboard.press('Tab');
  await page.getByText('Choose between 0 and 16 retries.').waitFor();
  await retries.fill('9');
  // As long as a person presses.
  await page.getByRole('button', { name: /^Advanced/ }).click({ delay: 120 });
  await page.getByRole('textbox', { name: 'Key' }).waitFor({ timeout: 5000 });
  await page.getByText('Choose between 0 and 16 retries.').waitFor({ state: 'detached' });
  await retries.fill('77');
  await page.getByRole('button', { name: /^Advanced/ }).click({ delay: 120 });
  await page.getByText('Choose between 0 and 16 retries.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Key' }).count()).toBe(0);
  await shut(opened);
});

test('a summary leads to errors that are out of sight', async () => {
  const opened = await gallery.open({ page: 'record', width: 390 });
  const { page } = opened;
  await name(page).fill('');
  await page.getByRole('textbox', { name: 'Message' }).nth(1).fill('x');
  await page.keyboard.press('Control+s');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id.endsWith('_name'))).toBe(true);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const summary = bar(page).getByText('2 fields need another value.');
  await summary.waitFor();
  await bar(page)
    .getByRole('button', { name: /Show|Next/ })
    .click();
  await bar(page)
    .getByRole('button', { name: /Show|Next/ })
    .click();
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value)).toBe('x');
  await shut(opened);
});

test("the server's errors stand at their fields until those are changed", async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Taken');
  await page.evaluate(() => {
    window.server.answerNext = {
      status: 422,
      code: 'VALIDATION',
      message: 'Some values were refused.',
      errors: [
        { pointer: '/name', rule: 'unique', message: 'Another policy has this name.' },
        { pointer: '/advanced/key', rule: 'unique', message: 'This key is in use.' },
      ],
    };
  });
  await page.keyboard.press('Control+s');
  await page.getByText('Another policy has this name.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id.endsWith('_name'))).toBe(true);
  await page.getByText('1 error', { exact: true }).waitFor();
  await page.keyboard.type('X');
  await page.getByText('Another policy has this name.').waitFor({ state: 'detached' });
  await shut(opened);
});

test('an answer that never came is asked for again with the same key; another change takes another key', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Gentle');
  await page.evaluate(() => {
    window.server.answerNext = { status: 0, message: 'Unable to connect to server.' };
  });
  await page.keyboard.press('Control+s');
  await bar(page).getByText('Unable to connect to server. What you entered is kept.').waitFor();
  await page.evaluate(() => {
    window.server.answerNext = { status: 503, message: 'The server is busy.', requestId: 'abc123' };
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await bar(page).getByText('Request abc123').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await bar(page).waitFor({ state: 'detached' });
  await name(page).fill('Else');
  await page.keyboard.press('Control+s');
  await bar(page).waitFor({ state: 'detached' });
  const keys = (await received(page)).map(one => one.key);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
  expect(keys[0]!.length).toBeGreaterThan(20);
  await shut(opened);
});

test('two people: what both changed is put side by side, the choice is saved over the newer version', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Mine');
  await page.getByRole('textbox', { name: 'Retries' }).fill('7');
  await page.evaluate(json => {
    window.server.answerNext = {
      status: 409,
      code: 'STALE_VERSION',
      message: 'This was changed meanwhile.',
      conflict: {
        current: { ...(JSON.parse(json) as object), name: 'Theirs', notify: false, version: 5 },
        version: 5,
        yourVersion: 1,
        changedBy: 'bruno@juniper.example',
        changedAt: '2026-11-20T10:00:00Z',
      },
    };
  }, JSON.stringify(recordValue));
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'This was changed meanwhile' });
  await dialog.getByText('bruno@juniper.example saved a newer version').waitFor();
  await dialog.getByText('You both changed one field.').waitFor();
  expect(await dialog.getByRole('group', { name: 'Name' }).innerText()).toMatch(/Mine[\s\S]*Theirs/);
  expect(await dialog.getByText('Only you changed').count()).toBe(1);
  expect(await dialog.getByText('Only bruno@juniper.example changed').count()).toBe(1);
  await dialog.getByRole('radio', { name: /Theirs/ }).check();
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await dialog.waitFor({ state: 'detached' });
  await bar(page).waitFor({ state: 'detached' });
  const [, second] = await received(page);
  expect(second).toMatchObject({ version: 5, value: { name: 'Theirs', retries: 7, notify: false } });
  expect(await name(page).inputValue()).toBe('Theirs');
  await shut(opened);
});

test('leaving with changes asks; staying keeps them, leaving drops them', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Gentle');
  await page.getByRole('link', { name: 'Somewhere else' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await name(page).inputValue()).toBe('Gentle');
  await page.getByRole('link', { name: 'Somewhere else' }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('heading', { name: 'Somewhere else' }).waitFor();
  await page.goBack();
  await name(page).waitFor();
  expect(await page.getByText('Restore your unsaved changes?').count()).toBe(0);
  await shut(opened);
});

test.each([
  ['Cyrillic', 'ы', 'KeyS', true],
  ['Greek', 'σ', 'KeyS', true],
  ['Dvorak', 's', 'Semicolon', true],
  ['Dvorak, the key of S on other keyboards', 'o', 'KeyS', false],
] as const)('Ctrl+S saves by the letter on the key, on %s', async (_layout, key, code, saves) => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Gentle');
  const isTaken = await page.evaluate(
    ([letter, place]) => {
      const event = new KeyboardEvent('keydown', { key: letter!, code: place!, ctrlKey: true, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(event);
      return event.defaultPrevented;
    },
    [key, code],
  );
  expect(isTaken).toBe(saves);
  if (saves) await bar(page).waitFor({ state: 'detached' });
  expect(await received(page)).toHaveLength(saves ? 1 : 0);
  await page.close();
});

test('leaving without changes asks nothing', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  await name(page).fill('Gentle');
  await name(page).fill('Standard');
  await page.getByRole('link', { name: 'Somewhere else' }).click();
  await page.getByRole('heading', { name: 'Somewhere else' }).waitFor();
  await shut(opened);
});

test('what was typed survives a reload and is offered again', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  const asked: string[] = [];
  page.on('dialog', dialog => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await name(page).fill('Half finis');
  await page.reload();
  await page.getByText('Restore your unsaved changes?').waitFor();
  expect(asked).toEqual(['beforeunload']);
  expect(await name(page).inputValue()).toBe('Standard');
  await page.getByRole('button', { name: 'Restore' }).click();
  expect(await name(page).inputValue()).toBe('Half finis');
  await bar(page).getByText('1 unsaved change').waitFor();
  await page.keyboard.press('Control+s');
  await bar(page).waitFor({ state: 'detached' });
  await page.reload();
  await name(page).waitFor();
  expect(await page.getByText('Restore your unsaved changes?').count()).toBe(0);
  expect(asked).toEqual(['beforeunload']);
  await shut(opened);
});

test('signed out in the middle of work: no question stands in the way, what was typed is offered afterwards', async () => {
  const opened = await gallery.open({ page: 'record' });
  const { page } = opened;
  const asked: string[] = [];
  page.on('dialog', dialog => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await name(page).fill('Half done');
  await page.evaluate(() => {
    localStorage.clear();
    location.assign(location.href);
  });
  await page.getByText('Restore your unsaved changes?').waitFor();
  expect(asked).toEqual([]);
  await shut(opened);
});

test('without the right to change it, the page says why and shows text', async () => {
  const opened = await gallery.open({ page: 'record', state: 'read' });
  const { page } = opened;
  await page.getByText("You don't have permission to change these settings").waitFor();
  expect(await page.locator('input, select, textarea').count()).toBe(0);
  expect(await page.getByText('Skip the order').count()).toBe(1);
  expect(await page.getByRole('cell', { name: 'Please update your card' }).count()).toBe(1);
  await shut(opened);
});

test('a dialog asks for what is open, shows errors at fields, runs once, closes with Esc and gives the focus back', async () => {
  const opened = await gallery.open({ page: 'dialog' });
  const { page } = opened;
  await page.click('#open');
  const dialog = page.getByRole('dialog', { name: 'Pause #1042?' });
  await dialog.getByText('No orders are made for #1042 until it is resumed.').waitFor();
  expect(await dialog.locator('input').count()).toBe(2);
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog.getByText('Enter a value for “Reason”.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id.endsWith('_reason'))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('open');

  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reason').fill('Holiday');
  await page.evaluate(() => {
    window.server.answerNext = {
      status: 422,
      message: 'Refused.',
      errors: [{ pointer: '/until', rule: 'later', message: 'Choose a day after today.' }],
    };
  });
  await page.keyboard.press('Enter');
  await dialog.getByText('Choose a day after today.').waitFor();
  // What is wrong with something that the dialog does not draw is said as a whole, beside what stands at the fields.
  await page.evaluate(() => {
    window.server.answerNext = {
      status: 422,
      message: 'Refused.',
      requestId: 'r-7',
      errors: [
        { pointer: '/id', rule: 'state', message: 'This subscription has ended.' },
        { pointer: '/until', rule: 'later', message: 'Choose a Monday.' },
      ],
    };
  });
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').filter({ hasText: 'This subscription has ended. (request r-7)' }).waitFor();
  await dialog.getByText('Choose a Monday.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Back' }).count()).toBe(1);
  await dialog.getByLabel('Resume on').fill('2030-01-02');
  await page.evaluate(() => {
    window.server.answerNext = { status: 200, delay: 200 };
  });
  await dialog.getByRole('button', { name: 'Pause', exact: true }).dblclick();
  await page.getByText('Paused {"id":7,"reason":"Holiday","until":"2030-01-02"}').waitFor();
  expect(await received(page)).toHaveLength(3);
  await shut(opened);
});
