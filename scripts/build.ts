// Builds dist/admin (the browser's files and the storefront's script, with their gzip and brotli forms) and dist/server (one bundle each for the server and its database worker).
import { cpSync, createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { build } from 'vite';
import { readMigrations } from '../src/server/platform/db/migrate.ts';
import { readConfig } from '../src/server/platform/config.ts';
import { loadDefinitions } from '../src/server/platform/definitions.ts';
import { makeReadyMade } from '../src/server/features/demo/ready-made.ts';
import { bundleServer } from './lib/server-bundle.ts';
import { STOREFRONT_FILES, storefrontFile } from './storefront-script.ts';
import { findSnapshot, snapshotName } from '../src/server/platform/db/embedded/snapshot.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Compresses once at build time what would otherwise be compressed at every request. */
async function compress(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|css|svg|json|wasm)$/.test(entry.name) || statSync(file).size < 1024) continue;
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
    await pipeline(
      createReadStream(file),
      createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      createWriteStream(`${file}.br`),
    );
  }
}

async function buildServer(): Promise<void> {
  const folder = join(root, 'dist/server');
  await bundleServer(root, folder, { main: 'src/server/main.ts' });
  cpSync(await findSnapshot(), join(folder, snapshotName(readMigrations())));
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
// The demo store keeps the database's thread busy while the admin is bundled.
const { demoSize, seed } = readConfig({});
const definitions = loadDefinitions(root);
const demoStore = makeReadyMade({
  folder: join(root, 'dist/server'),
  areas: Object.keys(definitions.permissions),
  definitions,
  contracts: demoSize,
  seed,
});
await Promise.all([
  demoStore,
  (async () => {
    await build({ root, logLevel: 'warn' });
    mkdirSync(join(root, 'dist/admin/storefront'));
    for (const name of STOREFRONT_FILES) writeFileSync(join(root, 'dist/admin/storefront', name), await storefrontFile(root, name));
    await compress(join(root, 'dist/admin'));
    await buildServer();
  })(),
]);
