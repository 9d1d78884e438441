// Check 3: walks through a list by key, both ways, while rows come in anywhere: every row that was there is met once, in its place, and none twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { CONTRACT_LIST, definitionsWith } from '../../../support/definitions.ts';
import { randomFrom, type Random } from '../../../support/random.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { planSeed } from '../../../support/seed.ts';

const SORTS = ['createdAtEpoch', 'nextBillingDateEpoch', 'total', 'updatedAtEpoch'];
/** Rows come in as copies, so that many have one value to sort by. */
const COPY = `insert into contracts (store_id, shopify_id, customer_id, currency_code, status, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, customer_name, search, total, next_billing_at, created_at, updated_at)
  select 1, $1::bigint + row_number() over (), customer_id, currency_code, status, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, 'Late Comer', search, total, next_billing_at, created_at, updated_at
  from contracts where store_id = 1 order by id offset $2 limit $3`;

/** What a total is worth at the store's rates: lists are sorted by that. */
const WORTH = `total * case currency_code when 'JPY' then 100 when 'KWD' then 0.1 else 1 end * case currency_code when 'USD' then 1 else coalesce((select (details -> 'usdRates' ->> contracts.currency_code)::numeric from stores where id = 1), 1) end`;

describe.each(oneEngine)('walks through a list that grows (%s)', engine => {
  let server: TestServer;
  let random: Random;
  let seed = 0;
  let copies = 0;
  beforeAll(async () => {
    seed = planSeed();
    console.log(`walk on ${engine}: FC_SEED=${seed}`);
    random = randomFrom(seed);
    server = await startTestServer({
      engine,
      seed: { contracts: 150, stores: 2 },
      tables: ['contract-list'],
      services: { definitions: definitionsWith(CONTRACT_LIST) },
    });
  });
  afterAll(() => server?.close());

  const grow = (): Promise<unknown> =>
    server.services.db.ownerQuery(COPY, [880_000_000 + 1000 * ++copies, random.between(0, 140), random.between(1, 4)]);
  const there = async (): Promise<Set<number>> =>
    new Set((await server.services.db.inStore(1, trx => trx.selectFrom('contracts').select('id').execute())).map(row => row.id));
  const page = async (input: JsonObject): Promise<{ ids: number[]; next: string | null; previous: string | null }> => {
    // While the page is read another few rows come in, before it, on it or behind it.
    const [answer] = await Promise.all([server.call('contract-list.list', input), grow()]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { pageInfo } = answer.body;
    return {
      ids: (answer.data as { id: number }[]).map(row => row.id),
      next: pageInfo?.hasNextPage ? (pageInfo.nextCursor ?? null) : null,
      previous: pageInfo?.hasPreviousPage ? (pageInfo.previousCursor ?? null) : null,
    };
  };

  it.each(SORTS.flatMap(sort => ['ASC', 'DESC'].map(order => [sort, order] as const)))(
    'sorted by %s %s',
    async (sort, order) => {
      const before = await there();
      const down: number[] = [];
      let last = '';
      for (let after: string | null = ''; after !== null;) {
        const found = await page({ sort, order, pageSize: random.between(5, 40), ...(after ? { after } : {}) });
        down.push(...found.ids);
        if (after) last = after;
        after = found.next;
      }
      // Back from the beginning of the last page; the rows that came in meanwhile are met now, if they lie before it.
      const middle = await there();
      const tail = await server.call('contract-list.list', { sort, order, pageSize: 250, after: last });
      const behind = new Set((tail.data as { id: number }[]).map(row => row.id));
      const up: number[] = [];
      for (let cursor = tail.body.pageInfo?.previousCursor ?? null; cursor !== null;) {
        const found = await page({ sort, order, pageSize: random.between(5, 40), before: cursor });
        up.unshift(...found.ids);
        cursor = found.previous;
      }
      for (const [name, met, known] of [
        ['down', down, before],
        ['up', up, new Set([...middle].filter(id => !behind.has(id)))],
      ] as const) {
        expect([name, met.length - new Set(met).size]).toEqual([name, 0]);
        expect([name, [...known].filter(id => !met.includes(id))]).toEqual([name, []]);
      }
      // Both ways meet the same rows in the same order.
      const shared = new Set(up);
      expect(down.filter(id => shared.has(id))).toEqual(up.filter(id => new Set(down).has(id)));
      const column = { createdAtEpoch: 'created_at', nextBillingDateEpoch: 'next_billing_at', total: WORTH, updatedAtEpoch: 'updated_at' }[
        sort
      ] as string;
      const right = (
        await server.services.db.ownerQuery<{ id: number }>(
          `select id from contracts where store_id = 1 order by ${column} is null, ${column} ${order}, id ${order}`,
        )
      ).rows.map(row => Number(row.id));
      const met = new Set(down);
      expect(down).toEqual(right.filter(id => met.has(id)));
    },
    120_000,
  );
});
