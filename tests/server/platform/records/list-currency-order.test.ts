// Amounts of several currencies in one list: where a filter names no currency they are compared, and always sorted, by what they are worth at the store's rates.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Dollars for one unit, and the decimals of each. */
const RATES = { USD: 1, EUR: 1.1, JPY: 0.0067, KWD: 3.25, CHF: 1 } as const;
const DIGITS = { USD: 2, EUR: 2, JPY: 0, KWD: 3, CHF: 2 } as const;
type Code = keyof typeof RATES;
interface Row {
  id: number;
  total: string;
  currencyCode: Code;
}
const worth = ({ total, currencyCode }: Row): number => Math.round(Number(total) * RATES[currencyCode] * 1e7);

describe.each(oneEngine)('amounts of several currencies (%s)', engine => {
  let server: TestServer;
  const query = (text: string, params: unknown[] = []) => server.services.db.ownerQuery(text, params);
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 60, stores: 1 } });
    await query("update stores set details = coalesce(details, '{}') || $1::jsonb where id = 1", [
      JSON.stringify({ usdRates: { EUR: 1.1, JPY: 0.0067, KWD: 3.25 } }),
    ]);
    server.services.sessions.forget(1);
    // Between 1 and 60 dollars' worth of each, francs that there is no rate for among them; every sixth amount stands twice.
    for (const [i, [currency, digits]] of Object.entries(DIGITS).entries()) {
      await query(
        'update contracts c set currency_code = $1, total = round((5 * (k.n / 2 * 2) + 1) / $2::numeric * 10 ^ $3::integer) from (select id, row_number() over (order by id) - 1 - $4 as n from contracts where store_id = 1) k where c.id = k.id and k.n between 0 and 11',
        [currency, RATES[currency as Code], digits, 12 * i],
      );
    }
  });
  afterAll(() => server?.close());
  const list = async (input: JsonObject) => {
    const answer = await server.call('subscription-contract.list', { pageSize: 250, ...input });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return {
      rows: answer.data as Row[],
      info: answer.body.pageInfo as {
        total: number;
        hasNextPage: boolean;
        hasPreviousPage: boolean;
        nextCursor: string;
        previousCursor: string;
      },
    };
  };
  const sorted = (rows: Row[], order: string): Row[] =>
    [...rows].sort((a, b) => (order === 'DESC' ? -1 : 1) * (worth(a) - worth(b) || a.id - b.id));

  it.each(['ASC', 'DESC'])('are sorted by what they are worth, page after page and back: %s', async order => {
    const whole = (await list({})).rows;
    expect(whole).toHaveLength(60);
    const expected = sorted(whole, order).map(row => row.id);
    expect((await list({ sort: 'total', order })).rows.map(row => row.id)).toEqual(expected);
    const forward: number[] = [],
      backward: number[] = [];
    let last: string | undefined;
    for (let after: JsonObject = {}; ;) {
      const { rows, info } = await list({ sort: 'total', order, pageSize: 7, ...after });
      expect(info.total).toBe(60);
      forward.push(...rows.map(row => row.id));
      last = info.previousCursor;
      if (!info.hasNextPage) break;
      after = { after: info.nextCursor };
    }
    expect(forward).toEqual(expected);
    for (let before = last; ;) {
      const { rows, info } = await list({ sort: 'total', order, pageSize: 9, before });
      backward.unshift(...rows.map(row => row.id));
      if (!info.hasPreviousPage) break;
      before = info.previousCursor;
    }
    expect(backward).toEqual(expected.slice(0, 56));
    expect((await list({ sort: 'total', order, pageSize: 10, page: 3 })).rows.map(row => row.id)).toEqual(expected.slice(20, 30));
  });

  it('are sorted so within a filter and a search too, and by one currency as before', async () => {
    const active = (await list({ filter: { status: ['ACTIVE'] } })).rows;
    expect((await list({ filter: { status: ['ACTIVE'] }, sort: 'total' })).rows.map(row => row.id)).toEqual(
      sorted(active, 'ASC').map(row => row.id),
    );
    const found = (await list({ q: 'e' })).rows;
    expect(found.length).toBeGreaterThan(1);
    expect((await list({ q: 'e', sort: 'total' })).rows.map(row => row.id)).toEqual(sorted(found, 'ASC').map(row => row.id));
    const two = (await list({ filter: { currencyCode: ['JPY', 'KWD'] } })).rows;
    expect((await list({ filter: { currencyCode: ['JPY', 'KWD'] }, sort: 'total', order: 'DESC' })).rows.map(row => row.id)).toEqual(
      sorted(two, 'DESC').map(row => row.id),
    );
    const yen = (await list({ filter: { currencyCode: ['JPY'] }, sort: 'total', order: 'ASC' })).rows;
    expect(yen.map(row => Number(row.total))).toEqual(yen.map(row => Number(row.total)).sort((a, b) => a - b));
    expect(yen).toHaveLength(12);
  });

  it('are filtered by what they are worth in the currency of the store, bounds included', async () => {
    const { rows } = await list({});
    for (const [min, max] of [
      ['10.00', '31.00'],
      ['21.00', '21.00'],
      ['41.01', undefined],
      [undefined, '1.00'],
    ] as const) {
      const expected = rows
        .filter(row => (min === undefined || worth(row) >= Number(min) * 1e7) && (max === undefined || worth(row) <= Number(max) * 1e7))
        .map(row => row.id);
      expect(expected.length).toBeGreaterThan(0);
      const filter = { total: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) } };
      const found = await list({ filter });
      expect([found.rows.map(row => row.id), found.info.total]).toEqual([expected, expected.length]);
      expect((await list({ filter, sort: 'total' })).rows.map(row => row.id)).toEqual(
        sorted(
          rows.filter(row => expected.includes(row.id)),
          'ASC',
        ).map(row => row.id),
      );
      expect((await server.call('bulk-actions.entityCount', { selection: { mode: 'FILTER', filter } })).data).toMatchObject({
        count: expected.length,
      });
    }
  });

  it('of one currency alone are in the order of its numbers, and a link from the time of several is refused', async () => {
    const { info } = await list({ sort: 'total', pageSize: 5 });
    await query("update contracts set currency_code = 'USD'");
    const { rows } = await list({ sort: 'total', order: 'ASC' });
    expect(rows.map(row => Number(row.total))).toEqual(rows.map(row => Number(row.total)).sort((a, b) => a - b));
    expect((await server.call('subscription-contract.list', { sort: 'total', pageSize: 5, after: info.nextCursor })).status).toBe(422);
  });
});
