// The list of subscriptions at a million contracts on PostgreSQL (largest store 300,000), and at 100,000 on the embedded database:
// what each call takes over HTTP with every check on, beside the same SQL through the bare driver, measured in turns in one run.
// usage: npm run bench -- lists [--contracts 1000000] [--rounds 40] [--only postgres|embedded] [--history latest|whole] [--keep FOLDER]; with --keep the seeded PostgreSQL stays in
// that folder and is used again. PERENNIAL_BENCH_VERBOSE=1 prints each figure as it is measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { JsonObject } from '../../src/contract/types.ts';
import { readConfig } from '../../src/server/platform/config.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { packCursor } from '../../src/server/platform/records/list/cursor.ts';
import { median, percentile, print, type Line } from './numbers.ts';
import { serve, turns } from './over-http.ts';
import { recorder } from './recorder.ts';
import { describe, withSeeded } from './seeded.ts';

const COLUMNS = `id, shopify_id, version, status, customer_id, currency_code, next_billing_at, completed_orders, last_payment_status, customer_name, customer_email, country_code, delivery_type, frequency, products_label,
  total, subtotal, product_ids, variant_ids, plan_group_ids, tags, created_at, updated_at`;
const LIST = (where: string, order = 'created_at desc, id desc') =>
  `select ${COLUMNS} from contracts where store_id = 1 ${where} order by ${order} limit 26`;
const COUNTERS = "select key, sum(n) as n from counters where store_id = 1 and name = 'contracts' group by key";
const capped = (where: string) => `select count(*) from (select 1 from contracts where store_id = 1 ${where} limit 10001) x`;

