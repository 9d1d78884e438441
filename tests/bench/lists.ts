// The list of subscriptions at a million contracts on PostgreSQL (largest store 300,000), and at 100,000 on the embedded database:
// what each call takes over HTTP with every check on, beside the same SQL through the bare driver, measured in turns in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { createApp } from '../../src/server/app.ts';
import { openSession } from '../../src/server/auth/sessions.ts';
import { readConfig } from '../../src/server/config.ts';
import { seedStores } from '../../src/server/seed/seed.ts';
import { openServices, type Services } from '../../src/server/services.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { median, percentile, print, type Line } from './numbers.ts';

const COLUMNS = `id, shopify_id, version, status, customer_id, currency_code, next_billing_at, completed_orders, last_payment_status, customer_name, customer_email, country_code, delivery_type, frequency, products_label,
  total, subtotal, product_ids, variant_ids, plan_group_ids, tags, created_at, updated_at`;
const LIST = (where: string, order = 'created_at desc, id desc') => `select ${COLUMNS} from contracts where store_id = 1 ${where} order by ${order} limit 26`;
const COUNTERS = "select key, sum(n) as n from counters where store_id = 1 and name = 'contracts' group by key";
const capped = (where: string) => `select count(*) from (select 1 from contracts where store_id = 1 ${where} limit 10001) x`;

interface Case { name: string; call: string; input: JsonObject; sql: string[] }

