// Check 8's other half: nothing in any CSV file is run by a spreadsheet, wherever the text came from; and a file that is sent costs no more than it may hold.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvLine } from '../../../src/domain/csv/write.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { Bulk } from '../features/bulk-actions/helpers.ts';

const FORMULAS = [
  '=HYPERLINK("https://evil.example";"x")',
  '+1+1',
  '-2+3',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  '\u200B=1',
  '\uFEFF=1',
];
const RUNS = /^[\s\uFEFF\u200B]*[=+\-@＝＋－＠]/;

describe('CSV files', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 20, stores: 1 }, jobs: true });
  });
  afterAll(() => server?.close());

  it('write every formula as text, and other texts as they are', () => {
    const safe = (cell: string): string => (parse(csvLine([cell])) as string[][])[0]?.[0] ?? '';
    for (const text of FORMULAS) expect(RUNS.test(safe(text))).toBe(false);
    for (const text of ['Anna', '', '12.50', 'a=b', 'x@example.com', '7-Eleven', ' two words', 'line\nline']) expect(safe(text)).toBe(text);
  });

  it('of every call that gives one hold no cell that a spreadsheet would run', async () => {
    const { db } = server.services;
    const evil = FORMULAS[0] as string;
    for (const text of [
      'update customers set first_name = $1, last_name = $1, tags = array[$1]',
      'update contracts set customer_name = $1, products_label = $1, note = $1, tags = array[$1]',
      'insert into account_log (store_id, action, category, description, user_email, entity) values (1, $1, $1, $1, $1, $1)',
    ])
      await db.ownerQuery(text, [evil]);
    const bulk = new Bulk(server);
    const ids = (await bulk.query<{ id: number }>('select id from contracts order by id limit 3')).map(row => row.id);
    const file = [['subscription_id', 'next_order_date'], ...ids.map(id => [String(id), evil.replaceAll('"', '')])]
      .map(row => row.join(','))
      .join('\n');
    const made = await bulk.create(
      'UPDATE_NOTE',
      { mode: 'CSV', content: `${file}\n=1+1,x`, fileName: 'x.csv' },
      { mode: 'REPLACE', note: evil },
    );
    expect((await server.call('bulk-actions.runBulkAction', { id: made.id })).status).toBe(200);
    await bulk.over(made.id);
    const exported = await bulk.run('EXPORT_SUBSCRIPTION', { mode: 'IDS', ids });
    const paths = [
      '/host/main/api/merchant/subscriptionContract/export',
      `/host/bulk/bulkActions/${made.id}/resultFile`,
      `/host/bulk/bulkActions/${String(exported.id)}/resultFile`,
      '/host/bulk/bulkActions/template?actionKey=RESCHEDULE',
    ];
    for (const call of Object.values(server.services.definitions.calls))
      if (call.key === 'export' && call.table !== 'subscription-contract')
        paths.push(
          `${call.method} ${server.services.definitions.hosts[call.host]?.prefix ?? ''}${call.path.replace('{key}', 'subscription')}`,
        );
    expect(paths.length).toBeGreaterThanOrEqual(7);
    let evils = 0;
    for (const path of paths) {
      const [method, address] = path.startsWith('/') ? ['GET', path] : (path.split(' ') as [string, string]);
      const answer = await server.request(method, address, {
        as: 'owner',
        ...(method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
      });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/csv; charset=utf-8']);
      const cells = (parse(answer.text, { bom: true, relax_column_count: true }) as string[][]).flat();
      expect([path, cells.filter(cell => RUNS.test(cell))]).toEqual([path, []]);
      evils += cells.filter(cell => cell.includes('HYPERLINK')).length;
    }
    expect(evils).toBeGreaterThan(20);
  });

  it('that are sent with more rows than a bulk action takes are not read to their end', async () => {
    // Five megabytes of short lines once held everybody up for thirteen seconds, and took over a gigabyte.
    const content = `subscription_id\n${'1,,,,,,,,,\n'.repeat(450_000)}`;
    const before = process.memoryUsage().heapUsed;
    const answer = await server.call('bulk-actions.entityCount', { selection: { mode: 'CSV', content, fileName: 'long.csv' } });
    expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
      422,
      'This file has more than 10,000 rows, the most that a bulk action takes. Split it and start one for each part.',
    ]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(400 * 1_048_576);
  });
});
