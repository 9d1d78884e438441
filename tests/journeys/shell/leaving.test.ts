// Leaving a form with changes: the question, and what pressing Back right after its answer does.
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../../support/browser/journey.ts';

const at = journeys({ size: 60 });

describe('a form with changes', () => {
  it('asks once: Back, pressed while the next page is still on its way, only leads back to the form', async () => {
    const { page, problems } = await at.page('/selling-plans/create');
    const name = page.getByLabel('Name *').first();
    const question = page.getByRole('alertdialog');
    const heading = page.getByRole('heading', { level: 1 });
    for (const wait of [0, 1, 5, 20]) {
      await name.fill('Not to be kept');
      await page.getByRole('navigation').getByRole('link', { name: 'Subscriptions' }).first().click();
      await question.getByRole('button', { name: 'Leave without saving' }).waitFor();
      await question.getByRole('button', { name: 'Leave without saving' }).evaluate(
        (button: HTMLElement, ms) =>
          new Promise<void>(resolve => {
            button.click();
            const left = (): void => {
              if (location.pathname === '/selling-plans/create') requestAnimationFrame(left);
              else
                setTimeout(() => {
                  history.back();
                  resolve();
                }, ms);
            };
            queueMicrotask(left);
          }),
        wait,
      );
      await eventually(() => new URL(page.url()).pathname).toBe('/selling-plans/create');
      await heading.filter({ hasText: /selling plan/i }).waitFor();
      await name.waitFor();
      expect(await question.count()).toBe(0);
    }
    // The form that stands now is guarded like any other.
    await name.fill('Changed again');
    await page.getByRole('navigation').getByRole('link', { name: 'Subscriptions' }).first().click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('Changed again');
    expect(problems).toEqual([]);
  });
});
