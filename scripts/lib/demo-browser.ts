// A running product with its demo store and a browser in it, for scripts that take pictures.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

/** What is seen of a page (CSS pixels). */
export const SIZE = { width: 1180, height: 720 };

/** Starts the product that is built in a folder with a small demo store; gives the link that signs its owner in. */
export async function startDemo(folder: string, data = join(folder, 'data')): Promise<{ link: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      PERENNIAL_DATA: data,
      PERENNIAL_DEMO: 'on',
      PERENNIAL_DEMO_SIZE: '400',
      LOG_LEVEL: 'error',
    },
  });
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
  });
  const link = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      const found = /http\S+\/login\?link=\S+/.exec(output);
      if (found) resolve(found[0]);
    });
    void ended.then(() => reject(new Error(`The product ended at its start:\n${output}`)));
  });
  return {
    link,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The Chromium of CHROMIUM, or the one in PATH. */
export function openBrowser(): Promise<Browser> {
  const found = spawnSync(
    'sh',
    ['-c', 'for name in chromium chromium-headless-shell chromium-browser google-chrome; do command -v $name && break; done'],
    { encoding: 'utf8' },
  );
  return chromium.launch({ executablePath: process.env['CHROMIUM'] ?? found.stdout.trim(), args: ['--no-sandbox', '--hide-scrollbars'] });
}

/** A page in which the owner is signed in. */
export async function signedIn(browser: Browser, link: string): Promise<Page> {
  const tab = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  await tab.goto(link);
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tab.waitForURL(url => !url.pathname.startsWith('/login'));
  return tab;
}

/** Goes to an address, and waits until everything on it has arrived. */
export async function show(tab: Page, address: string): Promise<void> {
  await tab.goto(address);
  await tab.getByRole('heading', { level: 1 }).first().waitFor();
  await tab.waitForLoadState('networkidle');
}

/** The id of an active subscription, asked for with the token that the page keeps. */
export const activeSubscription = (tab: Page): Promise<number | undefined> =>
  tab.evaluate(async () => {
    const filter = encodeURIComponent(JSON.stringify({ status: ['ACTIVE'] }));
    const answer = await fetch(`/host/main/api/merchant/subscriptionContract/list?pageSize=1&filter=${filter}`, {
      headers: { authorization: localStorage.getItem('perennial.token') ?? '' },
    });
    return ((await answer.json()) as { data: { id: number }[] }).data[0]?.id;
  });

/** The tab as a picture in WebP. `maker` is a page without a policy, which draws it. */
export async function picture(tab: Page, maker: Page): Promise<Buffer> {
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
    [png, tab.viewportSize()?.width ?? SIZE.width, tab.viewportSize()?.height ?? SIZE.height] as const,
  );
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
