// Several words at the beginning of words, which the index answers together: the rows are those that have each of them there, whatever
// signs stand around.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchWords } from '../../../../src/server/platform/records/list/filter.ts';
import { listRecords } from '../../../../src/server/platform/records/list/list.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { readerOf } from '../../../support/readers.ts';

const TEXTS = [
  'anna berg',
  'berg anna',
  'anna-lena bo',
  'x.anna berg',
  'a+b c',
  'c (a) b',
  '^a b',
  'a b c d e f',
  'f e d c b a',
  'ab cd',
  '1 a2 b3',
  'årsta an ö',
  'an ö1',
  'b  a',
  'ba ab',
  'a',
  'b',
  '',
  '10 % off',
  'a.b c',
];
const SEARCHES = [
  'a b',
  'b a',
  'an be',
  'a b c',
  'a b c d e f',
  'f a',
  'an ö',
  'a ö',
  '1 a2',
  '(a b',
  'a+ c',
  '^a b',
  'a. c',
  'ab cd',
  '10 of',
  'a an',
  'b bo',
  'a b berg',
  'zz a',
  'e d q',
  '. a',
  '* a',
  'a. b|',
];

describe.each(oneEngine)('several beginnings of words (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 40, stores: 2 } });
    await server.services.db.ownerQuery(
      'update contracts c set search = ($1::text[])[k.n] from (select store_id, id, row_number() over (partition by store_id order by id) as n from contracts) k where c.store_id = k.store_id and c.id = k.id and k.n <= $2',
      [TEXTS, TEXTS.length],
    );
    await server.services.db.ownerQuery(
      'update contracts c set search = $1 from (select store_id, id, row_number() over (partition by store_id order by id) as n from contracts) k where c.store_id = k.store_id and c.id = k.id and k.n > $2',
      ['unknown', TEXTS.length],
    );
  });
  afterAll(() => server?.close());

  it.each(SEARCHES)('finds the rows that have each: %s', async q => {
    const { services } = server;
    const { parts, starts } = searchWords(q);
    const rows = (
      await services.db.ownerQuery<{ id: number; search: string }>('select id, search from contracts where store_id = 1 order by id desc')
    ).rows;
    const expected = rows
      .filter(({ search }) => parts.every(word => search.includes(word)) && starts.every(word => ` ${search}`.includes(` ${word}`)))
      .map(row => row.id);
    const found = await services.db.inStore(
      1,
      trx =>
        sql<{
          m: number;
        }>`select m from contracts_matching(${parts}::text[], ${starts}::text[], null, null, null, null, 1000) as m order by m desc`.execute(
          trx,
        ),
      { readOnly: true },
    );
    expect(found.rows.map(row => row.m)).toEqual(expected);
    const store = await services.db.inStore(1, trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    for (const query of [{ q }, { q, sort: 'createdAtEpoch' }]) {
      const whole = await services.db.inStore(
        1,
        trx => listRecords(readerOf(services, trx, store), services.shape('subscription'), { size: 100, ...query }),
        { readOnly: true },
      );
      expect(whole.records.map(record => record.id as number).sort((a, b) => b - a)).toEqual(expected);
      expect(whole.pageInfo.total).toBe(expected.length);
    }
  });

  it('guesses as before, and finds nothing of another store', async () => {
    const { services } = server;
    const ask = (storeId: number) =>
      services.db.inStore(storeId, trx =>
        sql<{
          n: number;
          m: number[];
        }>`select contracts_estimate('{}', '{a,b}', null, null, null, null) as n, (select array_agg(m) from contracts_matching('{}', '{a,b}', null, null, null, null, 1000) as m) as m`.execute(
          trx,
        ),
      );
    const [one, two] = [(await ask(1)).rows[0], (await ask(2)).rows[0]];
    expect(one?.n).toBeGreaterThanOrEqual(0);
    expect(one?.m.length).toBeGreaterThan(3);
    expect(one?.m.filter(id => two?.m.includes(id))).toEqual([]);
  });
});
