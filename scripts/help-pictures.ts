// `npm run pictures`, second part: the pictures of the help center's articles, in each of its languages, from the built product (npm run build)
// with its demo store. WebP, which the browser itself makes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../src/server/platform/definitions.ts';
import { pictureOf } from './help-plugin.ts';
import { activeSubscription, openBrowser, picture, show, signedIn, startDemo } from './lib/demo-browser.ts';

const articles = join(projectRoot, 'src/admin/features/help/articles');
const entries = readdirSync(articles, { withFileTypes: true });
const languages = ['en', ...entries.filter(one => one.isDirectory()).map(one => one.name)];
const pictures = entries.flatMap(({ name }) => {
  const address = name.endsWith('.md') ? pictureOf(readFileSync(join(articles, name), 'utf8')) : undefined;
  return address === undefined ? [] : [{ id: name.replace(/\.md$/, ''), address }];
});

const data = mkdtempSync(join(tmpdir(), 'perennial-help-'));
try {
  const { link, stop } = await startDemo(projectRoot, data);
  const browser = await openBrowser();
  try {
    const tab = await signedIn(browser, link);
    const maker = await browser.newPage();
    const subscription = await activeSubscription(tab);
    for (const language of languages) {
      const folder = join(projectRoot, 'public/pictures/help', language);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await tab.context().addCookies([{ name: 'perennial.language', value: language, url: link }]);
      for (const { id, address } of pictures) {
        await show(tab, new URL(address.replace('{subscription}', String(subscription)), link).href);
        writeFileSync(join(folder, `${id}.webp`), await picture(tab, maker));
        console.log(`public/pictures/help/${language}/${id}.webp  ${address}`);
      }
    }
  } finally {
    await browser.close();
    await stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}
