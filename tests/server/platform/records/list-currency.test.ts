// Amounts in a filter, where subscriptions have several currencies: 2,000 yen are 2,000 units of it, 2.000 dinars are too, and 20.00 dollars are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('amounts of a filter (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 24, stores: 1 } });
    // Of each currency six: 10, 15, 20, 25, 30 and 35 whole units.
    for (const [i, [currency, unit]] of (
      [
        ['USD', 100],
        ['EUR', 100],
        ['JPY', 1],
        ['KWD', 1000],
      ] as const
    ).entries()) {
      await server.services.db.ownerQuery(
        'update contracts c set currency_code = $1, total = (10 + 5 * k.n) * $2 from (select id, row_number() over (order by id) - 1 - $3 as n from contracts where store_id = 1) k where c.id = k.id and k.n between 0 and 5',
        [currency, unit, 6 * i],
      );
    }
  });
  afterAll(() => server?.close());
  const found = async (filter: JsonObject): Promise<string[]> => {
    const answer = await server.call('subscription-contract.list', { filter, pageSize: 100 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.pageInfo?.total).toBe((answer.data as unknown[]).length);
    return (answer.data as { total: string; currencyCode: string }[]).map(row => `${row.total} ${row.currencyCode}`).sort();
  };

  it.each([
    ['JPY', ['20 JPY', '25 JPY']],
    ['KWD', ['20.000 KWD', '25.000 KWD']],
    ['EUR', ['20.00 EUR', '25.00 EUR']],
  ])('are units of the currency that is filtered by: %s', async (currency, expected) => {
    expect(await found({ currencyCode: [currency], total: { min: '20', max: '25' } })).toEqual(expected);
  });

  it('are units of each of several', async () => {
    expect(await found({ currencyCode: ['JPY', 'KWD', 'USD'], total: { min: '30.00' } })).toEqual([
      '30 JPY',
      '30.00 USD',
      '30.000 KWD',
      '35 JPY',
      '35.00 USD',
      '35.000 KWD',
    ]);
    expect(await found({ currencyCode: ['JPY', 'KWD'], total: { max: '10' }, status: [] })).toEqual(['10 JPY', '10.000 KWD']);
  });

  it('of a code that is no currency choose nothing, alone, and nothing more beside one that is', async () => {
    expect(await found({ currencyCode: ['/'], total: { min: '20', max: '25' } })).toEqual([]);
    expect(await found({ currencyCode: ['/', 'JPY'], total: { min: '20', max: '25' } })).toEqual(['20 JPY', '25 JPY']);
    const sorted = await server.call('subscription-contract.list', { filter: { currencyCode: ['Bitcoin'] }, sort: 'total' });
    expect([sorted.status, sorted.data]).toEqual([200, []]);
  });

  it('choose the subscriptions of a bulk action in the same way', async () => {
    const selection = { mode: 'FILTER', filter: { currencyCode: ['JPY'], total: { min: '30' } } } as JsonObject;
    expect((await server.call('bulk-actions.entityCount', { selection })).data).toMatchObject({ count: 2 });
  });

  it('that a currency does not have are refused at their place', async () => {
    const answer = await server.call('subscription-contract.list', { filter: { currencyCode: ['JPY'], total: { min: '20.50' } } });
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, '/filter/total']);
  });
});
