// `npm test`: installs what the tests need (packages, Node 24, a Chromium, PostgreSQL), then check, build and every test. Arguments go to
// vitest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureApiTools, ensureJudges, ensureNode24, ensurePackages, ensureVendure, fail, root, run } from './ensure.mjs';

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
const chosen = process.argv.slice(2);
/** Runs a script beside what goes on here. @returns the code it ends with */
const beside = args => once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit').then(([code]) => code ?? 1);
// Checking and building need the processor, installing waits for others.
const ended = [
  beside(['scripts/check.mjs']),
  beside(['--input-type=module', '-e', "(await import('./scripts/ensure.mjs')).ensureBuild()"]),
];
ensureSystem('Chromium', hasChromium, ['chromium-headless-shell', 'chromium']);
ensureSystem('PostgreSQL', hasPostgres, ['postgresql']);
ensureSystem('pgbouncer', () => found('pgbouncer') || existsSync('/usr/sbin/pgbouncer'), ['pgbouncer'], true);
ensureNode24();
ensureApiTools();
ensureJudges();
// A single file that needs it installs it by itself.
if (chosen.length === 0) ensureVendure();
const refused = (await Promise.all(ended)).find(code => code !== 0);
if (refused !== undefined) process.exit(refused);

mkdirSync(join(root, '.cache'), { recursive: true });

/** Runs vitest. What came of it: the code it ended with, the numbers of tests, and the files in which some failed. */
function test(name, args) {
  const report = join(root, '.cache', `${name}.json`);
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', '--reporter=./scripts/slowest-files.mjs', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (!existsSync(report)) return { status: status ?? 1, failed: [] };
  const counted = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`\n${counted.numPassedTests} passed, ${counted.numFailedTests} failed, ${counted.numPendingTests} skipped`);
  return { status: status ?? 1, failed: counted.testResults.filter(one => one.status === 'failed').map(one => one.name) };
}

/** More files than these do not fail because a busy machine starved them. */
const MOST_AGAIN = 12;

const first = test('test-report', chosen);
// On a shared machine a test may be starved once. Its file is run again as a whole, with servers and databases of its own and nothing beside
// it: a test that is repeated where it failed meets what its first try left behind. What fails twice is wrong.
if (first.status === 0 || !process.env.CI || first.failed.length === 0 || first.failed.length > MOST_AGAIN) process.exit(first.status);
console.log(`\nOnce more, one after the other: ${first.failed.map(file => relative(root, file)).join(', ')}`);
const again = test('test-report-again', ['--maxWorkers=1', ...first.failed]);
console.log(again.status === 0 ? 'These files passed when nothing ran beside them.' : 'These files failed twice.');
process.exit(again.status);
