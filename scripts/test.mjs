// `npm test`: installs what the tests need (packages, Node 24, a Chromium, PostgreSQL), then check, build and every test. Arguments go to
// vitest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureApiTools, ensureBuild, ensureJudges, ensureNode24, ensurePackages, fail, root, run } from './ensure.mjs';

const found = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const hasChromium = () =>
  Boolean(process.env.CHROMIUM) ||
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(found);
const hasPostgres = () =>
  found('postgres') ||
  (existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').some(v => existsSync(`/usr/lib/postgresql/${v}/bin/postgres`)));

/**
 * Installs the first of these packages that there is, where this can be done without asking (as root or with passwordless sudo, on Debian
 * and its kin). With `isOptional` its tests are skipped where it can't be had.
 */
function ensureSystem(name, isThere, packages, isOptional = false) {
  if (isThere()) return;
  const stop = isOptional ? why => console.log(`${why} Its tests are skipped.`) : fail;
  const sudo = process.getuid?.() === 0 ? [] : spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
  if (!sudo || !found('apt-get'))
    return stop(
      `The tests need ${name}, which is not installed. Install it (Debian: apt-get install ${packages[0]}) and run npm test again.`,
    );
  console.log(`Installing ${name} …`);
  const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  spawnSync(apt[0], [...apt.slice(1), 'update', '-qq'], { stdio: 'inherit' });
  const known = packages.find(one => spawnSync('apt-cache', ['show', one]).status === 0) ?? packages[0];
  const install = [...apt.slice(1), 'install', '-y', '-qq', '--no-install-recommends', known];
  if (isOptional) spawnSync(apt[0], install, { stdio: 'inherit' });
  else run(apt[0], install);
  if (!isThere()) stop(`${name} could not be installed.`);
}

ensurePackages();
ensureNode24();
ensureApiTools();
ensureJudges();
ensureSystem('Chromium', hasChromium, ['chromium-headless-shell', 'chromium']);
ensureSystem('PostgreSQL', hasPostgres, ['postgresql']);
ensureSystem('pgbouncer', () => found('pgbouncer') || existsSync('/usr/sbin/pgbouncer'), ['pgbouncer'], true);
// Beside each other: neither keeps both cores busy all the time.
const checked = once(spawn(process.execPath, ['scripts/check.mjs'], { cwd: root, stdio: 'inherit' }), 'exit');
ensureBuild();
const [refused] = await checked;
if (refused !== 0) process.exit(refused ?? 1);

const report = join(root, '.cache', 'test-report.json');
mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(report, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/slowest-files.mjs',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (existsSync(report)) {
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}
process.exit(status ?? 1);