/** The calls of the list page; `deep` is a cursor near row 100,000, `word` a name that some customers bear. */
function cases(deep: { cursor: string; at: string; id: number } | undefined, word: string): Case[] {
  const list = (name: string, input: JsonObject, ...sql: string[]): Case => ({ name, call: 'subscription-contract.list', input: { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC', ...input }, sql });
  return [
    list('first page', {}, LIST(''), COUNTERS),
    ...(deep ? [list('page 4,000, by key', { after: deep.cursor }, LIST(`and (created_at, id) < ('${deep.at}', ${deep.id})`), COUNTERS)] : []),
    list('one status', { filter: { status: ['ACTIVE'] } }, LIST("and status = 'ACTIVE'"), COUNTERS),
    list('status and country', { filter: { status: ['ACTIVE'], countryCode: ['DE'] } }, LIST("and status = 'ACTIVE' and country_code = 'DE'"), capped("and status = 'ACTIVE' and country_code = 'DE'")),
    list('next order this week', { filter: { nextBillingDateEpoch: { from: Math.floor(Date.now() / 1000), to: Math.floor(Date.now() / 1000) + 7 * 86_400 } }, sort: 'nextBillingDateEpoch', order: 'ASC' },
      LIST(`and next_billing_at >= now() and next_billing_at < now() + interval '7 days'`, 'next_billing_at, id'), capped(`and next_billing_at >= now() and next_billing_at < now() + interval '7 days'`)),
    list('sorted by total', { sort: 'total', order: 'DESC' }, LIST('', 'total desc, id desc'), COUNTERS),
    list('search, rare word', { q: word }, LIST(`and search like '%${word}%'`), capped(`and search like '%${word}%'`)),
    list('search, common word', { q: 'blend' }, LIST("and search like '%blend%'"), capped("and search like '%blend%'")),
    list('search that finds nothing', { q: 'qzxjw' }, LIST("and search like '%qzxjw%'")),
    { name: 'counts of the tabs', call: 'subscription-contract.counts', input: {}, sql: [COUNTERS] },
  ];
}

async function serve(services: Services): Promise<{ ask: (name: string, input: JsonObject) => Promise<JsonObject>; close: () => Promise<void> }> {
  const app = await createApp(services);
  services.state = 'ready';
  await app.listen({ port: 0, host: '127.0.0.1' });
  const bound = app.server.address();
  const url = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
  const { token } = await services.db.asSystem(trx => openSession(trx, 1, 1001, 24));
  return {
    ask: async (name, input) => {
      const request = buildRequest(services.definitions, services.definitions.calls[name]!, input, {});
      const response = await fetch(url + request.url, { method: request.method, headers: { ...request.headers, authorization: token } });
      const body = await response.json() as JsonObject;
      if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
      return body;
    },
    close: () => app.close(),
  };
}

/** Runs both in turns, so that whatever else the machine does meets both. */
async function turns(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = works.map(() => []);
  for (let i = -5; i < rounds; i++) {
    for (const [n, work] of works.entries()) {
      const from = performance.now();
      await work();
      if (i >= 0) times[n]!.push(performance.now() - from);
    }
  }
  return times;
}

async function measure(services: Services, bare: (sql: string) => Promise<unknown>, deepRows: number, limit: number): Promise<Line[]> {
  const http = await serve(services);
  try {
    const areRows = await services.db.ownerQuery<{ at: string; id: number }>('select created_at::text as at, id from contracts where store_id = 1 order by created_at desc, id desc offset $1 limit 1', [deepRows - 1]);
    const at = areRows.rows[0];
    let deep: { cursor: string; at: string; id: number } | undefined;
    if (at) {
      // A cursor is opaque: walk there once by asking for the page whose last row it is.
      const { packCursor } = await import('../../src/server/verbs/cursor.ts');
      deep = { ...at, cursor: packCursor('createdAtEpoch', true, { value: at.at, key: String(at.id) }) };
    }
    const lines: Line[] = [];
    for (const one of cases(deep, 'lindberg')) {
      const [bareTimes, httpTimes] = await turns(60, async () => { for (const sql of one.sql) await bare(sql); }, () => http.ask(one.call, one.input)) as [number[], number[]];
      const m = median(httpTimes);
      lines.push({ name: one.name, bare: median(bareTimes), ours: m, p95: percentile(httpTimes, 95), ratio: m / median(bareTimes), ok: m <= limit });
    }
    return lines;
  } finally {
    await http.close();
  }
}

/** `size` contracts in 50 stores on a PostgreSQL of its own. */
export async function listsOnPostgres(size = 1_000_000): Promise<Line[]> {
  const cluster = await PostgresCluster.create(['shared_buffers=2GB', 'work_mem=32MB', 'random_page_cost=1.1', 'max_wal_size=8GB']);
  const config = { ...readConfig({ DATABASE_URL: cluster.url(), PERENNIAL_WORKERS: '0' }), port: 0 };
  let services: Services | undefined;
  try {
    services = await openServices(config);
    const from = performance.now();
    await seedStores(services.db, { contracts: size, stores: 50, history: 'latest', areas: Object.keys(services.definitions.permissions), progress: (done, total) => { if (done % 50_000 === 0) console.log(`  seeded ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`); } });
    console.log(`  seeding ${size.toLocaleString('en')} subscriptions took ${Math.round((performance.now() - from) / 1000)} s`);
    await services.db.exec('vacuum analyze');
    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    try { return await measure(services, sql => client.query(sql), Math.min(100_000, Math.floor(size * 0.25)), 50); } finally { await client.end(); }
  } finally {
    await services?.close();
    await cluster.remove();
  }
}

export async function listsOnEmbedded(size = 100_000): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  try {
    await seedStores(services.db, { contracts: size, history: 'latest', areas: Object.keys(services.definitions.permissions) });
    await services.db.exec('vacuum analyze');
    return await measure(services, sql => services.db.ownerQuery(sql), Math.floor(size * 0.8), 100);
  } finally {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('lists.ts')) {
  const size = Number(process.argv[2] ?? 1_000_000);
  print(`Lists, PostgreSQL, ${size.toLocaleString('en')} subscriptions (goal: median at most 50 ms)`, await listsOnPostgres(size));
  print('Lists, embedded, 100,000 subscriptions (goal: median at most 100 ms)', await listsOnEmbedded(Math.min(size, 100_000)));
}
