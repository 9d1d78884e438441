// `npm run pictures`, first part: takes the pictures of docs/cookbook.md from the product as it is after its tasks were followed, built and run in a
// folder of its own. Needs a Chromium (CHROMIUM, or in PATH).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../src/server/platform/definitions.ts';
import { cookbookFiles, picturesOf } from './lib/cookbook.ts';
import { openBrowser, show, signedIn, startDemo } from './lib/demo-browser.ts';

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

try {
  build();
  const { link, stop } = await startDemo(folder);
  const browser = await openBrowser();
  try {
    const tab = await signedIn(browser, link);
    for (const { file, address } of picturesOf(page)) {
      await show(tab, new URL(address, link).href);
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
