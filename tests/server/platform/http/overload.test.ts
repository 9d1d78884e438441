// Check 6: more calls than can be served. The excess is refused at once, those under way are answered, signs of life go on, and afterwards
// all is as usual.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryDelay, worthRetrying } from '../../../../src/admin/platform/transport/query-client.ts';
import { clearToken, saveToken } from '../../../../src/admin/platform/session/token.ts';
import { CallError, send } from '../../../../src/admin/platform/transport/transport.ts';
import { buildRequest } from '../../../../src/contract/request.ts';
import { ownTransactions, type Context } from '../../../../src/server/platform/context.ts';
import { LoadShedder, LIMITS, type Limits, type Slot } from '../../../../src/server/platform/http/load-shedder.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { silent } from '../../../../src/server/platform/db/engine.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HELD = {
  'schemas/calls/held.json': {
    title: 'Held',
    host: 'main',
    base: '/api/held',
    permission: null,
    calls: {
      wait: { route: 'GET /wait', does: 'query' },
      quick: { route: 'GET /quick', does: 'query' },
      save: {
        route: 'POST /save',
        does: 'command',
        in: {
          type: 'object',
          additionalProperties: false,
          required: ['n'],
          properties: { n: { title: 'Number', type: 'integer', minimum: 1 } },
        },
      },
    },
  },
};
const FOREVER = 600_000;

