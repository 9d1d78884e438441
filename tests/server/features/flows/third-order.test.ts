// A flow "third order: free mug, note, tag" of the demo store, while its clock moves three months and its server is killed on the way. Built product.
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { openDatabase } from '../../../../src/server/platform/db/database.ts';
import { oneEngine } from '../../../support/database.ts';
import { demoStore, type DemoStore } from '../../../support/browser/demo-store.ts';
import { startProduct, type Product } from '../../../support/browser/product.ts';

const DAYS = 92;
const KILLS = 2;
const NAME = 'Third order: free mug, note, tag';
const NOTE = 'Third order: put in a card that says thank you.';
let product: Product | undefined;
let store: DemoStore | undefined;
afterAll(async () => {
  await product?.remove();
  await store?.remove();
});

interface Progress {
  id: number;
  status: string;
  percent: number;
}
async function ask(of: Product, token: string, path: string, body?: JsonObject): Promise<Progress> {
  for (;;) {
    const answer = await fetch(`${of.url}/host/main/api/merchant/clock/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const { data } = (await answer.json()) as { data?: Progress };
    if (answer.ok && data) return data;
    if (answer.status !== 503) throw new Error(`${path} answered ${answer.status}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

test('a flow behind the second order gives mug, note and tag to the third, once each, over three months with the server killed in between', async () => {
  store = await demoStore(oneEngine[0]!, 60, true);
  const { env, folder } = store;
  product = await startProduct({ size: 60, env, ...(folder ? { folder } : {}), patience: 240_000 });
  const token = await product.token();
  const before = Date.now();
  const { id } = await ask(product, token, 'advance', { days: DAYS });
  for (let kills = 0; ;) {
    const { status, percent } = await ask(product, token, `run?id=${id}`);
    expect(status).not.toBe('FAILED');
    if (status === 'COMPLETED') {
      expect(kills).toBe(KILLS);
      break;
    }
    if (kills < KILLS && percent >= 25 * (kills + 1)) {
      await product.stop('SIGKILL');
      product = await startProduct({ env, folder: product.folder, patience: 240_000 });
      kills++;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await product.stop();
  const url = env['DATABASE_URL'];
  const database = url ? ({ kind: 'postgres', url } as const) : ({ kind: 'embedded' } as const);
  const db = await openDatabase({ database, ...(url ? {} : { dataFolder: product.folder }) });
  try {
    const { rows } = await db.ownerQuery<{
      runs: number;
      ok: number;
      notes: number;
      tags: number;
      gifts: number;
      second: number;
      late: number;
      earned: number;
    }>(
      `select count(f.id)::int as runs, count(*) filter (where f.status = 'SUCCESS')::int as ok,
        array_length(string_to_array(c.note, $2), 1) - 1 as notes, cardinality(array_positions(c.tags, 'third-order-gift')) as tags,
        (select count(*)::int from orders o where o.store_id = 1 and o.contract_id = c.id and o.status = 'PAID' and o.order_number = 3
          and exists (select 1 from jsonb_array_elements(o.lines) l where (l ->> 'name') ilike '%mug%')) as gifts,
        (select count(*)::int from orders o where o.store_id = 1 and o.contract_id = c.id and o.status = 'PAID'
          and o.order_number = 3) as second,
        (select count(*)::int from orders o where o.store_id = 1 and o.contract_id = c.id and o.status = 'PAID' and o.order_number > 3
          and exists (select 1 from jsonb_array_elements(o.lines) l where (l ->> 'name') ilike '%mug%')) as late,
        (select count(*)::int from streak_enrollments e, jsonb_array_elements(e.rewards) r where e.store_id = 1 and e.contract_id = c.id
          and r ->> 'reward' = 'GIFT' and r ->> 'status' = 'DONE' and (r ->> 'at')::timestamptz > $3) as earned
      from flow_runs f join contracts c on c.store_id = f.store_id and c.id = f.contract_id
      where f.store_id = 1 and f.flow_name = $1 and f.started_at > $3
      group by c.id, c.note, c.tags`,
      [NAME, NOTE, new Date(before)],
    );
    expect(rows.length).toBeGreaterThan(3);
    // A streak gives the same mug, with a later order: those are not of the flow.
    for (const { runs, ok, notes, tags, gifts, second, late, earned } of rows) {
      expect({ runs, ok, notes, tags, gifts }).toEqual({ runs: 1, ok: 1, notes: 1, tags: 1, gifts: second });
      expect(late).toBeLessThanOrEqual(earned);
    }
    const { rows: missed } = await db.ownerQuery(
      `select o.contract_id from orders o where o.store_id = 1 and o.status = 'PAID' and o.order_number = 2 and o.processed_at > $1
        and not exists (select 1 from flow_runs f where f.store_id = 1 and f.contract_id = o.contract_id and f.flow_name = $2)`,
      [new Date(before + 60_000), NAME],
    );
    expect(missed).toEqual([]);
  } finally {
    await db.close();
  }
}, 600_000);
