import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { engines } from '../../../support/database.ts';
import { CONTRACT_LIST, definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { listRecords, type ListQuery } from '../../../../src/server/platform/records/list/list.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { readerOf } from '../../../support/readers.ts';

interface Row {
  id: number;
  status: string;
  customerName: string;
  createdAtEpoch: number;
  nextBillingDateEpoch: number | null;
  total: string;
  currencyCode: string;
  tags: string[];
  productIds: number[];
  planGroupIds: number[];
}

describe.each(engines)('the list verb over subscriptions (%s)', engine => {
  let server: TestServer;
  let all: Row[];
  const list = async (input: JsonObject = {}) => server.call('contract-list.list', input);
  const pages = async (input: JsonObject): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let after: string | undefined; ;) {
      const { status, data, body } = await list({ pageSize: 7, ...input, ...(after ? { after } : {}) });
      expect(status).toBe(200);
      rows.push(...(data as Row[]));
      if (!body.pageInfo?.hasNextPage) return rows;
      after = body.pageInfo.nextCursor as string;
    }
  };
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 400, stores: 2 },
      tables: ['contract-list'],
      services: { definitions: definitionsWith(CONTRACT_LIST) },
    });
    all = (await list({ pageSize: 250 })).data as Row[];
  });
  afterAll(() => server?.close());

  it('D285 gives the newest first with a total from the counters, and nothing of another store', async () => {
    const { data, body } = await list();
    expect(data).toHaveLength(25);
    expect(body.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false, total: all.length });
    expect(all.map(row => row.id)).toEqual(all.map(row => row.id).sort((a, b) => b - a));
    const { rows } = await sql<{
      store_id: number;
      n: number;
    }>`select store_id, count(*) as n from contracts group by 1 order by 1`.execute(server.services.db.kysely);
    expect(rows).toEqual([]); // without a store the table looks empty
    const own = await server.services.db.inStore(1, trx => trx.selectFrom('contracts').select('id').execute());
    expect(all).toHaveLength(own.length);
  });

  it('D284 walks every page by key in each order, both ways, without losing or doubling a row', async () => {
    for (const sort of ['createdAtEpoch', 'nextBillingDateEpoch', 'total', 'updatedAtEpoch'])
      for (const order of ['ASC', 'DESC']) {
        const forward = await pages({ sort, order });
        expect(new Set(forward.map(row => row.id)).size).toBe(all.length);
        const values = forward.map(row => (row as unknown as Record<string, number | string | null>)[sort]);
        const firstNull = values.indexOf(null);
        if (firstNull >= 0) expect(values.slice(firstNull).every(value => value === null)).toBe(true); // without a value: last, either way
        if (sort !== 'total') {
          const known = values.filter(value => value !== null) as number[];
          expect(known).toEqual([...known].sort((a, b) => (order === 'ASC' ? a - b : b - a)));
        }
        const last = (await list({ sort, order, pageSize: 250 })).data as Row[];
        expect(last.map(row => row.id)).toEqual(forward.map(row => row.id));
        // Back from the end: the page before the last row is the rows just above it.
        const tail = await list({ sort, order, pageSize: 7, page: Math.ceil(all.length / 7) });
        const before = await list({ sort, order, pageSize: 7, before: tail.body.pageInfo?.previousCursor as string });
        const start = (Math.ceil(all.length / 7) - 1) * 7;
        expect((before.data as Row[]).map(row => row.id)).toEqual(forward.slice(start - 7, start).map(row => row.id));
        expect(before.body.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
      }
  });

  it('keeps its place while rows come in above', async () => {
    const first = await list({ pageSize: 10 });
    const copy = await server.services.db.inStore(1, trx =>
      sql<{
        id: number;
      }>`insert into contracts (store_id, shopify_id, customer_id, currency_code, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, customer_name, search)
      select 1, 990000001, customer_id, currency_code, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, 'Late Comer', 'late comer' from contracts limit 1 returning id`.execute(
        trx,
      ),
    );
    const second = await list({ pageSize: 10, after: first.body.pageInfo?.nextCursor as string });
    expect((second.data as Row[]).map(row => row.id)).toEqual(all.slice(10, 20).map(row => row.id));
    expect(second.body.pageInfo?.total).toBe(all.length + 1);
    await server.services.db.inStore(1, trx =>
      trx
        .deleteFrom('contracts')
        .where('id', '=', (copy.rows[0] as { id: number }).id)
        .execute(),
    );
    expect((await list()).body.pageInfo?.total).toBe(all.length);
  });

  it('filters by options, ranges, references, lists, booleans and dates, each with a right total', async () => {
    const cases: { filter: JsonObject; keeps: (row: Row) => boolean }[] = [
      { filter: { status: ['ACTIVE'] }, keeps: row => row.status === 'ACTIVE' },
      { filter: { status: ['PAUSED', 'CANCELLED'] }, keeps: row => row.status === 'PAUSED' || row.status === 'CANCELLED' },
      {
        filter: { createdAtEpoch: { from: (all[60] as Row).createdAtEpoch, to: (all[20] as Row).createdAtEpoch } },
        keeps: row => row.createdAtEpoch >= (all[60] as Row).createdAtEpoch && row.createdAtEpoch <= (all[20] as Row).createdAtEpoch,
      },
      {
        filter: { productIds: [(all[3] as Row).productIds[0] as number] },
        keeps: row => row.productIds.includes((all[3] as Row).productIds[0] as number),
      },
      {
        filter: { planGroupIds: (all[3] as Row).planGroupIds },
        keeps: row => row.planGroupIds.some(id => (all[3] as Row).planGroupIds.includes(id)),
      },
      {
        filter: { currencyCode: ['USD'], total: { min: '20.00', max: '40.00' } },
        keeps: row => row.currencyCode === 'USD' && Number(row.total) >= 20 && Number(row.total) <= 40,
      },
      {
        filter: { isPrepaid: false, status: ['ACTIVE'] },
        keeps: row => row.status === 'ACTIVE' && !(row as unknown as { isPrepaid: boolean }).isPrepaid,
      },
      {
        filter: { completedOrdersCount: { min: 3 } },
        keeps: row => (row as unknown as { completedOrdersCount: number }).completedOrdersCount >= 3,
      },
      { filter: { status: [] }, keeps: () => true },
    ];
    for (const { filter, keeps } of cases) {
      const { status, data, body } = await list({ filter, pageSize: 250 });
      expect(status).toBe(200);
      expect((data as Row[]).map(row => row.id).sort()).toEqual(
        all
          .filter(keeps)
          .map(row => row.id)
          .sort(),
      );
      expect(body.pageInfo?.total).toBe((data as Row[]).length);
      const small = await list({ filter, pageSize: 3 });
      expect(small.body.pageInfo?.total).toBe((data as Row[]).length);
    }
  });

  it('finds by words anywhere in a name, an address or an id, by the beginning of a word for one or two letters, and takes %, _ and \\ as they are', async () => {
    const someone = all[10] as Row;
    const [first = '', last = ''] = someone.customerName.toLowerCase().split(' ');
    const find = async (q: string) => ((await list({ q, pageSize: 250 })).data as Row[]).map(row => row.id);
    expect(await find(someone.customerName.toUpperCase())).toContain(someone.id);
    expect(await find(`${last} ${first}`)).toContain(someone.id);
    expect(await find(first.slice(1, 4))).toContain(someone.id);
    expect(await find(String(someone.id))).toContain(someone.id);
    expect(await find(`#${someone.id}`)).toContain(someone.id);
    const begin = first.slice(0, 2);
    const short = (await list({ q: begin, pageSize: 250 })).data as (Row & { customerEmail: string; products: string })[];
    expect(short.map(row => row.id)).toContain(someone.id);
    for (const row of short)
      expect(`${row.customerName} ${row.customerEmail} ${row.products} ${row.id}`.toLowerCase()).toMatch(new RegExp(`(^|\\s)${begin}`));
    for (const hostile of ['a%', '50%a', 'a_b', '\\a', "o'b a", '😀x', 'x'.repeat(255)])
      expect((await list({ q: hostile })).status).toBe(200);
    expect(await find('zz%zz')).toEqual([]);
    for (const empty of ['%', '___', '😀', '\\\\']) {
      const { status, body } = await list({ q: empty });
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/q']);
    }
    expect((await list({ q: 'x'.repeat(10_000) })).status).toBe(422);
  });

  it('finds signs inside of words as they are: single letters around them at the beginning of words, everything else anywhere', async () => {
    const { db } = server.services;
    const { id } = all[20] as Row;
    const {
      rows: [was],
    } = await db.ownerQuery<{ search: string }>('select search from contracts where id = $1', [id]);
    const finds = async (q: string): Promise<boolean> => {
      const { status, data } = await list({ q, pageSize: 250 });
      expect([q, status]).toEqual([q, 200]);
      return (data as Row[]).some(row => row.id === id);
    };
    await db.ownerQuery('update contracts set search = $2 where id = $1', [
      id,
      `${id} seán o'brien sean_b@post.example z.q-y@post.example 50%x 7\\8 ø😀ł tea, r&b`,
    ]);
    try {
      for (const q of [
        "o'brien",
        "o'b",
        "se O'B",
        '_b@',
        'n_b@',
        'an_b',
        'sean_b@post',
        'z.q-y',
        'z.q',
        'q-y@',
        '.q-y@post',
        '50%x',
        '0%x',
        '7\\8',
        'ø😀ł',
        'r&b',
        'n_b@p z.q',
        '-y@post.example',
      ])
        expect([q, await finds(q)]).toEqual([q, true]);
      // A sign stands for itself, and single letters around one begin a word.
      for (const q of ['o_b', 'o%b', 'o%brien', 'sean%b@post', 'zaq', 'n_b', "n'o", 'q-y', '7%8', 'y@post', '&b@'])
        expect([q, await finds(q)]).toEqual([q, false]);
    } finally {
      await db.ownerQuery('update contracts set search = $2 where id = $1', [id, was?.search]);
    }
  });

  it('refuses signs with a single letter behind them when the rows looked through do not fill the page, and goes on from a page that it gave', async () => {
    const { services } = server;
    const store = await services.db.asSystem(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    const first = (query: ListQuery) =>
      services.db.inStore(1, trx => listRecords(readerOf(services, trx, store), services.shape('subscription'), { size: 2, ...query }), {
        readOnly: true,
      });
    const refused = {
      status: 422,
      code: 'VALIDATION',
      errors: [
        {
          pointer: '/q',
          rule: 'search',
          message:
            'There are too many subscriptions to look through for these signs. Type more letters or digits, or narrow the list by a filter.',
        },
      ],
    };
    const begun = all.slice(0, 3).map(row => row.id);
    const { rows: was } = await services.db.ownerQuery<{ id: number; search: string }>(
      'select id, search from contracts where id = any($1)',
      [begun],
    );
    await services.db.ownerQuery("update contracts set search = search || ' (q --q +q ж' where id = any($1)", [begun]);
    try {
      for (const q of [
        '@q',
        '_q',
        '--_q',
        '%q',
        '(q',
        '& -q',
        '5%5',
        '5%',
        '@a q',
        ...(engine === 'postgres' ? ['ж', 'жщ', '(ж щж', 'ы q'] : []),
      ]) {
        const missing = first({ q, window: 3 });
        if (q === '(q' || q === 'ж') expect([q, (await missing).records.length]).toEqual([q, 2]);
        else await expect(missing, q).rejects.toMatchObject(refused);
        await expect(first({ q, window: 3, page: 2 }), q).rejects.toMatchObject(refused);
        // The whole list is looked through, however little an index helps.
        expect([q, (await first({ q })).records.length]).toEqual([q, ['(q', 'ж'].includes(q) ? 2 : 0]);
        expect([q, (await first({ q, window: 3, filter: { id: [begun[0] as number] } })).records.length]).toEqual([
          q,
          ['(q', 'ж'].includes(q) ? 1 : 0,
        ]);
      }
      // What an index leads to is answered wherever it is.
      for (const q of ['q', "q'x", '@q an', 'q-', '(qq', '(q)', '--q=', 'anna @q'])
        await expect(first({ q, window: 3 }), q).resolves.toBeDefined();
      const page = await first({ q: '(q', window: 3 });
      expect(page.records.map(record => record.id)).toEqual(begun.slice(0, 2));
      expect((await first({ q: '(q', window: 1, after: page.pageInfo.nextCursor as string })).records.map(record => record.id)).toEqual(
        begun.slice(2),
      );
    } finally {
      for (const row of was) await services.db.ownerQuery('update contracts set search = $2 where id = $1', [row.id, row.search]);
    }
  });

  it('finds through the function of the table where the first look is not enough, and never in another store', async () => {
    const foreign = await server.services.db.inStore(2, trx =>
      trx.selectFrom('contracts').select(['id', 'customer_name']).limit(1).executeTakeFirstOrThrow(),
    );
    expect((await list({ q: foreign.customer_name })).data.map((row: Row) => row.id)).not.toContain(foreign.id);
    const seen = async (storeId: number | null, word: string) => {
      const ask = (trx: import('kysely').Kysely<import('../../../../src/generated/tables.ts').Tables>) =>
        sql<{ m: number }>`select m from contracts_matching(${[word]}::text[], '{}', null, null, null, null, 100) as m`.execute(trx);
      const { rows } = storeId === null ? await server.services.db.asSystem(ask) : await server.services.db.inStore(storeId, ask);
      return rows.map(row => row.m);
    };
    const word = foreign.customer_name.toLowerCase();
    expect(await seen(2, word)).toContain(foreign.id);
    expect(await seen(1, word)).not.toContain(foreign.id);
    expect(await seen(null, word)).toEqual([]);
    const { rows } = await server.services.db.inStore(1, trx =>
      sql<{
        m: number;
      }>`select m from contracts_matching('{}', ${['a']}::text[], ${(all[0] as Row).productIds}::bigint[], null, null, null, 100) as m`.execute(
        trx,
      ),
    );
    expect(rows.every(row => all.find(one => one.id === row.m)?.productIds.some(id => (all[0] as Row).productIds.includes(id)))).toBe(true);
  });

  it('gives the same rows however little it looks through before it asks the index', async () => {
    const { services } = server;
    const store = await services.db.asSystem(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    const ids = (query: ListQuery) =>
      services.db.inStore(
        1,
        async trx => {
          const found: unknown[] = [];
          for (let after: string | undefined; ;) {
            const { records, pageInfo } = await listRecords(readerOf(services, trx, store), services.shape('subscription'), {
              size: 4,
              ...query,
              after,
            });
            found.push(...records.map(record => record.id));
            if (!pageInfo.hasNextPage) return { found, total: pageInfo.total };
            after = pageInfo.nextCursor ?? undefined;
          }
        },
        { readOnly: true },
      );
    const sorts = [
      {},
      { sort: 'nextBillingDateEpoch' as const, order: 'ASC' as const },
      { sort: 'nextBillingDateEpoch', order: 'DESC' as const },
    ];
    const searches: ListQuery[] = [
      { q: 'an' },
      { q: 'coffee' },
      { q: 'example' },
      { filter: { productIds: (all[0] as Row).productIds } },
      { q: 'ma', filter: { status: ['ACTIVE'], planGroupIds: (all[1] as Row).planGroupIds } },
    ];
    for (const sort of sorts)
      for (const search of searches) {
        const wide = await ids({ ...sort, ...search });
        for (const window of [1, 10, 40]) expect((await ids({ ...sort, ...search, window })).found).toEqual(wide.found);
        expect(wide.total).toBe(wide.found.length);
      }
  });

  it('counts what a window holds with the rows that have no value to sort by, also when those with one fill the page', async () => {
    const { services } = server;
    const store = await services.db.asSystem(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    const first = (query: ListQuery) =>
      services.db.inStore(
        1,
        trx => listRecords(readerOf(services, trx, store), services.shape('subscription'), { sort: 'nextBillingDateEpoch', ...query }),
        { readOnly: true },
      );
    const without = new Set(all.filter(row => row.nextBillingDateEpoch === null).map(row => row.id));
    for (const order of ['ASC', 'DESC'] as const)
      for (const q of ['a', 'example']) {
        const { records: whole } = await first({ order, q, size: 250 });
        expect(whole.filter(record => without.has(record.id as number)).length).toBeGreaterThan(0);
        // The window is larger than the store: everything can be looked at.
        expect((await first({ order, q, size: 4, window: 2_000 })).pageInfo.total).toBe(whole.length);
      }
  });

  it('counts two filters together exactly, or says that there may be more when too many rows would have to be looked at', async () => {
    const { services } = server;
    const store = await services.db.asSystem(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    const middle = all.map(row => row.createdAtEpoch).sort((a, b) => a - b)[all.length >> 1] as number;
    const filters: { filter: JsonObject; fits: (row: Row) => boolean }[] = [
      {
        filter: { status: ['ACTIVE'], createdAtEpoch: { to: middle } },
        fits: row => row.status === 'ACTIVE' && row.createdAtEpoch <= middle,
      },
      {
        filter: { createdAtEpoch: { from: middle }, nextBillingDateEpoch: { from: middle } },
        fits: row => row.createdAtEpoch >= middle && row.nextBillingDateEpoch !== null && row.nextBillingDateEpoch >= middle,
      },
      {
        filter: { status: ['CANCELLED'], isPrepaid: false, createdAtEpoch: { from: middle } },
        fits: row => row.status === 'CANCELLED' && row.createdAtEpoch >= middle && !(row as unknown as { isPrepaid: boolean }).isPrepaid,
      },
    ];
    for (const { filter, fits } of filters) {
      const right = all.filter(fits).length;
      expect(right).toBeGreaterThan(3);
      for (const looked of [1, 20, 100, 10_000]) {
        const { pageInfo } = await services.db.inStore(
          1,
          trx => listRecords(readerOf(services, trx, store), services.shape('subscription'), { size: 2, filter, looked }),
          { readOnly: true },
        );
        if (pageInfo.totalIsCapped) expect(pageInfo.total).toBeLessThanOrEqual(right);
        else expect(pageInfo.total).toBe(right);
        if (looked === 10_000) expect(pageInfo.totalIsCapped).toBeUndefined();
      }
      const { pageInfo } = await services.db.inStore(
        1,
        trx => listRecords(readerOf(services, trx, store), services.shape('subscription'), { size: 2, filter, looked: 1 }),
        { readOnly: true },
      );
      expect(pageInfo.totalIsCapped).toBe(true);
    }
  });

  it('refuses what it does not know, at its place: fields, sorts, sizes, cursors, depth', async () => {
    const refused = async (input: JsonObject) => {
      const { status, body } = await list(input);
      return [status, body.code, body.errors?.[0]?.pointer];
    };
    expect(await refused({ filter: { storeId: [2] } })).toEqual([422, 'VALIDATION', '/filter/storeId']);
    expect(await refused({ filter: { status: ['SLEEPING'] } })).toEqual([422, 'VALIDATION', '/filter/status/0']);
    expect(await refused({ filter: { total: { min: '1.001' } } })).toEqual([422, 'VALIDATION', '/filter/total']);
    expect(await refused({ sort: 'note' })).toEqual([422, 'VALIDATION', '/sort']);
    expect(await refused({ pageSize: 1000 })).toEqual([422, 'VALIDATION', '/pageSize']);
    expect(await refused({ after: 'rubbish' })).toEqual([422, 'VALIDATION', '/after']);
    expect(await refused({ page: 9999, pageSize: 100 })).toEqual([422, 'VALIDATION', '/page']);
    expect(
      await refused({ sort: 'total', after: (await list({ sort: 'createdAtEpoch', pageSize: 5 })).body.pageInfo?.nextCursor as string }),
    ).toEqual([422, 'VALIDATION', '/after']);
    const forged = Buffer.from(JSON.stringify(['createdAtEpoch', 1, "2020-01-01' or 1=1", '5'])).toString('base64url');
    expect(await refused({ sort: 'createdAtEpoch', order: 'DESC', after: forged })).toEqual([422, 'VALIDATION', '/after']);
    expect((await server.request('GET', '/host/main/api/test/contracts/list?filter={"status":', { as: 'owner' })).status).toBe(422);
    expect((await server.request('GET', '/host/main/api/test/contracts/list?wrong=1', { as: 'owner' })).json.errors[0].pointer).toBe(
      '/wrong',
    );
  });
});
