// Filters that leave few rows, or rows that stand far from the beginning of the order: whichever way they are found, the rows, their order, the pages and the totals are those of a plain evaluation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { listRecords, type ListQuery } from '../../../../src/server/platform/records/list/list.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { readerOf } from '../../../support/readers.ts';

const RATES: Record<string, number> = { USD: 1, EUR: 1.1, JPY: 0.0067, SEK: 0.096 };
interface Row {
  id: number;
  total: string;
  currencyCode: string;
  countryCode: string;
  createdAtEpoch: number;
  isPrepaid: boolean;
  lastPaymentStatus: string | null;
  completedOrdersCount: number;
  planGroupIds: number[];
  productIds: number[];
  tags: string[];
}
const worth = (row: Row): number => Math.round(Number(row.total) * (RATES[row.currencyCode] ?? 1) * 1e7);

describe.each(oneEngine)('rare filters (%s)', engine => {
  let server: TestServer;
  let all: Row[];
  const SIZE = 7;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 160, stores: 1 } });
    const query = (text: string, params: unknown[] = []) => server.services.db.ownerQuery(text, params);
    await query("update stores set details = coalesce(details, '{}') || $1::jsonb where id = 1", [
      JSON.stringify({ usdRates: { EUR: 1.1, JPY: 0.0067, SEK: 0.096 } }),
    ]);
    server.services.sessions.forget(1);
    // Half in dollars, some of each other currency; Sweden has kronor alone but for one in dollars; every third amount stands several times; what is prepaid is old and dear.
    await query(`update contracts c set
        currency_code = k.code, country_code = case when k.code = 'SEK' or k.n = 0 then 'SE' when k.code = 'USD' then 'US' else 'DE' end,
        total = round((5 + k.n / 3) / k.rate * 10 ^ k.digits), is_prepaid = k.n >= 140, last_payment_status = case when k.n % 9 = 0 then 'FAILED' else 'SUCCESS' end, completed_orders = k.n / 20,
        plan_group_ids = case when k.n % 4 = 0 then '{701}' else '{702}' end::bigint[], product_ids = case when k.n % 8 = 0 then '{801,802}' else '{802}' end::bigint[], tags = case when k.n % 5 = 0 then '{rare}' else '{}' end::text[],
        created_at = timestamptz '2026-01-01' - k.n * interval '1 day'
      from (select id, n, code, case code when 'EUR' then 1.1 when 'JPY' then 0.0067 when 'SEK' then 0.096 else 1 end as rate, case code when 'JPY' then 0 else 2 end as digits
        from (select id, row_number() over (order by id) - 1 as n from contracts where store_id = 1) o, lateral (select case when n % 2 = 0 then 'USD' when n % 16 = 1 then 'SEK' when n % 16 = 3 then 'JPY' else 'EUR' end as code) as c) k
      where c.id = k.id and c.store_id = 1`);
    all = (await server.call('subscription-contract.list', { pageSize: 250 })).data as Row[];
  });
  afterAll(() => server?.close());

  const FILTERS: { filter: JsonObject; fits: (row: Row) => boolean }[] = [
    { filter: { countryCode: ['SE'] }, fits: row => row.countryCode === 'SE' },
    { filter: { countryCode: ['SE'], currencyCode: ['USD'] }, fits: row => row.countryCode === 'SE' && row.currencyCode === 'USD' },
    { filter: { countryCode: ['SE'], currencyCode: ['SEK'] }, fits: row => row.countryCode === 'SE' && row.currencyCode === 'SEK' },
    { filter: { countryCode: ['DE'], currencyCode: ['USD'] }, fits: () => false },
    { filter: { isPrepaid: true, currencyCode: ['EUR'] }, fits: row => row.isPrepaid && row.currencyCode === 'EUR' },
    { filter: { isPrepaid: true, currencyCode: ['JPY', 'SEK'] }, fits: row => row.isPrepaid && ['JPY', 'SEK'].includes(row.currencyCode) },
    {
      filter: { lastPaymentStatus: ['FAILED'], completedOrdersCount: { min: 4 } },
      fits: row => row.lastPaymentStatus === 'FAILED' && row.completedOrdersCount >= 4,
    },
    { filter: { isPrepaid: true, total: { min: '52.00' } }, fits: row => row.isPrepaid && worth(row) >= 52e7 },
    {
      filter: { currencyCode: ['EUR'], total: { min: '20.00', max: '40.00' }, lastPaymentStatus: ['FAILED'] },
      fits: row => row.currencyCode === 'EUR' && Number(row.total) >= 20 && Number(row.total) <= 40 && row.lastPaymentStatus === 'FAILED',
    },
    { filter: { isPrepaid: true, planGroupIds: [701] }, fits: row => row.isPrepaid && row.planGroupIds.includes(701) },
    {
      filter: { isPrepaid: true, tags: ['rare'], currencyCode: ['USD'] },
      fits: row => row.isPrepaid && row.tags.includes('rare') && row.currencyCode === 'USD',
    },
    { filter: { planGroupIds: [701], productIds: [801] }, fits: row => row.planGroupIds.includes(701) && row.productIds.includes(801) },
    { filter: { planGroupIds: [702], productIds: [801] }, fits: () => false },
  ];
  const SORTS: { sort: string; of: (row: Row) => number }[] = [
    { sort: 'total', of: worth },
    { sort: 'createdAtEpoch', of: row => row.createdAtEpoch },
  ];

  /** All pages in one direction, read by key. */
  async function walk(query: ListQuery, from?: { before: string }): Promise<{ ids: number[]; totals: Set<unknown>; last: string | null }> {
    const { services } = server;
    const store = await services.db.asSystem(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
    return services.db.inStore(
      1,
      async trx => {
        const ids: number[] = [],
          totals = new Set<unknown>();
        for (let link: { after?: string; before?: string } = from ?? {}; ;) {
          const { records, pageInfo } = await listRecords(readerOf(services, trx, store), services.shape('subscription'), {
            size: SIZE,
            ...query,
            ...link,
          });
          const part = records.map(record => record.id as number);
          if (from) ids.unshift(...part);
          else ids.push(...part);
          totals.add(pageInfo.totalIsCapped ? `${pageInfo.total}+` : pageInfo.total);
          const next = from ? pageInfo.previousCursor : pageInfo.nextCursor;
          if (!next) return { ids, totals, last: pageInfo.previousCursor ?? null };
          link = from ? { before: next } : { after: next };
        }
      },
      { readOnly: true },
    );
  }

  it('are rows of which there are some, and none', () => {
    expect(all.length).toBeGreaterThan(100);
    const left = FILTERS.map(({ fits }) => all.filter(fits).length);
    expect(left.filter(n => n === 0)).toHaveLength(2);
    expect(Math.max(...left)).toBeGreaterThan(SIZE);
  });

  for (const { sort, of } of SORTS)
    for (const order of ['ASC', 'DESC'] as const) {
      it.each(FILTERS.map(one => [JSON.stringify(one.filter), one] as const))(
        `give by ${sort} ${order} the rows of a plain evaluation, page after page and back: %s`,
        async (_name, { filter, fits }) => {
          const expected = all
            .filter(fits)
            .sort((a, b) => (order === 'DESC' ? -1 : 1) * (of(a) - of(b) || a.id - b.id))
            .map(row => row.id);
          const forward = await walk({ filter, sort, order });
          expect(forward.ids).toEqual(expected);
          expect([...forward.totals]).toEqual([expected.length]);
          // Without a total nothing is counted first, and the rows are met in the order of the list.
          expect((await walk({ filter, sort, order, total: false })).ids).toEqual(expected);
          // A narrow look at a search: the rest is found by the filters, or by the index.
          expect((await walk({ filter, sort, order, window: 2 })).ids).toEqual(expected);
          for (const total of [true, false])
            if (forward.last !== null) {
              const back = await walk({ filter, sort, order, total }, { before: forward.last });
              expect(back.ids).toEqual(expected.slice(0, Math.floor((expected.length - 1) / SIZE) * SIZE));
            }
          const store = await server.call('subscription-contract.list', { filter, sort, order, pageSize: 5, page: 2 });
          expect((store.data as Row[]).map(row => row.id)).toEqual(expected.slice(5, 10));
          expect(store.body.pageInfo?.total).toBe(expected.length);
        },
      );
    }
});
