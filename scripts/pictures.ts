// `npm run pictures`: takes the pictures of docs/cookbook.md from the product as it is after its tasks were followed, built and run in a
// folder of its own. Needs a Chromium (CHROMIUM, or in PATH).
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { projectRoot } from '../src/server/platform/definitions.ts';
import { cookbookFiles, picturesOf } from './lib/cookbook.ts';

const SOURCES = [
  'docs',
  'src',
  'schemas',
  'resources',
  'renderers',
  'scripts',
  'public',
  'index.html',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
];
const SIZE = { width: 1180, height: 720 };

const folder = mkdtempSync(join(tmpdir(), 'perennial-pictures-'));
const page = readFileSync(join(projectRoot, 'docs/cookbook.md'), 'utf8');

/** The product with the definitions of the cookbook, built in the folder. */
function build(): void {
  for (const name of SOURCES) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(cookbookFiles(page))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const script of ['scripts/generate.ts', 'scripts/build.ts']) {
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`${script} ended with ${status}.`);
  }
}

/** Starts the built product with a small demo store; gives the link that signs its owner in. */
async function start(): Promise<{ link: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      PERENNIAL_DATA: join(folder, 'data'),
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

try {
  build();
  const { link, stop } = await start();
  const found = spawnSync('sh', ['-c', 'command -v chromium chromium-browser google-chrome | head -n 1'], {
    encoding: 'utf8',
  }).stdout.trim();
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? found, args: ['--no-sandbox', '--hide-scrollbars'] });
  try {
    const tab = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
    await tab.goto(link);
    await tab.waitForURL(url => !url.pathname.startsWith('/login'));
    for (const { file, address } of picturesOf(page)) {
      await tab.goto(new URL(address, link).href);
      await tab.getByRole('heading', { level: 1 }).first().waitFor();
      await tab.waitForLoadState('networkidle');
      mkdirSync(dirname(join(projectRoot, 'docs', file)), { recursive: true });
      await tab.screenshot({ path: join(projectRoot, 'docs', file) });
      console.log(`docs/${file}  ${address}`);
    }
  } finally {
    await browser.close();
    await stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
