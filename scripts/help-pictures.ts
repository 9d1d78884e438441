// `npm run pictures`, second part: the pictures of the help center's articles, in each of its languages, from the built product (npm run build)
// with its demo store. WebP, which the browser itself makes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../src/server/platform/definitions.ts';
import { pictureOf } from './help-plugin.ts';
import { openBrowser, show, signedIn, SIZE, startDemo } from './lib/demo-browser.ts';

const articles = join(projectRoot, 'src/admin/features/help/articles');
const entries = readdirSync(articles, { withFileTypes: true });
const languages = ['en', ...entries.filter(one => one.isDirectory()).map(one => one.name)];
const pictures = entries.flatMap(({ name }) => {
  const address = name.endsWith('.md') ? pictureOf(readFileSync(join(articles, name), 'utf8')) : undefined;
  return address === undefined ? [] : [{ id: name.replace(/\.md$/, ''), address }];
});

/** The id of an active subscription, asked for with the token that the page keeps. */
const activeSubscription = (tab: Page): Promise<number | undefined> =>
  tab.evaluate(async () => {
    const filter = encodeURIComponent(JSON.stringify({ status: ['ACTIVE'] }));
    const answer = await fetch(`/host/main/api/merchant/subscriptionContract/list?pageSize=1&filter=${filter}`, {
      headers: { authorization: localStorage.getItem('perennial.token') ?? '' },
    });
    return ((await answer.json()) as { data: { id: number }[] }).data[0]?.id;
  });

/** The tab as a picture in WebP. `maker` is a page without a policy, which draws it. */
async function picture(tab: Page, maker: Page): Promise<Buffer> {
  const png = (await tab.screenshot()).toString('base64');
  const url = await maker.evaluate(
    async ([data, width, height]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.75);
    },
    [png, SIZE.width, SIZE.height] as const,
  );
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

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
