// Builds dist/admin (the browser's files, with their gzip and brotli forms) and dist/server (one bundle each for the server and its database worker).
import { createReadStream, createWriteStream, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { rolldown } from 'rolldown';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Compresses once at build time what would otherwise be compressed at every request. */
async function compress(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|css|svg|json|map|wasm)$/.test(entry.name) || statSync(file).size < 1024) continue;
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
    await pipeline(createReadStream(file), createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }), createWriteStream(`${file}.br`));
  }
}

async function buildServer(): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: { main: 'src/server/main.ts', 'embedded-worker': 'src/server/store/embedded-worker.ts' },
    // Packages stay where npm put them: PGlite, pg and others read files beside their own code.
    external: id => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
  });
  await bundle.write({ dir: join(root, 'dist/server'), format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', sourcemap: true });
  await bundle.close();
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({ root, logLevel: 'warn' });
await compress(join(root, 'dist/admin'));
await buildServer();
