// Whether callers wait for answers: calls say so, work in the background does not; work in the background goes in shorter steps then. And
// statements that are asked in one batch run in the order in which they were asked, whatever code builds them.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '../../../support/database.ts';

describe.each(engines)('on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database?.remove());

  test('jobs, scripts and the queue ask for no person, a call does', async () => {
    const { db } = database;
    const seen: boolean[] = [db.isAsked];
    const look = (): void => {
      seen.push(db.isAsked);
    };
    await db.inStore(1, trx => trx.selectFrom('stores').select('id').execute(), { timeoutMs: 60_000 }).then(look);
    await db.ownerQuery('select 1').then(look);
    await db.exec('select 1').then(look);
    await db.asOwner(trx => trx.selectFrom('stores').select('id').execute()).then(look);
    expect(seen).toEqual([false, false, false, false, false]);
    await db.inStore(1, trx => trx.selectFrom('stores').select('id').execute(), { readOnly: true });
    expect(db.isAsked).toBe(true);
  });

  test('statements of one batch run in their order, and the error is that of the first that fails', async () => {
    const { db } = database;
    await db.exec('create table steps (n integer primary key); grant all on steps to perennial_app');
    const add = (n: number) => sql`insert into steps (n) values (${n})`;
    const pipelines = (): Promise<number[]> =>
      db.ownerQuery<{ n: number }>('select n from steps order by n').then(({ rows }) => rows.map(row => row.n));
    await db.asSystem(trx =>
      Promise.all([
        add(1).execute(trx),
        sql`update steps set n = n + 1`.execute(trx),
        trx.selectFrom('stores').select('id').execute(),
        sql`delete from steps where n = 2`.execute(trx),
        add(3).execute(trx),
        sql`update steps set n = n * 2`.execute(trx),
      ]),
    );
    expect(await pipelines()).toEqual([6]);
    await expect(
      db.asSystem(trx => Promise.all([add(7).execute(trx), add(6).execute(trx), sql`select 1 / 0`.execute(trx), add(8).execute(trx)])),
    ).rejects.toMatchObject({ code: '23505' });
    expect(await pipelines()).toEqual([6]);
  });
});
