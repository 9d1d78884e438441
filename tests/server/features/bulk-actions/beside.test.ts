// A person looks at lists while a bulk action runs on the embedded database: it goes in small steps, every row is done once, and what is
// seen in between adds up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from './helpers.ts';

const COUNT = 150;
let server: TestServer;
let bulk: Bulk;
beforeAll(async () => {
  server = await startTestServer({ engine: 'embedded', jobs: true, config: { workers: 0 }, seed: { contracts: COUNT, stores: 1 } });
  bulk = new Bulk(server);
});
afterAll(() => server?.close());

test('lists are answered in the middle of it, and every subscription is paused once', async () => {
  await bulk.query("delete from orders where store_id = 1 and status in ('PROCESSING', 'SCHEDULED')");
  await bulk.query(
    "update contracts set status = 'ACTIVE', is_marked_for_cancellation = false, base_at = now() + interval '9 days', next_billing_at = now() + interval '9 days', base_cycle = next_cycle where store_id = 1",
  );
  const ids = (await bulk.query<{ id: number }>('select id from contracts where store_id = 1 order by id')).map(row => row.id);
  const draft = await bulk.create('PAUSE_SUBSCRIPTION', { mode: 'IDS', ids }, { until: 'INDEFINITE' });
  expect((await server.call('bulk-actions.queue', { id: draft.id })).status).toBe(200);
  let isOver = false,
    before = 0;
  const sizes: number[] = [];
  const work = runBulk(server.services, { storeId: 1, bulkId: draft.id }, new AbortController().signal, {
    onChunk: async () => {
      const [row] = await bulk.query<{ processed: number }>('select processed from bulk_actions where store_id = 1 and id = $1', [
        draft.id,
      ]);
      sizes.push(Number(row?.processed) - before);
      before = Number(row?.processed);
    },
  }).finally(() => {
    isOver = true;
  });
  const seen: number[] = [];
  while (!isOver) {
    const { status, body } = await server.call('subscription-contract.list', { pageSize: 25, filter: { status: ['PAUSED'] } });
    expect(status).toBe(200);
    seen.push(Number((body.pageInfo as { total: number }).total));
  }
  await work;
  const done = sizes.filter(size => size > 0);
  expect(done[0]).toBe(20);
  expect(done.reduce((sum, size) => sum + size, 0)).toBe(COUNT);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.some(n => n > 0 && n < COUNT)).toBe(true);
  const [told] = await bulk.query('select status, processed, succeeded, failed, skipped from bulk_actions where store_id = 1 and id = $1', [
    draft.id,
  ]);
  expect(told).toEqual({ status: 'COMPLETED', processed: COUNT, succeeded: COUNT, failed: 0, skipped: 0 });
  const notes = await bulk.query<{ contract_id: number; n: number }>(
    "select contract_id, count(*)::integer as n from events where store_id = 1 and (data->>'bulkActionId')::bigint = $1 group by contract_id",
    [draft.id],
  );
  expect(notes.map(note => note.n)).toEqual(ids.map(() => 1));
  expect(await bulk.query("select count(*)::integer as n from contracts where store_id = 1 and status = 'PAUSED'")).toEqual([{ n: COUNT }]);
});
