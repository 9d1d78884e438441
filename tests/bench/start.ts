// The start with the catalogue as it is beside the start with 860 calls and 170 screens, in the same run: first row of a list, JavaScript
// and requests
// before it, cold cache, CPU four times slower, fast 4G. The larger product is built in a folder of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type CDPSession } from 'playwright-core';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { chromiumPath, FLAGS } from '../admin/gallery/browser.ts';
import { loadFirstRow } from '../support/browser/first-row.ts';
import { startProduct } from '../support/browser/product.ts';
import { copyProduct } from '../support/copy-of-product.ts';
import { withLargeCatalogue } from '../support/large-catalogue.ts';
import { median, print, type Line } from './numbers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LARGE = { calls: 1200, screens: 230, inNavigation: true };
const FAST_4G = { offline: false, downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9, latency: 60 * 2.75 };
const LISTS = ['/subscriptions', '/selling-plans'];

/** The product with the large catalogue, built; gives its folder. */
function buildLarge(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-large-'));
  copyProduct(folder, withLargeCatalogue(readDefinitionFiles(root), LARGE));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: folder, stdio: 'inherit' });
  if (status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  throw new Error('The product with the large catalogue could not be built.');
}

interface Figures {
  row: number;
  js: number;
  requests: number;
}
async function once(url: string, token: string): Promise<Figures> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS });
  try {
    const context = await browser.newContext({ viewport: { width: 1350, height: 940 }, bypassCSP: true });
    await context.addInitScript(`localStorage.setItem('perennial.token', ${JSON.stringify(token)})`);
    const { ms, loaded } = await loadFirstRow(context, url, undefined, async (session: CDPSession) => {
      await session.send('Network.emulateNetworkConditions', FAST_4G);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    });
    const scripts = loaded.filter(one => one.kind === 'Script');
    return { row: ms, js: scripts.reduce((sum, one) => sum + one.bytes, 0) / 1024, requests: loaded.length };
  } finally {
    await browser.close();
  }
}

/** Medians of `runs` turns on each list, with the large catalogue as ratios to those without. */
export async function start(runs = 5): Promise<Line[]> {
  const folder = buildLarge();
  const plain = await startProduct({ size: 400, isMeasured: true });
  try {
    const large = await startProduct({ size: 400, at: folder, isMeasured: true });
    try {
      const tokens = { plain: await plain.token(), large: await large.token() };
      const lines: Line[] = [];
      for (const path of LISTS) {
        const all: Record<'plain' | 'large', Figures[]> = { plain: [], large: [] };
        for (let i = 0; i < runs; i++)
          for (const [name, product] of Object.entries({ plain, large }) as ['plain' | 'large', typeof plain][])
            all[name].push(await once(product.url + path, tokens[name]));
        const line = (name: string, key: keyof Figures, goal?: number): Line => {
          const [bare, ours] = [median(all.plain.map(one => one[key])), median(all.large.map(one => one[key]))];
          return { name: `${path}: ${name}`, bare, ours, ratio: ours / bare, ...(goal === undefined ? {} : { ok: ours / bare <= goal }) };
        };
        lines.push(line('first row, ms (≤ 1.05)', 'row', 1.05), line('JavaScript before it, kB (≤ 1.05)', 'js', 1.05));
        const requests = line('requests before it (at most 15)', 'requests');
        lines.push({ ...requests, ok: requests.ours <= 15 });
      }
      return lines;
    } finally {
      await large.remove();
    }
  } finally {
    await plain.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('start.ts'))
  print(
    'Start with 860 calls and 170 screens beside the start as it is, CPU 4x slower, fast 4G, cold cache',
    await start(Number(process.argv[2] ?? 5)),
  );
