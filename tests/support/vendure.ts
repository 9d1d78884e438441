// A real Vendure shop beside the tests, in a process of its own: on a database of the tests' PostgreSQL, with four variants to sell and the
// plugin of plugins/vendure. What it says is what a merchant's shop says.
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ensureVendure } from '../../scripts/ensure.mjs';
import { createPostgresDatabase } from './database.ts';
import { freePort, skipPostgres } from './postgres.ts';

export interface Vendure {
  /** Of its Admin API. */
  adminUrl: string;
  /** An API key of its owner. */
  apiKey: string;
  /** Asks the Admin API as the owner. @throws Error for errors of it */
  admin(query: string, variables?: object): Promise<any>; // any: every test knows what it asked for
  /** How long it took to start (ms), with its installation where that was needed. */
  startMs: number;
  close(): Promise<void>;
}

const missing = (why: string): undefined => {
  console.warn(`Left out: the tests with a real Vendure shop, since ${why}.`);
};

/** Starts one; undefined where it can't be had. Its folder is installed when it is first needed. */
export async function startVendure(): Promise<Vendure | undefined> {
  const since = Date.now();
  if (skipPostgres) return missing('PERENNIAL_SKIP_POSTGRES=1 leaves out its database');
  const folder = ensureVendure();
  if (folder === undefined) return missing('its packages can’t be installed here');
  const database = await createPostgresDatabase();
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, 'server.cjs')], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_PATH: join(folder, 'node_modules'),
      NODE_OPTIONS: '',
      SHOP_DATABASE: database.url,
      SHOP_PORT: String(port),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (data: Buffer): void => {
      said = (said + data.toString()).slice(-4000);
      if (said.includes('{"ready":true}')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', code => reject(new Error(`Vendure ended with ${code}: ${said}`)));
  });
  const adminUrl = `http://127.0.0.1:${port}/admin-api`;
  let token = '';
  const admin = async (query: string, variables: object = {}): Promise<any> => {
    const answer = await fetch(adminUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ query, variables }),
    });
    token ||= answer.headers.get('vendure-auth-token') ?? '';
    const { data, errors } = (await answer.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  await admin('mutation { login(username: "owner", password: "owner-password") { __typename } }');
  const { roles } = await admin('{ roles { items { id code } } }');
  const role = roles.items.find((one: { code: string }) => one.code === '__super_admin_role__');
  const { createApiKey } = await admin(`mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }`, {
    input: { roleIds: [role.id], translations: [{ languageCode: 'en', name: 'Perennial' }] },
  });
  return {
    adminUrl,
    apiKey: createApiKey.apiKey,
    admin,
    startMs: Date.now() - since,
    async close() {
      const ended = new Promise(resolve => child.once('exit', resolve));
      child.stdin.end();
      await ended;
      await database.remove();
    },
  };
}

export interface Line {
  url: string;
  /** "down" ends connections, "rubbish" answers no JSON, "lost" does what was asked and loses the answer. */
  fault: 'down' | 'rubbish' | 'lost' | null;
  /** Called with each request that goes through, before it does. */
  before: ((body: string) => void) | undefined;
  close(): Promise<void>;
}

/** The line between the product and a shop, which can break. */
export async function startLine(target: string): Promise<Line> {
  const line: Line = { url: '', fault: null, before: undefined, close: () => Promise.resolve() };
  const server = http.createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += String(part);
      line.before?.(body);
      if (line.fault === 'down') return request.socket.destroy();
      if (line.fault === 'rubbish') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
      const { 'vendure-api-key': key } = request.headers;
      const answer = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(typeof key === 'string' ? { 'vendure-api-key': key } : {}) },
        body,
      });
      const text = await answer.text();
      if (line.fault === 'lost') return request.socket.destroy();
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    })().catch(() => request.socket.destroy());
  });
  // Idle connections stay open: one that ends while it is used again is a fault that the tests have not asked for.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(line, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
