// Builds the gallery as the product is built and serves it under the product's content security policy. Also a command: tsx
// tests/admin/gallery/serve.ts [--dev]
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { definitionsPlugin } from '../../../scripts/definitions-plugin.ts';
import { build, createServer as createVite } from 'vite';
import type { InlineConfig, Plugin } from 'vite';
import { validatorCode } from '../../../src/contract/validation/compile.ts';
import { formAlias } from '../../../scripts/form-alias.ts';
import { SCHEMAS } from './schemas.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const project = join(here, '../../..');
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#e9dcc9"/><path d="M20 18h24v8c0 12-6 20-12 20s-12-8-12-20z" fill="#6b4226"/><circle cx="32" cy="50" r="3" fill="#6b4226"/></svg>';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const POLICY =
  "default-src 'none'; script-src 'self' 'nonce-gallery'; style-src 'self' 'nonce-gallery'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

const validators = (): Plugin => ({
  name: 'gallery-validators',
  resolveId: id => (id.startsWith('virtual:gallery/') ? `\0${id}` : undefined),
  load(id) {
    if (id === '\0virtual:gallery/validators')
      return `${Object.keys(SCHEMAS)
        .map(name => `import ${name} from 'virtual:gallery/${name}';`)
        .join('\n')}\nexport default { ${Object.keys(SCHEMAS).join(', ')} };`;
    const schema = id.startsWith('\0virtual:gallery/') && SCHEMAS[id.slice('\0virtual:gallery/'.length)];
    return schema ? validatorCode(schema, join(project, 'src/contract/validation/validator-runtime.ts')) : undefined;
  },
});
const config = (): InlineConfig => ({
  root: project,
  configFile: false,
  logLevel: 'error',
  plugins: [validators(), definitionsPlugin({ root: fileURLToPath(new URL('../../..', import.meta.url)) }), react()],
  resolve: { alias: formAlias },
  html: { cspNonce: 'gallery' },
});

export interface Gallery {
  url: string;
  close(): Promise<void>;
}

const built = (folder: string): Promise<unknown> =>
  build({
    ...config(),
    build: {
      outDir: folder,
      emptyOutDir: true,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 5000,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(here, 'index.html') },
    },
  });

/** Builds into a folder that several files of a run share; the second waits for the first. */
async function builtOnce(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const making = `${folder}-making`;
  try {
    mkdirSync(making);
  } catch {
    while (!existsSync(folder)) {
      if (!existsSync(making)) return builtOnce(folder);
      await sleep(50);
    }
    return;
  }
  try {
    await built(making);
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** The built gallery on a free port of this machine. With `shared` it is built there, unless it is there already. */
export async function serveGallery(port = 0, shared?: string): Promise<Gallery> {
  const folder = shared ?? mkdtempSync(join(tmpdir(), 'perennial-gallery-'));
  await (shared ? builtOnce(shared) : built(folder));
  const server: Server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    if (path === '/picture.svg') {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(PICTURE);
      return;
    }
    const file = extname(path) ? join(folder, path) : join(folder, 'tests/admin/gallery/index.html');
    readFile(file).then(
      body =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
            'content-security-policy': POLICY,
            // As the product's: its files have their content's hash in their names.
            'cache-control': extname(path) ? 'max-age=31536000, immutable' : 'no-store',
          })
          .end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => {
          if (!shared) rmSync(folder, { recursive: true, force: true });
          resolve();
        });
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--dev')) {
    const vite = await createVite({ ...config(), server: { host: '127.0.0.1', open: false } });
    await vite.listen();
    console.log(`${vite.resolvedUrls?.local[0]}tests/admin/gallery/`);
  } else {
    console.log((await serveGallery(Number(process.env.PORT ?? 0))).url);
  }
}
