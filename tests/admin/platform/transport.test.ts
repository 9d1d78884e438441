// What the browser sends and how it takes refusals, against a real server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { worthRetrying } from '../../../src/admin/platform/transport/query-client.ts';
import { saveToken, readToken } from '../../../src/admin/platform/session/token.ts';
import { CallError, isReachable, newKey, send, watchConnection, whenSignedOut } from '../../../src/admin/platform/transport/transport.ts';

let server: Server;
let base = '';
let seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers }).end(JSON.stringify(body));
};

beforeEach(async () => {
  seen = [];
  answer = (_request, response) => json(response, 200, { success: true, data: 1 });
  server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  saveToken('token-1');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise(resolve => {
    server.close(resolve);
  });
});
const failure = (promise: Promise<unknown>): Promise<CallError> =>
  promise.then(
    () => {
      throw new Error('This should have failed.');
    },
    (error: unknown) => error as CallError,
  );

describe('a request', () => {
  it('S251 carries the stored token in the authorization header, bare', async () => {
    await send({ method: 'GET', url: `${base}/x` });
    expect(seen[0]?.headers.authorization).toBe('token-1');
    expect(seen[0]?.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('carries its idempotency key and the version the person saw', async () => {
    const key = newKey();
    await send({ method: 'POST', url: `${base}/x`, body: { a: 1 }, headers: { 'content-type': 'application/json' } }, { key, version: 7 });
    expect(seen[0]?.headers).toMatchObject({ 'idempotency-key': key, 'if-match': '7' });
    expect(newKey()).not.toBe(key);
  });
});

describe('a refusal', () => {
  it('becomes an error with its sentence, fields and request id', async () => {
    answer = (_request, response) =>
      json(response, 422, {
        success: false,
        code: 'VALIDATION',
        message: 'Enter a name.',
        errors: [{ pointer: '/name', rule: 'minLength', message: 'Enter a name.' }],
        requestId: 'req-9',
      });
    const error = await failure(send({ method: 'POST', url: `${base}/x`, body: {} }));
    expect(error).toMatchObject({
      status: 422,
      code: 'VALIDATION',
      message: 'Enter a name.',
      requestId: 'req-9',
      errors: [{ pointer: '/name' }],
    });
    expect(worthRetrying(error)).toBe(false);
  });

  it('hands on what the server has now when a version was old', async () => {
    const conflict = { current: { name: 'b' }, version: 3, yourVersion: 2 };
    answer = (_request, response) =>
      json(response, 409, { success: false, code: 'STALE_VERSION', message: 'Changed meanwhile.', requestId: 'r', conflict });
    expect((await failure(send({ method: 'PUT', url: `${base}/x`, body: {} }))).conflict).toEqual(conflict);
  });

  it('has a sentence even when it did not come from our server', async () => {
    answer = (_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    };
    const error = await failure(send({ method: 'GET', url: `${base}/x` }));
    expect(error.message).toBe('The server is busy or restarting. Try again in a moment.');
    expect(worthRetrying(error)).toBe(true);
  });

  it('S289 a 401 logs the person out, once for ten calls at a time', async () => {
    let times = 0;
    whenSignedOut(() => {
      times++;
    });
    answer = (_request, response) =>
      json(response, 401, { success: false, code: 'UNAUTHORIZED', message: 'Sign in again.', requestId: 'r' });
    const errors = await Promise.all(Array.from({ length: 10 }, () => failure(send({ method: 'GET', url: `${base}/x` }))));
    expect(errors.every(error => error.status === 401)).toBe(true);
    expect(times).toBe(1);
    expect(readToken()).toBeUndefined();
  });
});

describe('a lost connection', () => {
  it('S290 S291 is reported to its watchers, with the words of the banner, and so is its return', async () => {
    const told: boolean[] = [];
    const stop = watchConnection(reachable => told.push(reachable));
    const port = (server.address() as AddressInfo).port;
    server.closeAllConnections();
    await new Promise(resolve => {
      server.close(resolve);
    });
    const error = await failure(send({ method: 'GET', url: `${base}/x` }));
    expect(error).toMatchObject({ status: 0, message: 'Unable to connect to server.' });
    expect(isReachable()).toBe(false);
    await new Promise<void>(resolve => {
      server.listen(port, '127.0.0.1', resolve);
    });
    await send({ method: 'GET', url: `${base}/x` });
    expect(told).toEqual([false, true]);
    stop();
  });

  it('leaves a call that was given up on as it is', async () => {
    answer = () => undefined;
    const stop = new AbortController();
    const waiting = failure(send({ method: 'GET', url: `${base}/x` }, { signal: stop.signal }));
    stop.abort();
    expect(((await waiting) as Error).name).toBe('AbortError');
    expect(isReachable()).toBe(true);
  });
});

describe('a server that does not answer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  /** Sends something that is never answered; comes back when it has arrived. */
  const hangs = async (method: string, options: Parameters<typeof send>[1] = {}): Promise<{ waiting: Promise<CallError> }> => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrived = new Promise<void>(resolve => {
      answer = () => {
        resolve();
      };
    });
    const waiting = failure(send({ method, url: `${base}/x` }, options));
    await arrived;
    return { waiting };
  };
  const stateOf = (waiting: Promise<CallError>): Promise<unknown> =>
    Promise.race([
      waiting.then(() => 'given up'),
      new Promise(resolve => {
        setImmediate(() => resolve('waiting'));
      }),
    ]);
  it('is given up on after ten seconds where it was only asked, and not asked again by itself', async () => {
    const { waiting } = await hangs('GET');
    vi.advanceTimersByTime(9_999);
    expect(await stateOf(waiting)).toBe('waiting');
    vi.advanceTimersByTime(1);
    const error = await waiting;
    expect([error.status, error.code, error.message]).toEqual([
      0,
      'TIMEOUT',
      'The server takes too long to answer. Try again in a moment.',
    ]);
    expect(worthRetrying(error)).toBe(false);
  });
  it('has a minute where it changes something', async () => {
    const { waiting } = await hangs('POST', { key: newKey() });
    vi.advanceTimersByTime(59_999);
    expect(await stateOf(waiting)).toBe('waiting');
    vi.advanceTimersByTime(1);
    expect((await waiting).code).toBe('TIMEOUT');
  });
  it('may take as long as it likes once it has begun to answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let finish = (): void => undefined;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":');
      finish = () => response.end('7}');
    };
    const waiting = send({ method: 'GET', url: `${base}/x` });
    await vi.waitFor(
      () => {
        if (seen.length === 0 || vi.getTimerCount() > 0) throw new Error('not yet');
      },
      { timeout: 5000 },
    );
    vi.advanceTimersByTime(120_000);
    finish();
    expect((await waiting).body).toEqual({ data: 7 });
  });
});
