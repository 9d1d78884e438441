// Check 6: whose calls wait in the queue and whose are refused, and by when a call that had to wait is answered.
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownTransactions, type Context } from '../../../../src/server/platform/context.ts';
import { LoadShedder, type Limits, type Slot } from '../../../../src/server/platform/http/load-shedder.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { silent } from '../../../../src/server/platform/db/engine.ts';
import { engines } from '../../../support/database.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const FOREVER = 600_000;

describe('who is refused when the line is full', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const shedder = (limits: Partial<Limits> = {}) => {
    const loadShedder = new LoadShedder(silent, {
      places: 1,
      minSlots: 6,
      waiting: 6,
      longMs: FOREVER,
      maxWaitMs: FOREVER,
      overloadWaitMs: FOREVER,
      ...limits,
    });
    const seen = { in: [] as string[], out: [] as string[] };
    /** "a1" is the first call of a. */
    const come = (name: string): Slot =>
      loadShedder.enter({
        admit: () => {
          seen.in.push(name);
        },
        refuse: () => {
          seen.out.push(name);
        },
        owner: { person: name[0] as string },
      });
    return { loadShedder, seen, come };
  };

  it('refuses the newest request of the client with most waiting in favour of one with fewer, and no other', () => {
    const { loadShedder, seen, come } = shedder({ minSlots: 9, waiting: 9 });
    const inside = come('a0');
    const slots = [inside, ...['a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'b2', 'a6', 'a7'].map(come)];
    expect(seen.out).toEqual([]);
    come('a8');
    come('c1');
    come('b3');
    come('c2');
    come('c3');
    expect(seen.out).toEqual(['a8', 'a7', 'a6', 'a5', 'a4']);
    // Three of each: none has more, and the next is one too many.
    come('d1');
    come('b4');
    expect(seen.out.slice(5)).toEqual(['d1', 'b4']);
    expect(loadShedder.state).toMatchObject({ inside: 1, waiting: 9 });
    // Those who stayed go in by the order in which they came.
    for (let i = 0; i < 3; i++) loadShedder.leave(slots.find(({ state }) => state === 'inside') as Slot);
    expect(seen.in.slice(0, 4)).toEqual(['a0', 'a1', 'a2', 'b1']);
  });

  it('leaves places to others: of one person, store or address only their share is at work, and those behind them pass', () => {
    const loadShedder = new LoadShedder(silent, { places: 4, share: { person: 2, store: 3 }, longMs: FOREVER, maxWaitMs: FOREVER });
    const seen: string[] = [];
    const come = (person: string, store: string): Slot =>
      loadShedder.enter({ owner: { person, store }, admit: () => seen.push(person), refuse: () => seen.push(`no ${person}`) });
    const first = come('ann', '1');
    for (const person of ['ann', 'ann', 'bob', 'cid']) come(person, '1');
    come('dan', '2');
    // Ann has two, store 1 has three: the fourth place is for Dan, although he came last.
    expect(seen).toEqual(['ann', 'ann', 'bob', 'dan']);
    loadShedder.leave(first);
    expect(seen.slice(4)).toEqual(['ann']);
    expect(loadShedder.state).toMatchObject({ inside: 4, waiting: 1 });
  });

  it('serves another client during an overload, however often one client sends requests', () => {
    const { seen, come } = shedder({ minSlots: 4 });
    for (let i = 0; i < 200; i++) come('a');
    seen.out.length = 0;
    come('b');
    for (let i = 0; i < 200; i++) come('a');
    expect(seen.out).not.toContain('b');
    expect(seen.out).toHaveLength(201);
  });

  it('those who left the line are forgotten', () => {
    const { loadShedder, seen, come } = shedder();
    come('a0');
    const slots = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(come);
    for (const slot of slots.slice(0, 4)) loadShedder.leave(slot);
    ['c1', 'c2', 'c3', 'c4'].map(come);
    expect(seen.out).toEqual([]);
    // a has none left, so that its next takes the place of one who has four.
    come('a5');
    expect(seen.out).toEqual(['c4']);
  });
});

const HELD = {
  'schemas/calls/held.json': {
    title: 'Held',
    host: 'main',
    base: '/api/held',
    permission: null,
    calls: {
      wait: { route: 'GET /wait', does: 'query' },
      limit: { route: 'GET /limit', does: 'query' },
      save: { route: 'POST /save', does: 'command', in: [] },
    },
  },
};

describe.each(engines)('a call that waited for a slot (%s)', engine => {
  let server: TestServer;
  let letGo = (): void => undefined;
  let inside = 0;
  afterEach(async () => {
    letGo();
    await server.close();
  });
  const limitOf = async ({ trx }: Context) => ({
    limit: Number(
      (await sql<{ ms: string }>`select setting as ms from pg_settings where name = 'statement_timeout'`.execute(trx)).rows[0]?.ms,
    ),
  });
  const start = async (): Promise<void> => {
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
        return {};
      }) as never,
    );
    handlers.set('held.limit', limitOf as never);
    handlers.set('held.save', limitOf as never);
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 1 },
      tables: ['held', 'sign-in'],
      services: { definitions: definitionsWith(HELD), modules: { ...modules, handlers } },
      app: { limits: { places: 1, longMs: FOREVER, maxWaitMs: FOREVER } },
    });
  };

  it('has so much less time in the database, reading and writing, with a key and without', async () => {
    await start();
    const usual = (await server.call('held.limit')).data.limit as number;
    const first = server.call('held.wait');
    await expect.poll(() => inside).toBe(1);
    const waiting = [server.call('held.limit'), server.call('held.save'), server.call('held.save', {}, { key: 'once' })];
    await new Promise(resolve => setTimeout(resolve, 700));
    letGo();
    expect((await first).status).toBe(200);
    for (const answer of await Promise.all(waiting)) {
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      // Requests set out before the pause, though not all arrive at the same moment.
      expect(answer.data.limit).toBeGreaterThan(0);
      expect(answer.data.limit).toBeLessThan(server.services.db.timeoutMs);
    }
    expect((await server.call('held.limit')).data.limit).toBe(usual);
  });
});
