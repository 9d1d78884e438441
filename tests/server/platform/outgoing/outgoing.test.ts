import type { lookup as lookUp } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAllowed } from '../../../../src/server/platform/outgoing/addresses.ts';
import { createOutgoing, type Outgoing } from '../../../../src/server/platform/outgoing/outgoing.ts';
import { startReceiver, type Receiver } from '../../../support/receiver.ts';

/** A look-up that gives these addresses, one list after the other. */
const names = (...answers: string[][]): { lookup: typeof lookUp; asked: number } => {
  const state = {
    asked: 0,
    lookup: ((_name: string, _options: unknown, done: (error: null, found: { address: string; family: number }[]) => void) => {
      const found = answers[Math.min(state.asked++, answers.length - 1)] ?? [];
      done(
        null,
        found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as typeof lookUp,
  };
  return state;
};

describe('calls to other servers', () => {
  let receiver: Receiver;
  let closed: Outgoing;
  let open: Outgoing;
  beforeAll(async () => {
    receiver = await startReceiver();
    closed = createOutgoing();
    open = createOutgoing({ allowed: readAllowed(['127.0.0.1']) });
  });
  afterAll(async () => {
    await Promise.all([closed?.close(), open?.close(), receiver?.close()]);
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'taken' });
  });

  it('answers with status, headers and body of an address that is allowed', async () => {
    const answer = await open.send({ method: 'POST', url: `${receiver.url}/x`, body: 'hello', headers: { 'x-own': '1' } });
    expect(answer).toMatchObject({ status: 200, body: 'taken', headers: { 'content-type': 'text/plain' } });
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/x', body: 'hello', headers: { 'x-own': '1' } }]);
  });

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1]/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00::1]/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://192.168.0.1./',
  ])('never calls %s', async url => {
    await expect(closed.send({ method: 'GET', url })).rejects.toMatchObject({ name: 'OutgoingError', code: 'FORBIDDEN' });
  });

  it.each(['ftp://example.com/', 'https://user:word@example.com/', 'https://example.com:8443/', 'no address'])('refuses %s', async url => {
    await expect(closed.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(closed.objection(url)).toMatch(/\.$/);
  });

  it('refuses a name of which one address is private, and one whose second look-up is', async () => {
    const mixed = createOutgoing({ lookup: names(['93.184.216.34', '10.0.0.7']).lookup });
    await expect(mixed.send({ method: 'GET', url: 'http://mixed.example/' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await mixed.close();
    // Rebinding: the address that is checked is the one that is called, for there is only one look-up per connection.
    const rebound = names(['127.0.0.1']);
    const checked = createOutgoing({ lookup: rebound.lookup });
    await expect(checked.send({ method: 'GET', url: 'http://rebound.example/' })).rejects.toThrow(
      '127.0.0.1, which is not a public address',
    );
    expect(rebound.asked).toBe(1);
    await checked.close();
  });

  it('gives a redirect as the answer, or follows it where it may go and nowhere else', async () => {
    receiver.answer = ({ path }) => (path === '/from' ? { status: 302, headers: { location: '/to' } } : { status: 200, body: path });
    expect(await open.send({ method: 'GET', url: `${receiver.url}/from` })).toMatchObject({ status: 302 });
    expect(await open.send({ method: 'GET', url: `${receiver.url}/from`, redirects: 2 })).toMatchObject({ status: 200, body: '/to' });
    receiver.answer = () => ({ status: 302, headers: { location: 'http://10.0.0.1/secret' } });
    await expect(open.send({ method: 'GET', url: `${receiver.url}/from`, redirects: 2 })).rejects.toThrow(
      '10.0.0.1 is not a public address.',
    );
    receiver.received.length = 0;
    expect(await open.send({ method: 'POST', url: `${receiver.url}/from`, redirects: 2, body: '' })).toMatchObject({ status: 302 });
    expect(receiver.received).toHaveLength(1);
  });

  it('shows headers of one server to no other', async () => {
    const other = await startReceiver();
    receiver.answer = () => ({ status: 307, headers: { location: `${other.url}/` } });
    await open.send({ method: 'GET', url: receiver.url, redirects: 1, headers: { authorization: 'secret' } });
    expect(other.received[0]?.headers.authorization).toBeUndefined();
    await other.close();
  });

  it('ends a call that takes too long, an answer that is too large, and says where no server listens', async () => {
    receiver.answer = () => 'never';
    await expect(open.send({ method: 'GET', url: receiver.url, timeoutMs: 100 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    receiver.answer = () => ({ status: 200, body: 'x'.repeat(1_100_000) });
    await expect(open.send({ method: 'GET', url: receiver.url })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const gone = await startReceiver();
    await gone.close();
    await expect(open.send({ method: 'GET', url: gone.url })).rejects.toThrow('127.0.0.1 refused the connection.');
  });

  it('names an address that was refused to the operator, once, with the variable that allows it; a trial calls no server', async () => {
    const logged: object[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (details: object, message: string) => logged.push({ ...details, message }),
    };
    const watched = createOutgoing({ log, lookup: names(['10.0.0.7']).lookup });
    for (const path of ['', '/token-of-a-store']) {
      await expect(watched.send({ method: 'GET', url: `http://shop.internal${path}` })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(watched.objection(`http://10.0.0.8:8080${path}`)).toBe('10.0.0.8 is not a public address.');
    }
    const message = expect.stringContaining('PERENNIAL_OUTGOING_ALLOW');
    expect(logged).toEqual([
      { host: 'shop.internal', error: 'shop.internal leads to 10.0.0.7, which is not a public address.', message },
      { host: '10.0.0.8:8080', error: '10.0.0.8 is not a public address.', message },
    ]);
    const quiet = createOutgoing({ allowed: readAllowed(['127.0.0.1']), isQuiet: true });
    await expect(quiet.send({ method: 'GET', url: receiver.url })).rejects.toThrow('PERENNIAL_QUIET');
    expect(receiver.received).toEqual([]);
    await Promise.all([watched.close(), quiet.close()]);
  });

  it('knows what may stand in the list of what is allowed', () => {
    expect(() => readAllowed(['10.0.0.0/33'])).toThrow(RangeError);
    expect(() => readAllowed(['http://x'])).toThrow(RangeError);
    const allowed = createOutgoing({ allowed: readAllowed(['10.0.0.0/8', 'vendor.internal']) });
    expect(allowed.objection('http://10.9.8.7:8080/')).toBeUndefined();
    expect(allowed.objection('http://vendor.internal:9999/')).toBeUndefined();
    expect(allowed.objection('http://11.9.8.7:8080/')).toContain('Port 8080');
  });
});
