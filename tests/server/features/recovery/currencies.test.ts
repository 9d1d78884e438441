// Payments at risk in several currencies: what comes first, and what the sums of the next 30 days hold.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURRENCY_CODES, minorDigits } from '../../../../src/domain/money/money.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('payments at risk in several currencies on %s', engine => {
  let server: TestServer;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 10 } });
    const goods = await stockGoods(server);
    await sql("update contracts set status = 'PAUSED' where store_id = 1 and status = 'ACTIVE'");
    await sql(`update stores set details = details || '{"usdRates": {"EUR": 1.1, "JPY": 0.01, "KWD": 3.25}}' where id = 1`);
    // Minor units: 40.00 dollars, 5,000 yen, 20.000 dinars, 38.00 euros, 10.00 francs that there is no rate for.
    for (const [currency, total] of [
      ['USD', 4000],
      ['JPY', 5000],
      ['KWD', 20_000],
      ['EUR', 3800],
      ['CHF', 1000],
    ] as const) {
      const { id, methods } = await makeContract(server, goods, { nextBillingDateEpoch: inDays(10) });
      ids[currency] = id;
      await sql(`update contracts set currency_code = '${currency}', total = ${total} where store_id = 1 and id = ${id}`);
      await sql(`update payment_methods set expiry_year = 2020 where store_id = 1 and id = ${methods[0]}`);
    }
  });
  afterAll(() => server.close());
  const sql = <R extends object = JsonObject>(text: string) => server.services.db.ownerQuery<R>(text);
  const ok = async (name: string, input: JsonObject = {}) => {
    const answer = await server.call(name, input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };

  it('the database knows the decimals of every currency', async () => {
    const { rows } = await sql<{ code: string; digits: number }>(
      `select code, minor_digits(code) as digits from unnest(array[${CURRENCY_CODES.map(code => `'${code}'`).join()}]) code`,
    );
    expect(rows.length).toBe(CURRENCY_CODES.length);
    for (const { code, digits } of rows) expect(digits, code).toBe(minorDigits(code));
  });

  it('C351 are in order by what they are worth, page after page', async () => {
    const walk = async (order: 'ASC' | 'DESC'): Promise<string[]> => {
      const rows: JsonObject[] = [];
      for (let after: JsonObject = {}; ;) {
        const { data, body } = await ok('payment-recovery.list', {
          filter: { isDueSoon: true },
          sort: 'amount',
          order,
          pageSize: 2,
          ...after,
        });
        rows.push(...(data as JsonObject[]));
        if (!body.pageInfo?.hasNextPage) return rows.map(row => String(row.currencyCode));
        after = { after: body.pageInfo.nextCursor as string };
      }
    };
    expect(await walk('DESC')).toEqual(['KWD', 'JPY', 'EUR', 'USD', 'CHF']);
    expect(await walk('ASC')).toEqual(['CHF', 'USD', 'EUR', 'JPY', 'KWD']);
  });

  it('are summed in the currency of the store, and what has no rate stands beside the sum', async () => {
    const { highRisk } = (await ok('payment-recovery.ahead')).data as Record<string, JsonObject>;
    expect(highRisk).toEqual({ count: 5, value: '196.80', besides: [{ currencyCode: 'CHF', value: '10.00' }] });
  });
});
