// Forms benchmark: our engine beside plain @rjsf/mui with precompiled validators, in one session, as ratios.
// usage: tsx tests/bench/forms/run.ts [--n 100,300] [--cpu 1,4] [--reps 3] [--keys 12]
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath, FLAGS } from '../../admin/gallery/browser.ts';
import { buildCandidate } from './build.ts';

const option = (name: string, fallback: string): string => {
  const i = process.argv.indexOf(`--${name}`);
  return i < 0 ? fallback : (process.argv[i + 1] ?? fallback);
};
const sizes = option('n', '100,300').split(',').map(Number);
const rates = option('cpu', '1,4').split(',').map(Number);
const [reps, keyCount] = [Number(option('reps', '3')), Number(option('keys', '12'))];

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};
const percentile = (values: number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)]!;
};

const CANDIDATES = { ours: { error: 'needs at least 2 characters' }, mui: { error: 'must NOT have fewer' } } as const;
type Name = keyof typeof CANDIDATES;
interface Figures {
  mount: number;
  key50: number;
  key95: number;
  submit: number;
  nodes: number;
  kilobytes: number;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-forms-'));
for (const name of Object.keys(CANDIDATES) as Name[]) await buildCandidate(name, join(folder, name));
const server = createServer((request, response) => {
  const file = join(folder, normalize(new URL(request.url ?? '/', 'http://x').pathname));
  readFile(file).then(
    body => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body),
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>(resolve => {
  server.listen(0, '127.0.0.1', resolve);
});
const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

/** One page load: mount, keys in the first text field with validation live, then (a second page) a value too short, and submit. */
async function once(name: Name, n: number, cpu: number): Promise<Figures> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args: FLAGS });
  const open = async (live: 0 | 1) => {
    const page = await (await browser.newContext({ viewport: { width: 1350, height: 940 } })).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.dataReceived', event => {
      bytes += event.dataLength;
    });
    if (cpu > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    page.on('pageerror', error => console.error(`${name}: ${error.message}`));
    await page.goto(`${base}/${name}/tests/bench/forms/${name}.html?n=${n}&live=${live}`);
    await page.waitForFunction(() => window.clock?.ready, undefined, { timeout: 120_000 });
    await page.waitForTimeout(800);
    const first = page.locator('input[type=text], input:not([type])').locator('visible=true').first();
    await first.click();
    await page.keyboard.press('End');
    await page.waitForTimeout(300);
    return { page, first, kilobytes: bytes / 1024 };
  };
  try {
    const live = await open(1);
    await live.page.evaluate(() => {
      window.clock.keys.length = 0;
    });
    for (let i = 0; i < keyCount; i += 1) {
      await live.page.keyboard.press('abcdefghij'[i % 10]!);
      await live.page.waitForTimeout(n >= 300 ? 250 : 150);
    }
    await live.page.waitForTimeout(900);
    const { keys, mountMs, nodes } = await live.page.evaluate(() => ({
      keys: window.clock.keys,
      mountMs: window.clock.mountMs,
      nodes: document.getElementsByTagName('*').length,
    }));
    await live.page.close();
    const still = await open(0);
    await still.page.keyboard.press('Control+A');
    await still.page.keyboard.press('x');
    await still.page.waitForTimeout(900);
    const told = still.page.evaluate(text => window.clock.waitFor(text), CANDIDATES[name].error);
    await still.page.locator(name === 'mui' ? 'button[type=submit]' : 'button.p-btn-primary').click();
    return { mount: mountMs, key50: median(keys), key95: percentile(keys, 0.95), submit: await told, nodes, kilobytes: live.kilobytes };
  } finally {
    await browser.close();
  }
}

const GOALS: Record<string, Partial<Figures>> = {
  '100 x4': { mount: 900, key50: 38, key95: 48, submit: 130 },
  '300 x4': { mount: 1300, key50: 45, key95: 74, submit: 270 },
};
const RATIOS: Partial<Figures> = { mount: 0.8, key95: 0.6, submit: 0.9 };
let missed = 0;
try {
  for (const cpu of rates)
    for (const n of sizes) {
      const runs: Record<Name, Figures[]> = { ours: [], mui: [] };
      for (let i = 0; i < reps; i += 1) for (const name of ['mui', 'ours'] as Name[]) runs[name].push(await once(name, n, cpu));
      const figures = (name: Name): Figures =>
        Object.fromEntries(
          (Object.keys(runs[name][0]!) as (keyof Figures)[]).map(key => [key, median(runs[name].map(run => run[key]))]),
        ) as unknown as Figures;
      const [ours, mui] = [figures('ours'), figures('mui')];
      const goal = GOALS[`${n} x${cpu}`] ?? {};
      console.log(`\n${n} fields, CPU ${cpu}x slower (${reps} runs, medians)`);
      for (const key of ['mount', 'key50', 'key95', 'submit', 'nodes', 'kilobytes'] as const) {
        const ratio = ours[key] / mui[key];
        const [most, limit] = [goal[key], n === 300 ? RATIOS[key] : undefined];
        const isMissed = (most !== undefined && ours[key] > most) || (limit !== undefined && ratio > limit);
        if (isMissed) missed += 1;
        console.log(
          `  ${key.padEnd(9)} ours ${ours[key].toFixed(0).padStart(6)}   rjsf+mui ${mui[key].toFixed(0).padStart(6)}   ratio ${ratio.toFixed(2)}${limit ? ` (at most ${limit})` : ''}${most ? `   goal ${most}` : ''}${isMissed ? '   MISSED' : ''}`,
        );
      }
    }
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed ? `\n${missed} figures missed.` : '\nAll figures reached.');
process.exitCode = missed ? 1 : 0;
