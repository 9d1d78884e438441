// Reports: the same rows as the lists that they are made of, files that are counted and can be stopped, views by their link.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tidy } from '../../../../src/server/features/housekeeping/jobs/tidy.ts';
import { jobWith } from '../../../support/job.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 60, stores: 1 } });
});
afterAll(() => server.close());

const ask = async (name: string, input = {}): Promise<any> => {
  const answer = await server.call(name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const take = (key: string, body = {}) =>
  server.request('POST', `/host/reporting/reports/${key}/export`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    as: 'owner',
  });

it('S242 every report answers its definition, its rows, their number and its file', async () => {
  for (const { key } of await ask('reports.all')) {
    const report = await ask('reports.read', { key });
    expect(report.columns.length, key).toBeGreaterThan(2);
    const rows = await ask('reports.data', { key, limit: 10 });
    const { count } = await ask('reports.count', { key });
    expect(rows.length, key).toBe(Math.min(10, count));
    const own = await ask(`report-${key}.list`, { pageSize: 10 });
    expect(own, key).toEqual(rows);
    const file = await take(key);
    expect(file.status, key + file.text.slice(0, 300)).toBe(200);
    expect((await ask('reports.exports', { limit: 1 }))[0], key).toMatchObject({ report: key, status: 'COMPLETED', rows: count });
    await ask('reports.filters', { key });
  }
  expect((await ask('reports.count', { key: 'subscription' })).count).toBe(60);
  const cancelled = await server.services.db.asOwner(trx =>
    trx.selectFrom('contracts').select('id').where('store_id', '=', 1).where('status', '=', 'CANCELLED').execute(),
  );
  const log = await ask('reports.data', { key: 'cancellation_log', limit: 100 });
  expect(log.map((row: any) => row.id).sort()).toEqual(cancelled.map(row => row.id).sort());
  expect(log[0]).toMatchObject({ cancelledAt: expect.any(String), cancellationReason: expect.any(String) });
  const narrowed = await ask('reports.data', { key: 'subscription', filters: { status: ['PAUSED'] }, limit: 100 });
  expect(new Set(narrowed.map((row: any) => row.status))).toEqual(new Set(narrowed.length ? ['PAUSED'] : []));
});

it('D197 D276 the list of exports has pages of 30; one that was stopped writes no further', async () => {
  await server.services.db.asOwner(trx =>
    trx
      .insertInto('report_exports')
      .values(Array.from({ length: 40 }, () => ({ store_id: 1, report: 'subscription', status: 'COMPLETED' })))
      .execute(),
  );
  expect(await ask('reports.exports', { limit: 30, offset: 0 })).toHaveLength(30);
  const [running] = await server.services.db.asOwner(trx =>
    trx.insertInto('report_exports').values({ store_id: 1, report: 'order' }).returning('id').execute(),
  );
  const stopped = await server.call('reports.cancel', { id: Number(running?.id) });
  expect(stopped.status, JSON.stringify(stopped.body)).toBe(200);
  expect(stopped.data.status).toBe('CANCELLED');
  expect((await server.call('reports.cancel', { id: Number(running?.id) })).status).toBe(409);
});

it('a finished file can be fetched again for seven days by who asked for it, and a long one is announced by e-mail', async () => {
  const query = server.services.db.ownerQuery.bind(server.services.db);
  await query('delete from report_exports');
  const file = await take('subscription');
  const [row] = await ask('reports.exports', { limit: 1 });
  expect(row.keptUntilEpoch * 1000 - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  const again = (as: string) => server.request('GET', `/host/reporting/export/${row.id}/file`, { as });
  expect((await again('owner')).text).toBe(file.text);
  // Dates have the store's zone.
  expect(file.text).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00,/);
  expect((await again('admin')).status).toBe(404);
  await query(`insert into cancellation_attempts (store_id, contract_id, customer_id, source, started_at)
    select 1, k.id, k.customer_id, 'CUSTOMER', now() from generate_series(1, 1100), (select * from contracts where store_id = 1 limit 1) k`);
  await take('cancellation_attempt');
  // A report counts further than lists do.
  await query(`insert into cancellation_attempts (store_id, contract_id, customer_id, source, started_at)
    select 1, k.id, k.customer_id, 'API', now() from generate_series(1, 10500), (select * from contracts where store_id = 1 limit 1) k`);
  expect(await ask('reports.count', { key: 'cancellation_attempt', filters: { source: ['API'] } })).toEqual({ count: 10_500 });
  const letters = (await query<any>("select subject, text from outbox where store_id = 1 and dedupe_key like 'REPORT:%'")).rows;
  expect(letters).toEqual([
    { subject: 'Your file is ready: Cancellation attempts', text: expect.stringMatching(/has 1,\d{3} rows[^]*\/analytics\/reports/) },
  ]);
  await query("update report_exports set kept_until = now() - interval '1 second'");
  const gone = await again('owner');
  expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('This file is not kept any more.')]);
  await tidy.run(server.services, {}, jobWith());
  expect((await query('select 1 from report_export_pieces')).rows).toEqual([]);
});

it('at most three files of a store are made at once', async () => {
  await server.services.db.asOwner(trx =>
    trx
      .insertInto('report_exports')
      .values(Array.from({ length: 3 }, () => ({ store_id: 1, report: 'order', updated_at: new Date() })))
      .execute(),
  );
  const refused = await take('subscription');
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Wait until a running export has finished.');
});

it('D196 a view of a report is opened by its nanoId', async () => {
  const made = await ask('saved-views.create', { route: 'analytics/reports/subscription', name: 'Paused', query: 'status=PAUSED' });
  expect(made.nanoId).toMatch(/^[\w-]+$/);
  expect(await ask('reports.view', { nanoId: made.nanoId })).toMatchObject({ name: 'Paused', query: 'status=PAUSED' });
  expect((await server.call('reports.view', { nanoId: 'nothing' })).status).toBe(404);
});

it('a report with names of customers needs the right to see subscriptions', async () => {
  const { sql } = await import('kysely');
  await server.services.db.asOwner(trx =>
    sql`update users set permissions = permissions || '{"subscriptionDetails": "NO_ACCESS", "viewReports": "READ"}' where store_id = 1 and id = 1003`.execute(
      trx,
    ),
  );
  const token = await server.signIn('mixed');
  expect((await server.call('reports.data', { key: 'subscription' }, { as: token })).status).toBe(403);
  expect((await server.call('report-subscription.list', {}, { as: token })).status).toBe(403);
  const { data } = await server.call('reports.all', {}, { as: token });
  expect(data.map((one: any) => one.key)).not.toContain('subscription');
  expect(data.map((one: any) => one.key)).toContain('order');
});
