import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyLimit } from '../../../../src/server/platform/http/body-limits.ts';
import { PARCELS, definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const CREATE = '/host/main/api/test/parcels/create';
const JSON_TYPE = { 'content-type': 'application/json' };

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('hostile input', () => {
  let server: TestServer;
  beforeAll(async () => {
    const { loadModules } = await import('../../../../src/server/platform/modules.ts');
    server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['parcels', 'start-up', 'sign-in'],
      services: {
        definitions: definitionsWith(PARCELS),
        modules: { ...(await loadModules()), guards: { isHeavyEnough: () => undefined } },
      },
    });
  });
  afterAll(() => server?.close());
  const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE, as: 'owner' | null = 'owner') =>
    server.request('POST', CREATE, { as, headers, body });
  const refused = async (body: string | Uint8Array, headers?: Record<string, string>) => {
    const { status, json } = await post(body, headers);
    expect(json).toMatchObject({
      success: false,
      code: expect.any(String),
      message: expect.stringMatching(/^[A-Z"].+\.$/),
      requestId: expect.any(String),
    });
    return status;
  };

  it('reads JSON strictly: encoding, form, names given twice, prototypes, NUL, half characters, lost letters', async () => {
    expect(await refused(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).toBe(400);
    expect(await refused(Buffer.from('{"name":"\xc3\x28"}', 'latin1'))).toBe(400);
    for (const text of ['{', '{"a":}', "{'a':1}", '{"a":1,}', '// comment\n{}', 'NaN', '{"a":01}', '\u0000'])
      expect(await refused(text)).toBe(400);
    const twice = await post('{"name":"a","weight":1,"na\\u006de":"b"}');
    expect([twice.status, twice.json.message]).toEqual([400, 'The body gives "name" twice. Give each name once.']);
    for (const text of [
      '{"__proto__":{"isAdmin":true}}',
      '{"a":{"constructor":{"prototype":{"x":1}}}}',
      '{"name":"a\\u0000b","weight":1}',
      '{"name":"a\\ud800","weight":1}',
    ])
      expect(await refused(text)).toBe(400);
    const lost = await post('{"name":"Caf\ufffd","weight":1}');
    expect([lost.status, lost.json.message]).toEqual([
      400,
      'The text of “name” holds a letter that was lost on its way (\ufffd). Write it again, and send the text as UTF-8.',
    ]);
    // Only files are left to their readers, and a member that is called as theirs is no file.
    for (const more of ['"tags":["Caf\\ufffd"]', '"content":"Caf\\ufffd"', '"tags":[{"content":"Caf\\ufffd"}]'])
      expect((await post(`{"name":"a","weight":1,${more}}`)).json.message).toContain('a letter that was lost on its way');
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    for (const text of ['[]', '"text"', '1', 'null', 'true']) expect(await refused(text)).toBe(400);
    expect((await post('{"name":"brackets }]{[ \\" : , in text","weight":1}')).status).toBe(200);
  });

  it('limits size, depth and number before it builds anything, and stays alive and small', async () => {
    const before = process.memoryUsage().rss;
    expect(await refused(JSON.stringify({ name: 'x'.repeat(1_048_600), weight: 1 }))).toBe(413);
    expect(await refused(`{"lines":${nested(1000)}}`)).toBe(400);
    expect(await refused(nested(200_000))).toBe(400);
    expect(await refused(`{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`)).toBe(400);
    expect(await refused(`{"tags":[${'1,'.repeat(200_000)}1]}`)).toBe(400);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
    expect((await server.request('GET', '/healthz')).status).toBe(200);
  });

  it('takes more where a call takes files, and says how much from its schema', () => {
    const call = server.services.definitions.calls['parcels.create'];
    if (!call) throw new Error('no call');
    expect(bodyLimit(call)).toBe(1_048_576);
    const file = bodyLimit({ ...call, body: { type: 'object', properties: { content: { type: 'string', maxLength: 10_485_760 } } } });
    expect(file).toBeGreaterThan(10_485_760);
    expect(file).toBeLessThan(16 * 1_048_576);
  });

  it('refuses other types, compressed bodies and forms, so that no foreign page can write', async () => {
    const body = JSON.stringify({ name: 'Foreign', weight: 1 });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/json2',
      'text/json',
      '',
    ])
      expect(await refused(body, { 'content-type': type })).toBe(415);
    expect(await refused(gzipSync(body), { ...JSON_TYPE, 'content-encoding': 'gzip' })).toBe(415);
    expect(await refused(gzipSync(Buffer.alloc(50_000_000)), { ...JSON_TYPE, 'content-encoding': 'gzip' })).toBe(415);
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:1`, server.url.replace('127.0.0.1', 'localhost')])
      expect(await refused(body, { ...JSON_TYPE, origin })).toBe(403);
    expect(await refused(body, { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect((await post(JSON.stringify({ name: 'Own page', weight: 1 }), { ...JSON_TYPE, origin: server.url })).status).toBe(200);
    expect(
      (await post(JSON.stringify({ name: 'No origin', weight: 1 }), { 'content-type': 'application/json; charset=utf-8' })).status,
    ).toBe(200);
    expect(
      (
        await server.request('POST', '/host/user/login/demo', {
          headers: { ...JSON_TYPE, origin: 'https://evil.example' },
          body: '{"userId":1001}',
        })
      ).status,
    ).toBe(403);
  });

  it('changes nothing by GET: the database itself refuses it', async () => {
    const { services } = server;
    await expect(services.db.inStore(1, trx => trx.deleteFrom('records').execute(), { readOnly: true })).rejects.toThrow(/read-only/);
    const tables = ['records', 'settings', 'account_log', 'events', 'outbox', 'contracts', 'orders'];
    const count = async () =>
      Promise.all(
        tables.map(async table => (await services.db.ownerQuery<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n),
      );
    const before = await count();
    for (const call of Object.values(services.definitions.calls)) if (call.method === 'GET') await server.call(call.name, { id: 1 });
    expect(await count()).toEqual(before);
    for (const call of Object.values(services.definitions.calls))
      if (call.method === 'GET')
        expect(['list', 'read', 'get', 'query', 'figures', 'catalogue', 'count', 'export', 'progress']).toContain(call.does);
  });

  it('answers bad addresses in the same form', async () => {
    for (const path of [
      '/host/main/%',
      '/host/main/api/test/parcels/%E0%A4',
      '/host/main/nothing/here',
      `/host/main/api/test/parcels/${'9'.repeat(400)}`,
      '/host/main/api/test/parcels/list?q=%00',
      '/host/main/api/test/parcels/list?filter=%7B%22__proto__%22:1%7D',
      '/host/main/api/test/parcels/1e3',
      '/host/main/api/test/parcels/-1',
      '/host/main/api/test/parcels/9007199254740993',
      '/host/main/api/test/parcels/list?pageSize=25&pageSize=30',
    ]) {
      const { status, json, headers } = await server.request('GET', path, { as: 'owner' });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(json).toMatchObject({ success: false, message: expect.any(String), requestId: headers.get('x-request-id') });
    }
  });

  it('answers broken HTTP and endless headers without falling over', async () => {
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const { port } = new URL(server.url);
        const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket
          .on('data', chunk => {
            answer += String(chunk);
          })
          .on('close', () => resolve(answer))
          .on('error', reject);
      });
    expect(await raw('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"success":false[\s\S]*"requestId"/);
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431/);
    expect((await server.request('GET', '/healthz')).status).toBe(200);
  });

  it('shows neither stack nor SQL when something of ours breaks, but a request id that the log knows', async () => {
    const handlers = server.services.handlers;
    handlers.set('start-up.user', async () => {
      throw new Error("select * from secrets where email = 'ann@example.com'");
    });
    const { createApp } = await import('../../../../src/server/platform/http/app.ts');
    const { pino } = await import('pino');
    const lines: string[] = [];
    const app = await createApp(server.services, {
      logger: pino(
        { level: 'info' },
        {
          write: (line: string) => {
            lines.push(line);
          },
        },
      ),
    });
    const answer = await app.inject({
      method: 'GET',
      url: '/host/user/admin/user',
      headers: { authorization: await server.signIn('owner'), 'x-request-id': 'abcdef0123456789' },
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      success: false,
      code: 'INTERNAL',
      requestId: 'abcdef0123456789',
      message: 'The server could not finish this. Nothing was saved. Try again, and quote request abcdef0123456789 to support.',
    });
    expect(answer.body).not.toMatch(/select|secrets|at \w+ \(/);
    expect(lines.join('')).toContain('abcdef0123456789');
    expect(answer.headers['x-request-id']).toBe('abcdef0123456789');
    const forged = await app.inject({ method: 'GET', url: '/healthz', headers: { 'x-request-id': 'a\nb' } }).catch(() => undefined);
    if (forged) expect(forged.headers['x-request-id']).not.toContain('\n');
    await app.close();
  });
});
