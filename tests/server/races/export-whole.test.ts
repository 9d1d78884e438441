// Check 8: an export is whole or is seen to be none. Rows that come in while it is read neither push others out nor double them, a reader that is slow gets the
// same, and one that breaks off in the middle does not end as if it were complete.
import { parse } from 'csv-parse/sync';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { Bulk } from '../features/bulk-actions/helpers.ts';

const SIZE = 900;
const COPY = `insert into contracts (store_id, shopify_id, customer_id, currency_code, status, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, customer_name, search, total, next_billing_at, created_at, updated_at)
  select 1, $1::bigint + row_number() over (), customer_id, currency_code, status, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, 'Late Comer', search, total, next_billing_at, created_at, updated_at
  from contracts where store_id = 1 order by id offset $2 limit 5`;

describe.each(engines)('exports (%s)', engine => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: SIZE, stores: 1 }, jobs: true });
    token = await server.signIn('owner');
  });
  afterAll(() => server?.close());

  const query = <R = { id: number }>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R & object>(text, params).then(({ rows }) => rows);
  const get = (path: string): Promise<Response> => fetch(server.url + path, { headers: { authorization: token } });
  const PATHS = [
    '',
    ...['createdAtEpoch', 'nextBillingDateEpoch', 'total'].map(sort => `?sort=${sort}&order=${sort === 'total' ? 'ASC' : 'DESC'}`),
  ].map(more => `/host/main/api/merchant/subscriptionContract/export${more}`);

  it.each(PATHS)('hold every row once while rows come in and the reader is slow: %s', async path => {
    const before = (await query('select id from contracts where store_id = 1')).map(row => Number(row.id));
    const response = await get(path);
    expect(response.status).toBe(200);
    const chunks: Uint8Array[] = [];
    let copies = 0;
    for await (const chunk of response.body!) {
      chunks.push(chunk as Uint8Array);
      if (copies < 20) await query(COPY, [770_000_000 + (Date.now() % 1_000_000) * 100 + 5 * ++copies, (copies * 97) % SIZE]);
      await sleep(5);
    }
    const rows = parse(Buffer.concat(chunks).toString('utf8'), { bom: true, columns: true }) as Record<string, string>[];
    const ids = rows.map(row => Number(Object.values(row)[0]));
    expect(ids.every(Number.isInteger)).toBe(true);
    expect(ids.length).toBe(new Set(ids).size);
    const met = new Set(ids);
    expect(before.filter(id => !met.has(id))).toEqual([]);
  });

  it('are broken off, and not ended, when they can not go on: the list of subscriptions, and the result of a bulk action', async () => {
    const bulk = new Bulk(server);
    const done = await bulk.run('EXPORT_SUBSCRIPTION', { mode: 'FILTER', filter: {} });
    for (const [path, table] of [
      [PATHS[0] as string, 'contracts'],
      [`/host/bulk/bulkActions/${String(done.id)}/resultFile`, 'contracts'],
    ] as const) {
      const whole = await (await get(path)).text();
      const response = await get(path);
      expect(response.status).toBe(200);
      const reader = response.body!.getReader();
      let length = (await reader.read()).value?.length ?? 0;
      await query(`alter table ${table} rename to away`);
      let failed = false;
      try {
        for (;;) {
          const { done: isEnd, value } = await reader.read();
          if (isEnd) break;
          length += value.length;
        }
      } catch {
        failed = true;
      } finally {
        await query(`alter table away rename to ${table}`);
      }
      // What was on its way already may be all of it; then nothing is missing.
      expect([path, failed || length >= Buffer.byteLength(whole)]).toEqual([path, true]);
      expect(await (await get(path)).text()).toBe(whole);
    }
  });
});