interface Case {
  name: string;
  call: string;
  input: JsonObject;
  sql: string[];
}
const list = (name: string, input: JsonObject, ...sql: string[]): Case => ({
  name,
  call: 'subscription-contract.list',
  input: { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC', ...input },
  sql,
});

const day = 86_400;
const now = Math.floor(Date.now() / 1000);
/** Every filter of the list screen with a value that many rows have, and the same in SQL. */
const FILTERS: Record<string, { filter: JsonObject; where: string }> = {
  status: { filter: { status: ['ACTIVE'] }, where: "status = 'ACTIVE'" },
  'next order': {
    filter: { nextBillingDateEpoch: { from: now, to: now + 14 * day } },
    where: `next_billing_at >= to_timestamp(${now}) and next_billing_at < to_timestamp(${now + 14 * day + 1})`,
  },
  created: {
    filter: { createdAtEpoch: { from: now - 365 * day, to: now - 180 * day } },
    where: `created_at >= to_timestamp(${now - 365 * day}) and created_at < to_timestamp(${now - 180 * day + 1})`,
  },
  frequency: { filter: { frequency: ['Every month'] }, where: "frequency = 'Every month'" },
  plan: { filter: { planGroupIds: [1001] }, where: "plan_group_ids && '{1001}'" },
  product: { filter: { productIds: [1001] }, where: "product_ids && '{1001}'" },
  country: { filter: { countryCode: ['DE'] }, where: "country_code = 'DE'" },
  delivery: { filter: { deliveryType: ['PICKUP'] }, where: "delivery_type = 'PICKUP'" },
  payment: { filter: { lastPaymentStatus: ['FAILED'] }, where: "last_payment_status = 'FAILED'" },
  reason: { filter: { paymentFailureReason: ['insufficient_funds'] }, where: "last_payment_category = 'insufficient_funds'" },
  tag: { filter: { tags: ['vip'] }, where: "tags && '{vip}'" },
  total: { filter: { total: { min: '30.00', max: '60.00' } }, where: "currency_code = 'USD' and total >= 3000 and total <= 6000" },
  orders: { filter: { completedOrdersCount: { min: 6 } }, where: 'completed_orders >= 6' },
  prepaid: { filter: { isPrepaid: true }, where: 'is_prepaid' },
  ending: { filter: { isMarkedForCancellation: true }, where: 'is_marked_for_cancellation' },
  'own plan': { filter: { hasCustomPlan: false }, where: 'not has_custom_plan' },
  source: { filter: { source: ['CHECKOUT'] }, where: "source = 'CHECKOUT'" },
};

/** The calls of the list page. `deep` is a cursor near row 100,000; `far` one that only old rows answer. */
function cases(deep: { cursor: string; at: string; id: number }, old: { product: string; email: string; id: number }): Case[] {
  const like = (text: string): string => `and search like '%${text}%'`;
  const start = (text: string): string => `and (search like '${text}%' or search like '% ${text}%')`;
  const search = (name: string, q: string, where: string): Case => list(`search, ${name}`, { q }, LIST(where), capped(where));
  return [
    list('first page', {}, LIST(''), COUNTERS),
    list('page 4,000, by key', { after: deep.cursor }, LIST(`and (created_at, id) < ('${deep.at}', ${deep.id})`), COUNTERS),
    list(
      'page 4,000, one status',
      { after: deep.cursor, filter: { status: ['ACTIVE'] } },
      LIST(`and status = 'ACTIVE' and (created_at, id) < ('${deep.at}', ${deep.id})`),
      COUNTERS,
    ),
    list('sorted by total', { sort: 'total' }, LIST("and currency_code = 'USD'", 'total desc, id desc'), COUNTERS),
    list(
      'sorted by next order',
      { sort: 'nextBillingDateEpoch', order: 'ASC' },
      LIST('and next_billing_at is not null', 'next_billing_at, id'),
      COUNTERS,
    ),
    list(
      'due this week, by date',
      { filter: { nextBillingDateEpoch: { from: now, to: now + 7 * day } }, sort: 'nextBillingDateEpoch', order: 'ASC' },
      LIST(`and next_billing_at >= to_timestamp(${now}) and next_billing_at < to_timestamp(${now + 7 * day + 1})`, 'next_billing_at, id'),
      capped(`and next_billing_at >= to_timestamp(${now}) and next_billing_at < to_timestamp(${now + 7 * day + 1})`),
    ),
    search('rare word', 'lindberg', like('lindberg')),
    search('common word', 'blend', like('blend')),
    search('word of old rows', old.product, like(old.product)),
    search('nothing found', 'qzxjw', like('qzxjw')),
    search('two letters', 'no', start('no')),
    search('two letters, nothing found', 'qz', start('qz')),
    search('beginning of an e-mail', old.email, like(old.email)),
    search('a number', String(old.id), like(String(old.id))),
    search('two words', 'alma lindberg', `${like('alma')} ${like('lindberg')}`),
    list(
      'word and status',
      { q: 'blend', filter: { status: ['PAUSED'] } },
      LIST(`${like('blend')} and status = 'PAUSED'`),
      capped(`${like('blend')} and status = 'PAUSED'`),
    ),
    list(
      'word and country',
      { q: 'lindberg', filter: { countryCode: ['SE'] } },
      LIST(`${like('lindberg')} and country_code = 'SE'`),
      capped(`${like('lindberg')} and country_code = 'SE'`),
    ),
    ...Object.entries(FILTERS).map(([name, { filter, where }]) =>
      list(`filter ${name}`, { filter }, LIST(`and ${where}`), name === 'status' ? COUNTERS : capped(`and ${where}`)),
    ),
    { name: 'counts of the tabs', call: 'subscription-contract.counts', input: {}, sql: [COUNTERS] },
  ];
}

/** Every two filters of the list screen together. */
function pairs(): Case[] {
  const all = Object.entries(FILTERS);
  return all.flatMap(([one, a], i) =>
    all
      .slice(i + 1)
      .map(([other, b]) =>
        list(
          `${one} and ${other}`,
          { filter: { ...a.filter, ...b.filter } },
          LIST(`and ${a.where} and ${b.where}`),
          capped(`and ${a.where} and ${b.where}`),
        ),
      ),
  );
}

interface Measured {
  lines: Line[];
  pairs: Line[];
}

async function measure(
  services: Services,
  bare: (sql: string) => Promise<unknown>,
  deepRows: number,
  limit: number,
  rounds: number,
): Promise<Measured> {
  const http = await serve(services);
  const { during } = recorder();
  try {
    const {
      rows: [at],
    } = await services.db.ownerQuery<{ at: string; id: number }>(
      'select created_at::text as at, id from contracts where store_id = 1 order by contracts.created_at desc, id desc offset $1 limit 1',
      [deepRows - 1],
    );
    const {
      rows: [some],
    } = await services.db.ownerQuery<{ email: string; id: number }>(
      'select customer_email as email, id from contracts where store_id = 1 order by id offset $1 limit 1',
      [deepRows - 7],
    );
    if (!at || !some) throw new Error(`Store 1 has fewer than ${deepRows} subscriptions.`);
    const deep = { ...at, cursor: packCursor('createdAtEpoch', true, { value: at.at, key: String(at.id) }) };
    const old = { product: 'ferment', email: some.email.slice(0, some.email.indexOf('@') + 3), id: some.id };
    const line = async (one: Case, many: number): Promise<Line> => {
      const inside: number[] = [];
      const [bareTimes, httpTimes] = (await turns(
        many,
        async () => {
          for (const sql of one.sql) await bare(sql);
        },
        async () => {
          inside.push((await during(() => http.ask(one.call, one.input))).ms);
        },
      )) as [number[], number[]];
      const m = median(httpTimes);
      if (process.env['PERENNIAL_BENCH_VERBOSE']) console.log(`  ${one.name}: ${m.toFixed(1)} ms, bare ${median(bareTimes).toFixed(1)} ms`);
      return {
        name: one.name,
        bare: median(bareTimes),
        ...(services.db.kind === 'postgres' && { inside: median(inside) }),
        ours: m,
        p95: percentile(httpTimes, 95),
        ok: m <= limit,
      };
    };
    const lines: Line[] = [],
      both: Line[] = [];
    for (const one of cases(deep, old)) lines.push(await line(one, rounds));
    for (const one of pairs()) both.push(await line(one, Math.max(2, Math.round(rounds / 6))));
    return { lines, pairs: both };
  } finally {
    await http.close();
  }
}

/** `size` contracts in 50 stores on a PostgreSQL of its own, or of the folder `keep`. */
export const listsOnPostgres = (size = 1_000_000, keep?: string, rounds = 40, history: 'whole' | 'latest' = 'latest'): Promise<Measured> =>
  withSeeded({ contracts: size, keep, history }, async (services, url) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await measure(services, sql => client.query(sql), Math.min(100_000, Math.floor(size * 0.25)), 50, rounds);
    } finally {
      await client.end();
    }
  });

