// `npm run dev`: the same server with the admin from its sources: changes appear at once, also those of schemas and resources.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createServer as createVite } from 'vite';
import { STOREFRONT_FILES, storefrontFile, type StorefrontFile } from '../../scripts/storefront-script.ts';
import type { DefinitionsApi } from '../../scripts/definitions-plugin.ts';
import type { Definitions } from '../contract/types.ts';
import { createApp } from './platform/http/app.ts';
import { readConfig } from './platform/config.ts';
import { projectRoot } from './platform/definitions.ts';
import { FOR_ALL_ORIGINS } from './platform/http/public-pages.ts';
import { createLog } from './platform/http/log.ts';
import { greet } from './greeting.ts';
import { stopOnSignals } from './stopping.ts';
import { seedDemo } from './features/demo/demo.ts';
import { withVendors } from './features/demo/vendor-simulator.ts';
import { openServices } from './platform/services.ts';
import { createStudio } from './studio/studio.ts';

const config = await withVendors(readConfig(process.env));
const log = createLog(process.env.LOG_LEVEL ? config.logLevel : 'warn');

// One listening socket for the whole session; the app behind it is replaced when definitions change.
const server = http.createServer();
// The admin's packages are bundled and its sources read while the store opens, so that the first page need not wait for both.
const [services, vite] = await Promise.all([
  openServices(config, { log }).then(async opened => {
    if (config.demo) await seedDemo(opened);
    return opened;
  }),
  createVite({
    root: projectRoot,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server },
      warmup: { clientFiles: ['src/admin/main.tsx', 'src/admin/{list,record,form}/**/*-page.tsx', 'renderers/*/*.tsx'] },
    },
  }),
]);

const pages = {
  folder: projectRoot,
  loose: true,
  connect: ['ws:'],
  html: (url: string) => vite.transformIndexHtml(url, readFileSync(join(projectRoot, 'index.html'), 'utf8')),
};
const makeApp = async (): Promise<FastifyInstance> => {
  const app = await createApp(services, { logger: log, pages });
  await app.ready();
  return app;
};
let app = await makeApp();

/** By the way that requests of a built server come in: with its limits for bodies, and for all that are at work at once. */
const toApp = (request: http.IncomingMessage, response: http.ServerResponse): void => {
  app.server.emit('request', request, response);
};

const studio = createStudio(projectRoot, config);
const OURS = /^\/(?:host|rest|dev|healthz|readyz)(?:[/?]|$)/;
/** A file of the storefront's script as the build makes it, of the sources of now. */
async function sendScript(response: http.ServerResponse, name: StorefrontFile): Promise<void> {
  try {
    const code = await storefrontFile(projectRoot, name);
    response
      .writeHead(200, { ...FOR_ALL_ORIGINS, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' })
      .end(code);
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
  }
}
server.on('request', (request, response) => {
  const { url = '/' } = request;
  if (studio(request, response)) return;
  if (OURS.test(url)) {
    toApp(request, response);
    return;
  }
  const script = STOREFRONT_FILES.find(name => url === `/storefront/${name}`);
  if (script) {
    void sendScript(response, script);
    return;
  }
  // Vite knows its own files; whatever it doesn't know is a page.
  vite.middlewares(request, response, () => toApp(request, response));
});

/** Takes definitions that the check found right, with an app of their own. Those that no app can be made of are not taken. */
async function renew(definitions: Definitions): Promise<void> {
  const [before, old] = [app, services.definitions];
  services.reload(definitions);
  try {
    app = await makeApp();
  } catch (error) {
    services.reload(old);
    throw error;
  }
  await before.close();
}
const definitions = vite.config.plugins.find(({ name }) => name === 'perennial-definitions')?.api as DefinitionsApi | undefined;
definitions?.onGood(renew);

await services.start();
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(config.port, config.host, resolve);
});
const bound = server.address();
const host = config.host.includes(':') ? `[${config.host}]` : config.host === '0.0.0.0' ? 'localhost' : config.host;
services.address = `http://${host}:${bound !== null && typeof bound === 'object' ? bound.port : config.port}`;
services.db.announce(services.address);
stopOnSignals(
  services,
  async () => 0,
  async () => {
    await vite.close();
    server.closeAllConnections();
    await new Promise(resolve => {
      server.close(resolve);
    });
    await app.close();
  },
);
await greet(services, services.address);
