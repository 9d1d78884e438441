// Builds dist/admin (the browser's files and the storefront's script, with their gzip and brotli forms) and dist/server (one bundle each for the server and its database worker).
import { cpSync, createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { rolldown, type Plugin } from 'rolldown';
import { build } from 'vite';
import { readMigrations } from '../src/server/platform/db/migrate.ts';
import { readConfig } from '../src/server/platform/config.ts';
import { moduleFiles } from '../src/server/platform/modules.ts';
import { loadDefinitions } from '../src/server/platform/definitions.ts';
import { makeReadyMade } from '../src/server/features/demo/ready-made.ts';
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

/** The server finds its modules by their files; a bundle has no folders, so their imports are written out here. */
const fixedImports: Plugin = {
  name: 'fixed-imports',
  transform: {
    filter: { id: /src\/server\/platform\/modules\.ts$/ },
    handler(code) {
      const files = moduleFiles(join(root, 'src/server'));
      const imports = files.map(({ path }, i) => `import * as module_${i} from '../${relative(join(root, 'src/server'), path)}';`);
      const modules = files.map(
        ({ kind, name }, i) => `{ kind: ${JSON.stringify(kind)}, name: ${JSON.stringify(name)}, exports: module_${i} }`,
      );
      const head = code.slice(0, code.indexOf('/** Imports every module. */'));
      return {
        code: `${imports.join('\n')}\n${head}\nexport async function loadModules() { return gather([${modules.join(', ')}]); }\n`,
        map: { mappings: '' },
      };
    },
  },
};

async function buildServer(): Promise<void> {
  // What is done apart has an entry of its own (src/server/platform/apart).
  const processes = Object.fromEntries(
    readdirSync(join(root, 'src/server'), { withFileTypes: true, recursive: true })
      .filter(({ name }) => name.endsWith('-process.ts'))
      .map(({ name, parentPath }) => [name.slice(0, -'.ts'.length), join(parentPath, name)]),
  );
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: { main: 'src/server/main.ts', 'embedded-worker': 'src/server/platform/db/embedded/embedded-worker.ts', ...processes },
    // Packages stay where npm put them: PGlite, pg and others read files beside their own code.
    external: id => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
    plugins: [fixedImports],
  });
  // One folder for all of it: the server looks for its migrations, its worker and the empty database beside itself.
  await bundle.write({
    dir: join(root, 'dist/server'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  });
  await bundle.close();
  cpSync(join(root, 'src/server/platform/db/migrations'), join(root, 'dist/server/migrations'), { recursive: true });
  cpSync(await findSnapshot(), join(root, 'dist/server', snapshotName(readMigrations())));
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