export async function listsOnEmbedded(size = 100_000, rounds = 40): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  try {
    await seedStores(services.db, { contracts: size, history: 'latest', areas: Object.keys(services.definitions.permissions) });
    await services.db.exec('vacuum analyze');
    await describe(services);
    return await measure(services, sql => services.db.ownerQuery(sql), Math.floor(size * 0.8), 100, rounds);
  } finally {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figures of the pairs in three lines and the slowest ten. */
function show(title: string, limit: number, { lines, pairs: both }: Measured): boolean {
  print(`${title} (goal: median at most ${limit} ms; load of the machine at the end ${loadavg()[0]?.toFixed(1)})`, lines);
  print(
    `the slowest ten of ${both.length} pairs of filters (median of all ${median(both.map(one => one.ours)).toFixed(1)} ms, over ${limit} ms: ${both.filter(one => !one.ok).length})`,
    both.toSorted((a, b) => b.ours - a.ours).slice(0, 10),
  );
  return [...lines, ...both].every(one => one.ok);
}

if (process.argv[1]?.endsWith('lists.ts')) {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: '1000000' },
      keep: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '40' },
      history: { type: 'string', default: 'latest' },
    },
  });
  const size = Number(values.contracts);
  const isMet: boolean[] = [];
  if (values.only !== 'embedded')
    isMet.push(
      show(
        `Lists, PostgreSQL, ${size.toLocaleString('en')} subscriptions`,
        50,
        await listsOnPostgres(size, values.keep, Number(values.rounds), values.history === 'whole' ? 'whole' : 'latest'),
      ),
    );
  if (values.only !== 'postgres')
    isMet.push(show('Lists, embedded, 100,000 subscriptions', 100, await listsOnEmbedded(Math.min(size, 100_000), Number(values.rounds))));
  if (isMet.includes(false)) process.exitCode = 1;
}
