// While calls come in, work in the background on the embedded database leaves no long lists of entries that wait to be merged into the
// indexes of words and tags: they are merged in turns of their own, between which calls come. And a call that asks twice has the connection
// for both before the work goes on.
import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Lease, StoreLog } from '../../../../src/server/platform/db/engine.ts';
import { IndexMaintenance } from '../../../../src/server/platform/db/embedded/index-maintenance.ts';
import { ConnectionMutex } from '../../../../src/server/platform/db/embedded/connection-mutex.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

describe('when they are merged', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Indexes of a database that takes `ms` for each; every turn that was taken is a list of those merged in it. */
  function begin(
    indexes: string[],
    { ms = 1, fails = false } = {},
  ): { pending: IndexMaintenance; turns: string[][]; warnings: string[]; rest: () => Promise<void> } {
    const turns: string[][] = [],
      warnings: string[] = [];
    const log: StoreLog = {
      info: () => undefined,
      error: () => undefined,
      warn: (_, message) => {
        warnings.push(message);
      },
    };
    const borrow = async (): Promise<Lease> => {
      const merged: string[] = [];
      turns.push(merged);
      const query = async (text: string, params?: string[]): Promise<{ rows: { name: string }[] }> => {
        if (fails) throw new Error('No.');
        if (params === undefined) return { rows: indexes.map(name => ({ name })) };
        vi.advanceTimersByTime(ms);
        merged.push(params[0] ?? text);
        return { rows: [] };
      };
      return { client: { query } as Lease['client'], release: () => undefined, abandon: () => undefined };
    };
    return {
      pending: new IndexMaintenance({ borrow, log }),
      turns,
      warnings,
      rest: async () => {
        await turnOfLoop();
      },
    };
  }

  test('after enough work in the background, each index once, and then after as much again', async () => {
    const { pending, turns, rest } = begin(['a', 'b']);
    pending.asked();
    pending.worked(79);
    await rest();
    expect(turns).toEqual([]);
    pending.worked(1);
    await rest();
    expect(turns).toEqual([['a', 'b']]);
    pending.worked(79);
    await rest();
    expect(turns).toHaveLength(1);
    pending.worked(1);
    await rest();
    expect(turns).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test('those that take long each in a turn of its own', async () => {
    const { pending, turns, rest } = begin(['a', 'b', 'c', 'd'], { ms: 3 });
    pending.asked();
    pending.worked(100);
    await rest();
    expect(turns).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const slow = begin(['a', 'b', 'c'], { ms: 20 });
    slow.pending.asked();
    slow.pending.worked(100);
    await slow.rest();
    expect(slow.turns).toEqual([['a'], ['b'], ['c']]);
  });

  test('not while no call comes in, nor after the end', async () => {
    const { pending, turns, rest } = begin(['a']);
    pending.worked(500);
    await rest();
    pending.asked();
    vi.advanceTimersByTime(3001);
    pending.worked(500);
    await rest();
    expect(turns).toEqual([]);
    pending.asked();
    pending.stop();
    pending.worked(500);
    await rest();
    expect(turns).toEqual([]);
  });

  test('an error is logged, and it is tried again', async () => {
    const { pending, turns, warnings, rest } = begin(['a'], { fails: true });
    pending.asked();
    for (let i = 1; i <= 2; i++) {
      pending.worked(80);
      await rest();
      expect([turns.length, warnings.length]).toEqual([i, i]);
    }
  });
});

describe('on the embedded database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase('embedded', { timeoutMs: 20_000 });
    await database.db.exec(
      'create table words (id integer primary key, said text[] not null); create index words_said on words using gin (said)',
    );
  });
  afterAll(() => database?.remove());

  /**
   * A tenth of a second of work in the background that writes entries; then gives the number of pages of them that are still to be merged.
   */
  async function work(first: number): Promise<number> {
    const { db } = database;
    await db.asOwner(async trx => {
      await sql`insert into words select n, array['word' || n, 'other' || n] from generate_series(${first}::integer, ${first + 199}::integer) as n`.execute(
        trx,
      );
      await sleep(100);
    });
    for (let i = 0; i < 20; i++) await db.ownerQuery('select 1');
    const {
      rows: [row],
    } = await db.ownerQuery<{ pages: number }>("select gin_clean_pending_list('words_said') as pages");
    return Number(row?.pages);
  }

  test('entries wait while no call comes in, and are merged between the calls; none is lost', async () => {
    const { db } = database;
    expect(await work(1)).toBeGreaterThan(0);
    await db.query('select 1');
    expect(await work(1001)).toBe(0);
    const { rows } = await db.ownerQuery(
      "set enable_seqscan = off; select id from words where said @> array['other7'] or said @> array['word1200'] order by id",
    );
    await db.exec('reset enable_seqscan');
    expect(rows).toEqual([{ id: 7 }, { id: 1200 }]);
  });
});

describe('the turns of a call', () => {
  test('that asks again at once come before work in the background that waits', async () => {
    const turn = new ConnectionMutex();
    const went: string[] = [];
    await turn.enter(1000);
    const work = turn.enter(60_000, true).then(() => {
      went.push('work');
    });
    turn.leaveAfterCall();
    await turn.enter(1000).then(() => {
      went.push('again');
    });
    turn.leaveAfterCall();
    await work;
    expect(went).toEqual(['again', 'work']);
    turn.leave();
    expect(turn.idle).toBe(true);
  });

  test('end at once for other calls, and for a caller who comes when none waits', async () => {
    const turn = new ConnectionMutex();
    await turn.enter(1000);
    turn.leaveAfterCall();
    expect(turn.idle).toBe(true);
    await turn.enter(1000);
    const call = turn.enter(1000);
    const work = turn.enter(60_000, true);
    turn.leaveAfterCall();
    await call;
    turn.leaveAfterCall();
    await work;
    turn.leave();
    expect(turn.idle).toBe(true);
  });
});