describe('a server that gets more calls than it can serve', () => {
  let server: TestServer;
  let letGo: () => void;
  let inside: number;
  const start = async (limits: Partial<Limits>): Promise<void> => {
    inside = 0;
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    const modules = await loadModules();
    const handlers = new Map(modules.handlers);
    handlers.set(
      'held.wait',
      ownTransactions(async () => {
        inside++;
        await held;
        return { waited: true };
      }) as never,
    );
    handlers.set('held.quick', async () => ({ quick: true }));
    handlers.set('held.save', (async ({ trx, storeId }: Context, { n }: { n: number }) => {
      await trx
        .insertInto('settings')
        .values({ store_id: storeId, name: `saved-${n}`, data: '{}' })
        .execute();
      return { n };
    }) as never);
    server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['held', 'sign-in', 'start-up'],
      services: { definitions: definitionsWith(HELD), modules: { ...modules, handlers } },
      app: { limits },
    });
  };
  afterEach(async () => {
    letGo();
    await server.close();
  });
  const told = (message: string) => server.logged.filter(line => line.msg === message);

  it('refuses the excess with 503 and when to come back, answers the others, shows that it lives, lets people sign out, and goes on as usual', async () => {
    await start({ places: 2, minSlots: 2, waiting: 3, longMs: FOREVER, maxWaitMs: FOREVER, overloadWaitMs: FOREVER, recoveryMs: 1500 });
    const leaving = await server.signIn('mixed');
    const first = [server.call('held.wait'), server.call('held.wait')];
    await expect.poll(() => inside).toBe(2);
    const refused: Awaited<ReturnType<TestServer['call']>>[] = [];
    const waiting = Array.from({ length: 43 }, async () => {
      const answer = await server.call('held.wait');
      if (answer.status === 503) refused.push(answer);
      return answer.status;
    });
    // Places during an overload are as many as may wait in it: two; a third came before there was one.
    await expect.poll(() => refused.length).toBe(40);
    expect(inside).toBe(2);
    for (const { headers, body } of refused) {
      expect(body).toEqual({
        success: false,
        code: 'OVERLOADED',
        message: 'The server has more to do than it can at the moment. Nothing was saved. Try again in a few seconds.',
        requestId: headers.get('x-request-id'),
      });
      expect(headers.get('retry-after')).toMatch(/^[123]$/);
      expect([
        headers.get('content-type'),
        headers.get('cache-control'),
        headers.get('x-content-type-options'),
        headers.get('referrer-policy'),
      ]).toEqual(['application/json; charset=utf-8', 'no-store', 'nosniff', 'no-referrer']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    // They do not all come back in the same second.
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after'))).size).toBeGreaterThan(1);
    // A write is refused before it is read; what was typed is not lost by that, and the page's id comes back.
    const write = await server.call('held.save', { n: 1 }, { headers: { 'x-request-id': 'abcdef0123456789' } });
    expect([write.status, write.body.code, write.body.requestId]).toEqual([503, 'OVERLOADED', 'abcdef0123456789']);
    // The page takes it for what it is: it asks again by itself where it only reads, and not before the time in the answer.
    saveToken(await server.signIn('owner'));
    const { url } = buildRequest(server.services.definitions, server.services.definitions.calls['held.quick']!, {}, {});
    const error = await send({ method: 'GET', url: server.url + url }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    clearToken();
    if (!(error instanceof CallError)) throw new Error('This should have been refused.');
    expect([error.status, error.code, worthRetrying(error)]).toEqual([503, 'OVERLOADED', true]);
    expect([1, 2, 3]).toContain(error.retryAfter);
    expect(retryDelay(0, error)).toBe(Number(error.retryAfter) * 1000);
    // Nor does another way to write the address lead past.
    expect((await server.request('GET', '/%68ost/main/api/held/quick', { as: 'owner' })).status).toBe(503);

    expect((await server.request('GET', '/healthz')).json).toEqual({ ok: true });
    expect((await server.request('GET', '/readyz')).json).toEqual({ ok: true });
    expect((await server.request('GET', '/assets/none.js')).status).toBe(404);
    expect((await server.call('sign-in.logout', {}, { as: leaving })).status).toBe(200);
    server.services.state = 'closing';
    expect((await server.call('held.quick')).headers.get('connection')).toBe('close');
    server.services.state = 'ready';
    // Hardly a line in the log: one for all, or a few where the machine itself makes pauses.
    expect(told('More calls come than can be served; some are refused.').length).toBeGreaterThan(0);
    expect(server.logged.filter(line => line.level === 40 || line.call === 'held.save').length).toBeLessThan(10);

    letGo();
    expect((await Promise.all(first)).map(answer => answer.status)).toEqual([200, 200]);
    expect((await Promise.all(waiting)).filter(status => status === 200)).toHaveLength(3);
    await expect.poll(() => told('All calls are served again.').reduce((all, line) => all + Number(line.refused), 0)).toBe(44);
    expect((await Promise.all(Array.from({ length: 5 }, () => server.call('held.quick')))).map(answer => answer.status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect((await server.call('held.save', { n: 1 })).status).toBe(200);
  });

  it('refuses nothing that is usual: ten people who open a page of a dozen calls, and 250 writes at once, each done once', async () => {
    await start({ maxWaitMs: FOREVER });
    const pages = await Promise.all(Array.from({ length: 120 }, () => server.call('held.quick')));
    expect(pages.filter(answer => answer.status !== 200)).toEqual([]);
    const writes = await Promise.all(Array.from({ length: 250 }, (_, i) => server.call('held.save', { n: i + 1 }, { key: `save-${i}` })));
    expect(writes.filter(answer => answer.status !== 200)).toEqual([]);
    const { rows } = await server.services.db.ownerQuery<{ n: number }>("select count(*) as n from settings where name like 'saved-%'");
    expect(rows[0]?.n).toBe(250);
    expect(server.logged.filter(line => line.level === 40)).toEqual([]);
  });

  it('is not held up by calls that take long', async () => {
    await start({ places: 2, longMs: 1, maxWaitMs: FOREVER });
    const long = Array.from({ length: 6 }, () => server.call('held.wait'));
    await expect.poll(() => inside).toBe(6);
    expect((await server.call('held.quick')).status).toBe(200);
    letGo();
    expect((await Promise.all(long)).every(answer => answer.status === 200)).toBe(true);
  });
});

describe('who is let in', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** Names of those who were let in and who were refused, as it happens. */
  const shedder = (limits: Partial<Limits> = {}) => {
    const lines: string[] = [];
    const log = {
      ...silent,
      warn: (_details: object, message: string) => {
        lines.push(message);
      },
    };
    const loadShedder = new LoadShedder(log, limits);
    const seen = { in: [] as string[], out: [] as string[] };
    const come = (name: string): Slot =>
      loadShedder.enter({
        admit: () => {
          seen.in.push(name);
        },
        refuse: () => {
          seen.out.push(name);
        },
      });
    return { loadShedder, seen, come, lines };
  };

  it('the others wait, and go in by the order in which they came', () => {
    const { loadShedder, seen, come } = shedder({ places: 2 });
    const [a, b, , d] = ['a', 'b', 'c', 'd', 'e'].map(come) as [Slot, Slot, Slot, Slot];
    expect(seen.in).toEqual(['a', 'b']);
    loadShedder.leave(d);
    loadShedder.leave(b);
    expect(seen.in).toEqual(['a', 'b', 'c']);
    loadShedder.leave(a);
    loadShedder.leave(a);
    expect(seen).toEqual({ in: ['a', 'b', 'c', 'e'], out: [] });
    expect(loadShedder.state).toEqual({ inside: 2, long: 0, waiting: 0, isOverloaded: false });
  });

  it('a slow call gives its place away, up to a number that holds for all', () => {
    const { loadShedder, seen, come } = shedder({ places: 1, most: 3 });
    const [a] = ['a', 'b', 'c', 'd'].map(come) as [Slot];
    vi.advanceTimersByTime(LIMITS.longMs * 3.5);
    expect(seen.in).toEqual(['a', 'b', 'c']);
    expect(loadShedder.state).toMatchObject({ inside: 0, long: 3, waiting: 1 });
    loadShedder.leave(a);
    expect(seen).toEqual({ in: ['a', 'b', 'c', 'd'], out: [] });
  });

  it('no call waits for longer than a call has patience', () => {
    const { seen, come } = shedder({ places: 1, longMs: FOREVER });
    ['a', 'b'].map(come);
    vi.advanceTimersByTime(LIMITS.maxWaitMs);
    expect(seen.out).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(seen.out).toEqual(['b']);
  });

  it('once a call had to be refused few wait and not for long, until none was refused for a while', () => {
    const { loadShedder, seen, come, lines } = shedder({ places: 8, minSlots: 4, waiting: 10, longMs: FOREVER });
    const some = Array.from({ length: 18 }, (_, i) => come(`a${i}`));
    expect(loadShedder.state).toEqual({ inside: 8, long: 0, waiting: 10, isOverloaded: false });
    come('over');
    expect(seen.out).toEqual(['over']);
    vi.advanceTimersByTime(LIMITS.overloadWaitMs + 20);
    expect(seen.out).toHaveLength(11);
    Array.from({ length: 6 }, (_, i) => come(`b${i}`));
    expect(loadShedder.state.waiting).toBeGreaterThanOrEqual(4);
    expect(seen.out).toHaveLength(11 + 6 - loadShedder.state.waiting);
    for (const slot of some) loadShedder.leave(slot);
    vi.advanceTimersByTime(LIMITS.recoveryMs + 20);
    expect(loadShedder.state).toEqual({ inside: 6 - (seen.out.length - 11), long: 0, waiting: 0, isOverloaded: false });
    expect(lines).toEqual(['More calls come than can be served; some are refused.', 'All calls are served again.']);
    const before = seen.out.length;
    Array.from({ length: 8 + 10 - loadShedder.state.inside }, (_, i) => come(`c${i}`));
    expect(seen.out).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(1);
  });
});
