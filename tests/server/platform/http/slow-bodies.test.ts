// Bodies that dawdle: who sends the head of a request and then hardly anything takes no place from others.
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../../src/server/platform/config.ts';
import { newToken } from '../../../../src/server/platform/auth/tokens.ts';
import { BODY_LIMITS } from '../../../../src/server/platform/http/request-body.ts';
import type { AppOptions } from '../../../../src/server/platform/http/app.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const LINK = '/host/user/login/link';
const FOREVER = 600_000;
const BODY = JSON.stringify({ email: 'unknown@nowhere.example' });

let server: TestServer;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});
const start = async (app: AppOptions, config: Partial<Config> = {}): Promise<void> => {
  server = await startTestServer({ seed: { contracts: 4, stores: 1 }, tables: ['sign-in', 'start-up', 'product-import'], app, config });
};

/** Sends the head of a request and what there is of its body. */
function begin(length: number | 'chunked', some = '', path = LINK, head = '') {
  const { port } = new URL(server.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('error', () => undefined).on('data', chunk => (text += String(chunk)));
  const ended = new Promise<void>(resolve => {
    socket.once('close', () => resolve());
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`}\r\n${head}\r\n${some}`,
  );
  return { socket, ended, text: () => text, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) };
}
const sleep = (ms: number) =>
  new Promise<void>(resolve => {
    setTimeout(resolve, ms);
  });

describe('bodies that are not whole', () => {
  it('take no place: callers meanwhile are answered', async () => {
    await start({ limits: { places: 2, minSlots: 2, longMs: 50, most: 4, waiting: 2, maxWaitMs: 200 }, bodies: { graceMs: FOREVER } });
    const slow = Array.from({ length: 20 }, () => begin(BODY.length, BODY.slice(0, 5)));
    await sleep(300);
    for (let i = 0; i < 3; i++) expect((await server.call('start-up.session')).status).toBe(200);
    expect((await server.call('sign-in.requestLink', { email: 'unknown@nowhere.example' }, { as: null })).status).toBe(200);
    expect(slow.map(({ status }) => status())).toEqual(slow.map(() => 0));
    // Once it is whole, it is served as any other.
    slow[0]!.socket.write(BODY.slice(5));
    await expect.poll(() => slow[0]!.status()).toBe(200);
  });

  it('have a least rate after a moment: those below it are refused, those above it are served however long they take', async () => {
    await start({ bodies: { graceMs: 500, bytesPerSecond: 20, lookMs: 50 } });
    const dripping = begin(100_000, '{');
    const long = `{"email":"unknown@nowhere.example"${' '.repeat(5000)}}`;
    const steady = begin(long.length);
    for (let at = 0; at < long.length; at += 500) {
      steady.socket.write(long.slice(at, at + 500));
      await sleep(200);
    }
    await expect.poll(() => dripping.status()).toBe(408);
    expect(dripping.text()).toContain('The body came too slowly. Nothing was saved.');
    await dripping.ended;
    await expect.poll(() => steady.status()).toBe(200);
  });

  it('are few for each address and in all: a newcomer takes the place of the oldest of the sender with most', async () => {
    await start({ bodies: { graceMs: FOREVER, mostOfOne: 3, most: 100 } });
    const first = begin(100_000, '{');
    await sleep(200);
    const more = Array.from({ length: 3 }, () => begin(100_000, '{'));
    await expect.poll(() => first.status()).toBe(503);
    await first.ended;
    expect(more.map(({ status }) => status())).toEqual([0, 0, 0]);
    expect((await server.call('sign-in.requestLink', { email: 'unknown@nowhere.example' }, { as: null })).status).toBe(200);
    // Who is signed in is no stranger of that address: theirs are counted apart.
    expect((await server.call('start-up.session')).status).toBe(200);
  });

  it('are held within one limit of bytes, and given back when they are gone', async () => {
    await start({ bodies: { graceMs: FOREVER, mostBytes: 200_000 } });
    const large = begin(900_000, '{'.padEnd(150_000));
    await sleep(300);
    const other = begin(900_000, '{'.padEnd(100_000));
    await expect.poll(() => [large.status(), other.status()]).toEqual([503, 0]);
    other.socket.destroy();
    await sleep(200);
    const again = begin(900_000, '{'.padEnd(180_000));
    await sleep(300);
    expect(again.status()).toBe(0);
  });

  it('are refused before a byte came when they say that they are too large, and as soon as they are where they do not say', async () => {
    await start({ bodies: { graceMs: FOREVER } });
    const told = begin(1_048_577);
    await expect.poll(() => told.status()).toBe(413);
    await told.ended;
    const silent = begin('chunked', `${(1_100_000).toString(16)}\r\n${' '.repeat(1_100_000)}\r\n`);
    await expect.poll(() => silent.status()).toBe(413);
    expect(BODY_LIMITS.graceMs).toBeLessThanOrEqual(5000);
  });

  it('are counted by who is behind a trusted proxy, and everybody with IPv6 by their network', async () => {
    await start({ bodies: { graceMs: FOREVER, mostOfOne: 2, most: 100 } }, { trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => begin(100_000, '{', LINK, `x-forwarded-for: ${address}\r\n`);
    const many = Array.from({ length: 6 }, (_, i) => from(`203.0.113.${i}`));
    await sleep(300);
    expect(many.map(({ status }) => status())).toEqual([0, 0, 0, 0, 0, 0]);
    const oldest = from('2001:db8:1:2::1');
    await sleep(200);
    const others = [from('2001:db8:1:2::2'), from('2001:db8:1:2:3:4:5:6')];
    await expect.poll(() => oldest.status()).toBe(503);
    expect([...many, ...others].map(({ status }) => status())).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('of files are asked for their sender before they are taken in', async () => {
    await start({ bodies: { graceMs: FOREVER } });
    const { definitions } = server.services;
    const call = definitions.calls['product-import.preview']!;
    const path = definitions.hosts[call.host]!.prefix + call.path;
    const file = (length: number | 'chunked', token?: string) => begin(length, '', path, token ? `authorization: ${token}\r\n` : '');
    const refused = [file(5_000_000), file(5_000_000, newToken()), file('chunked')];
    for (const one of refused) await expect.poll(() => one.status()).toBe(401);
    expect(refused[0]!.text()).toContain('You are signed out');
    const readOnly = file(5_000_000, await server.signIn('readOnly'));
    await expect.poll(() => readOnly.status()).toBe(403);
    for (const one of [...refused, readOnly]) await one.ended;
    const taken = [file(5_000_000, await server.signIn('owner')), file('chunked', await server.signIn('owner'))];
    await sleep(300);
    expect(taken.map(({ status }) => status())).toEqual([0, 0]);
    // For a person who may send it the body is read, and the answer says what is wrong with it.
    taken[1]!.socket.write('2\r\n{}\r\n0\r\n\r\n');
    await expect.poll(() => taken[1]!.status()).toBe(422);
  });

  it('are not even read as JSON for a person who may not make the call', async () => {
    await start({});
    const { definitions } = server.services;
    const call = definitions.calls['product-import.preview']!;
    const path = definitions.hosts[call.host]!.prefix + call.path;
    const send = (as: 'owner' | null) =>
      server.request('POST', path, { as, headers: { 'content-type': 'application/json' }, body: 'this is no JSON' });
    expect([(await send(null)).status, (await send('owner')).status]).toEqual([401, 400]);
  });
});
