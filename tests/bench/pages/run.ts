// The list page beside a minimal react-admin list, cold cache, CPU four times slower, fast 4G: first row, row to form, sort, weight, shift.
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { chromiumPath, FLAGS } from '../../admin/gallery/browser.ts';
import { startProduct } from '../../support/browser/product.ts';
import { median, print, type Line } from '../numbers.ts';
import { serveFloor } from './floor.ts';

const FAST_4G = { offline: false, downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9, latency: 60 * 2.75 };

interface Candidate {
  url: string;
  token?: string;
  row: string;
  open: { from?: string; click: string; wait: string };
  sort: { click: string; watch: string };
}
interface Figures {
  row: number;
  open: number;
  sort: number;
  js: number;
  shift: number;
  requests: number;
}

/** Runs in the page before anything else: remembers when the first row was painted, and how much the layout moved. */
function instrument({ row, token }: { row: string; token: string | undefined }): void {
  if (token) localStorage.setItem('perennial.token', token);
  const state = { row: 0, shift: 0, down: 0 };
  Object.assign(window, { bench: state });
  new PerformanceObserver(list => {
    for (const entry of list.getEntries())
      if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput) state.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  addEventListener(
    'pointerdown',
    () => {
      state.down = performance.now();
    },
    true,
  );
  const look = (): void => {
    const found = document.querySelector(row);
    if (found && found.textContent?.trim() && !found.querySelector('.p-skeleton')) {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        state.row = performance.now();
      };
      requestAnimationFrame(() => channel.port2.postMessage(0));
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Clicks, and gives the time from the press to the frame after the condition (an expression in the page) holds. */
async function timed(page: Page, click: string, condition: string): Promise<number> {
  await page.evaluate(text => {
    const holds = new Function(`return (${text})`) as () => boolean;
    Object.assign(window, { benchDone: 0 });
    const look = (): void => {
      if (holds()) {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          Object.assign(window, { benchDone: performance.now() });
        };
        requestAnimationFrame(() => channel.port2.postMessage(0));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, condition);
  await page.locator(click).locator('visible=true').first().click();
  await page.waitForFunction('window.benchDone > 0', undefined, { timeout: 60_000, polling: 20 });
  return page.evaluate('window.benchDone - window.bench.down') as Promise<number>;
}

async function once(candidate: Candidate, cpu: number): Promise<Figures> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS });
  try {
    // The page under measure may not run code from text; the clock that measures it does.
    const context = await browser.newContext({ viewport: { width: 1350, height: 940 }, bypassCSP: true });
    const page = await context.newPage();
    const session: CDPSession = await context.newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Map<string, number>();
    let requests = 0;
    session.on('Network.requestWillBeSent', event => {
      if (event.request.url.startsWith('http')) requests++;
      if (event.type === 'Script' || /\.js($|\?)/.test(event.request.url)) scripts.set(event.requestId, 0);
    });
    session.on('Network.loadingFinished', event => {
      if (scripts.has(event.requestId)) scripts.set(event.requestId, event.encodedDataLength);
    });
    if (cpu > 1) {
      await session.send('Network.emulateNetworkConditions', FAST_4G);
      await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    }
    // The compiler wraps named functions in a helper that the page does not have.
    await page.addInitScript('globalThis.__name = f => f;');
    await page.addInitScript(instrument, { row: candidate.row, token: candidate.token });
    await page.goto(candidate.url, { waitUntil: 'commit' });
    await page.waitForFunction('window.bench && window.bench.row > 0', undefined, { timeout: 120_000, polling: 20 });
    const row = (await page.evaluate('window.bench.row')) as number;
    const js = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / 1024;
    const asked = requests;
    await page.waitForTimeout(2500);
    const text = `document.querySelector(${JSON.stringify(candidate.sort.watch)})?.textContent ?? ''`;
    const before = (await page.evaluate(text)) as string;
    const sort = await timed(page, candidate.sort.click, `(t => t !== '' && t !== ${JSON.stringify(before)})(${text})`);
    await page.waitForTimeout(1000);
    if (candidate.open.from) {
      await page.goto(candidate.open.from);
      await page.waitForSelector(candidate.open.click);
      await page.waitForTimeout(2500);
    }
    const open = await timed(page, candidate.open.click, `document.querySelector(${JSON.stringify(candidate.open.wait)}) !== null`);
    const shift = (await page.evaluate('window.bench.shift')) as number;
    return { row, open, sort, js, shift, requests: asked };
  } finally {
    await browser.close();
  }
}

/** Medians of `runs` turns of both pages, as ratios. */
export async function pages(runs = 5, cpu = 4): Promise<Line[]> {
  const floor = await serveFloor();
  const product = await startProduct({ size: 1000, isMeasured: true });
  try {
    const token = await product.token();
    const candidates: Record<'floor' | 'ours', Candidate> = {
      floor: {
        url: `${floor.url}/minimal.html#/subscriptions`,
        row: 'tbody tr td:nth-child(3)',
        sort: { click: 'th.column-total .MuiTableSortLabel-root, th.column-total [role=button]', watch: 'tbody tr td:nth-child(2)' },
        open: { click: 'tbody tr:nth-child(3) td:nth-child(3)', wait: 'form input[name=customerName]' },
      },
      ours: {
        url: `${product.url}/subscriptions`,
        token,
        row: 'tbody tr[data-row] td:nth-child(3)',
        sort: { click: 'th button:has-text("Total")', watch: 'tbody tr[data-row]' },
        open: { from: `${product.url}/selling-plans`, click: 'tbody tr[data-row]:nth-child(3) td:nth-child(4)', wait: 'main form input' },
      },
    };
    const all: Record<'floor' | 'ours', Figures[]> = { floor: [], ours: [] };
    for (let i = 0; i < runs; i++) for (const name of ['floor', 'ours'] as const) all[name].push(await once(candidates[name], cpu));
    const of = (name: 'floor' | 'ours', key: keyof Figures): number => median(all[name].map(figures => figures[key]));
    const line = (name: string, key: keyof Figures, goal: number): Line => ({
      name,
      bare: of('floor', key),
      ours: of('ours', key),
      ratio: of('ours', key) / of('floor', key),
      ok: of('ours', key) / of('floor', key) <= goal,
    });
    return [
      line('first data row, ms (≤ 0.85)', 'row', 0.85),
      line('row to form, ms (≤ 1.0)', 'open', 1),
      line('sort, ms (≤ 0.7)', 'sort', 0.7),
      { name: 'JavaScript before that row, kB (≤ 300)', bare: of('floor', 'js'), ours: of('ours', 'js'), ok: of('ours', 'js') <= 300 },
      { name: 'requests before that row', bare: of('floor', 'requests'), ours: of('ours', 'requests') },
      { name: 'layout shift (< 0.02)', bare: of('floor', 'shift'), ours: of('ours', 'shift'), ok: of('ours', 'shift') < 0.02 },
    ];
  } finally {
    await product.remove();
    await floor.close();
  }
}

if (process.argv[1]?.endsWith('pages/run.ts'))
  print('List page, CPU 4x slower, fast 4G, cold cache', await pages(Number(process.argv[2] ?? 5)));
