// What axe finds on a page. It runs in the page itself: AxeBuilder of @axe-core/playwright puts the results of frames together in a blank
// page of its own, which takes three times as long, and the admin has no frames but those of e-mails, which are what the store wrote.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Waits until nothing moves any more: a colour that changes by a transition starts those of what inherits it a frame later. */
export const stands = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const moving = (): Animation[] =>
      document.getAnimations().filter(one => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity);
    for (let round = 0; round < 100; round++) {
      await Promise.all(moving().map(one => one.finished.catch(() => undefined)));
      await new Promise(resolve => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
      if (moving().length === 0) return;
    }
  });

/** What of the rules is looked at: contrast takes three quarters of the time, and the rest does not depend on colours. */
export type Looked = 'all' | 'contrast' | 'structure';
const CONTRAST = 'color-contrast';
const RULES: Record<Looked, axe.RunOptions> = {
  all: {},
  contrast: { runOnly: [CONTRAST] },
  structure: { rules: { [CONTRAST]: { enabled: false } } },
};
// What a pseudo-element draws behind a text is measured as the text's own background: otherwise axe leaves the text out after a long
// search.
const OPTIONS = { resultTypes: ['violations'], iframes: false, checks: { [CONTRAST]: { options: { ignorePseudo: true } } } };

/**
 * Rules that axe finds broken on the page when nothing on it moves any more, or only within a part of it; one line each: rule, place, and
 * what would correct it.
 * @throws Error where the page has frames other than e-mails and previews (…/frame, or on their way there), which would not be looked at
 */
export async function violations(page: Page, within?: string, looked: Looked = 'all'): Promise<string[]> {
  if (
    page
      .frames()
      .some(frame => frame !== page.mainFrame() && !/\/(?:mail|storefront)\/frame$|\/storefront\/code$|^about:blank$|^$/.test(frame.url()))
  )
    throw new Error('The page has frames, and axe looks at the page alone here.');
  await stands(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = (await page.evaluate(
    ([part, options]) =>
      (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options).then(({ violations: rules }) => rules),
    [within, { ...OPTIONS, ...RULES[looked] } as axe.RunOptions] as const,
  )) as axe.Result[];
  return found.flatMap(rule =>
    rule.nodes.map(
      ({ target, failureSummary }) => `${rule.id}: ${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim() ?? rule.help})`,
    ),
  );
}
