// Every button and link of every screen is pressed once, on the built product with a store that is thrown away: none is dead, none leads to an address
// with a brace, none breaks the page.
// usage: npx tsx tests/torture/presses.ts [--screens 200] [--seed N] [--seconds N] [--from 0] (needs npm run build)
import { productDefinitions } from '../support/definitions.ts';
import { addressOf, screensOf } from '../support/browser/addresses.ts';
import { openBrowser, visit } from '../support/browser/browser.ts';
import { startProduct } from '../support/browser/product.ts';
import { aboutBraces, pressAll, type Wrong } from '../support/torture/presses.ts';
import { end, options } from '../support/torture/torture.ts';

const { seed, time, screens, from } = options('screens', 200, { from: 0 });
const { ensureBuild } = await import('../../scripts/ensure.mjs');
ensureBuild();
const definitions = productDefinitions();
const product = await startProduct({ size: 120 });
const browser = await openBrowser();
const wrong: Wrong[] = [];
const about = aboutBraces(definitions.settings);
let pressed = 0;
let done = 0;
const all = screensOf(definitions);
// Others first in each run that does not have the time for all.
const start = from || seed % all.length;
const chosen = [...all.slice(start), ...all.slice(0, start)].slice(0, screens);
console.log(`presses: seed ${seed}, ${chosen.length} screens`);
try {
  for (const { name, screen } of chosen) {
    if (time.isOver()) break;
    done++;
    const address = screen ? await addressOf(product, definitions, screen) : name;
    if (!address) continue;
    const found = await visit(browser, product);
    found.page.setDefaultTimeout(30_000);
    try {
      const part = await pressAll(found, name, product.url + address, time.isOver, about);
      pressed += part.pressed;
      wrong.push(...part.wrong);
      for (const one of part.wrong) console.log(`${one.screen}: ${one.press}: ${one.what}`);
    } catch (error) {
      wrong.push({ screen: name, press: '(opening it)', what: (error as Error).message.split('\n')[0] ?? '' });
      console.log(`${name}: ${(error as Error).message.split('\n')[0]}`);
    }
    await found.context.close();
  }
} finally {
  await browser.close();
  await product.remove();
}
end(
  `presses: ${pressed} presses on ${done} screens`,
  { done, of: chosen.length, unit: 'screens' },
  wrong.map(({ screen, press, what }) => `${screen}: ${press}: ${what}`),
);
