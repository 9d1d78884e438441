// The machine's time is shared: pages without a session have a line of their own, and what one member has worked out takes nothing from
// others.
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { componentsOf } from '../../../../src/contract/analytics.ts';
import { lineOf } from '../../../../src/server/platform/http/routes.ts';
import { engines } from '../../../support/database.ts';
import type { Tables } from '../../../../src/generated/tables.ts';
import { whileLocked } from '../../../support/locks.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';

/** Addresses of all routes that a server has, as `/c/:store/:code`, from the tree that Fastify prints. */
function addressesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap(line => {
    const [, indent = '', part = '', methods] = /^([│ ]*[├└]── )(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (!indent) return [];
    above.length = indent.length / 4 - 1;
    above.push(part);
    return methods?.includes('GET') ? [above.join('')] : [];
  });
}

describe('pages that are opened without signing in', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 6, stores: 1 } });
  });
  afterAll(() => server?.close());

  /** Holds all places of pages as long as `work` lasts. */
  async function whileFull<T>(waiting: number, work: () => Promise<T>): Promise<T> {
    const { shares } = server.services;
    shares.limit('pages', { places: 1, share: {}, waiting });
    return shares.run('pages', {}, work);
  }
  /** The routes of a server that are no calls and not known to cost nothing: whatever a feature adds is among them. */
  const pages = (): string[] => {
    const calls = Object.values(server.services.definitions.hosts).map(host => host.prefix);
    const free = ['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/mail/frame', '/favicon.ico', '/'];
    return addressesOf(server.app.printRoutes({ commonPrefix: false })).filter(
      path => !calls.some(prefix => path.startsWith(`${prefix}/`)) && !free.includes(path) && !path.includes('*'),
    );
  };

  it('wait in a line of their own, each of them, and read when to come back where it is full; calls go on', async () => {
    const found = pages();
    for (const { path } of server.services.pages) expect(found).toContain(path);
    expect(found).toContain('/media/:store/:file');
    await whileFull(0, async () => {
      for (const path of found) {
        const answer = await server.request('GET', path.replaceAll(/:\w+/g, '1'));
        expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, expect.stringMatching(/^[123]$/)]);
        if (server.services.pages.some(page => page.path === path)) {
          expect(answer.headers.get('content-type')).toContain('text/html');
          expect(answer.text).toContain('Many people are here at the moment.');
        }
      }
      expect((await server.request('GET', '/healthz')).status).toBe(200);
      expect((await server.request('GET', '/readyz')).status).toBe(200);
      expect((await server.call('customers.list')).status).toBe(200);
    });
    for (const path of found) expect((await server.request('GET', path.replaceAll(/:\w+/g, '1'))).status).not.toBe(503);
  });

  it('give the place back when they are sent, and when a client leaves before', async () => {
    const path = server.services.pages[0]?.path ?? '';
    const address = server.url + path.replaceAll(/:\w+/g, '1');
    const left = await whileFull(10, async () => {
      const gone = new AbortController();
      const waiting = fetch(address, { signal: gone.signal }).then(
        () => 'answered',
        () => 'left',
      );
      await expect.poll(() => server.services.shares.line('pages').state.waiting).toBe(1);
      gone.abort();
      await expect.poll(() => server.services.shares.line('pages').state.waiting).toBe(0);
      return waiting;
    });
    expect(left).toBe('left');
    expect(await Promise.all(Array.from({ length: 8 }, async () => (await fetch(address)).status))).not.toContain(503);
    expect(server.services.shares.line('pages').state).toMatchObject({ inside: 0, waiting: 0 });
  });
});

describe.each(engines.filter(engine => engine === 'postgres'))('what one member has worked out (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, connections: 4, seed: { contracts: 12, stores: 2 } });
  });
  afterAll(() => server?.close());

  it('takes no connection of calls: sixteen charts and sixteen files that do not get on leave others their lists', async () => {
    const { db, definitions } = server.services;
    const charts = Object.values(definitions.analytics).flatMap(page =>
      componentsOf(page).flatMap(({ key, source }) => (source === undefined ? [`${page.key}.${key}`] : [])),
    );
    const exporting = `${definitions.hosts.main!.prefix}${definitions.calls['customers.export']!.path}`;
    let heavy: Promise<Answered>[] = [];
    let files: Promise<{ status: number; headers: Headers }>[] = [];
    const stranger = await server.signIn('owner', 2);
    const lock = (trx: Kysely<Tables>) => sql`lock table customers, contracts, orders, events in access exclusive mode`.execute(trx);
    await whileLocked(db, lock, async () => {
      heavy = Array.from({ length: 16 }, (_, i) => server.call('analytics.chart', { path: charts[i % charts.length]! }));
      files = Array.from({ length: 16 }, () => server.request('GET', exporting, { as: 'owner' }));
      // Those that found a place are at it.
      await expect
        .poll(async () => {
          const { rows } = await db.ownerQuery<{ n: number }>(
            "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rows[0]?.n ?? 0;
        })
        .toBeGreaterThan(0);
      for (let i = 0; i < 5; i++)
        expect((await server.call('saved-views.list', { route: '/customers' }, { as: stranger })).status).toBe(200);
    });
    const answers = [...(await Promise.all(heavy)), ...(await Promise.all(files))];
    // The answer to a caller without a place in time says when to come back.
    for (const { status, headers } of answers) if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
  });

  it('is in a line that its definition says: charts, figures of any days, and every export', () => {
    const { definitions, handlers } = server.services;
    const lines = new Map(Object.values(definitions.calls).map(call => [call.name, lineOf(call, handlers.get(call.like ?? call.name))]));
    for (const call of Object.values(definitions.calls)) {
      if (call.does === 'chart' || call.in.some(({ name }) => name === 'startDate'))
        expect([call.name, lines.get(call.name)]).toEqual([call.name, 'charts']);
      if (/export$/i.test(call.key) && call.method !== 'PUT') expect([call.name, lines.get(call.name)]).toEqual([call.name, 'exports']);
    }
  });
});
