// Presses each button and link of a screen once, as a person who tries everything does, and says which of them did nothing or broke.
import type { Page } from 'playwright-core';
import type { OpenPage } from '../browser/browser.ts';

/** What can be pressed on a page: controls of its main part, or of what is open above it. */
const CONTROLS =
  'button:not([disabled]):not([aria-disabled="true"]), a[href], [role=menuitem]:not([aria-disabled="true"]), [role=tab], summary';
/** What opens above a page. */
const ABOVE = '[role=dialog], [role=menu], [role=listbox], [popover]:popover-open, .p-popover, dialog[open]';

interface Control {
  /** What it is called, without figures: rows have the same buttons. */
  name: string;
  index: number;
}
/** The controls within a part of the page that people see, each name once. */
const controlsIn = (page: Page, within: string): Promise<Control[]> =>
  page.evaluate(
    ([part, controls]) => {
      const seen = new Set<string>();
      return [...document.querySelectorAll<HTMLElement>(controls)]
        .map((control, index) => ({ control, index }))
        .filter(({ control }) => control.closest(part) && control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map(({ control, index }) => {
          const box = control.getBoundingClientRect();
          const words = (control.getAttribute('aria-label') || control.innerText || control.title).replace(/\s+/g, ' ').trim();
          const name = `${control.localName} ${words.replace(/[\d#.,:$€-]+/g, '#').slice(0, 60)}`;
          return { index, name, isSmall: box.width < 4 || box.height < 4, isRow: control.closest('tbody') && control.localName === 'a' };
        })
        .filter(({ name, isSmall, isRow }) => {
          const key = isRow ? 'a of a row' : name;
          if (isSmall || seen.has(key)) return false;
          seen.add(key);
          return true;
        })
        .map(({ index, name }) => ({ index, name }));
    },
    [within, CONTROLS] as const,
  );

/** The sentences of definitions that explain what people may write in braces: "Write {id} where the number goes." */
export function aboutBraces(part: unknown): string[] {
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? (['help', 'description'].includes(key) && /\{\w/.test(value) ? [value] : []) : aboutBraces(value),
  );
}

interface State {
  address: string;
  /** The page's words and states, as people meet them. */
  shown: string;
}
const stateOf = (page: Page): Promise<State> =>
  page.evaluate(() => {
    const states = [
      ...document.querySelectorAll(
        '[aria-expanded], [aria-pressed], [aria-checked], [aria-selected], [aria-current], details, input, textarea, select',
      ),
    ]
      .map(one =>
        [
          ...['aria-expanded', 'aria-pressed', 'aria-checked', 'aria-selected', 'aria-current', 'open'].map(
            name => one.getAttribute(name) ?? '',
          ),
          'value' in one ? String(one.value) : '',
          'checked' in one ? String(one.checked) : '',
        ].join('|'),
      )
      .join('\n');
    return { address: location.href, shown: `${document.body.innerText}\n${states}\n${document.activeElement?.outerHTML.slice(0, 200)}` };
  });

export interface Wrong {
  screen: string;
  press: string;
  what: string;
}
export interface Presses {
  pressed: number;
  wrong: Wrong[];
}

/** Milliseconds after which a press that showed nothing did nothing. */
const PATIENCE = 2500;
/** So long (ms) a control may take to be there and to be pressed: a machine that does other work beside is slow, not wrong. */
const SLOW = 30_000;
/** A control that an earlier press took away does not come: so long (ms) it is waited for. */
const GONE = 6000;

/** The control of this name once it is there; undefined when it does not come, as what an earlier press took away. */
async function cameAs(page: Page, within: string, name: string): Promise<Control | undefined> {
  for (const until = Date.now() + GONE; ;) {
    const found = (await controlsIn(page, within)).find(one => one.name === name);
    if (found || Date.now() > until) return found;
    await page.waitForTimeout(200);
  }
}

/** What a page was answered last, by method and address: a busy server (503) that was asked again and answered was not wrong. */
function lastAnswers(page: Page): { withoutBusy(problems: string[]): Promise<string[]> } {
  const last = new Map<string, number>();
  page.on('response', response => last.set(`${response.request().method()} ${response.url()}`, response.status()));
  const areBusy = (): boolean => [...last.values()].includes(503);
  return {
    async withoutBusy(problems) {
      if (!problems.some(problem => /\b503\b/.test(problem))) return problems;
      for (const until = Date.now() + SLOW; areBusy() && Date.now() < until;) await page.waitForTimeout(200);
      return areBusy() ? problems : problems.filter(problem => !/^503 |status of 503/.test(problem));
    },
  };
}

/**
 * Opens an address and presses what is there, one after the other, each on the page as it was. Menus that a press opens are pressed through
 * as well; dialogs are looked at and left. `about` are sentences that are meant to show a name in braces.
 */
export async function pressAll(
  { page, problems }: OpenPage,
  screen: string,
  address: string,
  isOver: () => boolean,
  about: readonly string[] = [],
): Promise<Presses> {
  const wrong: Wrong[] = [];
  let pressed = 0;
  const answers = lastAnswers(page);
  const open = async (): Promise<void> => {
    await page.goto(address);
    await page.locator('main h1').first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll('main .p-skeleton').length === 0, undefined, { timeout: 20_000 });
    await page.waitForTimeout(150);
    problems.length = 0;
  };
  const isOpenAbove = (): Promise<boolean> =>
    page.evaluate(above => [...document.querySelectorAll(above)].some(one => one.checkVisibility()), ABOVE);
  /** Presses one control; answers what came of it. */
  const press = async (control: Control, path: string): Promise<'nothing' | 'same' | 'above' | 'elsewhere'> => {
    const before = await stateOf(page);
    let requests = 0;
    let opened = 0;
    const count = (): void => void requests++;
    const note = (): void => void opened++;
    page.on('request', count);
    page.on('popup', note);
    page.on('download', note);
    page.on('filechooser', note);
    pressed++;
    const fault = await page
      .locator(CONTROLS)
      .nth(control.index)
      .click({ timeout: SLOW })
      .then(
        () => '',
        (error: Error) => error.message.split('\n').slice(0, 2).join(' '),
      );
    let after = before;
    const until = Date.now() + PATIENCE;
    do {
      await page.waitForTimeout(100);
      after = await stateOf(page).catch(() => ({ address: page.url(), shown: '' }));
    } while (Date.now() < until && !fault && after.address === before.address && after.shown === before.shown && requests + opened === 0);
    await page.waitForTimeout(250);
    page.off('request', count);
    page.off('popup', note);
    page.off('download', note);
    page.off('filechooser', note);
    const at = page.url();
    const say = (what: string): void => void wrong.push({ screen, press: path, what });
    if (fault) say(`can't be pressed: ${fault}`);
    if (/[{}]|%7B|undefined|NaN|\[object/i.test(at)) say(`leads to ${at}`);
    const shown = await page.evaluate(() => ({
      // Not the words of the page, which may be about anything.
      heads: [...document.querySelectorAll<HTMLElement>('main :is(h1, h2), main [role=alert]')].map(one => one.innerText).join('\n'),
      all: document.body.innerText,
    }));
    if (/Page not found|^Not found$|could not be shown/m.test(shown.heads)) say(`leads to "${shown.heads.slice(0, 80)}"`);
    // Variables of templates have two braces; routes and code that are written about have a sign before them.
    const words = about.reduce((all, sentence) => all.replaceAll(sentence, ''), shown.all);
    const raw = /(?<![{/$])\{@?[a-z]\w*(\.\w+)*\}(?!\})|\bundefined\b|\[object Object\]|\bNaN\b/.exec(words);
    if (raw) say(`shows "${words.slice(Math.max(0, raw.index - 40), raw.index + 40)}"`);
    const bad = (await answers.withoutBusy(problems)).filter(problem => !/responded with a status of 4\d\d/.test(problem));
    if (bad.length) say(bad.slice(0, 2).join(' | '));
    problems.length = 0;
    if (fault) return 'nothing';
    if (after.address !== before.address) return 'elsewhere';
    if (await isOpenAbove()) return 'above';
    if (after.shown === before.shown && requests + opened === 0) {
      say('nothing happens');
      return 'nothing';
    }
    return 'same';
  };
  await open();
  const first = await controlsIn(page, 'main');
  for (const control of first) {
    if (isOver()) break;
    // By its name again: each press begins on a page that was opened again.
    const there = await cameAs(page, 'main', control.name);
    if (!there) continue;
    const came = await press(there, control.name);
    if (came === 'above') {
      const isMenu = await page.locator('[role=menu]').first().isVisible();
      if (isMenu) {
        const items = await controlsIn(page, '[role=menu]');
        for (const item of items) {
          if (isOver()) break;
          await open();
          const again = await cameAs(page, 'main', control.name);
          if (!again) break;
          await page.locator(CONTROLS).nth(again.index).click({ timeout: SLOW });
          // By its name: what stands before it on the page may have come meanwhile.
          const there = await cameAs(page, '[role=menu]', item.name);
          if (there) await press(there, `${control.name} > ${item.name}`);
          else wrong.push({ screen, press: `${control.name} > ${item.name}`, what: 'is not in the menu any more' });
        }
      } else await page.keyboard.press('Escape');
    }
    await open();
  }
  return { pressed, wrong };
}
