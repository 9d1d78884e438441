// Builds and serves the minimal react-admin page with a small list API behind it: gzip, sorting, filtering and paging as ra-data-simple-rest asks for them.
import { mkdtempSync, rmSync, readFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { random } from '../../../src/server/features/demo/random.ts';
import { person } from '../../../src/server/features/demo/people.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export async function serveFloor(): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-floor-'));
  const root = fileURLToPath(new URL('.', import.meta.url));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, rollupOptions: { input: join(root, 'minimal.html') }, chunkSizeWarningLimit: 5000 },
  });
  const chance = random(5);
  const rows = Array.from({ length: 1000 }, (_, i) => {
    const who = person(chance, i);
    return {
      id: i + 1,
      customerName: `${who.firstName} ${who.lastName}`,
      customerEmail: who.email,
      status: chance.pick(['ACTIVE', 'ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED']),
      products: 'Harbour House Blend',
      frequency: 'Every month',
      total: chance.between(900, 9000) / 100,
      nextBillingDate: `2026-12-${String(chance.between(1, 28)).padStart(2, '0')}`,
    };
  });
  const api = (url: URL): { body: unknown; headers: Record<string, string> } => {
    const id = /\/api\/subscriptions\/(\d+)/.exec(url.pathname);
    if (id) return { body: rows[Number(id[1]) - 1], headers: {} };
    const [field, order] = JSON.parse(url.searchParams.get('sort') ?? '["id","ASC"]') as [keyof (typeof rows)[0], string];
    const filter = JSON.parse(url.searchParams.get('filter') ?? '{}') as Record<string, string>;
    const [from, to] = JSON.parse(url.searchParams.get('range') ?? '[0,24]') as [number, number];
    const found = rows
      .filter(row => !filter['status'] || row.status === filter['status'])
      .sort((a, b) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0) * (order === 'ASC' ? 1 : -1));
    return { body: found.slice(from, to + 1), headers: { 'x-total-count': String(found.length) } };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const send = (body: Buffer, type: string, headers: Record<string, string> = {}): void => {
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', ...headers }).end(gzipSync(body, { level: 9 }));
    };
    if (url.pathname.startsWith('/api/')) {
      const { body, headers } = api(url);
      send(Buffer.from(JSON.stringify(body)), 'application/json', headers);
      return;
    }
    const file = join(folder, normalize(url.pathname === '/' ? '/minimal.html' : url.pathname));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    send(readFileSync(file), TYPES[extname(file)] ?? 'application/octet-stream');
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
      }),
  };
}
