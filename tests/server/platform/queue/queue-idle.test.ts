// A queue with nothing to do: one statement looks for all of its workers, so that the embedded database is left to those who use it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { createQueue, type Queue } from '../../../../src/server/platform/queue/queue.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { scratch } from '../db/scratch.ts';

const NAMES = ['brew', 'grind', 'roast', 'taste'];
const until = async (check: () => boolean): Promise<void> => {
  while (!check())
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    });
};

describe.each(engines)('an idle queue on %s', kind => {
  let database: TestDatabase;
  let queue: Queue;
  const asked = { looks: 0, fetches: [] as string[] };
  const done: string[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(kind, { migrations: scratch });
    const { db } = database;
    const watched = new Proxy(db, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key !== 'ownerQuery') return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
        return (text: string, params?: readonly unknown[]) => {
          if (/^\s*WITH next as/.test(text) && NAMES.includes(String(params?.[0]))) asked.fetches.push(String(params?.[0]));
          if (text.includes('unnest($1::text[]) AS n (name)')) asked.looks++;
          return db.ownerQuery(text, params);
        };
      },
    }) as Database;
    queue = createQueue(watched, { pollSeconds: 0.5, workers: 2, graceMs: 1000 });
    for (const name of NAMES)
      queue.work(name, async () => {
        done.push(name);
      });
    await queue.start();
  });
  afterAll(async () => {
    await queue?.stop();
    await database?.remove();
  });

  it('asks once for all of its workers', async () => {
    await until(() => asked.fetches.length >= NAMES.length * 2);
    const { looks } = asked;
    await until(() => asked.looks >= looks + 4);
    expect(asked.fetches.toSorted()).toEqual([...NAMES, ...NAMES].toSorted());
  });

  it('still finds a job whose time has come, and wakes none but its workers', async () => {
    const before = asked.fetches.length;
    await database.db.ownerQuery(
      "insert into pgboss.job (name, data, start_after, policy, singleton_key) values ('roast', '{}', now() + interval '1 second', 'short', 'x')",
    );
    await until(() => done.includes('roast'));
    expect(done).toEqual(['roast']);
    await queue.stop();
    expect(new Set(asked.fetches.slice(before))).toEqual(new Set(['roast']));
  });
});
