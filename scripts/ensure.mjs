// What every command needs before it can begin: the right Node, the installed packages, an up-to-date build. Plain Node, no packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a command in the project's root with its output shown; ends this process with its code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`Could not run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Perennial needs Node 20.19 or later; this is Node ${process.versions.node}.`);
}

const digest = texts => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
};

const ARGUMENTS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];

/**
 * Installs the packages of a folder's package-lock.json unless exactly those are installed already.
 * @param mayLack whether to go on without them where they can't be had; then the answer is whether they are there
 */
function install(folder, what, mayLack = false) {
  const stamp = join(folder, 'node_modules', '.perennial-lock');
  const wanted = digest([readFileSync(join(folder, 'package-lock.json'), 'utf8')]);
  const isThere = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isThere()) return true;
  alone(`${folder}/.installing`, () => {
    if (isThere()) return;
    console.log(`Installing ${what} …`);
    if (!mayLack) run('npm', ARGUMENTS, { cwd: folder });
    else if (spawnSync('npm', ARGUMENTS, { cwd: folder, stdio: 'ignore' }).status !== 0) return;
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  });
  return isThere();
}

/** How long one may take that others wait for; after that its process is gone. */
const ALONE_MS = 300_000;

/** Test files run beside each other: two that install into one folder would leave half of it. */
function alone(lock, work) {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs !== undefined && Date.now() - mtimeMs > ALONE_MS) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Installs the packages of the product. */
export function ensurePackages() {
  requireNode();
  install(root, 'packages');
}

/**
 * Installs Node 24 beside the Node that runs this, so that the tests can try the product on both.
 * @returns its program; undefined on a platform for which tests/node24 has no package (anything but Linux with glibc)
 */
export function ensureNode24() {
  const isThere = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (!isThere || !process.report.getReport().header.glibcVersionRuntime) return undefined;
  const folder = join(root, 'tests', 'node24');
  install(folder, 'Node 24');
  return join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
}

/** Installs what checks the API document and makes a client of it, with a TypeScript of its own. @returns its folder */
export function ensureApiTools() {
  const folder = join(root, 'tests', 'client');
  install(folder, 'the tools of the API document');
  return folder;
}

/** Installs official clients and readers of other services, which judge what we send them. @returns its folder */
export function ensureJudges() {
  const folder = join(root, 'tests', 'judges');
  install(folder, 'official clients of other services');
  return folder;
}

/** Installs a Vendure shop, which is spawned beside the product and never a part of it. @returns its folder; undefined where it can't be had */
export function ensureVendure() {
  const folder = join(root, 'tests', 'vendure');
  return install(folder, 'a Vendure shop', true) ? folder : undefined;
}

const SOURCES = [
  'src',
  'schemas',
  'resources',
  'renderers',
  'scripts',
  'index.html',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.json',
];

function* filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (!/\.[a-z]+$/.test(path) || readIsFolder(full)) {
    for (const entry of readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory()) yield* filesUnder(child);
      else yield child;
    }
  } else yield path;
}
function readIsFolder(full) {
  try {
    readdirSync(full);
    return true;
  } catch {
    return false;
  }
}

/** One hash over everything the build reads. */
export function sourceHash() {
  const parts = [];
  for (const source of SOURCES) for (const file of filesUnder(source)) parts.push(file, readFileSync(join(root, file)));
  return digest(parts);
}

/** Builds admin and server into dist/ unless dist/ holds the build of exactly these sources. */
export function ensureBuild() {
  const stamp = join(root, 'dist', '.built');
  const wanted = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Building …');
  run(process.execPath, ['--import', 'tsx', 'scripts/build.ts']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}
