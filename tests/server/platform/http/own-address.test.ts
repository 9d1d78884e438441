// A demo signs in without proof: a page of a foreign name that was made to lead here (DNS rebinding) must not be able to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnHost, isThisMachine } from '../../../../src/server/platform/http/hosts.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const FOREIGN = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '1.2.3.4.5',
  'evil.example.',
  'admin.example.com.evil.example',
  'notlocalhost.example',
  '[evil.example]',
];

describe('the names of a server', () => {
  it('are those of its machine alone, unless it is configured with others', () => {
    const config = { host: '127.0.0.1', publicUrl: undefined };
    for (const host of [
      'localhost',
      'localhost:3000',
      'LOCALHOST:3000',
      'localhost.',
      'fern.localhost:8080',
      '127.0.0.1',
      '127.0.0.1:3000',
      '127.8.9.1:1',
      '[::1]',
      '[::1]:3000',
      undefined,
    ])
      expect([host, isOwnHost(host, config)]).toEqual([host, true]);
    for (const host of FOREIGN) expect([host, isOwnHost(host, config)]).toEqual([host, false]);
    for (const host of ['', 'perennial', 'perennial:3000', '192.168.1.20:3000', '[fe80::1]:3000', '0.0.0.0:3000', hostname()])
      expect([host, isOwnHost(host, config)]).toEqual([host, false]);
    for (const host of ['0.0.0.0', '::']) {
      expect(isOwnHost('192.168.1.20:3000', { host, publicUrl: undefined })).toBe(false);
      expect(isOwnHost(`${host}:3000`, { host, publicUrl: undefined })).toBe(false);
    }
    expect(isOwnHost('192.168.1.20:3000', { host: '192.168.1.20', publicUrl: undefined })).toBe(true);
    expect(isOwnHost('perennial:3000', { host: '0.0.0.0', publicUrl: 'http://perennial:3000' })).toBe(true);
  });

  it('include HOST and the public address, whatever its port', () => {
    const config = { host: 'shop.internal.example', publicUrl: 'https://Admin.example.com' };
    for (const host of ['admin.example.com', 'ADMIN.example.com:443', 'admin.example.com.', 'shop.internal.example:3000', 'localhost:3000'])
      expect([host, isOwnHost(host, config)]).toEqual([host, true]);
    for (const host of [...FOREIGN, 'example.com', 'www.admin.example.com']) expect([host, isOwnHost(host, config)]).toEqual([host, false]);
  });

  it('know the machine itself from others', () => {
    for (const host of ['localhost:1', 'a.localhost', '127.0.0.1:3000', '[::1]:3000'])
      expect([host, isThisMachine(host)]).toEqual([host, true]);
    for (const host of [...FOREIGN, '192.168.1.20', 'perennial', '', '127.evil.example'])
      expect([host, isThisMachine(host)]).toEqual([host, false]);
  });
});

describe('a demo', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perennial-pages-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Perennial</title>');
    server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['sign-in', 'start-up'],
      config: { publicUrl: 'https://admin.example.com' },
      app: { pages: { folder } },
    });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** As a browser at that name asks: with the Host, and the origin that its page has. */
  const ask = async (method: 'GET' | 'POST', url: string, host: string, body?: object) => {
    const answer = await server.app.inject({
      method,
      url,
      headers: { host, origin: `http://${host}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
    return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, any> }; // any: the shape is what is tested
  };
  const SENTENCE =
    'The demo signs in at https://admin.example.com only. To use another address, set PERENNIAL_PUBLIC_URL to it and start the server again.';

  it('signs no person in, opens no store and names no person for a page of a foreign name, and says where it does', async () => {
    const sessions = async () => (await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from sessions')).rows[0]?.n;
    const stores = async () => (await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from stores')).rows[0]?.n;
    const before = [await sessions(), await stores()];
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example:3000', 'perennial:3000', '192.168.1.20:3000']) {
      const signIn = await ask('POST', '/host/user/login/demo', host, { userId: 1001 });
      expect([signIn.status, signIn.json.code, signIn.json.message]).toEqual([403, 'FORBIDDEN', SENTENCE]);
      const fresh = await ask('POST', '/host/user/login/demo/new-store', host, {});
      expect([fresh.status, fresh.json.message]).toEqual([403, SENTENCE]);
      const { status, json } = await ask('GET', '/host/user/login/demo', host);
      expect([status, json.data]).toEqual([200, { isDemo: false, users: [], refusal: SENTENCE, canSignUp: false, hasSso: false }]);
    }
    expect([await sessions(), await stores()]).toEqual(before);
  });

  it('signs in at its own addresses, whichever of them', async () => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'admin.example.com']) {
      const { json } = await ask('GET', '/host/user/login/demo', host);
      expect([host, json.data.isDemo]).toEqual([host, true]);
      const signIn = await ask('POST', '/host/user/login/demo', host, { userId: 1001 });
      expect([host, signIn.status]).toEqual([host, 200]);
      expect((await server.call('start-up.session', {}, { as: signIn.json.data.token as string })).data.user.email).toBe(
        'amira@fernandember.example',
      );
    }
  });

  it('S158 takes the printed link at its own address only; other pages open by any name', async () => {
    const open = async (host: string, url: string) => {
      const { statusCode, body, headers } = await server.app.inject({ method: 'GET', url, headers: { host, accept: 'text/html' } });
      return { statusCode, body, type: headers['content-type'] };
    };
    expect(await open('evil.example:3000', '/?loop_token=abc')).toEqual({
      statusCode: 403,
      type: 'text/plain; charset=utf-8',
      body: 'This sign-in link works at https://admin.example.com only. To use another address, set PERENNIAL_PUBLIC_URL to it and start the server again.',
    });
    expect((await open('evil.example:3000', '/login?link=abc')).statusCode).toBe(403);
    for (const host of ['localhost:3000', 'admin.example.com'])
      for (const url of ['/?loop_token=abc', '/login?link=abc']) expect([url, (await open(host, url)).statusCode]).toEqual([url, 200]);
    expect((await open('fernandember.example.org', '/subscriptions')).statusCode).toBe(200);
  });

  it('S158 is the only one that asks: where signing in needs proof, links work by every name', async () => {
    const plain = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['sign-in'],
      config: { demo: false },
      app: { pages: { folder } },
    });
    try {
      expect(
        (
          await plain.app.inject({
            method: 'GET',
            url: '/?loop_token=abc',
            headers: { host: 'fernandember.example.org', accept: 'text/html' },
          })
        ).statusCode,
      ).toBe(200);
    } finally {
      await plain.close();
    }
  });
});
