import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Bulk } from './helpers.ts';

/** Cells of a line of the result file; none of ours has a comma inside quotes but the texts at the end. */
const cells = (line: string): string[] => line.split(',');

describe.each(oneEngine)('what a bulk action is for, on %s', engine => {
  let server: TestServer;
  let bulk: Bulk;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, seed: { contracts: 30, stores: 2 } });
    bulk = new Bulk(server);
    // As many active subscriptions as the file needs, none of them in a charge: copies of one.
    await bulk.query(
      "update contracts set status = 'ACTIVE', is_marked_for_cancellation = false, paused_at = null, cancelled_at = null, resume_at = null, base_at = coalesce(base_at, now() + interval '9 days') where store_id = 1",
    );
    await bulk.query("delete from orders where store_id = 1 and status in ('PROCESSING', 'SCHEDULED')");
    const [{ id } = { id: 0 }] = await bulk.query<{ id: number }>('select id from contracts where store_id = 1 order by id limit 1');
    // In the list of tables: written as (…).* it is made again for each column.
    const copies = (table: string, where: string, over: string): Promise<unknown> =>
      bulk.query(
        `insert into ${table} select made.* from ${table} t, generate_series(1, 2000) n, jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${over})) made where t.store_id = 1 and ${where} = ${id}`,
      );
    await copies('contracts', 't.id', "'id', 300000 + n, 'shopify_id', 900000000 + n");
    await copies('contract_lines', 't.contract_id', "'id', 5000000 + t.id * 3000 + n, 'contract_id', 300000 + n");
  });
  afterAll(() => server?.close());
  const post = (name: string, input: JsonObject, as?: 'readOnly') => server.call(`bulk-actions.${name}`, input, as ? { as } : {});

  test('D075 a file of 2,000 ids with 37 bad rows pauses exactly 1,963 subscriptions, and the result file says why the others were not', async () => {
    const rows = await bulk.query<{ id: number; shopify_id: number }>(
      'select id, shopify_id from contracts where store_id = 1 order by id limit 1980',
    );
    const good = rows.slice(0, 1963).map((row, i) => (i % 3 === 0 ? row.shopify_id : row.id));
    const [paused, cancelled] = [rows.slice(1963, 1970), rows.slice(1970, 1975)];
    await bulk.query("update contracts set status = 'PAUSED' where store_id = 1 and id = any($1)", [paused.map(row => row.id)]);
    await bulk.query("update contracts set status = 'CANCELLED' where store_id = 1 and id = any($1)", [cancelled.map(row => row.id)]);
    // 10 that do not exist, 5 that are no ids, 10 twice, 7 paused, 5 cancelled: 37.
    const bad = [
      ...Array.from({ length: 10 }, (_, i) => String(80_000_000 + i)),
      '',
      'abc',
      '=1+2',
      '-5',
      '12.5',
      ...good.slice(0, 10).map(String),
      ...paused.map(row => String(row.id)),
      ...cancelled.map(row => String(row.id)),
    ];
    expect(bad).toHaveLength(37);
    const content = `subscription_id,comment\r\n${[...good.map(String), ...bad].map(id => `${id},x`).join('\r\n')}\r\n`;
    const draft = await bulk.create('PAUSE_SUBSCRIPTION', { mode: 'CSV', fileName: 'pause.csv', content }, { until: 'INDEFINITE' });
    expect(draft).toMatchObject({
      total: 2000,
      remaining: 1963,
      failed: 15,
      notFound: 15,
      skipped: 22,
      selection: { mode: 'CSV', fileName: 'pause.csv' },
    });
    await post('runBulkAction', { id: draft.id });
    const done = await bulk.over(draft.id);
    expect(done).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      total: 2000,
      processed: 2000,
      succeeded: 1963,
      failed: 15,
      skipped: 22,
      retriable: 0,
    });
    // An unknown id stays one.
    expect(done.actions).toEqual(['resultFile', 'undo']);
    expect((await post('retryFailed', { id: draft.id })).status).toBe(409);
    const [{ n } = { n: 0 }] = await bulk.query<{ n: number }>(
      "select count(distinct contract_id) as n from events where store_id = 1 and key = 'subscription_paused' and (data->>'bulkActionId')::bigint = $1",
      [draft.id],
    );
    expect(Number(n)).toBe(1963);
    const lines = (await bulk.file(draft.id)).trim().split(/\r?\n/).slice(1);
    expect(lines).toHaveLength(2000);
    expect(lines.filter(line => cells(line)[1] === 'SUCCESS')).toHaveLength(1963);
    const why = (id: string): string[] =>
      lines
        .slice(1963)
        .filter(line => cells(line)[0] === id)
        .map(line => cells(line).slice(1, 3).join(' '));
    expect(why('80000000')).toEqual(['FAILED No subscription has this id.']);
    expect(why('abc')).toEqual(['FAILED No subscription has this id.']);
    expect(why("'=1+2")).toEqual(['FAILED No subscription has this id.']);
    expect(why(String(good[0]))).toEqual(['SKIPPED This subscription stands in the list more than once. It is done once.']);
    expect(why(String(paused[0]?.id))).toEqual(['SKIPPED This subscription is already paused.']);
    expect(why(String(cancelled[0]?.id))).toEqual(['SKIPPED Only active subscriptions can be paused.']);
    const counts = (await post('failureCounts', { id: draft.id })).data as { reason: string; count: number }[];
    expect(counts.reduce((sum, one) => sum + one.count, 0)).toBe(37);
    expect(counts[0]).toEqual({ reason: 'No subscription has this id.', count: 15, status: 'FAILED' });
  });

  test('a filter is frozen when it is queued: what matches later is not done, and what stops matching is', async () => {
    await bulk.query(
      "update contracts set tags = '{frozen}' where store_id = 1 and id in (select id from contracts where store_id = 1 order by id limit 6)",
    );
    const draft = await bulk.create('UPDATE_TAGS', { mode: 'FILTER', filter: { tags: ['frozen'] } }, { mode: 'REMOVE', tags: ['frozen'] });
    expect(draft.total).toBe(6);
    const answer = await post('entityCount', { selection: { mode: 'FILTER', filter: { tags: ['frozen'] } } });
    expect(answer.data).toEqual({ count: 6, isCapped: false, limit: engine === 'postgres' ? 250_000 : 50_000, invalid: 0 });
    await post('queue', { id: draft.id });
    expect(await bulk.over(draft.id)).toMatchObject({ status: 'COMPLETED', succeeded: 6 });
    expect((await post('entityCount', { selection: { mode: 'FILTER', filter: { tags: ['frozen'] } } })).data.count).toBe(0);
    expect(
      (
        await post('create', {
          actionKey: 'UPDATE_TAGS',
          selection: { mode: 'FILTER', filter: { tags: ['frozen'] } },
          input: { mode: 'ADD', tags: ['x'] },
        })
      ).body.message,
    ).toBe('No subscriptions match these filters.');
  });

  test('ids are checked: unknown ones, ones that come twice, and in a state that the action is not for', async () => {
    const [a, b] = (await bulk.query<{ id: number; shopify_id: number }>(
      "select id, shopify_id from contracts where store_id = 1 and status = 'ACTIVE' order by id limit 2",
    )) as [{ id: number; shopify_id: number }, { id: number; shopify_id: number }];
    const [cancelled] = (await bulk.query<{ id: number }>(
      "select id from contracts where store_id = 1 and status = 'CANCELLED' order by id limit 1",
    )) as [{ id: number }];
    const { data } = await post('validateEntityIds', {
      ids: [a.id, String(b.shopify_id), a.shopify_id, 77_000_000, 'x', cancelled.id],
      actionKey: 'SKIP_ORDER',
    });
    expect(data).toEqual({
      valid: [a.id, b.id],
      count: 2,
      invalid: [
        { id: String(a.shopify_id), reason: 'DUPLICATE' },
        { id: '77000000', reason: 'NOT_FOUND' },
        { id: 'x', reason: 'NOT_FOUND' },
        { id: String(cancelled.id), reason: 'WRONG_STATUS' },
      ],
    });
    const [foreign] = await bulk.query<{ id: number }>(
      'select id from contracts where store_id = 2 and id not in (select id from contracts where store_id = 1) and id not in (select shopify_id from contracts where store_id = 1) limit 1',
    );
    if (foreign)
      expect((await post('validateEntityIds', { ids: [foreign.id] })).data.invalid).toEqual([
        { id: String(foreign.id), reason: 'NOT_FOUND' },
      ]);
  });

  test('wrong selections are refused in words that say what is right', async () => {
    const refused = async (
      selection: JsonObject,
      input: JsonObject = { until: 'INDEFINITE' },
      actionKey = 'PAUSE_SUBSCRIPTION',
    ): Promise<string> => {
      const answer = await post('create', { actionKey, selection, input });
      expect(answer.status).toBe(422);
      return String(answer.body.message);
    };
    expect(await refused({ mode: 'IDS', ids: [] })).toBe('Select at least one subscription.');
    expect(await refused({ mode: 'IDS', ids: ['x', 'y'] })).toBe("2 ids weren't found.");
    expect(await refused({ mode: 'CSV', content: 'id\n1\n' })).toBe('The first column of the file must have the header subscription_id.');
    expect(await refused({ mode: 'CSV', content: 'subscription_id\n' })).toBe('This file has a header but no rows.');
    expect(await refused({ mode: 'CSV', content: `subscription_id\n${'1\n'.repeat(10_001)}` })).toContain('more than 10,000 rows');
    expect(await refused({ mode: 'CSV', content: 'subscription_id\n1\n' }, { mode: 'FILE', scope: 'ALL' }, 'RESCHEDULE')).toBe(
      'The file has no column next_order_date. Add it, or download the template.',
    );
    expect(await refused({ mode: 'FILTER', filter: { nonsense: 1 } })).toContain('nonsense');
    expect((await post('create', { actionKey: 'DO_MAGIC', selection: { mode: 'IDS', ids: [1] } })).body.message).toContain(
      'There is no bulk action “DO_MAGIC”.',
    );
    expect(await refused({ mode: 'IDS', ids: [1] }, { until: 'DATE' })).toBe('Choose a date.');
    expect(await refused({ mode: 'IDS', ids: [1] }, { until: 'DATE', resumeDateEpoch: 1000 })).toBe('Choose a date after today.');
  });

  test('a file names a date for each row; a row without one is skipped and says so', async () => {
    const chosen = await bulk.query<{
      id: number;
    }>(`update contracts set status = 'ACTIVE', base_at = now() + interval '9 days', next_billing_at = now() + interval '9 days', base_cycle = next_cycle
      where store_id = 1 and id in (select id from contracts where store_id = 1 order by id desc limit 3) returning id`);
    const template = await server.request('GET', '/host/bulk/bulkActions/template?actionKey=RESCHEDULE', { as: 'owner' });
    expect(template.text.split('\n')[0]).toBe('\uFEFFsubscription_id,next_order_date');
    const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const rows = [`="${chosen[0]?.id}",Lee; Mary,${date}`, `'${chosen[1]?.id},Ann,31.12.2027`, `${chosen[2]?.id},"a, b",`];
    const content = `sep=,\r\nsubscription_id,name,next_order_date\r\n${rows.join('\r\n')}\r\n`;
    const done = await bulk.run('RESCHEDULE', { mode: 'CSV', content }, { mode: 'FILE', scope: 'ALL' });
    expect(done).toMatchObject({ status: 'COMPLETED', succeeded: 1, skipped: 2 });
    expect((await bulk.rows(Number(done.id))).map(row => row.reason)).toEqual([
      null,
      '“31.12.2027” is not a date. Write it as YYYY-MM-DD.',
      'This row has no next_order_date.',
    ]);
  });
});
