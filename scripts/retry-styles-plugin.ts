// Vite plugin: a stylesheet that could not be had is asked for again by the next try of the code that needs it.
import type { Plugin } from 'vite';

/** What Vite's helper does when a stylesheet failed, and what it is to do instead; in its own words, which change only with its version. */
const CHANGES: readonly [RegExp, string][] = [
  // It keeps each address that it ever asked for, failed or not, …
  [/\bseen\[href\] = void 0;(?=\s*throw err;)/, 'delete seen[href];'],
  // … and adds no link to the page where one to the same file stands. A failed one has no rules, and breaks whatever reads them.
  [/(?<=if \(e\.type === "error"\) )(?=rej\()/, 'link.remove(), '],
];

/** The helper's code with the changes. @throws where one of them finds no place, so that another version of Vite is not built with unnoticed */
export function retryStyles(code: string): string {
  return CHANGES.reduce((before, [place, instead]) => {
    const after = before.replace(place, instead);
    if (after === before)
      throw new Error(`The helper by which Vite loads styles has changed: ${place} is not in it. See scripts/retry-styles-plugin.ts.`);
    return after;
  }, code);
}

/** Without it, code whose stylesheet failed once is drawn without its styles at the next try, for as long as the page stands. */
export function retryStylesPlugin(): Plugin {
  let seen = false;
  return {
    name: 'perennial-retry-styles',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        seen = true;
        return { code: retryStyles(code), map: null };
      },
    },
    buildEnd(error) {
      if (!error && !seen) this.error('The helper by which Vite loads styles was not met. See scripts/retry-styles-plugin.ts.');
    },
  };
}
