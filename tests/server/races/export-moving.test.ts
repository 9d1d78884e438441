// Check 8: an export in an order that rows can leave holds each row once, wherever they move while it is read, on both engines.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyFile, Store } from '../../../src/server/platform/context.ts';
import { exportRecords, type ExportInput } from '../../../src/server/platform/records/list/export.ts';
import { engines } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readerOf } from '../../support/readers.ts';

const SIZE = 900;

describe.each(engines)('exports of rows that move (%s)', engine => {
  let server: TestServer;
  let store: Store;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: SIZE, stores: 1 } });
    const { services } = server;
    store = await services.db.inStore(1, trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
  });
  afterAll(() => server?.close());

  const query = <R = { id: number }>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R & object>(text, params).then(({ rows }) => rows);
  /** The parts of a file as they are written. */
  const parts = async (input: ExportInput): Promise<AsyncIterable<string>> => {
    const { services } = server;
    const reply = await services.db.inStore(1, trx =>
      exportRecords({ ...readerOf(services, trx, store), db: services.db }, 'subscription', { columns: ['id', 'total'], ...input }),
    );
    return (reply.file as ReplyFile).content as AsyncIterable<string>;
  };
  /** The ids of a file, between whose parts something is done. */
  const read = async (input: ExportInput, between?: (page: number) => Promise<unknown>): Promise<number[]> => {
    let text = '',
      page = 0;
    for await (const part of await parts(input)) {
      text += part;
      await between?.(page++);
    }
    if (between) expect(page).toBeGreaterThan(2);
    return (parse(text, { bom: true, from: 2 }) as string[][]).map(cells => Number(cells[0]));
  };
  const all = async (): Promise<number[]> =>
    (await query('select id from contracts where store_id = 1 order by id')).map(row => Number(row.id));
  const once = (ids: number[]): number[] => [...ids].sort((a, b) => a - b);

  it.each([
    ['total', 'ASC'],
    ['total', 'DESC'],
    ['nextBillingDateEpoch', 'ASC'],
    ['updatedAtEpoch', 'DESC'],
    ['updatedAtEpoch', 'ASC'],
  ] as const)('hold each of them once: by %s %s', async (sort, order) => {
    const column = { total: 'total', nextBillingDateEpoch: 'next_billing_at', updatedAtEpoch: 'updated_at' }[sort];
    const expected = (await server.call('subscription-contract.list', { sort, order, pageSize: 250 })).data as { id: number }[];
    // After each page half of the rows that follow move to where the reader has been, and as many that were read move ahead.
    const moved = sort === 'total' ? '1000000 - total' : `timestamptz '2030-01-01' - (${column} - timestamptz '2020-01-01')`;
    const ids = await read({ sort, order }, page =>
      query(`update contracts set ${column} = ${moved} where store_id = 1 and ${column} is not null and id % 3 = $1`, [page % 3]),
    );
    expect(once(ids)).toEqual(await all());
    expect(ids.slice(0, 250)).toEqual(expected.map(row => row.id));
  });

  it('hold each once that a filter or a search finds, in both orders of the rows without a value', async () => {
    await query('update contracts set next_billing_at = case when id % 4 = 0 then null else next_billing_at end where store_id = 1');
    const total = async (input: ExportInput): Promise<number> =>
      Number((await server.call('subscription-contract.list', { ...input, pageSize: 10 } as never)).body.pageInfo?.total);
    for (const input of [
      { sort: 'nextBillingDateEpoch', order: 'DESC' },
      { sort: 'total', filter: { status: ['ACTIVE', 'PAUSED', 'CANCELLED'] } },
      { sort: 'updatedAtEpoch', q: 'e' },
      { sort: 'total', filter: { tags: ['vip'] }, q: 'a' },
    ] as ExportInput[]) {
      const n = await total(input);
      const ids = await read(input);
      expect([input, ids.length, new Set(ids).size]).toEqual([input, n, n]);
      const first = (await server.call('subscription-contract.list', { ...input, pageSize: 250 } as never)).data as {
        id: number;
      }[];
      expect(ids.slice(0, 250)).toEqual(first.map(row => row.id));
    }
  });

  it('leave out what is deleted before its page is written, and nothing else', async () => {
    const before = await all();
    const gone = before.filter(id => id % 7 === 0);
    const ids = await read({ sort: 'total', order: 'ASC' }, async page => {
      if (page === 0) await query('delete from contracts where store_id = 1 and id = any($1::bigint[])', [gone]);
    });
    expect(once(ids)).toEqual(before.filter(id => id % 7 !== 0));
  });
});
