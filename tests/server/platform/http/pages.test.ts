import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HTML =
  '<!doctype html><html><head><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="perennial-config" content=""><script nonce="__CSP_NONCE__">1</script></head><body></body></html>';
const SCRIPT = `export const text = "${'x'.repeat(2000)}";`;
const page = { accept: 'text/html,application/xhtml+xml' };

const directives = (policy: string | null) =>
  Object.fromEntries(
    (policy ?? '').split('; ').map(part => {
      const [name = '', ...rest] = part.split(' ');
      return [name, rest.join(' ')];
    }),
  );

describe('the pages', () => {
  let server: TestServer;
  let embedded: TestServer;
  const folder = temporaryFolder();
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    mkdirSync(join(folder, 'demo'));
    writeFileSync(join(folder, 'index.html'), HTML);
    writeFileSync(join(folder, '.built'), 'secret');
    writeFileSync(join(folder, 'demo/coffee.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const script = join(folder, 'assets/list-3f9a1c2b.js');
    writeFileSync(script, SCRIPT);
    writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
    writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
    server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up'],
      app: { pages: { folder } },
      config: { hosts: { reporting: 'https://reports.example.com/api' }, domainGuard: true },
    });
    embedded = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up'],
      app: { pages: { folder } },
      config: { frameAncestors: ['https://admin.shopify.com'] },
    });
  });
  afterAll(async () => {
    await server?.close();
    await embedded?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives the page at every route of the admin, never stored, with a nonce of its own each time', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/subscriptions', '/subscriptions/12', '/settings/general?tab=1', '/login?next=%2F']) {
      const { status, text, headers } = await server.request('GET', path, { headers: page });
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
      const nonce = /csp-nonce" content="([\w-]{22})"/.exec(text)?.[1] ?? '';
      expect(text).toContain(`<script nonce="${nonce}">`);
      expect(text).not.toContain('__CSP_NONCE__');
      expect(headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(5);
  });

  it('tells the page the configuration that it needs, and no more', async () => {
    const { text } = await server.request('GET', '/', { headers: page });
    const content = /perennial-config" content="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(content)).toEqual({
      hosts: { reporting: 'https://reports.example.com/api' },
      domainGuard: true,
      languages: [{ code: 'en', name: 'English' }],
    });
  });

  it('sends a strict policy: nothing by default, no eval, nothing inline, only the hosts that are configured', async () => {
    const policy = directives((await server.request('GET', '/subscriptions', { headers: page })).headers.get('content-security-policy'));
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'font-src': "'self'",
      'img-src': "'self' data: blob: https:",
      'connect-src': "'self' https://reports.example.com",
      'require-trusted-types-for': "'script'",
      'trusted-types': "default dompurify ProseMirrorClipboard 'allow-duplicates'",
    });
    expect(Object.values(policy).join(' ')).not.toMatch(/unsafe|\*/);
    expect(policy['script-src']).toMatch(/^'self' 'nonce-[\w-]{22}'$/);
    expect(policy['style-src']).toMatch(/^'self' 'nonce-[\w-]{22}'$/);
  });

  it('S001 is embedded in the admin of the platform: names who may frame it, the configured origins and a store that exists, and no other', async () => {
    const ancestors = async (path: string) =>
      directives((await embedded.request('GET', path, { headers: page })).headers.get('content-security-policy'))['frame-ancestors'];
    expect(await ancestors('/?shop=fernandember.myshopify.com')).toBe('https://admin.shopify.com https://fernandember.myshopify.com');
    for (const shop of ['unknown.myshopify.com', 'evil.example', 'fernandember.myshopify.com.evil.example', "x' https:", ''])
      expect(await ancestors(`/?shop=${encodeURIComponent(shop)}`)).toBe('https://admin.shopify.com');
    expect(
      directives(
        (await server.request('GET', '/?shop=fernandember.myshopify.com', { headers: page })).headers.get('content-security-policy'),
      )['frame-ancestors'],
    ).toBe("'none'");
  });

  it('protects every answer: pages, files, calls, errors', async () => {
    for (const path of ['/', '/assets/list-3f9a1c2b.js', '/host/user/session', '/nothing.js', '/healthz', '/host/main/%']) {
      const { headers } = await server.request('GET', path, { headers: page });
      expect([
        path,
        headers.get('x-content-type-options'),
        headers.get('referrer-policy'),
        headers.get('cross-origin-opener-policy'),
      ]).toEqual([path, 'nosniff', 'no-referrer', 'same-origin']);
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by') ?? headers.get('server')).toBeNull();
    }
  });

  it('sends files that are named by their content for ever, compressed as the build left them', async () => {
    for (const [accept, encoding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, text, headers } = await server.request('GET', '/assets/list-3f9a1c2b.js', { headers: { 'accept-encoding': accept } });
      expect([status, headers.get('content-encoding'), headers.get('cache-control'), text]).toEqual([
        200,
        encoding,
        'public, max-age=31536000, immutable',
        SCRIPT,
      ]);
    }
    const picture = await server.request('GET', '/demo/coffee.svg');
    expect(picture.headers.get('cache-control')).toBe('public, max-age=300');
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('has nothing else: unknown files, dot files, ways out of the folder, calls that are not there', async () => {
    for (const path of [
      '/assets/gone-00000000.js',
      '/favicon.png',
      '/.built',
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
      '/host/nothing',
      '/index.html.gz',
      '/assets/',
    ]) {
      const { status, text } = await server.request('GET', path, { headers: page });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(text).not.toContain('secret');
      expect(text).not.toContain('"perennial"');
    }
    expect((await server.request('GET', '/subscriptions', { headers: { accept: 'application/json' } })).status).toBe(404);
    expect((await server.request('POST', '/subscriptions', { headers: page })).status).toBe(404);
  });

  it('asks browsers to stay with TLS where the admin has an address with it, and believes trusted proxies only', async () => {
    expect((await server.request('GET', '/', { headers: page })).headers.get('strict-transport-security')).toBeNull();
    const secure = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up', 'store', 'logs'],
      config: { publicUrl: 'https://admin.example.com', trustedProxies: ['127.0.0.0/8'] },
    });
    try {
      const address = async (one: TestServer) => {
        await one.call('store.merchantReferralClick', {}, { headers: { 'x-forwarded-for': '203.0.113.9' } });
        return ((await one.call('logs.accountLogs')).data as { ip: string }[])[0]?.ip;
      };
      expect((await secure.request('GET', '/healthz')).headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect(await address(secure)).toBe('203.0.113.9');
      expect((await secure.call('store.merchantReferralClick', {}, { headers: { origin: 'https://admin.example.com' } })).status).toBe(200);
      expect(
        (
          await secure.call(
            'store.merchantReferralClick',
            {},
            { headers: { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' } },
          )
        ).status,
      ).toBe(403);
    } finally {
      await secure.close();
    }
    const plain = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['store', 'logs'],
      config: { publicUrl: 'https://admin.example.com' },
    });
    try {
      await plain.call('store.merchantReferralClick', {}, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect(((await plain.call('logs.accountLogs')).data as { ip: string }[])[0]?.ip).toBe('127.0.0.1');
    } finally {
      await plain.close();
    }
  });

  it('leaves host groups with an address of their own to it', async () => {
    const moved = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up', 'plan'],
      config: { hosts: { user: 'https://users.example.com' } },
    });
    try {
      expect((await moved.call('start-up.session')).status).toBe(404);
      expect((await moved.call('plan.featureSwitches')).status).toBe(200);
    } finally {
      await moved.close();
    }
  });
});
